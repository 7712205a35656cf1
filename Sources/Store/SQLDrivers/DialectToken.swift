/// A piece of SQL: a word, a number, a parameter, a sign, a quoted text, a comment or white space.
struct DialectToken {
  enum Kind {
    case space, word, number, parameter, quoted, comment, sign
  }

  var kind: Kind
  var text: Substring

  /// The pieces of a text, which together are the text.
  static func all(in sql: String) throws(UnknownSQL) -> [DialectToken] {
    var tokens: [DialectToken] = []
    let bytes = sql.utf8
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let (kind, end) = try token(at: start, in: bytes)
      tokens.append(DialectToken(kind: kind, text: sql[start..<end]))
      start = end
    }
    return tokens
  }

  private static func token(
    at start: String.Index, in bytes: String.UTF8View
  ) throws(UnknownSQL) -> (Kind, String.Index) {
    let rest = bytes[bytes.index(after: start)...]
    func end(where isOther: (UInt8) -> Bool) -> String.Index { rest.firstIndex(where: isOther) ?? rest.endIndex }
    func unfinished() -> UnknownSQL { .unfinished(String(decoding: bytes[start...].prefix(40), as: UTF8.self)) }
    switch bytes[start] {
    case let quote where quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""):
      guard let last = rest.firstIndex(of: quote) else { throw unfinished() }
      return (.quoted, rest.index(after: last))
    case UInt8(ascii: "-") where rest.first == UInt8(ascii: "-"): return (.comment, end { $0 == UInt8(ascii: "\n") })
    case UInt8(ascii: "/") where rest.first == UInt8(ascii: "*"):
      let inside = rest.dropFirst()
      let ends = zip(inside.indices, inside.indices.dropFirst())
      guard let last = ends.first(where: { inside[$0] == UInt8(ascii: "*") && inside[$1] == UInt8(ascii: "/") }) else {
        throw unfinished()
      }
      return (.comment, inside.index(after: last.1))
    case let byte where isSpace(byte): return (.space, end { !isSpace($0) })
    case UInt8(ascii: "?"): return (.parameter, end { !isDigit($0) })
    case let byte where isDigit(byte): return (.number, end { !isOfWord($0) })
    case let byte where isOfWord(byte): return (.word, end { !isOfWord($0) })
    case let byte where isOfOperator(byte): return (.sign, end { !isOfOperator($0) })
    default: return (.sign, rest.startIndex)
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a }
  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
  private static func isOfWord(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
  /// Of what PostgreSQL takes as one operator.
  private static func isOfOperator(_ byte: UInt8) -> Bool { "+-*/<>=~!@#%^&|`:".utf8.contains(byte) }
}
