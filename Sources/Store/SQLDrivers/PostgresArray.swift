extension Database {
  /// Numbers as the text of an array of PostgreSQL; `= ANY` would compare each row with each number.
  package static func array(_ numbers: some Sequence<Int64>) -> String {
    "{" + numbers.map(String.init).joined(separator: ",") + "}"
  }

  /// Texts as the text of an array of PostgreSQL: `{"one","two"}`.
  package static func array(_ texts: some Sequence<String>) -> String {
    // Scalars, not characters: a quotation mark with an accent is one character.
    var array = String.UnicodeScalarView("{".unicodeScalars)
    for (index, text) in texts.enumerated() {
      if index > 0 { array.append(",") }
      array.append("\"")
      for scalar in text.unicodeScalars {
        if scalar == "\"" || scalar == "\\" { array.append("\\") }
        array.append(scalar)
      }
      array.append("\"")
    }
    array.append("}")
    return String(array)
  }

  /// A `FROM` clause: the rows `v` of a table that match the values of an array, at most one for each, by a condition
  /// on `one.value`. The array must not repeat a value: each repetition gives another row.
  ///
  /// Each row is looked up by itself, because PostgreSQL caches plans: a join that was planned while the table was small
  /// compares each row with each value, however many there are by then.
  package static func rows(
    of table: SQL, where condition: SQL, in parameter: SQL = "?", of type: SQL = "bigint"
  ) -> SQL {
    """
    unnest(CAST(\(parameter) AS \(type)[])) one(value)
      JOIN LATERAL (SELECT * FROM \(table) WHERE \(condition) LIMIT 1) v ON true
    """
  }
}
