import Core
import EventLog
import Glibc
import ReadModel
import SQLDrivers

// The server's checksums find pages that rotted, not lines that were damaged before they came, or changed by hand.
extension PostgresDeviceLogs {
  /// A log of the owner, read whole.
  package struct Report: Equatable, Sendable {
    package var name: String
    package var lines = 0
    package var bytes: UInt64 = 0
    package var damage: [Broken] = []

    /// A line that is none that anybody wrote so.
    package struct Broken: Equatable, Sendable {
      /// From 1.
      package var line: Int
      /// Where it begins.
      package var byte: UInt64
      package var bytes: [UInt8]
    }
  }

  /// Reads every line of every log of the owner. What is damaged is marked as that: devices then mend it when they next
  /// exchange, and the health check says it.
  package func verify() throws -> [Report] {
    var reports: [Report] = []
    for log in try logs() where log.number > 0 {
      let report = try report(of: log)
      if report.damage.isEmpty == log.isDamaged {
        try database.run(
          "UPDATE log SET damaged = (? > 0) WHERE owner = ? AND n = ?", report.damage.count, owner, log.number)
      }
      reports.append(report)
    }
    return reports
  }

  func report(of log: Log) throws(DatabaseError) -> Report {
    var report = Report(name: log.name)
    try database.scan(
      "SELECT start, bytes, id FROM log_line WHERE owner = ? AND log = ? ORDER BY start", owner, log.number
    ) { row in
      let (start, bytes) = (UInt64(clamping: row.int(0)), row.blob(1))
      report.lines += 1
      if start != report.bytes || !isWhole(bytes, id: row.blob(2)) {
        report.damage.append(Report.Broken(line: report.lines, byte: start, bytes: bytes))
      }
      report.bytes = start + UInt64(bytes.count)
    }
    return report
  }

  /// Whether bytes are one line, with the checksum and the ID that it has to have. An event that another log has already
  /// is stored without its ID.
  func isWhole(_ bytes: [UInt8], id: [UInt8]) -> Bool {
    let lines = EventLines(of: bytes)
    guard lines.lengths == [bytes.count], lines.ids != [EventLines.noID] else { return false }
    return id.isEmpty || id == lines.idBytes
  }

  /// Marks a log as damaged, unless a line of it is no longer what was read. Returns whether it is marked now and was not
  /// before.
  @discardableResult
  func mark(_ log: Int64, asDamagedIn line: Row) throws(DatabaseError) -> Bool {
    try database.integer(
      """
      UPDATE log SET damaged = true
      WHERE n = ?1 AND NOT damaged AND EXISTS (SELECT FROM log_line WHERE log = ?1 AND start = ?2 AND bytes = ?3)
      RETURNING 1
      """, log, Int64(clamping: line.start), line.bytes) != nil
  }

  /// Notes that a line which is about to be sent is broken. A copy of what the user sees of the catalogue is made anew
  /// without it: then what is behind it can be sent.
  func noteDamage(of log: Log, _ line: Row) throws {
    guard log.number < 0 else {
      try mark(log.number, asDamagedIn: line)
      return
    }
    try database.transaction {
      try database.lock(owner: owner)
      let source = try database.first(
        """
        SELECT line.start, line.bytes, NULL, line.log FROM device_line AS copy
          JOIN log_line AS line ON line.owner = 0 AND line.number = copy.number
        WHERE copy.owner = ? AND copy.log = ? AND copy.start = ?
        """, owner, log.number, Int64(clamping: line.start)
      ) { row in (line: Row(row), log: row.int(3)) }
      if let source, !isWhole(source.line.bytes, id: []) { try mark(source.log, asDamagedIn: source.line) }
      for table: SQL in ["device_line", "device_log", "device_copy"] {
        try database.run("DELETE FROM \(table) WHERE owner = ?", owner)
      }
    }
  }

  /// What is broken in the owner's logs that are marked as damaged.
  func damage() throws(DatabaseError) -> [LogDamage] {
    try logs().filter { $0.isDamaged && $0.number > 0 }.map { (log) throws(DatabaseError) in
      let name = "\(log.name).jsonl"
      let lines = try report(of: log).damage
      let first = lines.first.map { LogPosition(path: name, line: $0.line, byte: $0.byte) }
      return LogDamage(file: name, isOfCatalogue: false, kind: .lines(first: first, count: lines.count))
    }
  }

  /// The number of the first damaged line of a log that is marked; nil if none is found.
  func firstDamage(of log: Log) throws(DatabaseError) -> (line: Int, byte: UInt64)? {
    try report(of: log).damage.first.map { ($0.line, $0.byte) }
  }

  /// What `repair` did with a log.
  package struct Repair: Equatable, Sendable {
    package var name: String
    /// How many lines came back from other copies.
    package var mended: Int
    /// How many were taken out, because no copy in the database has them.
    package var removed: Int
  }

  /// Replaces damaged lines of logs by lines of other copies, such as forks that devices sent, and removes those that
  /// no copy has.
  package func repair() throws -> [Repair] {
    try database.transaction {
      try database.lock(owner: owner)
      let all = try logs().filter { $0.number > 0 }
      var repairs: [Repair] = []
      for log in all {
        let damage = try report(of: log).damage
        guard !damage.isEmpty else { continue }
        let copies = all.filter { $0.device == log.device }
        repairs.append(try withFolder { try self.repair(log, damage, from: copies, in: $0) })
      }
      if !repairs.isEmpty { try clearTables() }
      return repairs
    }
  }

  private func repair(
    _ log: Log, _ damage: [Report.Broken], from copies: [Log], in folder: String
  ) throws -> Repair {
    let folders = Folders(data: folder, state: folder, cache: "/dev/null")
    mkdir(folders.log, 0o700)
    for copy in copies { try write(copy, to: "\(folders.log)/\(copy.name).jsonl") }
    let path = "\(folders.log)/\(log.name).jsonl"
    let reports = try Journal(folders: folders, device: nil, coverage: nil, clock: now).mendAll()
    let report = reports.first { $0.path == path }
    if report?.removed == 0, try LogEnd(ofFile: path).length == log.length {
      try update(log, damage, from: path)
    } else {
      try beginAnew(path, of: log.device)
      _ = try keep(path, of: log.device)
    }
    return Repair(name: log.name, mended: report?.mended ?? 0, removed: report?.removed ?? 0)
  }

  /// Gives a log a first line if it lost its own: without one it is not accepted.
  private func beginAnew(_ path: String, of device: DeviceID) throws {
    var parts = try LogParts(path)
    let first = try parts.next() ?? []
    let ids = EventLines(of: first).ids
    guard isWithoutStart(first, of: device), let id = ids.first(where: { $0 != EventLines.noID }) else { return }
    var lines = EventLines()
    try lines.begin(with: EventID(reading: id.reading - 1, device: device))
    let file = try Replacement(ofLog: path)
    try file.append(lines.bytes + first)
    while let part = try parts.next() { try file.append(part) }
    try file.commit()
  }

  private func isWithoutStart(_ lines: [UInt8], of device: DeviceID) -> Bool {
    do throws(LineRefusal) {
      try ForeignLines.check(lines, of: device, isBeginning: true, mayBeBroken: true, now: now())
      return false
    } catch { return error == .noStart }
  }

  /// Puts mended lines into the rows of the damaged ones, which are as long.
  private func update(_ log: Log, _ damage: [Report.Broken], from path: String) throws {
    var (parts, end) = (try LogParts(path), UInt64(0))
    var rest = damage[...]
    while let part = try parts.next() {
      defer { end = parts.end }
      while let broken = rest.first, broken.byte < parts.end {
        rest.removeFirst()
        let index = Int(broken.byte - end)
        guard index + broken.bytes.count <= part.count else { continue }
        let bytes = Array(part[index..<index + broken.bytes.count])
        try database.run(
          """
          UPDATE log_line SET bytes = ?4, id = coalesce(id, CASE
            WHEN (SELECT 1 FROM log_line AS other WHERE other.owner = ?1 AND other.id = ?5) IS NULL THEN ?5::bytea END)
          WHERE owner = ?1 AND log = ?2 AND start = ?3
          """, owner, log.number, Int64(broken.byte), bytes, EventLines(of: bytes).idBytes)
      }
    }
    try database.run("UPDATE log SET damaged = false WHERE owner = ? AND n = ?", owner, log.number)
  }

  /// Lets the tables be filled from the lines again, and what devices get of the catalogue.
  private func clearTables() throws {
    guard owner == 0 else { return try database.run("SELECT clear_model(?)", owner) }
    for table: SQL in ["device_line", "device_log", "device_copy"] { try database.run("DELETE FROM \(table)") }
    try database.run("SELECT clear_model(n) FROM owner ORDER BY n")
  }
}
