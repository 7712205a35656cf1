/// A SQLite file that another program wrote and that may be hostile. It is read from a copy in memory, so nothing
/// happens to the file; views, virtual tables and triggers in it are never used.
package struct ForeignDatabase {
  private let database: Database

  /// Opens the bytes of a file and checks its structure (`PRAGMA quick_check`); throws if it is damaged.
  package init(_ bytes: [UInt8]) throws(DatabaseError) {
    database = try Database(foreign: bytes)
    // Expressions of its schema could run for ever.
    try database.execute(.sqlite("PRAGMA ignore_check_constraints = ON"))
    let verdict = try database.first(.sqlite("PRAGMA quick_check(1)")) { $0.text(0) }
    guard verdict == "ok" else { throw .damaged(code: 0, verdict ?? "") }
  }

  /// The rows of a query that reads these tables, at most `limit`, as text; nil if a table or a column is missing.
  package func rows(_ query: StaticString, of tables: [String], limit: Int) throws(DatabaseError) -> [[String?]]? {
    for table in tables {
      // Views and virtual tables have no root page.
      let isTable = try database.integer(
        .sqlite("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? AND rootpage > 0"), table)
      guard isTable != nil else { return nil }
    }
    var rows: [[String?]] = []
    var bytes = 0
    do {
      let all: SQL = "\(SQL(stringLiteral: query)) LIMIT \(number: limit)"
      try database.forEach(.sqlite(all)) { (row) throws(DatabaseError) in
        let values = (0..<row.columnCount).map { row.optionalText($0) }
        bytes += values.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        guard bytes <= ForeignDatabase.maxBytes else { throw .damaged(code: 0, "more than 256 MB of text") }
        rows.append(values)
      }
    } catch .damaged(code: ForeignDatabase.noSuchColumn, _) { return nil }
    return rows
  }

  /// Of all values of one query: a join can repeat a long text for each of its rows.
  private static let maxBytes = 256 << 20
  /// SQLITE_ERROR.
  private static let noSuchColumn: Int32 = 1
}
