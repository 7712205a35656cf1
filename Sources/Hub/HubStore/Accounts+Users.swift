import SQLDrivers

/// Users: their names, numbers and passwords, who administers the hub, and who may use nothing.
extension Accounts {
  /// A user as the hub shows it.
  package struct User: Equatable, Sendable {
    /// Never another user's, whatever happens to the name; from 1 on.
    package var number: Int
    package var name: String
    package var isAdministrator: Bool
    /// As the user wants to be called; empty for the name.
    package var displayName: String
    /// nil if the user chose none.
    package var avatarColor: AvatarColor?
    package var created: Int64
    /// When a password was last used to log in; nil if it is not known.
    package var lastLogin: Int64?
    /// Since when the user may use nothing; nil for a user who may.
    package var disabled: Int64?
    package var limits: UserLimits

    /// What to call the user.
    package var shownName: String { displayName.isEmpty ? name : displayName }
    /// The chosen colour, or else one derived from the number.
    package var shownColor: AvatarColor { avatarColor ?? .standard(of: number) }
  }

  /// The names, sorted.
  package func users() throws -> [String] {
    var names: [String] = []
    try database.forEach("SELECT name FROM user ORDER BY name") { names.append($0.text(0)) }
    return names
  }

  package func countOfUsers() throws -> Int { Int(try database.integer("SELECT count(*) FROM user") ?? 0) }

  /// All users, sorted by their names.
  package func allUsers() throws -> [User] {
    var users: [User] = []
    try database.forEach("SELECT \(Accounts.columns) FROM user ORDER BY name") { users.append(Accounts.user($0)) }
    return users
  }

  /// One user; nil if unknown.
  package func user(_ name: String) throws -> User? {
    try database.first("SELECT \(Accounts.columns) FROM user WHERE name = ?", name) { Accounts.user($0) }
  }

  /// The name of the user with a number; nil if unknown.
  package func name(ofUser number: Int) throws -> String? {
    try database.first("SELECT name FROM user WHERE number = ?", number) { $0.text(0) }
  }

  private static let columns: SQL = """
    number, name, admin, display_name, avatar_color, created, last_login, disabled, max_subscriptions, max_requests
    """

  private static func user(_ row: Statement) -> User {
    User(
      number: Int(row.int(0)), name: row.text(1), isAdministrator: row.int(2) != 0, displayName: row.text(3),
      avatarColor: AvatarColor(rawValue: row.text(4)), created: row.int(5), lastLogin: row.optionalInt(6),
      disabled: row.optionalInt(7),
      limits: UserLimits(
        subscriptions: row.optionalInt(8).map { Int($0) }, requests: row.optionalInt(9).map { Int($0) }))
  }

  // MARK: Adding and removing

  /// Adds a user, who administers the hub if there is no other one; returns false if the name is taken.
  package func addUser(_ name: String, hash: String, now: Int64) throws -> Bool {
    try insertUser(name, hash: hash, number: nil, now: now)
  }

  /// Adds a user who takes over the folder of a removed one, which is called `kept`, and with it that user's number.
  package func addUser(_ name: String, hash: String, takingOver kept: String, now: Int64) throws -> Bool {
    try database.transaction {
      let number = try database.first(
        .sqlite("DELETE FROM former_user WHERE kept = ? RETURNING number"), kept
      ) { $0.int(0) }
      return try insertUser(name, hash: hash, number: number, now: now)
    }
  }

  /// Inserts a user with a previous number, or with the next one if that is nil.
  func insertUser(_ name: String, hash: String, number: Int64?, now: Int64) throws -> Bool {
    try database.nestedTransaction {
      // From here on no other process adds a user.
      try finishSetup(now: now)
      try database.run(
        """
        INSERT OR IGNORE INTO user (name, hash, created, number, admin)
        SELECT ?, ?, ?, coalesce(?, users + 1), CASE WHEN EXISTS (SELECT 1 FROM user) THEN 0 ELSE 1 END
        FROM setup WHERE n = 1
        """, name, hash, now, number)
      guard database.changes == 1 else { return false }
      if number == nil { try database.run("UPDATE setup SET users = users + 1 WHERE n = 1") }
      return true
    }
  }

  /// Removes a user with the sessions and tokens; returns false if the user is unknown. In PostgreSQL the log stays, as
  /// one of `removed`; with files the folder will be called `kept`, nil if it stays as it is. Throws `lastAdministrator`
  /// if `keepingAdministrator`, and if there would be none.
  package func removeUser(_ name: String, kept: String?, keepingAdministrator: Bool) throws -> Bool {
    try database.transaction {
      if keepingAdministrator { try checkOtherAdministrator(than: name) }
      if database.isPostgres {
        try database.run(
          """
          UPDATE owner SET removed = unix_time(), former = name, clearing = 'model',
            number = (SELECT user.number FROM user WHERE user.name = owner.name) WHERE name = ?
          """, name)
      } else if let kept {
        try database.run(
          .sqlite("INSERT OR REPLACE INTO former_user SELECT ?, number FROM user WHERE name = ?"), kept, name)
      }
      try database.run("DELETE FROM user WHERE name = ?", name)
      return database.changes == 1
    }
  }

  /// Removes a user, even the last administrator.
  package func removeUser(_ name: String) throws -> Bool {
    try removeUser(name, kept: nil, keepingAdministrator: false)
  }

  // MARK: Passwords

  /// Changes a password and ends what was begun with the old one: the user's sessions, but for one that is kept, and the
  /// tokens of readers that logged in. Returns false if the user is unknown.
  package func setPassword(of name: String, hash: String, keeping session: String? = nil) throws -> Bool {
    try database.nestedTransaction {
      try database.run("UPDATE user SET hash = ? WHERE name = ?", hash, name)
      let isKnown = database.changes == 1
      try database.run("DELETE FROM session WHERE user = ? AND id IS DISTINCT FROM ?", name, session)
      try database.run("DELETE FROM token WHERE user = ? AND name = ?", name, Accounts.readerTokenName)
      try database.run("DELETE FROM invitation WHERE user = ?", name)
      return isKnown
    }
  }

  /// The hash of a user's password; nil if the user is unknown.
  package func hash(of name: String) throws -> String? {
    try database.first("SELECT hash FROM user WHERE name = ?", name) { $0.text(0) }
  }

  /// Notes that a user logged in with a password.
  func noteLogin(of name: String, now: Int64) throws {
    try database.run("UPDATE user SET last_login = ? WHERE name = ?", now, name)
  }

  // MARK: What users and administrators change

  /// Sets how a user is shown; returns false if the user is unknown.
  package func setProfile(of name: String, displayName: String, color: AvatarColor?) throws -> Bool {
    try database.run(
      "UPDATE user SET display_name = ?, avatar_color = ? WHERE name = ?", displayName, color?.rawValue ?? "", name)
    return database.changes == 1
  }

  /// Makes a user an administrator, or one no longer; returns false if the user is unknown. Throws `lastAdministrator` as
  /// `removeUser` does.
  package func setAdministrator(_ isOne: Bool, _ name: String, keepingAdministrator: Bool) throws -> Bool {
    try database.transaction {
      if keepingAdministrator, !isOne { try checkOtherAdministrator(than: name) }
      try database.run("UPDATE user SET admin = ? WHERE name = ?", isOne ? 1 : 0, name)
      return database.changes == 1
    }
  }

  /// Has a user use nothing from now on, or everything again; returns false if the user is unknown. Sessions and tokens
  /// stay, for when the user may use them again. Throws `lastAdministrator` as `removeUser` does.
  package func setDisabled(_ isDisabled: Bool, _ name: String, keepingAdministrator: Bool, now: Int64) throws -> Bool {
    try database.transaction {
      if keepingAdministrator, isDisabled { try checkOtherAdministrator(than: name) }
      try database.run("UPDATE user SET disabled = ? WHERE name = ?", isDisabled ? now : nil, name)
      return database.changes == 1
    }
  }

  /// Sets the limits of a user; returns false if the user is unknown.
  package func setLimits(_ limits: UserLimits, of name: String) throws -> Bool {
    try database.run(
      "UPDATE user SET max_subscriptions = ?, max_requests = ? WHERE name = ?", limits.subscriptions, limits.requests,
      name)
    return database.changes == 1
  }

  /// Throws `lastAdministrator` if a user is the only administrator who may use the hub.
  private func checkOtherAdministrator(than name: String) throws {
    // Of two who would leave the hub without one, the second waits, and sees what the first did.
    try awaitOthers()
    let (own, others) =
      try database.first(
        """
        SELECT count(*) FILTER (WHERE name = ?1), count(*) FILTER (WHERE name <> ?1) FROM user
        WHERE admin = 1 AND disabled IS NULL
        """, name
      ) { ($0.int(0), $0.int(1)) } ?? (0, 0)
    if own == 1, others == 0 { throw AccountsError.lastAdministrator }
  }

  // MARK: Names

  /// Gives a user another name; sessions, tokens, the number and in PostgreSQL the log stay the user's. Returns false if
  /// the user is unknown. Throws `nameTaken` if another user has the name.
  package func rename(_ name: String, to later: String) throws -> Bool {
    try database.nestedTransaction {
      // No other process takes the name meanwhile.
      try awaitOthers()
      guard try hash(of: name) != nil else { return false }
      guard try hash(of: later) == nil else { throw AccountsError.nameTaken }
      if !database.isPostgres { try database.execute(.sqlite("PRAGMA defer_foreign_keys = ON")) }
      try database.run("UPDATE user SET name = ? WHERE name = ?", later, name)
      // PostgreSQL has done it already.
      try database.run("UPDATE token SET user = ? WHERE user = ?", later, name)
      try database.run("UPDATE session SET user = ? WHERE user = ?", later, name)
      try database.run("UPDATE pairing SET user = ? WHERE user = ?", later, name)
      try database.run("UPDATE invitation SET user = ? WHERE user = ?", later, name)
      try database.run("DELETE FROM google_units WHERE user = ?", later)
      try database.run("UPDATE google_units SET user = ? WHERE user = ?", later, name)
      return true
    }
  }
}

/// What one user may use at most; nil for as much as the hub lets everybody use.
package struct UserLimits: Equatable, Sendable {
  package var subscriptions: Int?
  /// Requests in a minute, and as many changes.
  package var requests: Int?

  package init(subscriptions: Int?, requests: Int?) { (self.subscriptions, self.requests) = (subscriptions, requests) }
}
