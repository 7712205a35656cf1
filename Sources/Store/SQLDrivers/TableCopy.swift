/// A table that SQLite and PostgreSQL have alike, and how its rows are copied from one to the other as they are.
package struct TableCopy: Sendable {
  package var name: String
  package var columns: [(name: String, type: ColumnType)]
  /// Whether PostgreSQL's table has the rows of all owners, with a column `owner`.
  package var hasOwner: Bool

  package init(_ name: String, _ columns: [(name: String, type: ColumnType)], hasOwner: Bool = false) {
    (self.name, self.columns, self.hasOwner) = (name, columns, hasOwner)
  }

  /// Copies all rows, those of one owner if PostgreSQL has more, and returns their number. The table must be empty of
  /// them.
  package func copy(from source: Database, to target: Database, owner: Int64? = nil) throws(DatabaseError) -> Int {
    precondition((owner != nil) == hasOwner, "which owner's rows?")
    let list = SQL.names(columns.map(\.name))
    let (isToServer, placeholders) = (target.isPostgres, SQL.repeated("?", columns.count))
    let reading = try source.prepareScan(
      "SELECT \(list) FROM \(name: name)\(" WHERE owner = ?", if: hasOwner && !isToServer)")
    if hasOwner, !isToServer, let owner { reading.bind(owner) }
    // `OVERRIDING`: numbers that PostgreSQL would give itself are kept.
    let insertion: SQL =
      isToServer
      ? """
      INSERT INTO \(name: name)(\(list)\(", owner", if: hasOwner)) OVERRIDING SYSTEM VALUE
      VALUES (\(placeholders)\(", ?", if: hasOwner))
      """
      : "INSERT INTO \(name: name)(\(list)) VALUES (\(placeholders))"
    defer { reading.reset() }
    var count = 0
    while try reading.step() {
      let writing = try target.prepare(insertion)
      for (index, column) in columns.enumerated() { writing.bind(column.type, index, of: reading) }
      if hasOwner, isToServer, let owner { writing.bind(owner) }
      try writing.finish()
      count += 1
    }
    return count
  }
}

extension Statement {
  /// Binds a column of another statement's row.
  fileprivate func bind(_ type: ColumnType, _ column: Int, of row: Statement) {
    if row.isNull(column) { return bindNull(type) }
    switch type {
    case .integer: bind(row.int(column))
    case .text: bind(row.text(column))
    case .blob: bind(row.blob(column).span)
    }
  }
}
