/// What a statement of SQL asks for, without its values: parameters, literals and what stands for them in scripts of
/// pgbench are `?`, casts are left out. `SELECT n FROM owner WHERE name = $1::text` is
/// `SELECT n FROM owner WHERE name = ?`.
struct SQLForm: Hashable {
  let text: String

  init(_ sql: String) {
    var parts = Parts(tokens: SQLForm.tokens(of: sql)[...])
    // The name of a cursor is each connection's own.
    if parts.tokens.first == "DECLARE", let query = parts.tokens.firstIndex(of: "FOR") {
      parts.tokens = parts.tokens[(query + 1)...]
    }
    text = SQLForm.joined(parts.values())
  }

  /// Whether it is one of those that begin and end transactions, or move a cursor.
  var isOfTransaction: Bool {
    ["BEGIN", "COMMIT", "ROLLBACK", "FETCH", "CLOSE"].contains { text == $0 || text.hasPrefix($0 + " ") }
  }

  // MARK: Tokens

  private static func tokens(of sql: String) -> [String] {
    let token =
      #/(?<left>--[^\n]*|\s+|::\s*\w+(?:\[\])?)|(?<value>E?'(?:[^']|'')*'|\$\d+|:\w+|\d+)|"[^"]*"|[A-Za-z_][\w.]*|[<>!=|@]+|./#
      .dotMatchesNewlines()
    return sql.matches(of: token).compactMap { match in
      match.left != nil ? nil : match.value != nil ? "?" : String(match.0)
    }
  }

  /// Tokens that are read one after the other.
  private struct Parts {
    var tokens: ArraySlice<String>

    /// The tokens with what is constant for a statement as one value.
    mutating func values() -> [String] {
      var result: [String] = []
      while let token = tokens.popFirst() {
        let next = tokens.first
        switch token {
        // How scripts of pgbench write what the program binds.
        case "convert_to", "sha256", "repeat", "ARRAY":
          _ = enclosed()
          result.append("?")
        case "(" where tokens.starts(with: ["SELECT", "array_agg"]):
          tokens = ["("] + tokens
          _ = enclosed()
          result.append("?")
        case "CAST" where next == "(":
          let inner = enclosed()
          var value = Parts(tokens: inner[..<(inner.lastIndex(of: "AS") ?? inner.endIndex)])
          result += value.values()
        case "-" where next == "?" && ["BETWEEN", "AND", "(", ",", "="].contains(result.last): break
        case "NULL" where ["(", ","].contains(result.last) && [")", ","].contains(next): result.append("?")
        default: result.append(token)
        }
      }
      return result
    }

    /// What stands between the bracket that comes next and its end.
    private mutating func enclosed() -> ArraySlice<String> {
      var depth = 0
      for index in tokens.indices {
        if ["(", "["].contains(tokens[index]) { depth += 1 }
        if [")", "]"].contains(tokens[index]) { depth -= 1 }
        guard depth == 0 else { continue }
        defer { tokens = tokens[(index + 1)...] }
        return tokens[(tokens.startIndex + 1)..<index]
      }
      defer { tokens = [] }
      return tokens
    }
  }

  /// The tokens, without operators between constants and brackets around one.
  private static func joined(_ tokens: [String]) -> String {
    var text = tokens.joined(separator: " ")
    while true {
      let shorter = text.replacing("? || ?", with: "?").replacing(#/(?<mark>[,(=|] )\( \? \)/#) { "\($0.mark)?" }
      guard shorter != text else { return text }
      text = shorter
    }
  }
}

/// The statements in the log of a server of PostgreSQL with `log_statement = all`.
struct LoggedStatement {
  /// The process of the server, one for each connection.
  var process: Int
  var sql: String

  /// Reads lines such as `2026-11-23 09:05:16.535 UTC [5259] LOG:  execute s1: SELECT 1`, and those after one, which begin
  /// with a tab.
  static func all(in log: some Sequence<UInt8>) -> [LoggedStatement] {
    let line = #/^[^\[]*\[(?<process>\d+)\] LOG:  (?:execute [^:]*|statement): (?<sql>.*)$/#
    var statements: [LoggedStatement] = []
    var isContinued = false
    for text in String(decoding: Array(log), as: UTF8.self).split(separator: "\n") {
      if text.hasPrefix("\t"), isContinued, let last = statements.indices.last {
        statements[last].sql += "\n" + text.dropFirst()
      } else if let match = try? line.wholeMatch(in: text), let process = Int(match.process) {
        statements.append(LoggedStatement(process: process, sql: String(match.sql)))
        isContinued = true
      } else {
        isContinued = false
      }
    }
    // Some are sent together.
    return statements.flatMap { statement in
      statement.sql.split(separator: ";").map { LoggedStatement(process: statement.process, sql: String($0)) }
        .filter { $0.sql.contains { !$0.isWhitespace } }
    }
  }
}
