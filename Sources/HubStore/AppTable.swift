import ReadModel

/// The channels that each installation of the MeTube app registered last, in `hub.db`. One for each thread.
package final class AppTable {
  private let database: Database

  /// Opens the table of a state folder, and creates it if absent.
  package init(folder: String) throws {
    _ = try Accounts(folder: folder)
    database = try Database(Accounts.path(in: folder), .readWrite)
    try database.execute(
      """
      PRAGMA synchronous = FULL;
      CREATE TABLE IF NOT EXISTS app (
        user TEXT NOT NULL, id TEXT NOT NULL, channels TEXT NOT NULL, PRIMARY KEY (user, id)) STRICT, WITHOUT ROWID;
      """)
  }

  /// The most installations of a user.
  private static let most = 100

  /// The channels that an installation of a user registered; nil if it never did.
  package func channels(of app: String, _ user: String) throws -> [String]? {
    let text = try database.first("SELECT channels FROM app WHERE user = ? AND id = ?", user, app) { $0.text(0) }
    return text.map { $0.split(separator: " ").map(String.init) }
  }

  /// Replaces them; of a new installation beyond the most nothing is kept.
  package func setChannels(_ channels: [String], of app: String, _ user: String) throws {
    try database.run(
      """
      INSERT OR REPLACE INTO app SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM app WHERE user = ?1 AND id = ?2)
        OR (SELECT count(*) FROM app WHERE user = ?1) < ?4
      """, user, app, channels.joined(separator: " "), AppTable.most)
  }
}
