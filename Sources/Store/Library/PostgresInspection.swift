import EventLog
import ReadModel
import SQLDrivers

/// Looks for damage in the logs of a database: in each owner's once a day, by one of the processes that look. Lines are read
/// in pieces, so that no statement takes long.
package final class PostgresInspection {
  /// What one step found.
  package enum Step: Equatable, Sendable {
    /// Lines were read, or an owner was chosen.
    case read
    /// A log is damaged that was not known to be.
    case found(user: String?, LogDamage)
    /// All owners' logs were looked at in the last day.
    case done
  }

  /// A log that is being read.
  private struct Reading {
    var log: PostgresDeviceLogs.Log
    /// Where its next line has to begin.
    var offset: UInt64 = 0
    /// How many lines precede that.
    var lines = 0
  }

  private let database: Database
  private let now: () -> UInt64
  /// The last owner who was chosen.
  private var owner = Int64(-1)
  private var user: String?
  /// The owner's logs that are not read yet, the current one last.
  private var readings: [Reading] = []

  /// `clock` returns milliseconds since 1970.
  package init(_ database: Database, clock now: @escaping () -> UInt64) { (self.database, self.now) = (database, now) }

  /// The maximum number of lines in one statement.
  static let piece = 500
  /// After how many seconds an owner's logs are read again.
  static let interval: Int64 = 86_400

  /// Reads a piece of the logs of one owner, or chooses the next owner.
  package func step() throws -> Step {
    guard let reading = readings.popLast() else { return try chooseOwner() ? .read : .done }
    return try read(reading)
  }

  /// Chooses the next owner whose logs were not looked at in the last day; returns false if none is left.
  private func chooseOwner() throws -> Bool {
    let next = try database.first(
      """
      SELECT n, name FROM owner LEFT JOIN all_meta ON all_meta.owner = n AND key = 'inspected'
      WHERE n > ?1 AND (n = 0 OR name IS NOT NULL)
        AND (value IS NULL OR convert_from(value, 'UTF8')::bigint NOT BETWEEN unix_time() - ?2 AND unix_time())
      ORDER BY n LIMIT 1
      """, owner, PostgresInspection.interval
    ) { (owner: $0.int(0), name: $0.text(1)) }
    guard let next else { return false }
    (owner, user) = (next.owner, next.owner == 0 ? nil : next.name)
    // Unless another process took this one meanwhile.
    let isTaken = try database.integer(
      """
      INSERT INTO all_meta AS known(owner, key, value) VALUES (?1, 'inspected', convert_to(unix_time()::text, 'UTF8'))
      ON CONFLICT (owner, key) DO UPDATE SET value = excluded.value
        WHERE convert_from(known.value, 'UTF8')::bigint NOT BETWEEN unix_time() - ?2 AND unix_time()
      RETURNING 1
      """, owner, PostgresInspection.interval)
    guard isTaken != nil else { return true }
    readings = try logs.logs().filter { $0.number > 0 && !$0.isDamaged }.reversed().map { Reading(log: $0) }
    return true
  }

  private var logs: PostgresDeviceLogs {
    PostgresDeviceLogs(database, owner: Int(owner), temporary: "", clock: now)
  }

  private func read(_ reading: Reading) throws -> Step {
    var (next, count, broken) = (reading, 0, PostgresDeviceLogs.Row?.none)
    let logs = logs
    try database.forEach(
      "SELECT start, bytes, id FROM log_line WHERE log = ? AND start >= ? ORDER BY start LIMIT ?", reading.log.number,
      Int64(clamping: reading.offset), PostgresInspection.piece
    ) { row in
      guard broken == nil else { return }
      let line = PostgresDeviceLogs.Row(row)
      (count, next.lines) = (count + 1, next.lines + 1)
      if line.start != next.offset || !logs.isWhole(line.bytes, id: line.id) { broken = line }
      next.offset = line.start + UInt64(line.bytes.count)
    }
    guard let broken else {
      if count == PostgresInspection.piece { readings.append(next) }
      return .read
    }
    guard try logs.mark(reading.log.number, asDamagedIn: broken) else { return .read }
    let file = "\(reading.log.name).jsonl"
    let first = LogPosition(path: file, line: next.lines, byte: broken.start)
    return .found(
      user: user, LogDamage(file: file, isOfCatalogue: false, kind: .lines(first: first, count: 1)))
  }
}

extension PostgresInspection {
  /// What is broken in the logs that are marked as damaged, with the name of their owner; nil for the catalogue.
  package static func marked(
    _ database: Database, clock now: @escaping () -> UInt64
  ) throws -> [(user: String?, damage: LogDamage)] {
    var owners: [(number: Int, user: String?)] = []
    try database.forEach(
      """
      SELECT n, coalesce(name, former) FROM owner WHERE n IN (SELECT owner FROM log WHERE damaged) ORDER BY n
      """
    ) { owners.append((Int($0.int(0)), $0.int(0) == 0 ? nil : $0.text(1))) }
    return try owners.flatMap { owner in
      try PostgresDeviceLogs(database, owner: owner.number, temporary: "", clock: now).damage()
        .map { (owner.user, $0) }
    }
  }
}
