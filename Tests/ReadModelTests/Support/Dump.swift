import Core
import SQLDrivers

@testable import ReadModel

extension ReadModel {
  /// Every row of every table as text, sorted: with the IDs of videos and channels instead of their numbers, which
  /// depend on the order of arrival.
  func dump() throws -> [String] {
    var rows: [String] = []
    let contents = try database.columns()
    try database.use(owner: user)
    let isPostgres = database.isPostgres
    // The words of texts stay when no video has them any more.
    for (table, names) in contents
    where !["meta", "migration", "owner", "words"].contains(table) && !table.hasPrefix("all_") {
      let columns = names.compactMap { ReadModel.value(of: $0.name, in: table) }.map { value in
        isPostgres ? "quote_nullable(CAST(\(value) AS text))" as SQL : "quote(\(value))"
      }
      let sql: SQL = "SELECT \(.joined(columns, by: " || ' ' || ")) FROM \(name: table) t"
      try database.snapshot { () throws(DatabaseError) in
        try database.forEach(isPostgres ? sql : .sqlite(sql)) { rows.append("\(table): \($0.text(0))") }
      }
    }
    return rows.sorted()
  }

  /// What stands for a column; nil if it depends on the order of arrival.
  private static func value(of column: String, in table: String) -> SQL? {
    switch (table, column) {
    case ("video", "n"), ("channel", "n"), ("text_condition", "id"): nil
    case (_, "condition"):
      """
      (SELECT coalesce(c.contains, '') || ' ' || coalesce(c.matches, '') || ' ' || coalesce(c.field, '')
        FROM text_condition c WHERE c.id = t.condition)
      """
    case ("gap", "channel"), ("described", "channel"), ("preference", "channel"): "t.channel"
    case (_, "n"): "(SELECT id FROM video v WHERE v.n = t.n)"
    case (_, "channel"), (_, "playlist"): "(SELECT id FROM channel c WHERE c.n = t.\(name: column))"
    default: "t.\(name: column)"
    }
  }
}

extension Database {
  /// The tables, and the names and types of their columns.
  func columns() throws -> [String: [(name: String, type: String)]] {
    var columns: [String: [(name: String, type: String)]] = [:]
    let query: SQL =
      isPostgres
      ? """
      SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = current_schema()
      ORDER BY table_name, ordinal_position
      """
      : .sqlite(
        """
        SELECT m.name, x.name, x.type FROM sqlite_master m JOIN pragma_table_xinfo(m.name) x
        WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY m.name, x.cid
        """)
    try forEach(query) { row in columns[row.text(0), default: []].append((row.text(1), row.text(2))) }
    return columns
  }
}

/// The lines that two dumps do not share, for the message of a test; empty if they are equal.
func difference(_ one: [String], _ other: [String]) -> [String] {
  one.difference(from: other).prefix(6).map { change in
    switch change {
    case .insert(_, let line, _): "+ " + line
    case .remove(_, let line, _): "- " + line
    }
  }
}
