import SQLDrivers

/// What removed users leave in PostgreSQL: their logs and numbers, until somebody erases them. What logs can fill again
/// goes at once, in transactions of a moment; pollers finish what was begun.
extension Accounts {
  /// What removed users' logs are called, the latest last: `ann-20261123T045532Z`.
  package func removed() throws -> [String] {
    var names: [String] = []
    try database.forEach(
      """
      SELECT removed_name(owner) FROM owner WHERE removed IS NOT NULL AND clearing IS DISTINCT FROM 'all'
      ORDER BY removed, n
      """
    ) { names.append($0.text(0)) }
    return names
  }

  /// What a user's log is called who was removed; nil if there was none of this name. The last one if several were.
  package func removed(user: String) throws -> String? {
    try database.first(
      """
      SELECT removed_name(owner) FROM owner
      WHERE removed IS NOT NULL AND former = ? AND clearing IS DISTINCT FROM 'all' ORDER BY removed DESC, n DESC LIMIT 1
      """, user
    ) { $0.text(0) }
  }

  /// The owner of a removed user's log; nil if it is unknown, or about to be erased.
  private func owner(ofRemoved name: String) throws -> Int64? {
    try database.integer(
      """
      SELECT n FROM owner WHERE removed IS NOT NULL AND clearing IS DISTINCT FROM 'all' AND removed_name(owner) = ?
      ORDER BY n LIMIT 1
      """, name)
  }

  /// Has a removed user's log and numbers deleted; returns false if the name is unknown. From now on they cannot be
  /// restored, whatever becomes of this process.
  package func erase(_ name: String) throws -> Bool {
    try database.transaction {
      guard let owner = try owner(ofRemoved: name) else { return false }
      try database.run("UPDATE owner SET clearing = 'all' WHERE n = ? AND removed IS NOT NULL", owner)
      return database.changes == 1
    }
  }

  /// Gives a removed user's log and numbers to a new user; returns false if the user's name is taken or the log's unknown.
  /// Throws `busy` while something of it is still to be deleted; see `isClearing`.
  package func restore(_ name: String, to user: String, hash: String, now: Int64) throws -> Bool {
    try database.transaction {
      guard let owner = try owner(ofRemoved: name) else { return false }
      let number = try database.integer("SELECT number FROM owner WHERE n = ?", owner)
      guard try insertUser(user, hash: hash, number: number, now: now) else { return false }
      try database.run(
        """
        UPDATE owner SET name = ?, removed = NULL, former = NULL, number = NULL
        WHERE n = ? AND removed IS NOT NULL AND clearing IS NULL
        """, user, owner)
      guard database.changes == 1 else { throw DatabaseError.busy }
      return true
    }
  }

  // MARK: Deleting

  /// How many rows one transaction deletes.
  private static let batch = 2000

  /// Deletes some rows of what removed users left; returns false if nothing is left, or if another process does the same.
  package func clearSome() throws -> Bool {
    try database.integer("SELECT clear_removed(?)", Accounts.batch) ?? 0 > 0
  }

  /// Whether something of a removed user is still to be deleted.
  package func isClearing(_ name: String) throws -> Bool {
    try database.integer("SELECT count(*) FROM owner WHERE clearing IS NOT NULL AND removed_name(owner) = ?", name) != 0
  }
}
