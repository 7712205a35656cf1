import Glibc
import SQLDrivers

/// Integers for what has an ID or a name, as readers and apps need them: positive, below 2^31, assigned in the order of
/// first sight, never reused, never lower than an earlier one.
///
/// An SQLite database in the state folder of each user, or rows of the hub's database in PostgreSQL, because no log
/// implies it. A number is at least the seconds since 2026: whatever older copy is restored, numbers continue above those
/// assigned since, as long as fewer numbers were assigned than seconds passed. A copy of the folder made for a backup is
/// marked: its first opener skips 2^20 numbers.
package final class NumberStore {
  /// What has numbers; the raw values are stored.
  package enum Kind: Int {
    case video = 1, channel, tag, collection
    /// A video, in the order in which the MeTube app received it.
    case sequence
    /// The time of a visit of the MeTube app: ten digits, seconds since 1970. What the app could not see then has a higher
    /// number in the sequence.
    case visit
    /// A position in the feed of the MeTube app's older generation, where a page ends.
    case cursor
  }

  package let database: Database
  /// The owner of the rows in PostgreSQL; nil with a file.
  let owner: Int64?
  private let now: () -> Int64

  package static let fileName = "numbers.db"

  /// Opens the numbers of a state folder, and creates them if absent. `now` returns seconds since 1970.
  package init(folder: String, now: @escaping () -> Int64) throws {
    let path = "\(folder)/\(NumberStore.fileName)"
    if let slash = folder.lastIndex(of: "/"), slash > folder.startIndex { mkdir(String(folder[..<slash]), 0o700) }
    mkdir(folder, 0o700)
    close(open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600))
    database = try Database(path, .readWrite)
    (owner, self.now) = (nil, now)
    try database.execute(.sqlite("PRAGMA synchronous = FULL"))
    if try database.integer(.sqlite("PRAGMA user_version")) == 0 {
      try database.execute(.sqlite("BEGIN IMMEDIATE; \(NumberStore.schema) PRAGMA user_version = 1; COMMIT"))
    }
    if try database.integer("SELECT value FROM meta WHERE key = 'copied'") != nil { try leap() }
  }

  /// The numbers of an owner in a hub's database.
  package init(_ database: Database, owner: Int64, now: @escaping () -> Int64) {
    (self.database, self.owner, self.now) = (database, owner, now)
  }

  private static let schema: SQL = """
    CREATE TABLE IF NOT EXISTS number (
      n INTEGER PRIMARY KEY, kind INTEGER NOT NULL, key TEXT NOT NULL, UNIQUE (kind, key)) STRICT;
    CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    """

  /// Continues above what the original can have reached since the copy was made.
  private func leap() throws {
    try database.transaction {
      guard try database.integer("SELECT value FROM meta WHERE key = 'copied'") != nil else { return }
      let last = try database.integer("SELECT max(n) FROM number") ?? 0
      let first = max(last, try reserved(), sinceStart) + NumberStore.leap
      try reserve(first)
      try database.execute("DELETE FROM meta WHERE key = 'copied'")
    }
  }

  private static let leap: Int64 = 1 << 20

  /// The last number that a leap skipped.
  func reserved() throws -> Int64 { try database.integer("SELECT value FROM meta WHERE key = 'reserved'") ?? 0 }

  func reserve(_ number: Int64) throws {
    try database.run(.sqlite("INSERT OR REPLACE INTO meta VALUES ('reserved', ?)"), number)
  }

  /// The seconds since 2026; 0 if the clock is plainly wrong: before 2026, or so late (2060) that half of the numbers
  /// would be used up.
  private var sinceStart: Int64 {
    let seconds = now() - 1_767_225_600
    return (0..<1 << 30).contains(seconds) ? seconds : 0
  }

  /// The numbers of some keys, in their order; keys without one are assigned the next ones in this order.
  package func numbers(_ kind: Kind, _ keys: [String]) throws -> [Int] {
    if let owner { return try numbers(kind, keys, of: owner) }
    let known = try database.snapshot { () throws(DatabaseError) in
      try keys.map { (key) throws(DatabaseError) in try number(kind, key) }
    }
    guard known.contains(nil) else { return known.compactMap { $0 } }
    return try database.transaction {
      let last = try database.integer("SELECT max(n) FROM number") ?? 0
      var next = max(last + 1, try reserved() + 1, sinceStart, 1)
      return try keys.map { key -> Int in
        // Another connection, or the same key further ahead, may have got it since.
        if let number = try number(kind, key) { return number }
        guard next <= Int32.max else { throw DatabaseError.failed(code: 0, "no numbers are left below 2^31") }
        try database.run("INSERT INTO number VALUES (?, ?, ?)", next, kind.rawValue, key)
        defer { next += 1 }
        return Int(next)
      }
    }
  }

  /// The numbers of these keys in PostgreSQL, by one statement.
  private func numbers(_ kind: Kind, _ keys: [String], of owner: Int64) throws -> [Int] {
    guard !keys.isEmpty else { return [] }
    var numbers: [Int] = []
    try database.forEach(
      "SELECT assigned FROM assign_numbers(?, ?, ?::text[], ?)", owner, kind.rawValue, Database.array(keys), sinceStart
    ) { numbers.append(Int($0.int(0))) }
    return numbers
  }

  private func number(_ kind: Kind, _ key: String) throws(DatabaseError) -> Int? {
    try database.integer("SELECT n FROM number WHERE kind = ? AND key = ?", kind.rawValue, key).map { Int($0) }
  }

  /// Gives the number of a key to another key, or takes it away if nil; does nothing if the key has none. If the other key
  /// had a number, that one belongs to nothing from then on.
  package func move(_ kind: Kind, from key: String, to other: String?) throws {
    guard key != other else { return }
    try changing {
      guard let number = try found(kind, key) else { return }
      if let other, let old = try found(kind, other) { try set(NumberStore.retired(old), of: old) }
      try set(other ?? NumberStore.retired(number), of: number)
    }
  }

  /// Gives numbers of keys to other keys, where those have none.
  package func inherit(_ kind: Kind, _ keys: [(from: String, to: String)]) throws {
    guard !keys.isEmpty else { return }
    let numbered = try known(kind, keys.map(\.from))
    let wanted = keys.filter { numbered.contains($0.from) }
    guard !wanted.isEmpty else { return }
    try changing {
      for (key, other) in wanted where try found(kind, other) == nil {
        if let number = try found(kind, key) { try set(other, of: number) }
      }
    }
  }

  /// The key of a number that belongs to nothing; no name has a control character.
  private static func retired(_ number: Int) -> String { "\u{1}\(number)" }

  /// Changes keys while no other process assigns numbers to this owner.
  private func changing(_ body: () throws -> Void) throws {
    try database.transaction {
      if let owner {
        _ = try database.integer("SELECT last FROM number_counter WHERE owner = ? FOR UPDATE", owner)
      }
      try body()
    }
  }

  private func found(_ kind: Kind, _ key: String) throws -> Int? {
    guard let owner else { return try number(kind, key) }
    return try database.integer(
      "SELECT n FROM number WHERE owner = ? AND kind = ? AND key = ?", owner, kind.rawValue, key
    ).map { Int($0) }
  }

  private func set(_ key: String, of number: Int) throws {
    guard let owner else { return try database.run("UPDATE number SET key = ? WHERE n = ?", key, number) }
    try database.run("UPDATE number SET key = ? WHERE owner = ? AND n = ?", key, owner, number)
  }

  /// Those of some keys that have numbers.
  private func known(_ kind: Kind, _ keys: [String]) throws -> Set<String> {
    guard let owner else { return Set(try keys.filter { try number(kind, $0) != nil }) }
    var known: Set<String> = []
    try database.forEach(
      "SELECT key FROM number WHERE owner = ? AND kind = ? AND key = ANY(?::text[])", owner, kind.rawValue,
      Database.array(keys)
    ) { known.insert($0.text(0)) }
    return known
  }

  /// What tables are called whose rows' numbers are remembered; nil for tables in memory, which have rows of their own.
  /// In PostgreSQL their filling: filled anew, the rows come in another order.
  package func name(of tables: String?) throws -> String? {
    guard let owner else { return tables }
    return try database.integer("SELECT fillings FROM owner WHERE n = ?", owner).map { String($0) }
  }

  /// The last row of these tables' videos when all of them had numbers; 0 if that is not known.
  package func row(in tables: String) throws -> Int64 {
    if let owner {
      return try database.integer(
        "SELECT numbered FROM number_counter WHERE owner = ? AND filling = ?", owner, Int64(tables)) ?? 0
    }
    return try database.integer("SELECT value FROM meta WHERE key = ?", NumberStore.row + tables) ?? 0
  }

  /// Remembers that the videos of these tables have numbers up to this row.
  package func set(row: Int64, in tables: String) throws {
    if let owner {
      // Another process may have come further.
      return try database.run(
        """
        UPDATE number_counter SET numbered = ?1, filling = ?2
        WHERE owner = ?3 AND (filling <> ?2 OR numbered < ?1)
        """, row, Int64(tables), owner)
    }
    try database.transaction {
      try database.run("DELETE FROM meta WHERE key >= ? AND key < ?", NumberStore.row, NumberStore.row + "\u{7f}")
      try database.run("INSERT INTO meta VALUES (?, ?)", NumberStore.row + tables, row)
    }
  }

  private static let row = "row/"

  /// The keys that have these numbers, in the same order; nil for a number of another kind, an unassigned one, or one that
  /// belongs to nothing any more.
  package func keys(_ kind: Kind, _ numbers: [Int]) throws -> [String?] {
    try stored(kind, numbers).map { $0?.hasPrefix("\u{1}") == true ? nil : $0 }
  }

  private func stored(_ kind: Kind, _ numbers: [Int]) throws -> [String?] {
    guard let owner else {
      return try numbers.map { number in
        try database.first("SELECT key FROM number WHERE n = ? AND kind = ?", number, kind.rawValue) { $0.text(0) }
      }
    }
    var keys: [Int: String] = [:]
    let possible = numbers.filter { (1...Int(Int32.max)).contains($0) }.map { Int64($0) }
    try database.forEach(
      "SELECT n, key FROM number WHERE owner = ? AND kind = ? AND n = ANY(?::integer[])", owner, kind.rawValue,
      Database.array(possible)
    ) { keys[Int($0.int(0))] = $0.text(1) }
    return numbers.map { keys[$0] }
  }

  /// Writes a copy for a backup; the file must not exist. `VACUUM INTO`.
  package static func copy(in folder: String, to path: String) throws {
    let store = try Database("\(folder)/\(fileName)", .readWrite)
    try store.run(.sqlite("VACUUM INTO ?"), path)
    chmod(path, 0o600)
    try Database(path, .readWrite).execute(.sqlite("INSERT OR REPLACE INTO meta VALUES ('copied', 1)"))
  }
}
