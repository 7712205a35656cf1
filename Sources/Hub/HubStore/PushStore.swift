import Glibc
import SQLDrivers

/// The subscriptions at WebSub hubs, in `hub.db` or in a hub's database. One for each thread.
package final class PushStore {
  let database: Database

  /// The table of a hub's database in PostgreSQL.
  package init(_ database: Database) { self.database = database }

  /// Opens the table of a state folder, and creates it if absent.
  package init(folder: String) throws {
    _ = try Accounts(folder: folder)
    database = try Database(Accounts.path(in: folder), .readWrite)
    try database.execute(
      .sqlite(
        """
        PRAGMA synchronous = FULL;
        CREATE TABLE IF NOT EXISTS push (
          channel TEXT PRIMARY KEY, callback TEXT NOT NULL UNIQUE, secret TEXT NOT NULL, hub TEXT NOT NULL,
          topic TEXT NOT NULL, pending TEXT, sent INTEGER NOT NULL, retry INTEGER NOT NULL, failures INTEGER NOT NULL,
          lease_end INTEGER, lease_length INTEGER, pushed INTEGER) STRICT, WITHOUT ROWID;
        """))
  }

  static let columns = [
    "channel", "callback", "secret", "hub", "topic", "pending", "sent", "retry", "failures", "lease_end",
    "lease_length", "pushed",
  ]

  /// Those of the table in a query that names it.
  static let selected = SQL.joined(columns.map { "push.\(name: $0)" })

  /// The subscription in a row with `columns`, which begin at number `first`.
  static func subscription(_ row: Statement, from first: Int = 0) -> PushSubscription {
    var found = PushSubscription(
      channel: row.text(first), callback: row.text(first + 1), secret: row.text(first + 2), hub: row.text(first + 3),
      topic: row.text(first + 4))
    found.pending = row.optionalText(first + 5).flatMap { PushSubscription.Request(rawValue: $0) }
    (found.sent, found.retry, found.failures) = (row.int(first + 6), row.int(first + 7), Int(row.int(first + 8)))
    if let end = row.optionalInt(first + 9) { found.lease = (end, row.optionalInt(first + 10) ?? 0) }
    found.pushed = row.optionalInt(first + 11)
    return found
  }

  /// The seconds since 1970: by the server's clock in PostgreSQL, where several processes use the subscriptions.
  package func now() throws -> Int64 {
    database.isPostgres ? try database.integer("SELECT unix_time()") ?? 0 : Int64(time(nil))
  }

  package func all() throws -> [PushSubscription] {
    var found: [PushSubscription] = []
    try database.forEach("SELECT \(PushStore.selected) FROM push ORDER BY channel") {
      found.append(PushStore.subscription($0))
    }
    return found
  }

  /// The subscription with this callback; nil if absent.
  package func subscription(callback: String) throws -> PushSubscription? {
    try database.first("SELECT \(PushStore.selected) FROM push WHERE callback = ?", callback) {
      PushStore.subscription($0)
    }
  }

  package func add(_ channel: String, hub: String, topic: String) throws {
    try database.run(
      """
      INSERT OR IGNORE INTO push (channel, callback, secret, hub, topic, sent, retry, failures)
      VALUES (?, ?, ?, ?, ?, 0, 0, 0)
      """, channel, Secrets.make(), Secrets.make(), hub, topic)
  }

  /// Records that a request is being sent, if that is still the next step; returns whether it is.
  package func begin(_ request: PushSubscription.Request, of callback: String, isWanted: Bool) throws -> Bool {
    let now = try now()
    var isNext = false
    _ = try change(callback) { subscription in
      isNext = subscription.next(at: now, isWanted: isWanted) == .send(request)
      if isNext { subscription.noteSent(request, at: now) }
    }
    return isNext
  }

  package func remove(_ subscription: PushSubscription) throws {
    try database.run("DELETE FROM push WHERE callback = ?", subscription.callback)
  }

  /// Changes the stored subscription and returns it; nil if absent.
  package func change(
    _ callback: String, _ body: (inout PushSubscription) throws -> Void
  ) throws -> PushSubscription? {
    try database.transaction {
      // Locks the row in PostgreSQL, where others may change it between reading and writing.
      try database.run("UPDATE push SET callback = callback WHERE callback = ?", callback)
      guard let before = try subscription(callback: callback) else { return nil }
      var after = before
      try body(&after)
      if after != before {
        try database.run(
          """
          UPDATE push SET pending = ?, sent = ?, retry = ?, failures = ?, lease_end = ?, lease_length = ?, pushed = ?
          WHERE callback = ?
          """, after.pending?.rawValue, after.sent, after.retry, after.failures, after.lease?.end, after.lease?.length,
          after.pushed, callback)
      }
      return after
    }
  }
}
