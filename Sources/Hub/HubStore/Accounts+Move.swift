import SQLDrivers

extension Accounts {
  /// The tables of accounts that a move copies. Codes for pairing end after minutes and stay behind.
  private static let tables = [
    TableCopy(
      "user",
      [
        ("name", .text), ("hash", .text), ("created", .integer), ("number", .integer), ("admin", .integer),
        ("display_name", .text), ("avatar_color", .text), ("last_login", .integer), ("disabled", .integer),
        ("max_subscriptions", .integer), ("max_requests", .integer),
      ]),
    TableCopy(
      "token",
      [
        ("id", .integer), ("user", .text), ("name", .text), ("digest", .blob), ("scope", .text), ("created", .integer),
        ("used", .integer), ("device", .text),
      ]),
    TableCopy(
      "session",
      [
        ("id", .text), ("user", .text), ("digest", .blob), ("ends", .integer), ("agent", .text), ("used", .integer),
      ]),
    TableCopy("invitation", [("digest", .blob), ("user", .text), ("ends", .integer)]),
    TableCopy(
      "google_account",
      [
        ("user", .text), ("id", .text), ("sealed", .blob), ("memory", .text), ("withdrawn", .integer),
        ("due", .integer), ("busy", .integer), ("failures", .integer),
      ]),
  ]

  /// Copies users, tokens and sessions into empty accounts, all or nothing; returns the number of users.
  package func copy(into target: Accounts) throws -> Int {
    try target.database.nestedTransaction {
      var users = 0
      for table in Accounts.tables {
        let count = try table.copy(from: database, to: target.database)
        if table.name == "user" { users = count }
      }
      if let finished = try finishedSetup { try target.finishSetup(now: finished) }
      try target.database.run("UPDATE setup SET users = ?", try database.integer("SELECT max(users) FROM setup") ?? 0)
      try target.copyChoices(from: self)
      if target.database.isPostgres {
        // The next token gets a number above those that were copied.
        _ = try target.database.integer(
          "SELECT setval(pg_get_serial_sequence('token', 'id'), greatest((SELECT max(id) FROM token), 1))")
      }
      return users
    }
  }

  /// Whether a database has neither users nor a catalogue.
  package func hasNoOwner() throws -> Bool {
    try database.integer("SELECT (SELECT count(*) FROM owner) + (SELECT count(*) FROM user)") == 0
  }

  /// Locks the logs of all owners until the transaction ends: nothing is appended meanwhile.
  package func lockOwners() throws { try database.forEach("SELECT lock_owner(n) FROM owner ORDER BY n") { _ in } }

  /// Collects statistics of the filled tables, as the planner needs them.
  package func analyzeTables() throws { try database.run("SELECT analyze_tables()") }
}

extension PushStore {
  /// Copies all subscriptions into an empty store. News that no poll has fetched yet makes feeds due in PostgreSQL; they
  /// are there already.
  package func copy(into target: PushStore) throws {
    let types: [ColumnType] = Array(repeating: .text, count: 6) + Array(repeating: .integer, count: 6)
    _ = try TableCopy("push", Array(zip(PushStore.columns, types)).map { (name: $0, type: $1) })
      .copy(from: database, to: target.database)
    if target.database.isPostgres {
      for subscription in try target.all() where subscription.pushed != nil {
        try target.hurry(subscription.channel)
        _ = try target.change(subscription.callback) { $0.pushed = nil }
      }
    } else {
      let now = try now()
      for callback in try hurried() { _ = try target.change(callback) { $0.pushed = now } }
    }
  }

  /// The callbacks of channels whose feeds are due or were to be requested again.
  private func hurried() throws -> [String] {
    var callbacks: [String] = []
    try database.forEach(
      """
      SELECT callback FROM push JOIN poll_channel ON subscription = channel WHERE due <= unix_time() OR hurried > 0
      """
    ) { callbacks.append($0.text(0)) }
    return callbacks
  }
}
