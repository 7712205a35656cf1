import SQLDrivers

/// Devices: whose token writes which log, and the codes by which a new device gets its token.
extension Accounts {
  /// Who writes the log of a device.
  package enum LogWriter: Sendable {
    /// The token that asks.
    case oneself
    /// No token.
    case unassigned
    /// Another token.
    case another
  }

  /// Who writes the log of a device. A token without a log gets it, if no token has it and `mayTake`.
  package func writer(of device: String, asking token: Int64, mayTake: Bool) throws -> LogWriter {
    try database.transaction {
      let holder = try database.first("SELECT id FROM token WHERE device = ?", device) { $0.int(0) }
      if let holder { return holder == token ? .oneself : .another }
      guard mayTake else { return .unassigned }
      try database.run("UPDATE token SET device = ? WHERE id = ? AND device IS NULL", device, token)
      return database.changes == 1 ? .oneself : .unassigned
    }
  }

  // MARK: Pairing

  /// How long a code is valid, seconds.
  package static let pairingLength: Int64 = 600
  /// The maximum number of valid codes of a user.
  private static let maxPairings = 5

  /// Makes a code with which a device gets a token of a user, once.
  package func addPairing(of user: String, now: Int64) throws -> String {
    let code = Secrets.makeCode(of: 8)
    try database.transaction {
      try database.run("DELETE FROM pairing WHERE ends < ?", now)
      try database.run(
        """
        DELETE FROM pairing WHERE user = ?1 AND digest NOT IN
          (SELECT digest FROM pairing WHERE user = ?1 ORDER BY ends DESC LIMIT ?2)
        """, user, Accounts.maxPairings - 1)
      try database.run(
        "INSERT INTO pairing (digest, user, ends) VALUES (?, ?, ?)", Secrets.digest(code), user,
        now + Accounts.pairingLength)
    }
    return code
  }

  /// Uses up a code: adds the token of a device, and revokes the one it had. Returns the token's number and secret and
  /// its user; nil if the code is wrong or expired, or the device is another user's. `check` throws if the device cannot
  /// be one of the user; then the code stays valid.
  package func pair(
    code: String, device: String, name: String, now: Int64, check: (_ user: String) throws -> Void
  ) throws -> (id: Int64, secret: String, user: String)? {
    try database.transaction {
      // By one statement: of two devices that use it at once, one finds it.
      let user = try database.first(
        "DELETE FROM pairing WHERE digest = ? AND ends >= ? RETURNING user", Secrets.digest(code), now
      ) { $0.text(0) }
      guard let user else { return nil }
      try check(user)
      let others = try database.integer("SELECT count(*) FROM token WHERE device = ? AND user <> ?", device, user)
      guard others == 0 else { return nil }
      try database.run("DELETE FROM token WHERE device = ?", device)
      try checkTokens(of: user)
      let (id, secret) = try insertToken(of: user, name: name, scope: .write, now: now)
      try database.run("UPDATE token SET device = ? WHERE id = ?", device, id)
      return (id, secret, user)
    }
  }
}
