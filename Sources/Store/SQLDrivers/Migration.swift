/// A numbered change of the tables in PostgreSQL. Once released it stays as it is, and changes come as another one.
package struct Migration: Sendable {
  package var number: Int
  /// The name, as in the file's name: `read-model`.
  package var name: String
  package var sql: String

  package init(number: Int, name: String, sql: [UInt8]) {
    (self.number, self.name, self.sql) = (number, name, String(decoding: sql, as: UTF8.self))
  }

  /// The tables that it makes.
  package var tables: [String] {
    sql.matches(of: /(?m)^CREATE (?:UNLOGGED )?TABLE "?(\w+)/).map { String($0.output.1) }
  }
}

extension Database {
  /// The number of the last migration of the connection's schema in PostgreSQL; 0 without any.
  package func lastMigration() throws(DatabaseError) -> Int {
    guard try integer("SELECT to_regclass('migration') IS NOT NULL") == 1 else { return 0 }
    return Int(try integer("SELECT max(number) FROM migration") ?? 0)
  }

  /// Brings the tables of a schema in PostgreSQL up to date, in one transaction; makes the schema if it is missing.
  /// Another process that does it at the same time waits. Returns the numbers of the migrations that were applied now.
  /// Throws `failed`, with nothing changed, if the schema has migrations that this program does not know.
  package func migrate(_ migrations: [Migration], in schema: String) throws -> [Int] {
    try transaction {
      try execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
      try run("SELECT pg_advisory_xact_lock(hashtextextended('migration of ' || ?, 0))", schema)
      // `IF NOT EXISTS` demands the right to make one, even if it exists.
      if try integer("SELECT 1 FROM pg_namespace WHERE nspname = ?", schema) == nil {
        try execute(.postgres("CREATE SCHEMA \(name: schema)"))
      }
      try execute(
        .postgres(
          """
          CREATE TABLE IF NOT EXISTS migration(
            number integer PRIMARY KEY, name text NOT NULL, applied timestamptz NOT NULL DEFAULT now())
          """))
      let last = Int(try integer("SELECT coalesce(max(number), 0) FROM migration") ?? 0)
      guard last <= migrations.map(\.number).max() ?? 0 else {
        throw DatabaseError.failed(
          code: 0, "a newer version of this program made the tables (migration \(last)); install that version")
      }
      var applied: [Int] = []
      for migration in migrations.sorted(by: { $0.number < $1.number }) where migration.number > last {
        try execute(SQL(ofMigration: migration.sql))
        try run("INSERT INTO migration(number, name) VALUES (?, ?)", migration.number, migration.name)
        applied.append(migration.number)
      }
      return applied
    }
  }
}
