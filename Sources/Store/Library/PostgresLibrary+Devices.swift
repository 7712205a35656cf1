import Core
import EventLog
import ReadModel
import SQLDrivers

extension PostgresLibrary {
  /// The logs of the user's devices, and what the user sees of the catalogue as logs for them; a whole log lies in a
  /// temporary folder while it is merged.
  package func deviceLogs(temporary folder: String) -> PostgresDeviceLogs {
    PostgresDeviceLogs(database, owner: owner, temporary: folder, clock: log.now)
  }

  /// Brings what the user sees of the catalogue up to date, as logs for devices: appends the lines that concern the user
  /// and are not in them yet. Each part is committed by itself, so that a copy which `Interruption` ended between two
  /// parts goes on there.
  package func copyCatalogue() throws {
    try refresh()
    guard owner != 0 else { return }
    let last = reached.catalogue
    var copy: CopyToDo?
    while try copiedUpTo() < last {
      if copy != nil { try Interruption.check() }
      copy = try database.transaction { try copyPart(of: copy, upTo: last) }
    }
  }

  /// What is still to be copied.
  private struct CopyToDo {
    /// The position up to which the catalogue was copied.
    var reached: Int64
    /// The lines after that which concern the user and are not copied yet, in order.
    var numbers: ArraySlice<Int64>
    /// What they are seen by.
    var sources: CatalogueView
  }

  /// Copies the next part, in a transaction; returns what is left of it.
  private func copyPart(of known: CopyToDo?, upTo last: Int64) throws -> CopyToDo? {
    try database.lock(owner: owner)
    let first = try copiedUpTo()
    guard first < last else { return known }
    var copy: CopyToDo
    if let known, known.reached == first {
      copy = known
    } else {
      // The first part; or another process went on, or something is wanted that was not.
      copy = CopyToDo(
        reached: first, numbers: try uncopied(after: first, upTo: last), sources: try CatalogueView(sourcesOf: model))
    }
    let part = copy.numbers.prefix(PostgresLibrary.copied)
    try append(log.linesOfCatalogue(part), copy.sources)
    copy.numbers = copy.numbers.dropFirst(PostgresLibrary.copied)
    copy.reached = copy.numbers.isEmpty ? last : part.last ?? last
    try database.run(
      """
      INSERT INTO device_copy SELECT ?1, ?2, count(*) FROM wanted WHERE owner = ?1
      ON CONFLICT (owner) DO UPDATE SET catalogue = excluded.catalogue, wanted = excluded.wanted
      """, owner, copy.reached)
    return copy
  }

  /// The numbers of the lines that concern the user and are not copied, in order. If all of the catalogue is looked
  /// through again, because something is wanted that was not, lines that were passed over may belong to it.
  private func uncopied(after first: Int64, upTo last: Int64) throws -> ArraySlice<Int64> {
    var numbers = try numbers(after: first, upTo: last, further: [])
    try database.forEach("SELECT number FROM device_line WHERE owner = ? AND number > ?", owner, first) {
      numbers.remove($0.int(0))
    }
    return numbers.sorted()[...]
  }

  /// How many lines are copied in one transaction, and with one statement.
  private static let copied = 1000

  /// The position up to which the catalogue was copied; 0 if all of it must be read.
  private func copiedUpTo() throws -> Int64 {
    try database.integer(
      """
      SELECT catalogue FROM device_copy
      WHERE owner = ?1 AND wanted = (SELECT count(*) FROM wanted WHERE owner = ?1)
      """, owner) ?? 0
  }

  /// Appends what is visible of some lines to the user's copies of their logs.
  private func append(_ lines: [PostgresLog.Line], _ sources: CatalogueView) throws {
    let read = events(of: lines)
    let known = Set(read.map(\.line.number))
    for line in lines where !known.contains(line.number) { try noteDamage(ofCatalogue: line) }
    let view = try CatalogueView(
      sources, CatalogueView(), videos: model.shown(among: read.compactMap(\.event.body.video)))
    var lengths = try lengthsOfCopies()
    var rows = CopiedRows()
    for logged in read {
      guard let seen = view.visible(logged.event) else { continue }
      var written: [UInt8]?
      if seen != logged.event {
        var line = EventLines()
        try line.add(seen.selfContained { try text(of: $0) })
        written = line.bytes
      }
      let log = Int64(logged.line.log)
      let start = try lengths[log] ?? beginCopy(before: logged.line)
      rows.add(logged.line, at: start, written)
      lengths[log] = start + Int64(written?.count ?? logged.line.bytes.count)
    }
    guard !rows.numbers.isEmpty else { return }
    try database.send(
      """
      INSERT INTO device_line
      SELECT ?1, line.log, line.start, line.number,
        CASE WHEN line.length > 0
          THEN substr(CAST(?7 AS bytea), CAST(line.at + 1 AS integer), CAST(line.length AS integer)) END
      FROM unnest(
        CAST(?2 AS bigint[]), CAST(?3 AS bigint[]), CAST(?4 AS bigint[]), CAST(?5 AS bigint[]), CAST(?6 AS bigint[])
      ) AS line(log, start, number, at, length)
      """, owner, Database.array(rows.logs), Database.array(rows.starts), Database.array(rows.numbers),
      Database.array(rows.offsets), Database.array(rows.lengths), rows.bytes)
    try database.send(
      """
      UPDATE device_log SET length = copy.length
      FROM unnest(CAST(?2 AS bigint[]), CAST(?3 AS bigint[])) AS copy(log, length)
      WHERE owner = ?1 AND n = copy.log AND device_log.length <> copy.length
      """, owner, Database.array(lengths.keys.map { -$0 }), Database.array(lengths.values))
  }

  /// Rows of `device_line`, column by column.
  private struct CopiedRows {
    var (logs, starts, numbers): ([Int64], [Int64], [Int64]) = ([], [], [])
    /// Where the bytes of each are in `bytes`, and how many: none where the line is the catalogue's own.
    var (offsets, lengths): ([Int64], [Int64]) = ([], [])
    var bytes: [UInt8] = []

    mutating func add(_ line: PostgresLog.Line, at start: Int64, _ written: [UInt8]?) {
      logs.append(-Int64(line.log))
      starts.append(start)
      numbers.append(line.number)
      offsets.append(Int64(bytes.count))
      lengths.append(Int64(written?.count ?? 0))
      bytes += written ?? []
    }
  }

  /// How long the user's copies are, by their logs of the catalogue.
  private func lengthsOfCopies() throws -> [Int64: Int64] {
    var lengths: [Int64: Int64] = [:]
    try database.forEach("SELECT n, length FROM device_log WHERE owner = ?", owner) { lengths[-$0.int(0)] = $0.int(1) }
    return lengths
  }

  /// Marks a log of the catalogue as damaged if this line of it is broken, and therefore left out of copies.
  private func noteDamage(ofCatalogue line: PostgresLog.Line) throws {
    let logs = deviceLogs(temporary: "")
    guard !logs.isWhole(line.bytes, id: []) else { return }
    let row = PostgresDeviceLogs.Row(start: line.start, bytes: line.bytes, id: [])
    try logs.mark(Int64(line.log), asDamagedIn: row)
  }

  /// A first line for the copy of a log whose own is damaged, without which no device takes it; nil if it is whole.
  private func firstLine(before line: PostgresLog.Line) throws -> [UInt8]? {
    let first = try database.first("SELECT bytes FROM log_line WHERE log = ? AND start = 0", line.log) { $0.blob(0) }
    guard let first, EventLines(of: first).ids.first ?? EventLines.noID == EventLines.noID,
      let id = EventLines(of: line.bytes).ids.first
    else { return nil }
    let row = PostgresDeviceLogs.Row(start: 0, bytes: first, id: [])
    try deviceLogs(temporary: "").mark(Int64(line.log), asDamagedIn: row)
    var lines = EventLines()
    try lines.begin(with: EventID(reading: id.reading - 1, device: id.device))
    return lines.bytes
  }

  /// Begins the user's copy of the log of a line, with the first line of that log; returns its length.
  private func beginCopy(before line: PostgresLog.Line) throws -> Int64 {
    let length = try database.integer(
      """
      WITH first AS (
          SELECT number, octet_length(coalesce(?3::bytea, bytes)) AS length FROM log_line WHERE log = ?2 AND start = 0),
        made AS (INSERT INTO device_line SELECT ?1, -?2, 0, number, ?3::bytea FROM first)
      INSERT INTO device_log SELECT ?1, -?2, name, device, first.length FROM log, first WHERE n = ?2 RETURNING length
      """, owner, line.log, try firstLine(before: line))
    guard let length else { throw DatabaseError.failed(code: 0, "log \(line.log) of the catalogue has no first line") }
    return length
  }
}
