import SQLDrivers

/// The tables of `hub.db`; the migrations have them in PostgreSQL's dialect.
extension Accounts {
  /// The version of the tables, in `user_version`.
  private static let version: Int64 = 3

  /// Makes the tables of a file, or brings those of an earlier version up to date. A file that can only be read stays as
  /// it is, and is read as if it were.
  func bringUpToDate() throws {
    let version = try storedVersion
    guard version < Accounts.version else { return }
    do {
      try database.transaction {
        // Another process may have done it since.
        let version = try storedVersion
        if version < 2 { try database.execute(.sqlite("\(Accounts.schema) \(Accounts.finished)")) }
        if version < 3 {
          try database.execute(.sqlite("\(Accounts.household) PRAGMA user_version = 3"))
        }
      }
    } catch DatabaseError.notWritable where version >= 1 {
      // A hub that can only be read has users, so what else the file lacks is not needed.
      try database.execute(.sqlite("PRAGMA temp_store = MEMORY; \(Accounts.usersOfReadOnlyFile)"))
    }
  }

  private var storedVersion: Int64 { get throws { try database.integer(.sqlite("PRAGMA user_version")) ?? 0 } }

  private static let schema: SQL = """
    CREATE TABLE IF NOT EXISTS user (name TEXT PRIMARY KEY, hash TEXT NOT NULL, created INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS token (
      id INTEGER PRIMARY KEY AUTOINCREMENT, user TEXT NOT NULL REFERENCES user ON DELETE CASCADE, name TEXT NOT NULL,
      digest BLOB NOT NULL UNIQUE, scope TEXT NOT NULL, created INTEGER NOT NULL, used INTEGER, device TEXT) STRICT;
    CREATE UNIQUE INDEX IF NOT EXISTS token_device ON token (device);
    CREATE TABLE IF NOT EXISTS session (
      id TEXT PRIMARY KEY, user TEXT NOT NULL REFERENCES user ON DELETE CASCADE, digest BLOB NOT NULL,
      ends INTEGER NOT NULL, agent TEXT NOT NULL DEFAULT '', used INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE IF NOT EXISTS pairing (
      digest BLOB PRIMARY KEY, user TEXT NOT NULL REFERENCES user ON DELETE CASCADE, ends INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS setup (
      n INTEGER PRIMARY KEY, digest BLOB NOT NULL, failures INTEGER NOT NULL, finished INTEGER) STRICT;
    """

  /// Marks accounts of version 1 that have a user, or had one with a token; see 0008-setup.sql.
  private static let finished: SQL = """
    INSERT OR IGNORE INTO setup SELECT 1, x'', 0, CAST(strftime('%s', 'now') AS INTEGER)
      WHERE EXISTS (SELECT 1 FROM user) OR EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'token');
    """

  /// Version 3; see 0009-household.sql. `former_user` has the numbers of removed users by their folders, which
  /// PostgreSQL's owners keep themselves, and `renaming` the users whose folders are about to get other names.
  private static let household: SQL = """
    ALTER TABLE user ADD number INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE user ADD admin INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE user ADD display_name TEXT NOT NULL DEFAULT '';
    ALTER TABLE user ADD avatar_color TEXT NOT NULL DEFAULT '';
    ALTER TABLE user ADD last_login INTEGER;
    ALTER TABLE user ADD disabled INTEGER;
    ALTER TABLE user ADD max_subscriptions INTEGER;
    ALTER TABLE user ADD max_requests INTEGER;
    UPDATE user SET number = (
      SELECT count(*) FROM user AS other WHERE (other.created, other.name) <= (user.created, user.name));
    CREATE UNIQUE INDEX user_number ON user (number);
    ALTER TABLE setup ADD users INTEGER NOT NULL DEFAULT 0;
    UPDATE setup SET users = (SELECT count(*) FROM user);
    CREATE TABLE invitation (
      digest BLOB PRIMARY KEY, user TEXT NOT NULL REFERENCES user ON DELETE CASCADE, ends INTEGER NOT NULL) STRICT;
    CREATE TABLE former_user (kept TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT;
    CREATE TABLE renaming (former TEXT PRIMARY KEY, later TEXT NOT NULL) STRICT;
    """

  /// Has the users of an earlier version appear with the columns of this one.
  private static let usersOfReadOnlyFile: SQL = """
    CREATE TEMP VIEW user AS SELECT name, hash, created,
      (SELECT count(*) FROM main.user AS other WHERE (other.created, other.name) <= (one.created, one.name)) AS number,
      0 AS admin, '' AS display_name, '' AS avatar_color, NULL AS last_login, NULL AS disabled,
      NULL AS max_subscriptions, NULL AS max_requests FROM main.user AS one;
    CREATE TEMP TABLE renaming (former TEXT, later TEXT);
    """
}
