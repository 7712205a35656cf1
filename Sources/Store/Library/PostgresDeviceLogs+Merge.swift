import Core
import EventLog
import Glibc
import ReadModel
import SQLDrivers

// A whole log that does not begin as ours does arrives in parts and is then merged as one.
extension PostgresDeviceLogs {
  package var stagedBytes: UInt64 {
    get throws {
      let bytes = try database.integer(
        "SELECT coalesce(sum(octet_length(bytes)), 0)::bigint FROM staged_part WHERE owner = ?", owner)
      return UInt64(bytes ?? 0)
    }
  }

  package func removeAbandoned() throws {
    try database.run("DELETE FROM staged_part WHERE owner = ? AND added < ?", owner, Int64(now() / 1000) - 86_400)
  }

  package func stage(
    _ lines: [UInt8], at offset: UInt64, of device: DeviceID, whole end: LogEnd, taking: LinesTaken
  ) throws -> StagedPart {
    guard end.isPlausible, end.length > 0, end.length <= ExchangeLimits.usual.logBytes else { return .implausible }
    let wanted = "\(end.length).\(end.checksum)"
    return try database.transaction {
      try database.lock(owner: owner)
      try database.run(
        "DELETE FROM staged_part WHERE owner = ? AND device = ? AND wanted <> ?", owner, "\(device)", wanted)
      let length = try database.integer(
        """
        SELECT start + octet_length(bytes) FROM staged_part WHERE owner = ? AND device = ? ORDER BY start DESC LIMIT 1
        """, owner, "\(device)")
      let arrived = UInt64(length ?? 0)
      guard arrived == offset, arrived + UInt64(lines.count) <= end.length else {
        return .waiting(arrived, isTaken: false)
      }
      try database.run(
        "INSERT INTO staged_part(owner, device, wanted, start, bytes, added) VALUES (?, ?, ?, ?, ?, ?)", owner,
        "\(device)", wanted, Int64(offset), lines, Int64(now() / 1000))
      let total = arrived + UInt64(lines.count)
      guard total == end.length else { return .waiting(total, isTaken: true) }
      let report = try withFolder { try merge(device, end, taking, in: $0) }
      try database.run("DELETE FROM staged_part WHERE owner = ? AND device = ?", owner, "\(device)")
      return report.map { .merged($0) } ?? .different
    }
  }

  /// Calls `body` with a new folder that only this user may read, and removes it.
  func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    var template = Array("\(temporary)/metube-hub.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw DatabaseError.failed(code: errno, "\(temporary): no folder can be made in it")
    }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { Directory.removeAll(folder) }
    return try body(folder)
  }

  /// Merges what arrived of a device's log, as `Journal.merge(file:)` does with files, in a folder with the logs of the
  /// device; nil if it is not what was announced.
  private func merge(
    _ device: DeviceID, _ end: LogEnd, _ taking: LinesTaken, in folder: String
  ) throws -> MergeReport? {
    let arrived = "\(folder)/\(device).jsonl"
    try write(arrived, "SELECT bytes FROM staged_part WHERE owner = ? AND device = ? ORDER BY start", "\(device)")
    guard try LogEnd(ofFile: arrived) == end else { return nil }
    let folders = Folders(data: folder, state: folder, cache: "/dev/null")
    mkdir(folders.log, 0o700)
    // What the user sees of the catalogue is not merged with, but looked through.
    for log in try logs() where log.device == device && log.number > 0 {
      try write(log, to: "\(folders.log)/\(log.name).jsonl")
    }
    let journal = try Journal(folders: folders, device: nil, coverage: nil, clock: now)
    var report =
      switch taking {
      case .all: try journal.merge(file: arrived)
      case .mending: try journal.merge(file: arrived, onlyMending: true)
      case .lacking: try journal.keepLacking(file: arrived, besides: presentEvents(of: device))
      }
    report.path = device.description
    switch report.outcome {
    case .taken(let path): report.outcome = .taken(as: try keep(path, of: device))
    case .forkKept(let path): report.outcome = .forkKept(as: try keep(path, of: device))
    case .mended(let path, let lines): report.outcome = .mended(try keep(path, of: device), lines: lines)
    case .replaced(let path, _): report.outcome = .replaced(try keep(path, of: device), backup: "")
    case .nothingNew, .notALog, .unreadable: break
    }
    return report
  }

  /// Which events of those that arrived of a device's log the catalogue has, in lines that are not broken.
  private func presentEvents(of device: DeviceID) throws -> Set<EventID> {
    var arrived: [(ids: [EventID], bytes: [UInt8])] = []
    try database.scan(
      "SELECT bytes FROM staged_part WHERE owner = ? AND device = ? ORDER BY start", owner, "\(device)"
    ) { row in
      let lines = EventLines(of: row.blob(0))
      arrived.append((lines.ids, lines.idBytes))
    }
    var present: Set<EventID> = []
    let isDamaged = try database.integer("SELECT 1 FROM log WHERE owner = 0 AND damaged LIMIT 1") != nil
    for part in arrived {
      guard !isDamaged else {
        present.formUnion(try wholeEvents(among: part.ids, part.bytes))
        continue
      }
      // Not EXISTS: the plan may be to collect all IDs of the catalogue first.
      try database.forEach(
        """
        SELECT place FROM generate_series(1, ?::integer) AS place
        WHERE (SELECT 1 FROM log_line
          WHERE owner = 0 AND id = substr(?::bytea, (16 * place - 15)::integer, 16)) IS NOT NULL
        """, part.ids.count, part.bytes
      ) { present.insert(part.ids[Int($0.int(0)) - 1]) }
    }
    return present
  }

  /// Which of some events are whole, `bytes` being their IDs, by reading the lines.
  private func wholeEvents(among ids: [EventID], _ bytes: [UInt8]) throws(DatabaseError) -> [EventID] {
    var whole: [EventID] = []
    try database.forEach(
      """
      SELECT place, (SELECT bytes FROM log_line
        WHERE owner = 0 AND id = substr(?2::bytea, (16 * place - 15)::integer, 16))
      FROM generate_series(1, ?1::integer) AS place
      """, ids.count, bytes
    ) { row in
      let line = row.blob(1)
      if !line.isEmpty, isWhole(line, id: []) { whole.append(ids[Int(row.int(0)) - 1]) }
    }
    return whole
  }

  func write(_ log: Log, to path: String) throws {
    try write(path, "SELECT bytes FROM log_line WHERE owner = ? AND log = ? ORDER BY start", log.number)
  }

  private func write<Key: Bindable>(_ path: String, _ query: SQL, _ key: Key) throws {
    let file = try Replacement(ofLog: path)
    var problem: LogError?
    try database.scan(query, owner, key) { row in
      guard problem == nil else { return }
      do throws(LogError) { try file.append(row.blob(0)) } catch { problem = error }
    }
    if let problem { throw problem }
    try file.commit()
  }

  /// Replaces the log with a file's name by its lines; returns the name.
  func keep(_ path: String, of device: DeviceID) throws -> String {
    let name = String((path.split(separator: "/").last ?? "").dropLast(".jsonl".count))
    if let old = try logs(named: name).first {
      try database.run("DELETE FROM log_line WHERE log = ?", old.number)
      try database.run("DELETE FROM log WHERE n = ?", old.number)
      // Its tables say where lines stood.
      try database.run("SELECT clear_model(?)", owner)
    }
    var (parts, length) = (try LogParts(path), UInt64(0))
    var generation: Int?
    while let lines = try parts.next() {
      generation = generation ?? EventLines(of: lines).generation
      guard try append(lines, to: name, of: device, generation, at: length) else {
        throw DatabaseError.failed(code: 0, "log \(name): another process wrote it too")
      }
      length = parts.end
    }
    return name
  }
}
