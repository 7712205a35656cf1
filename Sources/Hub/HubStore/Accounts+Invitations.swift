import SQLDrivers

/// Codes with which a user chooses a password, once: of a user whom an administrator added without one, or who forgot it.
extension Accounts {
  /// How long such a code is valid, seconds: a week.
  package static let invitationLength: Int64 = 7 * 86_400

  /// Makes a code for a user, instead of the one so far.
  package func addInvitation(of user: String, now: Int64) throws -> String {
    let code = Secrets.makeCode(of: Accounts.setupLength)
    try database.nestedTransaction {
      try database.run("DELETE FROM invitation WHERE user = ? OR ends < ?", user, now)
      try database.run(
        "INSERT INTO invitation (digest, user, ends) VALUES (?, ?, ?)", Secrets.digest(code), user,
        now + Accounts.invitationLength)
    }
    return code
  }

  /// Whose code it is; nil if it is wrong, used or expired. Throws `disabled` if the user may use nothing.
  package func invitedUser(_ code: String, now: Int64) throws -> String? {
    let found = try database.first(
      """
      SELECT user, disabled FROM invitation JOIN user AS account ON account.name = user WHERE digest = ? AND ends >= ?
      """, Secrets.digest(code), now
    ) { (user: $0.text(0), isDisabled: $0.optionalInt(1) != nil) }
    if found?.isDisabled == true { throw AccountsError.disabled }
    return found?.user
  }

  /// Uses up a code: gives its user a password, and ends what was begun with the one before. Returns the user; nil as
  /// above.
  package func acceptInvitation(_ code: String, hash: String, now: Int64) throws -> String? {
    try database.transaction {
      // By one statement: of two that use it at once, one finds it.
      let user = try database.first(
        "DELETE FROM invitation WHERE digest = ? AND ends >= ? RETURNING user", Secrets.digest(code), now
      ) { $0.text(0) }
      guard let user, try setPassword(of: user, hash: hash) else { return nil }
      return user
    }
  }

  /// When the code of a user expires; nil without a code.
  package func invitationEnd(of user: String, now: Int64) throws -> Int64? {
    try database.integer("SELECT max(ends) FROM invitation WHERE user = ? AND ends >= ?", user, now)
  }

  // MARK: Devices

  /// Gives a token of a user another name; returns false if the user has no such token. Those of readers that logged in
  /// keep theirs, by which they are found.
  package func renameToken(_ id: Int64, of user: String, to name: String) throws -> Bool {
    try database.run(
      "UPDATE token SET name = ? WHERE id = ? AND user = ? AND name <> ?", name, id, user, Accounts.readerTokenName)
    return database.changes == 1
  }
}
