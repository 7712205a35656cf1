import Core
import EventLog
import ReadModel

extension PostgresLibrary {
  /// The logs of the user's devices, and what the user sees of the catalogue as logs for them; a whole log lies in a
  /// temporary folder while it is merged.
  package func deviceLogs(temporary folder: String) -> PostgresDeviceLogs {
    PostgresDeviceLogs(database, owner: owner, temporary: folder, clock: log.now)
  }

  /// Brings what the user sees of the catalogue up to date, as logs for devices: appends the lines that concern the user
  /// and are not in them yet.
  package func copyCatalogue() throws {
    try refresh()
    guard owner != 0, try copiedUpTo() != reached.catalogue else { return }
    try database.transaction {
      try database.lock(owner: owner)
      let last = reached.catalogue
      guard let first = try copiedUpTo(), first != last else { return }
      var numbers = try numbers(after: first, upTo: last, further: [])
      if first == 0 {
        // Something is wanted that was not: lines that were passed over may belong to it.
        try database.forEach("SELECT number FROM device_line WHERE owner = ?", owner) { numbers.remove($0.int(0)) }
      }
      var rest = numbers.sorted()[...]
      while !rest.isEmpty {
        try copy(log.linesOfCatalogue(rest.prefix(PostgresLibrary.copied)))
        rest = rest.dropFirst(PostgresLibrary.copied)
      }
      try database.run(
        """
        INSERT INTO device_copy SELECT ?1, ?2, count(*) FROM wanted WHERE owner = ?1
        ON CONFLICT (owner) DO UPDATE SET catalogue = excluded.catalogue, wanted = excluded.wanted
        """, owner, last)
    }
  }

  private static let copied = 1000

  /// How far the catalogue was copied; 0 if all of it has to be looked through.
  private func copiedUpTo() throws -> Int64? {
    try database.integer(
      """
      SELECT coalesce((SELECT catalogue FROM device_copy
        WHERE owner = ?1 AND wanted = (SELECT count(*) FROM wanted WHERE owner = ?1)), 0)
      """, owner)
  }

  /// Appends what is visible of some lines.
  private func copy(_ lines: [PostgresLog.Line]) throws {
    let read = events(of: lines)
    let shown = Dictionary(
      try visible(read.map(\.event)).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for placed in read {
      guard let seen = shown[placed.event.id] else { continue }
      var written: [UInt8]?
      if seen != placed.event {
        var line = EventLines()
        try line.add(seen.selfContained { try text(of: $0) })
        written = line.bytes
      }
      try append(placed.line, written)
    }
  }

  /// A first line for the copy of a log whose own is damaged, without which no device takes it; nil if it is whole.
  private func firstLine(before line: PostgresLog.Line) throws -> [UInt8]? {
    let first = try database.first("SELECT bytes FROM log_line WHERE log = ? AND start = 0", line.log) { $0.blob(0) }
    guard let first, EventLines(of: first).ids.first ?? EventLines.noID == EventLines.noID,
      let id = EventLines(of: line.bytes).ids.first
    else { return nil }
    var lines = EventLines()
    try lines.begin(with: EventID(reading: id.reading - 1, device: id.device))
    return lines.bytes
  }

  /// Appends a line to the user's copy of its log, which begins with the first line of that.
  private func append(_ line: PostgresLog.Line, _ bytes: [UInt8]?) throws {
    let count = bytes?.count ?? line.bytes.count
    func extend() throws -> Int64? {
      try database.integer(
        "UPDATE device_log SET length = length + ? WHERE owner = ? AND n = ? RETURNING length", count, owner, -line.log)
    }
    var length = try extend()
    if length == nil {
      try database.run(
        """
        WITH first AS (
            SELECT number, octet_length(coalesce(?3::bytea, bytes)) AS length FROM log_line WHERE log = ?2 AND start = 0),
          made AS (INSERT INTO device_line SELECT ?1, -?2, 0, number, ?3::bytea FROM first)
        INSERT INTO device_log SELECT ?1, -?2, name, device, first.length FROM log, first WHERE n = ?2
        """, owner, line.log, try firstLine(before: line))
      length = try extend()
    }
    guard let length else { throw DatabaseError.failed(code: 0, "log \(line.log) of the catalogue has no first line") }
    try database.send(
      "INSERT INTO device_line VALUES (?, ?, ?, ?, ?)", owner, -line.log, length - Int64(count), line.number, bytes)
  }
}
