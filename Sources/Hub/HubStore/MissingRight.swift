import SQLDrivers

/// A right that a role does not have on the tables of a hub. Names are quoted as SQL needs them, except the table's.
package enum MissingRight {
  case toUseSchema(String, role: String)
  case toMakeTemporaryTables(database: String, role: String)
  case toMakeSchema(database: String, role: String)
  case toChangeTables(owner: String, role: String)
  case toUseTable(String, schema: String, role: String)
}

/// The rights that a role needs on the tables of a hub: docs/many.md has the same as GRANT.
extension Database {
  /// What the role lacks to read the schema and to work; nil if nothing is missing.
  package func missingRight(in schema: String) throws -> MissingRight? {
    // NULL without the schema.
    let rights = try first(
      """
      SELECT has_schema_privilege((SELECT oid FROM pg_namespace WHERE nspname = ?), 'USAGE') IS FALSE,
        has_database_privilege(current_database(), 'TEMPORARY'),
        quote_ident(current_user), quote_ident(current_database()), quote_ident(?)
      """, schema, schema
    ) { row in (row.int(0) == 1, row.int(1) == 1, row.text(2), row.text(3), row.text(4)) }
    guard let (lacksSchema, isTemporary, role, database, name) = rights else { return nil }
    if lacksSchema { return .toUseSchema(name, role: role) }
    return isTemporary ? nil : .toMakeTemporaryTables(database: database, role: role)
  }

  /// What the role lacks to make a schema with tables, or to change them; nil if nothing is missing.
  package func missingRightToMake(_ schema: String) throws -> MissingRight? {
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
      return makesSchemas ? nil : .toMakeSchema(database: database, role: role)
    }
    return isOwner ? nil : .toChangeTables(owner: owner, role: role)
  }

  /// The first table that the role may not use; nil if it may use all.
  package func missingRightOnTables(in schema: String) throws -> MissingRight? {
    let missing = try first(
      """
      SELECT relname::text, quote_ident(current_user), quote_ident(?) FROM pg_class
      WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = ?) AND relkind IN ('r', 'v')
        AND NOT (has_table_privilege(oid, 'SELECT') AND (relname = 'migration' OR (has_table_privilege(oid, 'INSERT')
          AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))))
      ORDER BY relname LIMIT 1
      """, schema, schema
    ) { row in (row.text(0), row.text(1), row.text(2)) }
    return missing.map { .toUseTable($0, schema: $2, role: $1) }
  }

  /// Those of some tables, and of the views of one owner's rows of them, that the schema does not have, in order.
  package func missing(_ tables: [String], in schema: String) throws -> [String] {
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
}
