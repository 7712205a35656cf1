import Core
import EventLog
import ReadModel
import SQLDrivers

/// The lines of an owner in PostgreSQL: of a user, or the catalogue.
final class PostgresLog {
  /// The owner's number; 0 for the catalogue.
  let owner: Int
  /// Under whose ID events are appended.
  let device: DeviceID
  private let database: Database
  /// Milliseconds since 1970.
  let now: () -> UInt64

  /// A line with its newline.
  struct Line {
    /// Among the owner's lines.
    var number: Int64
    var log: Int
    /// Where it begins in its log.
    var start: UInt64
    var bytes: [UInt8]
  }

  /// The lines of an owner, who is made if absent: of the user with this name, of the catalogue if nil.
  init(_ database: Database, of user: String?, makesOwner: Bool, clock now: @escaping () -> UInt64) throws {
    (self.database, self.now) = (database, now)
    func known() throws -> (owner: Int, device: DeviceID?)? {
      try database.first("SELECT n, device FROM owner WHERE name = ?1 OR (?1 IS NULL AND n = 0)", user) { row in
        (owner: Int(row.int(0)), device: DeviceID(row.text(1)))
      }
    }
    if makesOwner, try known() == nil {
      var generator = SystemRandomNumberGenerator()
      let new = DeviceID(using: &generator).description
      if let user {
        try database.run("INSERT OR IGNORE INTO owner(name, device) VALUES (?, ?)", user, new)
      } else {
        try database.run("INSERT OR IGNORE INTO owner(n, device) VALUES (0, ?)", new)
      }
    }
    guard let (owner, device) = try known(), let device else {
      throw PostgresLog.unexpected(makesOwner ? "an owner without a device" : "no user \(user ?? "") any more")
    }
    (self.owner, self.device) = (owner, device)
  }

  private static func unexpected(_ what: String) -> DatabaseError { .failed(code: 0, "the log has \(what)") }

  // MARK: Appending

  /// Appends events with these bodies; in a transaction that has the owner's lock. Returns the events, and all lines that
  /// were appended. `action` is nil for a command's first batch.
  func append(
    _ bodies: [EventBody], action: EventID?, undoing undone: EventID?, _ clock: inout HybridClock
  ) throws -> (events: [Event], lines: [Line]) {
    let now = now()
    var lines = EventLines()
    let end = try end()
    if end == nil { try lines.begin(with: clock.next(now: now)) }
    var events: [Event] = []
    for body in bodies {
      let id = clock.next(now: now)
      events.append(Event(id: id, action: action ?? events.first?.id ?? id, undoes: undone, body: body))
    }
    for event in events { try lines.add(event) }
    let number = try database.integer(
      "SELECT append_lines(?, ?, ?, 1, NULL, ?, ?::integer[], ?)", owner, "\(device)", "\(device)", lines.bytes,
      Database.array(lines.lengths.lazy.map { Int64($0) }), lines.idBytes)
    guard let number, let log = try end?.log ?? self.end()?.log else {
      throw PostgresLog.unexpected("another writer of \(device)")
    }
    var (appended, start): ([Line], Int) = ([], 0)
    for (index, length) in lines.lengths.enumerated() {
      let bytes = Array(lines.bytes[start..<start + length])
      appended.append(
        Line(number: number + Int64(index), log: log, start: (end?.length ?? 0) + UInt64(start), bytes: bytes))
      start += length
    }
    return (events, appended)
  }

  /// The number and the length of this device's log; nil if it is not begun.
  private func end() throws(DatabaseError) -> (log: Int, length: UInt64)? {
    try database.first("SELECT n, length FROM log WHERE owner = ? AND name = ?", owner, "\(device)") { row in
      (Int(row.int(0)), UInt64(clamping: row.int(1)))
    }
  }

  /// Milliseconds since 1970 up to which events of other devices count.
  func limit(_ clock: HybridClock) -> UInt64 { max(now() + HybridClock.horizon, clock.own >> 16) }

  /// The last ID that a millisecond can have.
  private static func last(at milliseconds: UInt64) -> EventID {
    EventID(reading: milliseconds << 16 | 0xffff, device: DeviceID(letters: .max >> 1))
  }

  // MARK: Reading

  /// The end of a log.
  struct End {
    /// How many lines there are of the owner, and how many of the catalogue's are filed.
    var (own, catalogue): (Int64, Int64)
    /// The era of the line numbers: a rewrite of the logs begins a new one.
    var era: String
    /// What the tables of the read model have, as recorded when they were filled.
    var coverage: [UInt8]?
    /// The clock that has observed all events of the owner and of the catalogue.
    var clock: HybridClock
  }

  func end(at now: UInt64) throws -> End {
    let end = try database.first(PostgresLog.end, owner, PostgresLog.last(at: now + HybridClock.horizon)) { row in
      let own = EventID(bytes: row.blob(3))
      var clock = HybridClock(device: device, last: 0, own: own?.reading ?? 0)
      for id in [row.blob(4), row.blob(5)].compactMap({ EventID(bytes: $0) }) { clock.observe(id, now: now) }
      let coverage = row.blob(6)
      return End(
        own: row.int(0), catalogue: row.int(1), era: row.text(2), coverage: coverage.isEmpty ? nil : coverage,
        clock: clock)
    }
    guard let end else { throw PostgresLog.unexpected("no owner any more") }
    return end
  }

  /// What `era()` returns, also on a standby: the function reads where the WAL is written, which is nowhere there. The
  /// control file may be behind after another server was promoted; then tokens of this one are invalid there.
  private static let era: SQL = """
    CASE WHEN pg_is_in_recovery() THEN (pg_control_system()).system_identifier || '-' || upper(lpad(to_hex(
      greatest((pg_control_checkpoint()).timeline_id, (pg_control_recovery()).min_recovery_end_timeline)), 8, '0'))
    ELSE era() END
    """

  /// What others wrote too far ahead of this machine's clock does not count yet, unless this device wrote later ones.
  private static let end: SQL = {
    func last(_ owner: SQL) -> SQL {
      """
      (SELECT id FROM log_line WHERE owner = \(owner)
        AND id <= greatest(?2, substr(own.id, 1, 6) || x'ffff7fffffffffffffff') ORDER BY id DESC LIMIT 1)
      """
    }
    return """
      SELECT o.lines, coalesce((SELECT filed FROM owner WHERE n = 0), 0), \(era), own.id, \(last("o.n")), \(last("0")),
        (SELECT value FROM all_meta WHERE owner = o.n AND key = 'coverage')
      FROM owner o LEFT JOIN LATERAL (
        SELECT id FROM log_line WHERE log = (SELECT n FROM log WHERE owner = o.n AND name = o.device)
        ORDER BY start DESC LIMIT 1) own ON true
      WHERE o.n = ?1
      """
  }()

  /// Up to `maximum` of the owner's lines after a number and up to another; without those that repeat an event.
  func lines(after number: Int64, upTo last: Int64, maximum: Int) throws(DatabaseError) -> [Line] {
    try read(
      """
      SELECT number, log, start, bytes FROM log_line WHERE owner = ? AND number > ? AND number <= ? AND id IS NOT NULL
      ORDER BY number LIMIT ?
      """, owner, number, last, maximum)
  }

  /// Lines of the catalogue by their numbers, in order; no number may be repeated.
  func linesOfCatalogue(_ numbers: some Collection<Int64>) throws(DatabaseError) -> [Line] {
    if numbers.isEmpty { return [] }
    return try read(
      """
      SELECT v.number, v.log, v.start, v.bytes
      FROM \(Database.rows(of: "log_line", where: "owner = 0 AND number = one.value")) WHERE v.id IS NOT NULL ORDER BY v.number
      """, Database.array(numbers))
  }

  /// The lines of the owner and of the catalogue up to some numbers whose events are later than one millisecond and not
  /// later than another; with their owners.
  func lines(
    upTo own: Int64, _ catalogue: Int64, from first: UInt64, to last: UInt64
  ) throws(DatabaseError) -> [(owner: Int, line: Line)] {
    var lines: [(owner: Int, line: Line)] = []
    try database.forEach(
      """
      SELECT number, log, start, bytes, owner FROM log_line WHERE owner = ?1 AND id > ?4 AND id <= ?5 AND number <= ?2
      UNION ALL
      SELECT number, log, start, bytes, owner FROM log_line
      WHERE owner = 0 AND id > ?4 AND id <= ?5 AND number <= ?3 AND ?1 != 0
      """, owner, own, catalogue, PostgresLog.last(at: first), PostgresLog.last(at: last)
    ) { lines.append((Int($0.int(4)), Line($0))) }
    return lines
  }

  /// The lines of the owner or the catalogue that begin at some positions, in the order of the logs; with their owners.
  func lines(at positions: Set<LinePosition>) throws(DatabaseError) -> [(owner: Int, line: Line)] {
    var lines: [(owner: Int, line: Line)] = []
    try database.scan(
      """
      SELECT l.number, l.log, l.start, l.bytes, l.owner
      FROM unnest(CAST(? AS bigint[]), CAST(? AS bigint[])) AS place(log, start)
        JOIN LATERAL (SELECT * FROM log_line WHERE log = place.log AND start = place.start LIMIT 1) l ON true
      WHERE l.owner IN (0, ?) ORDER BY l.log, l.start
      """, Database.array(positions.lazy.map { Int64($0.file) }),
      Database.array(positions.lazy.map { Int64(clamping: $0.offset) }), owner
    ) { lines.append((Int($0.int(4)), Line($0))) }
    return lines
  }

  /// The bytes of parts of lines, in their order; those that the owner cannot see are empty.
  func bytes(at ranges: [LogRange]) throws(DatabaseError) -> [[UInt8]] {
    var parts = [[UInt8]](repeating: [], count: ranges.count)
    if ranges.isEmpty { return parts }
    try database.forEach(
      """
      SELECT place.n, substr(l.bytes, CAST(place.start - l.start + 1 AS integer), CAST(place.length AS integer))
      FROM unnest(CAST(? AS bigint[]), CAST(? AS bigint[]), CAST(? AS bigint[])) WITH ORDINALITY
          AS place(log, start, length, n)
        JOIN LATERAL line_at(place.log, place.start) l ON true
      WHERE l.owner IN (0, ?)
      """, Database.array(ranges.lazy.map { Int64($0.file) }),
      Database.array(ranges.lazy.map { Int64(clamping: $0.offset) }),
      Database.array(ranges.lazy.map { Int64($0.length) }), owner
    ) { parts[Int($0.int(0)) - 1] = $0.blob(1) }
    return parts
  }

  private func read<each Parameter: Bindable>(
    _ sql: SQL, _ parameter: repeat each Parameter
  ) throws(DatabaseError) -> [Line] {
    var lines: [Line] = []
    try database.scan(sql, repeat each parameter) { lines.append(Line($0)) }
    return lines
  }
}

extension Database {
  /// Locks an owner until the end of the transaction, as every writer does. Throws `failed` if the user was removed.
  func lock(owner: Int) throws(DatabaseError) {
    guard try integer("SELECT lock_owner(?)", owner) != nil else {
      throw .failed(code: 0, "the user of these logs was removed")
    }
  }
}

extension PostgresLog.Line {
  fileprivate init(_ row: Statement) {
    self.init(number: row.int(0), log: Int(row.int(1)), start: UInt64(clamping: row.int(2)), bytes: row.blob(3))
  }
}

extension EventID {
  /// The ID of 16 bytes, as the database has it; nil if they are not 16.
  fileprivate init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(reading: number(bytes[..<8]), device: DeviceID(letters: number(bytes[8...])))
  }
}
