extension Database {
  /// Texts as the text of an array of PostgreSQL: `{"one","two"}`.
  package static func array(_ texts: [String]) -> String {
    let quoted = texts.map { text in
      "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
    return "{" + quoted.joined(separator: ",") + "}"
  }
}
