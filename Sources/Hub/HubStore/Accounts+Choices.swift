import SQLDrivers

/// What administrators chose for the whole hub.
extension Accounts {
  /// Whether users see each other in the list of users; at first administrators alone see all.
  package func isUserListOpen() throws -> Bool { try choice("openUserList") == 1 }

  package func setUserList(open: Bool) throws { try choose("openUserList", open ? 1 : 0) }

  private func choice(_ name: String) throws -> Int64? {
    guard try hasChoices else { return nil }
    return try database.integer("SELECT value FROM hub_choice WHERE key = ?", name)
  }

  /// Whether anything was ever chosen: a file gets the table with the first choice.
  private var hasChoices: Bool {
    get throws {
      try database.isPostgres
        || database.integer(.sqlite("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'hub_choice'")) == 1
    }
  }

  private func choose(_ name: String, _ value: Int) throws {
    try database.nestedTransaction {
      if !database.isPostgres {
        try database.execute(
          .sqlite("CREATE TABLE IF NOT EXISTS hub_choice (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT"))
      }
      try database.run(
        "INSERT INTO hub_choice VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", name, value)
    }
  }

  /// Copies the choices of other accounts.
  func copyChoices(from other: Accounts) throws {
    if try other.isUserListOpen() { try setUserList(open: true) }
  }
}
