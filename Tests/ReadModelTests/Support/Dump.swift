import Core

@testable import ReadModel

extension ReadModel {
  /// Every row of every table as text, sorted: with the IDs of videos and channels in place of their numbers, which
  /// depend on the order of arrival.
  func dump() throws -> [String] {
    var (tables, rows) = ([String](), [String]())
    try database.forEach("SELECT name FROM sqlite_master WHERE type = 'table'") { tables.append($0.text(0)) }
    for table in tables where !table.hasPrefix("sqlite_") && table != "meta" {
      var columns: [String] = []
      try database.forEach("SELECT name, pk FROM pragma_table_xinfo(?)", table) { row in
        if let value = ReadModel.value(of: row.text(0), in: table) { columns.append("quote(\(value))") }
      }
      let sql = "SELECT " + columns.joined(separator: " || ' ' || ") + " FROM \(table) t"
      try database.forEach("\(sql)") { rows.append("\(table): \($0.text(0))") }
    }
    return rows.sorted()
  }

  /// What stands for a column; nil if it depends on the order of arrival.
  private static func value(of column: String, in table: String) -> String? {
    switch (table, column) {
    case ("video", "n"), ("channel", "n"), ("text_condition", "id"): nil
    case (_, "condition"):
      """
      (SELECT ifnull(c.contains, '') || ' ' || ifnull(c.matches, '') || ' ' || ifnull(c.field, '')
        FROM text_condition c WHERE c.id = t.condition)
      """
    case ("gap", "channel"): "t.channel"
    case (_, "n"): "(SELECT id FROM video v WHERE v.n = t.n)"
    case (_, "channel"), (_, "playlist"): "(SELECT id FROM channel c WHERE c.n = t.\(column))"
    default: "t.\(column)"
    }
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
