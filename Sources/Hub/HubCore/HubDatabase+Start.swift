import Glibc
import Platform
import ReadModel
import SQLDrivers

/// What a command and a process look at before they work with a database.
extension HubDatabase {
  /// A new connection for a command, which ends with a message if there is no such server or database, or if a pooler in
  /// between does not keep sessions.
  package func connectOrFail(for use: Use) throws -> Database {
    do throws(DatabaseError) {
      let database = try connect(for: use)
      try database.checkSession()
      return database
    } catch {
      guard case .failed(_, let words) = error else { throw HubDatabase.failure(error) }
      throw Failure(.usage, "--database: \(words)")
    }
  }

  /// The same for a process that works until it is stopped, and may start before its database.
  package func connectOrFail(for use: Use, _ wait: DatabaseWait) throws -> Database {
    try wait.run { try connectOrFail(for: use) }
  }

  /// Throws unless the tables are those that all `migrations` made, and the role has the rights that it needs.
  package func check(_ database: Database, after migrations: [Migration]) throws {
    try HubDatabase.reporting {
      if let problem = try database.missingRight(in: schema) ?? database.missingRightOnTables(in: schema) {
        throw problem
      }
    }
    let last = try HubDatabase.reporting { try database.lastMigration() }
    let migration = migrations.map(\.number).max() ?? 0
    guard last == migration else { throw difference(last, migration) }
    let missing = try HubDatabase.reporting { try database.missing(migrations.flatMap(\.tables), in: schema) }
    guard missing.isEmpty else {
      let more = missing.count > 5 ? " and \(missing.count - 5) more" : ""
      let names = missing.prefix(5).joined(separator: ", ") + more
      let which = missing.count == 1 ? "the table \(names) is" : "the tables \(names) are"
      throw Failure(
        .usage, "\(which) missing from the schema \(schema); restore them, or the whole database, from a backup")
    }
  }

  /// Throws unless the role may make the tables and change them.
  package func checkOwner(_ database: Database) throws {
    let problem = try HubDatabase.reporting { try database.missingRightToMake(schema) }
    if let problem { throw problem }
  }

  /// Why tables at one migration are not those of a program at another one.
  private func difference(_ last: Int, _ migration: Int) -> Failure {
    let command =
      "metube-hub migrate --database …" + (schema == HubDatabase.standardSchema ? "" : " --schema \(schema)")
    if last == 0 {
      return Failure(.usage, "the database has no tables of a hub in the schema \(schema); run \(command)")
    }
    guard last < migration else {
      return Failure(
        .usage, "a newer version of metube-hub made the tables (migration \(last)); install that version")
    }
    return Failure(
      .usage,
      "the tables are of an older version (migration \(last) of \(migration)); stop all processes, run \(command)")
  }
}

/// How long a process that starts before its database waits for it.
package struct DatabaseWait {
  /// Seconds; 0 for not at all.
  private let seconds: Int
  /// Milliseconds of a clock that only advances.
  private let now: () -> Int
  /// Waits this many milliseconds.
  private let sleep: (Int) -> Void
  private let report: (String) -> Void

  package init(seconds: Int) {
    self.init(
      seconds: seconds, now: Clock.steady, sleep: { usleep(UInt32($0) * 1000) }, report: StandardError.report)
  }

  init(seconds: Int, now: @escaping () -> Int, sleep: @escaping (Int) -> Void, report: @escaping (String) -> Void) {
    (self.seconds, self.now, self.sleep, self.report) = (seconds, now, sleep, report)
  }

  /// The time between two attempts, milliseconds.
  static let pause = 1000

  /// Calls `attempt` until it succeeds or says that a later attempt cannot succeed either; throws its last failure after
  /// the time. A failure that is waited out is reported once.
  func run<Result>(_ attempt: () throws -> Result) throws -> Result {
    let end = now() + seconds * 1000
    var isReported = false
    while true {
      do { return try attempt() } catch let failure as Failure {
        guard failure.status == .temporaryFailure, now() + DatabaseWait.pause <= end else { throw failure }
        if !isReported { report("\(failure.message); waiting up to \(seconds) s for it") }
        isReported = true
      }
      sleep(DatabaseWait.pause)
    }
  }
}

/// The rights that a role needs on the tables of a hub: docs/postgresql.md has the same as GRANT.
extension Database {
  /// What the role lacks to read the schema and to work; nil if nothing is missing.
  fileprivate func missingRight(in schema: String) throws -> Failure? {
    // NULL without the schema.
    let rights = try first(
      """
      SELECT has_schema_privilege((SELECT oid FROM pg_namespace WHERE nspname = ?), 'USAGE') IS FALSE,
        has_database_privilege(current_database(), 'TEMPORARY'),
        quote_ident(current_user), quote_ident(current_database()), quote_ident(?)
      """, schema, schema
    ) { row in (row.int(0) == 1, row.int(1) == 1, row.text(2), row.text(3), row.text(4)) }
    guard let (lacksSchema, isTemporary, role, database, name) = rights else { return nil }
    if lacksSchema { return Database.lacks("use the schema \(schema)", "USAGE ON SCHEMA \(name)", role) }
    return isTemporary
      ? nil : Database.lacks("make temporary tables", "TEMPORARY ON DATABASE \(database)", role)
  }

  /// What the role lacks to make a schema with tables, or to change them; nil if nothing is missing.
  fileprivate func missingRightToMake(_ schema: String) throws -> Failure? {
    let found = try first(
      """
      SELECT (SELECT pg_has_role(nspowner, 'USAGE') OR has_schema_privilege(oid, 'CREATE') AND NOT EXISTS (
          SELECT FROM pg_class
          WHERE relnamespace = pg_namespace.oid AND relkind IN ('r', 'v') AND NOT pg_has_role(relowner, 'USAGE'))
        FROM pg_namespace WHERE nspname = ?1), has_database_privilege(current_database(), 'CREATE'),
        quote_ident(current_user), quote_ident(current_database()),
        (SELECT quote_ident(pg_get_userbyid(nspowner)) FROM pg_namespace WHERE nspname = ?1)
      """, schema
    ) { row in (isOwner: row.optionalInt(0).map { $0 == 1 }, row.int(1) == 1, row.text(2), row.text(3), row.text(4)) }
    guard let (isOwner, makesSchemas, role, database, owner) = found else { return nil }
    guard let isOwner else {
      return makesSchemas ? nil : Database.lacks("make the schema \(schema)", "CREATE ON DATABASE \(database)", role)
    }
    if isOwner { return nil }
    return Failure(
      .usage, "the role \(role) may not change the tables in the schema \(schema); migrate as its owner, \(owner)")
  }

  /// The first table that the role may not use; nil if it may use all.
  fileprivate func missingRightOnTables(in schema: String) throws -> Failure? {
    let missing = try first(
      """
      SELECT relname::text, quote_ident(current_user), quote_ident(?) FROM pg_class
      WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = ?) AND relkind IN ('r', 'v')
        AND NOT (has_table_privilege(oid, 'SELECT') AND (relname = 'migration' OR (has_table_privilege(oid, 'INSERT')
          AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))))
      ORDER BY relname LIMIT 1
      """, schema, schema
    ) { row in (row.text(0), row.text(1), row.text(2)) }
    return missing.map { table, role, name in
      Database.lacks(
        "read and write the table \(table)", "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(name)", role)
    }
  }

  /// Those of some tables, and of the views of one owner's rows of them, that the schema does not have, in order.
  fileprivate func missing(_ tables: [String], in schema: String) throws -> [String] {
    let views = tables.filter { $0.hasPrefix("all_") }.map { String($0.dropFirst("all_".count)) }
    var missing: [String] = []
    try forEach(
      """
      SELECT name FROM unnest(?::text[]) AS name
      WHERE NOT EXISTS (
        SELECT FROM pg_class WHERE relname = name AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = ?))
      ORDER BY name
      """, Database.array(tables + views), schema
    ) { missing.append($0.text(0)) }
    return missing
  }

  private static func lacks(_ what: String, _ right: String, _ role: String) -> Failure {
    Failure(.usage, "the role \(role) may not \(what); run, as the owner of the database: GRANT \(right) TO \(role)")
  }
}
