import Core
import EventLog
import ReadModel
import SQLDrivers

/// The logs of an owner in PostgreSQL.
package struct PostgresDeviceLogs: DeviceLogs {
  let database: Database
  let owner: Int
  /// Where a whole log lies while it is merged.
  let temporary: String
  /// Milliseconds since 1970.
  let now: () -> UInt64

  package init(_ database: Database, owner: Int, temporary: String, clock now: @escaping () -> UInt64) {
    (self.database, self.owner, self.temporary, self.now) = (database, owner, temporary, now)
  }

  struct Log {
    var number: Int64
    var name: String
    var device: DeviceID
    var generation: Int
    var length: UInt64
    var isDamaged: Bool

    init?(_ row: Statement) {
      guard let device = DeviceID(row.text(2)) else { return nil }
      (number, name, self.device, generation) = (row.int(0), row.text(1), device, Int(row.int(3)))
      (length, isDamaged) = (UInt64(row.int(4)), row.int(5) != 0)
    }
  }

  /// The log with this name, or all of them, those of the catalogue last.
  func logs(named name: String? = nil) throws(DatabaseError) -> [Log] {
    var logs: [Log] = []
    try database.forEach(
      """
      SELECT n, name, device, generation, length, CASE WHEN damaged THEN 1 ELSE 0 END FROM exchanged_log
      WHERE owner = ?1 AND (?2 IS NULL OR name = ?2) ORDER BY n < 0, name
      """, owner, name
    ) { row in if let log = Log(row) { logs.append(log) } }
    return logs
  }

  // MARK: Reading

  package func marks() throws -> [LogMark] {
    try database.snapshot { () throws(DatabaseError) in
      let future = try futureLines()
      var marks: [LogMark] = []
      for log in try logs() {
        let end = try end(of: log, at: future[log.number] ?? log.length)
        marks.append(
          LogMark(
            log: log.name, device: log.device, generation: log.generation, end: end, isDamaged: log.isDamaged,
            damagedLine: log.isDamaged ? try firstDamage(of: log)?.line : nil))
      }
      return marks
    }
  }

  package var storedBytes: UInt64 {
    get throws {
      UInt64(try database.integer("SELECT coalesce(sum(length), 0)::bigint FROM log WHERE owner = ?", owner) ?? 0)
    }
  }

  /// Where the first line from the future begins in each log that has one: it is exchanged when its time has come.
  private func futureLines() throws(DatabaseError) -> [Int64: UInt64] {
    let limit = EventID(reading: (now() + HybridClock.horizon) << 16 | 0xffff, device: DeviceID(letters: .max))
    var starts: [Int64: UInt64] = [:]
    try database.forEach(
      "SELECT log, min(start) FROM log_line WHERE owner = ? AND id > ? GROUP BY log", owner, limit
    ) { row in starts[row.int(0)] = UInt64(row.int(1)) }
    return starts
  }

  package func hasEnd(_ end: LogEnd, in log: String) throws -> Bool {
    guard let log = try logs(named: log).first else { return end == .start }
    return try has(end, log)
  }

  private func has(_ end: LogEnd, _ log: Log) throws(DatabaseError) -> Bool {
    guard end.length > 0 else { return end == .start }
    guard end.length <= log.length else { return false }
    if end.length < log.length {
      let line = try database.integer(
        "SELECT 1 FROM exchanged_line WHERE owner = ? AND log = ? AND start = ?", owner, log.number, Int64(end.length))
      guard line != nil else { return false }
    }
    return try self.end(of: log, at: end.length) == end
  }

  private func end(of log: Log, at length: UInt64) throws(DatabaseError) -> LogEnd {
    let tail = length - min(length, LogEnd.tailLength)
    return LogEnd(
      length: length, head: try bytes(of: log, 0..<min(length, LogEnd.headLength)),
      tail: try bytes(of: log, tail..<length))
  }

  /// Some bytes of a log, in which lines may begin or end anywhere.
  private func bytes(of log: Log, _ range: Range<UInt64>) throws(DatabaseError) -> [UInt8] {
    var (bytes, first) = ([UInt8](), range.lowerBound)
    try database.forEach(
      """
      SELECT start, bytes FROM exchanged_line
      WHERE owner = ?4 AND log = ?1 AND start < ?3
        AND start >= (
          SELECT start FROM exchanged_line WHERE owner = ?4 AND log = ?1 AND start <= ?2 ORDER BY start DESC LIMIT 1)
      ORDER BY start
      """, log.number, Int64(range.lowerBound), Int64(range.upperBound), owner
    ) { row in
      if bytes.isEmpty { first = UInt64(row.int(0)) }
      bytes += row.blob(1)
    }
    guard first <= range.lowerBound else { return [] }
    return Array(bytes.dropFirst(Int(range.lowerBound - first)).prefix(range.count))
  }

  package func lines(of log: String, from offset: UInt64, maximum: Int) throws -> [UInt8]? {
    guard let log = try logs(named: log).first else { return nil }
    let rows = try rows(of: log, offset..<max(offset, futureLines()[log.number] ?? log.length), maximum: maximum)
    if !log.isDamaged, let broken = rows.first(where: { !isWhole($0.bytes, id: $0.id) }) {
      // What cannot be written down, as on a standby, is found again.
      try? noteDamage(of: log, broken)
    }
    return rows.flatMap(\.bytes)
  }

  package func futureEvents(of log: String) throws -> Int {
    guard let log = try logs(named: log).first, let start = try futureLines()[log.number] else { return 0 }
    let lines = try database.integer(
      "SELECT count(*) FROM log_line WHERE log = ? AND start >= ?", log.number, Int64(start))
    // The first line of a log is not an event.
    return Int(lines ?? 0) - (start == 0 ? 1 : 0)
  }

  /// Lines of a log from an offset on, with those from the future; empty without this log.
  package func allLines(of log: String, from offset: UInt64, maximum: Int) throws -> [UInt8] {
    guard let log = try logs(named: log).first else { return [] }
    return try rows(of: log, offset..<max(offset, log.length), maximum: maximum).flatMap(\.bytes)
  }

  /// A line as a log has it.
  struct Row {
    var start: UInt64
    var bytes: [UInt8]
    /// Its event's ID; empty if another line has it, and in copies of the catalogue.
    var id: [UInt8]

    init(start: UInt64, bytes: [UInt8], id: [UInt8]) { (self.start, self.bytes, self.id) = (start, bytes, id) }

    /// The columns start, bytes and id.
    init(_ row: Statement) { (start, bytes, id) = (UInt64(clamping: row.int(0)), row.blob(1), row.blob(2)) }
  }

  private func rows(of log: Log, _ range: Range<UInt64>, maximum: Int) throws(DatabaseError) -> [Row] {
    var (rows, length, isFull) = ([Row](), 0, false)
    try database.forEach(
      "SELECT start, bytes, id FROM exchanged_line WHERE owner = ? AND log = ? AND start >= ? AND start < ? ORDER BY start",
      owner, log.number, Int64(clamping: range.lowerBound),
      Int64(clamping: min(range.upperBound, range.lowerBound + UInt64(maximum)))
    ) { row in
      let line = Row(row)
      isFull = isFull || !rows.isEmpty && length + line.bytes.count > maximum
      if !isFull { rows.append(line) }
      length += line.bytes.count
    }
    return rows
  }

  /// The logs that the owner has, without those of the catalogue, and their lengths.
  package func ownLogs() throws -> [(name: String, length: UInt64)] {
    try logs().filter { $0.number > 0 }.map { ($0.name, $0.length) }
  }

  // MARK: Appending

  package func extend(_ log: String, of device: DeviceID, at end: LogEnd, with lines: [UInt8]) throws -> Bool {
    try database.transaction {
      try database.lock(owner: owner)
      let known = try logs(named: log).first
      // Those of the catalogue have negative numbers.
      guard known?.isDamaged != true, (known?.number ?? 1) > 0, try known.map({ try has(end, $0) }) ?? (end == .start)
      else { return false }
      if let known, known.length != end.length {
        return try bytes(of: known, end.length..<end.length + UInt64(lines.count)) == lines
      }
      return try lines.isEmpty || append(lines, to: log, of: device, known?.generation, at: end.length)
    }
  }

  /// Appends lines at the end of a log, which is made if absent; returns false if its end is elsewhere. Within a
  /// transaction. Without a generation the lines say it.
  package func append(
    _ bytes: [UInt8], to log: String, of device: DeviceID, _ generation: Int?, at length: UInt64
  ) throws -> Bool {
    let lines = EventLines(of: bytes)
    let lengths = "{\(lines.lengths.map(String.init).joined(separator: ","))}"
    let first = try database.integer(
      "SELECT append_lines(?, ?, ?, ?, ?, ?, ?::integer[], ?)", owner, log, "\(device)",
      generation ?? lines.generation, Int64(length), lines.bytes, lengths, lines.idBytes)
    return first != nil
  }
}
