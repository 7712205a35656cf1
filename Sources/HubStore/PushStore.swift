import Glibc
import ReadModel

/// The subscriptions at WebSub hubs, in `hub.db`. One for each thread.
package final class PushStore {
  let database: Database

  /// The table of a hub's database in PostgreSQL.
  package init(_ database: Database) { self.database = database }

  /// Opens the table of a state folder, and creates it if absent.
  package init(folder: String) throws {
    _ = try Accounts(folder: folder)
    database = try Database(Accounts.path(in: folder), .readWrite)
    try database.execute(
      """
      PRAGMA synchronous = FULL;
      CREATE TABLE IF NOT EXISTS push (
        channel TEXT PRIMARY KEY, callback TEXT NOT NULL UNIQUE, secret TEXT NOT NULL, hub TEXT NOT NULL,
        topic TEXT NOT NULL, pending TEXT, sent INTEGER NOT NULL, retry INTEGER NOT NULL, failures INTEGER NOT NULL,
        lease_end INTEGER, lease_length INTEGER, pushed INTEGER) STRICT, WITHOUT ROWID;
      """)
  }

  static let columns =
    "channel, callback, secret, hub, topic, pending, sent, retry, failures, lease_end, lease_length, pushed"

  private static func subscription(_ row: Statement) -> PushSubscription {
    var found = PushSubscription(
      channel: row.text(0), callback: row.text(1), secret: row.text(2), hub: row.text(3), topic: row.text(4))
    found.pending = row.optionalText(5).flatMap { PushSubscription.Request(rawValue: $0) }
    (found.sent, found.retry, found.failures) = (row.int(6), row.int(7), Int(row.int(8)))
    if let end = row.optionalInt(9) { found.lease = (end, row.optionalInt(10) ?? 0) }
    found.pushed = row.optionalInt(11)
    return found
  }

  package func all() throws -> [PushSubscription] {
    var found: [PushSubscription] = []
    try database.forEach("SELECT \(PushStore.columns) FROM push ORDER BY channel") {
      found.append(PushStore.subscription($0))
    }
    return found
  }

  /// The subscription with this callback; nil if absent.
  package func subscription(callback: String) throws -> PushSubscription? {
    try database.first("SELECT \(PushStore.columns) FROM push WHERE callback = ?", callback) {
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
