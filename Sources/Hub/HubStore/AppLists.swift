import Glibc
import SQLDrivers

/// The channels that each installation of the MeTube app registered last, so that what it leaves out next time can be
/// unfollowed. An SQLite database in the state folder of each user, or rows of the hub's database in PostgreSQL; without
/// it the app registers again.
package final class AppLists {
  private let folder: String
  private var opened: Database?
  /// The owner of the rows in PostgreSQL; nil with a file.
  private let owner: Int64?

  package init(folder: String) { (self.folder, owner) = (folder, nil) }

  /// Those of an owner in a hub's database.
  package init(_ database: Database, owner: Int64) { (folder, opened, self.owner) = ("", database, owner) }

  func database() throws -> Database {
    if let opened { return opened }
    let path = "\(folder)/apps.db"
    mkdir(folder, 0o700)
    close(open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600))
    let database = try Database(path, .readWrite)
    try database.execute(
      .sqlite("CREATE TABLE IF NOT EXISTS app (id TEXT PRIMARY KEY, channels TEXT NOT NULL) STRICT, WITHOUT ROWID"))
    opened = database
    return database
  }

  /// The maximum number of installations.
  private static let maximum = 100

  /// The channels that an installation registered; nil if it never did.
  package func channels(of app: String) throws -> [String]? {
    let text =
      if let owner {
        try database().first("SELECT channels FROM app WHERE owner = ? AND id = ?", owner, app) { $0.text(0) }
      } else {
        try database().first("SELECT channels FROM app WHERE id = ?", app) { $0.text(0) }
      }
    return text.map { $0.split(separator: " ").map(String.init) }
  }

  /// Replaces them; ignores a new installation beyond the maximum.
  package func set(_ channels: [String], of app: String) throws {
    if let owner { return try set(channels, of: app, owner) }
    try database().run(
      .sqlite(
        """
        INSERT OR REPLACE INTO app SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM app WHERE id = ?1)
          OR (SELECT count(*) FROM app) < ?3
        """), app, channels.joined(separator: " "), AppLists.maximum)
  }

  private func set(_ channels: [String], of app: String, _ owner: Int64) throws {
    try database().run(
      """
      INSERT INTO app SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM app WHERE owner = ?1 AND id = ?2)
        OR (SELECT count(*) FROM app WHERE owner = ?1) < ?4
      ON CONFLICT ON CONSTRAINT app_pkey DO UPDATE SET channels = excluded.channels
      """, owner, app, channels.joined(separator: " "), AppLists.maximum)
  }
}
