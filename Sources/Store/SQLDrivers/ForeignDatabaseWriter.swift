/// Writes a new SQLite file for another program. A crash leaves a file of no use, so nothing is synced.
package final class ForeignDatabaseWriter {
  /// A value of a column.
  package enum Value: Sendable {
    case null
    case integer(Int64)
    case text(String)
  }

  private let database: Database

  /// Creates the file, and tables in it by these statements.
  package init(_ path: String, _ schema: [StaticString]) throws(DatabaseError) {
    database = try Database(path, .readWrite)
    try database.execute(.sqlite("PRAGMA synchronous = OFF"))
    try database.execute(.sqlite("PRAGMA journal_mode = MEMORY"))
    try database.execute(.sqlite("BEGIN"))
    for statement in schema { try database.execute(.sqlite(SQL(stringLiteral: statement))) }
  }

  /// Runs a statement with a value for each of its parameters.
  package func run(_ statement: StaticString, _ values: [Value]) throws(DatabaseError) {
    let prepared = try database.prepare(.sqlite(SQL(stringLiteral: statement)))
    for value in values {
      switch value {
      case .null: prepared.bindNull(.integer)
      case .integer(let number): prepared.bind(number)
      case .text(let text): prepared.bind(text)
      }
    }
    try prepared.finish()
  }

  /// Completes the file.
  package func finish() throws(DatabaseError) { try database.execute(.sqlite("COMMIT")) }
}
