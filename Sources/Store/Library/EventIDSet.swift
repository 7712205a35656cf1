import Core
import ReadModel
import SQLDrivers

/// A set of event IDs of any size: a database without a name, which SQLite keeps in memory up to 4 MiB and else in a
/// temporary file that ends with it.
package final class EventIDSet {
  private let database: Database

  /// An empty set.
  package init() throws {
    database = try Database("", .readWrite)
    for statement: SQL in [
      .sqlite("PRAGMA journal_mode = OFF"), .sqlite("PRAGMA cache_size = -4096"),
      .sqlite("CREATE TABLE event_id (id BLOB PRIMARY KEY) WITHOUT ROWID"),
    ] { try database.execute(statement) }
  }

  /// Adds IDs; returns how many it did not have.
  package func insert(_ ids: some Sequence<EventID>) throws -> Int {
    try database.transaction {
      var added = 0
      for id in ids {
        try database.run("INSERT OR IGNORE INTO event_id VALUES (?)", id)
        added += database.changes
      }
      return added
    }
  }
}
