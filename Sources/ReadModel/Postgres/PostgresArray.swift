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
}
