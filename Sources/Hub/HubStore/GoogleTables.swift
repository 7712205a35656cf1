import SQLDrivers

/// Google accounts of users, beside the accounts of the hub: what is encrypted here only a `SecretKey` opens.
package struct GoogleTables {
  private let database: Database

  package init(_ accounts: Accounts) { database = accounts.database }

  /// A Google account.
  package struct Account: Equatable, Sendable {
    package var user: String
    /// Of this login; a later one has another.
    package var id: String
    /// The refresh token, encrypted.
    package var sealed: [UInt8]
    /// What a synchronisation keeps for the next one.
    package var memory: String
    /// Whether Google no longer accepts the login.
    package var isWithdrawn: Bool
    /// When the next synchronisation is due.
    package var due: Int64
    /// Until when one works on it.
    package var busy: Int64
    /// How many failed in a row.
    package var failures: Int
  }

  /// Makes the tables in `hub.db` if they are missing.
  static func make(in database: Database) throws {
    guard try database.integer(.sqlite("SELECT 1 FROM sqlite_schema WHERE name = 'google_account'")) == nil else {
      return
    }
    try database.transaction { try database.execute(.sqlite("\(schema)")) }
  }

  /// See 0010-google.sql.
  private static let schema: SQL = """
    CREATE TABLE IF NOT EXISTS google_account (
      user TEXT PRIMARY KEY REFERENCES user ON DELETE CASCADE ON UPDATE CASCADE, id TEXT NOT NULL UNIQUE,
      sealed BLOB NOT NULL, memory TEXT NOT NULL, withdrawn INTEGER NOT NULL, due INTEGER NOT NULL,
      busy INTEGER NOT NULL, failures INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS google_login (
      digest BLOB PRIMARY KEY, user TEXT NOT NULL REFERENCES user ON DELETE CASCADE ON UPDATE CASCADE,
      session TEXT NOT NULL, sealed BLOB NOT NULL, shown TEXT NOT NULL, ends INTEGER NOT NULL,
      next INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS google_units (
      user TEXT PRIMARY KEY, day TEXT NOT NULL, used INTEGER NOT NULL) STRICT;
    """

  // MARK: Accounts

  private static let columns: SQL = "user, id, sealed, memory, withdrawn, due, busy, failures"

  private static func account(_ row: Statement) -> Account {
    Account(
      user: row.text(0), id: row.text(1), sealed: row.blob(2), memory: row.text(3), isWithdrawn: row.bool(4),
      due: row.int(5), busy: row.int(6), failures: Int(row.int(7)))
  }

  /// The account of a user; nil without one.
  package func account(of user: String) throws -> Account? {
    try database.first(
      "SELECT \(GoogleTables.columns) FROM google_account WHERE user = ?", user, body: GoogleTables.account)
  }

  /// Whether any user has an account.
  package func hasAccounts() throws -> Bool { try database.integer("SELECT 1 FROM google_account LIMIT 1") != nil }

  /// Connects an account in place of the user's current one, whose memory it keeps; its first synchronisation is due.
  package func connect(_ user: String, id: String, sealed: [UInt8], now: Int64) throws {
    try database.transaction {
      let memory = try account(of: user)?.memory ?? ""
      try database.run("DELETE FROM google_account WHERE user = ?", user)
      try database.run(
        "INSERT INTO google_account (\(GoogleTables.columns)) VALUES (?, ?, ?, ?, 0, ?, 0, 0)", user, id, sealed,
        memory, now)
    }
  }

  /// Forgets an account.
  package func disconnect(_ id: String) throws { try database.run("DELETE FROM google_account WHERE id = ?", id) }

  /// Claims a user's account exclusively for this many seconds; nil without an account, or while another claim holds.
  package func claim(_ user: String, seconds: Int64, now: Int64) throws -> Account? {
    try database.run(
      "UPDATE google_account SET busy = ? WHERE user = ? AND busy <= ?", now + seconds, user, now)
    return database.changes == 1 ? try account(of: user) : nil
  }

  /// The users whose accounts are due, those that wait longest first.
  package func due(now: Int64, maximum: Int) throws -> [String] {
    var users: [String] = []
    try database.forEach(
      """
      SELECT name FROM google_account JOIN user ON name = google_account.user
      WHERE withdrawn = 0 AND due <= ?1 AND busy <= ?1 AND disabled IS NULL ORDER BY due, name LIMIT ?2
      """, now, maximum
    ) { users.append($0.text(0)) }
    return users
  }

  /// Makes the synchronisation of a user's account due.
  package func hurry(_ user: String, now: Int64) throws {
    try database.run("UPDATE google_account SET due = ? WHERE user = ? AND due > ?", now, user, now)
  }

  /// Ends a claim, with what is kept and when the next synchronisation is due.
  package func finish(_ id: String, memory: String, due: Int64, failures: Int) throws {
    try database.run(
      "UPDATE google_account SET memory = ?, due = ?, failures = ?, busy = 0 WHERE id = ?", memory, due, failures, id)
  }

  /// Ends a claim on an account whose login Google no longer accepts: the token is forgotten, nothing is due.
  package func withdraw(_ id: String, memory: String) throws {
    try database.run(
      "UPDATE google_account SET memory = ?, withdrawn = 1, sealed = ?, busy = 0 WHERE id = ?", memory, [UInt8](), id)
  }

  /// Replaces the token of an account.
  package func keep(_ id: String, sealed: [UInt8]) throws {
    try database.run("UPDATE google_account SET sealed = ? WHERE id = ?", sealed, id)
  }

  /// How many accounts there are, and how many of them need a new login.
  package func counts() throws -> (all: Int, withdrawn: Int) {
    let row = try database.first(
      "SELECT count(*), CAST(coalesce(sum(withdrawn), 0) AS bigint) FROM google_account"
    ) { row in
      (Int(row.int(0)), Int(row.int(1)))
    }
    return row ?? (0, 0)
  }

  // MARK: Logins

  /// A login that was begun.
  package struct Login: Equatable, Sendable {
    package var session: String
    /// The verifier, or the code of the device, encrypted.
    package var sealed: [UInt8]
    /// What the person is shown; empty unless it is by a device.
    package var shown: String
    package var ends: Int64
    /// When Google may be queried again about its completion.
    package var next: Int64

    package init(session: String, sealed: [UInt8], shown: String, ends: Int64, next: Int64) {
      (self.session, self.sealed, self.shown, self.ends, self.next) = (session, sealed, shown, ends, next)
    }
  }

  /// Begins a login under the digest of its state, in place of the user's current one.
  package func begin(_ login: Login, of user: String, digest: [UInt8], now: Int64) throws {
    try database.transaction {
      try database.run("DELETE FROM google_login WHERE user = ? OR ends < ?", user, now)
      try database.run(
        "INSERT INTO google_login (digest, user, session, sealed, shown, ends, next) VALUES (?, ?, ?, ?, ?, ?, ?)",
        digest, user, login.session, login.sealed, login.shown, login.ends, login.next)
    }
  }

  private static let loginColumns: SQL = "session, sealed, shown, ends, next"

  private static func login(_ row: Statement) -> Login {
    Login(session: row.text(0), sealed: row.blob(1), shown: row.text(2), ends: row.int(3), next: row.int(4))
  }

  /// Uses up the login with a state, which a session of a user began; nil if absent.
  package func take(_ digest: [UInt8], of user: String, session: String, now: Int64) throws -> Login? {
    // By one statement: of two that come with it at once, one finds it.
    try database.first(
      """
      DELETE FROM google_login WHERE digest = ? AND user = ? AND session = ? AND ends >= ?
      RETURNING \(GoogleTables.loginColumns)
      """, digest, user, session, now, body: GoogleTables.login)
  }

  /// The login by a device that a session of a user began; nil if absent.
  package func device(of user: String, session: String, now: Int64) throws -> Login? {
    try database.first(
      """
      SELECT \(GoogleTables.loginColumns) FROM google_login
      WHERE user = ? AND session = ? AND ends >= ? AND shown <> ''
      """, user, session, now, body: GoogleTables.login)
  }

  /// Claims the right to query Google about a user's login by a device; the next query is allowed at `next`.
  package func claimDevice(of user: String, next: Int64, now: Int64) throws -> Bool {
    try database.run("UPDATE google_login SET next = ? WHERE user = ? AND next <= ?", next, user, now)
    return database.changes == 1
  }

  /// Forgets the logins that a user began.
  package func endLogins(of user: String) throws { try database.run("DELETE FROM google_login WHERE user = ?", user) }

  // MARK: Units

  /// Takes a unit of the Data API on a day, of `budget` for all users and `share` for each; returns how many are left, nil
  /// if all are taken.
  package func takeUnit(of user: String, day: String, budget: Int, share: Int) throws -> Int? {
    try database.transaction {
      try database.run("INSERT OR IGNORE INTO google_units (user, day, used) VALUES (?, ?, 0)", user, day)
      try database.run("UPDATE google_units SET day = ?1, used = 0 WHERE user = ?2 AND day <> ?1", day, user)
      guard try unitsLeft(of: user, day: day, budget: budget, share: share) > 0 else { return nil }
      try database.run("UPDATE google_units SET used = used + 1 WHERE user = ?", user)
      return try unitsLeft(of: user, day: day, budget: budget, share: share)
    }
  }

  /// Gives back a unit whose request was not sent.
  package func returnUnit(of user: String, day: String) throws {
    try database.run("UPDATE google_units SET used = used - 1 WHERE user = ? AND day = ? AND used > 0", user, day)
  }

  /// The units that are left to a user.
  package func unitsLeft(of user: String, day: String, budget: Int, share: Int) throws -> Int {
    let own = try database.integer("SELECT used FROM google_units WHERE user = ? AND day = ?", user, day) ?? 0
    return max(0, min(budget - (try unitsUsed(day: day)), share - Int(own)))
  }

  /// The units that all users took on a day.
  package func unitsUsed(day: String) throws -> Int {
    Int(try database.integer("SELECT CAST(coalesce(sum(used), 0) AS bigint) FROM google_units WHERE day = ?", day) ?? 0)
  }

  /// Notes that Google says that the quota of a day is used up.
  package func exhaust(day: String, budget: Int) throws {
    try database.transaction {
      try database.run("DELETE FROM google_units WHERE user = ''")
      try database.run("INSERT INTO google_units (user, day, used) VALUES ('', ?, ?)", day, budget)
    }
  }
}
