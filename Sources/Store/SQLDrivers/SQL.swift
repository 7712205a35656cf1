/// The text of a statement or of a part of one, and the key under which a connection keeps it prepared.
///
/// Its text comes from literals of the source alone: what is interpolated is SQL again, a number or a quoted name. A
/// literal is a `StaticString`, so `"… WHERE name = '\(name)'"` does not compile; a value is a parameter.
///
/// A literal is known by its address, and other texts by a hash that is computed once: hashing a long text takes as long
/// as a small query.
@usableFromInline package struct SQL: Sendable {
  /// An engine that alone understands a text, which is passed to it as it is.
  package enum Engine: Sendable { case sqlite, postgres }

  /// nil for a text that both engines understand, once `Dialect` has translated it.
  package let engine: Engine?
  private let content: Content
  private let code: Int

  private enum Content {
    case literal(StaticString)
    case text(String)
  }

  private init(_ content: Content, code: Int, _ engine: Engine?) {
    (self.content, self.code, self.engine) = (content, code, engine)
  }

  private init(_ text: String, _ engine: Engine?) { self.init(.text(text), code: text.hashValue, engine) }

  /// A text for SQLite alone, such as one with PRAGMA, FTS5 or STRICT.
  package static func sqlite(_ sql: SQL) -> SQL { SQL(sql.content, code: sql.code, .sqlite) }

  /// A text in PostgreSQL's own dialect; its parameters are `$1`, `$2` …
  package static func postgres(_ sql: SQL) -> SQL { SQL(sql.content, code: sql.code, .postgres) }

  /// The statements of a migration's file.
  init(ofMigration text: String) { self.init(text, .postgres) }
}

// MARK: Parts

extension SQL {
  /// The parts one after the other, with a separator in between.
  package static func joined(_ parts: some Sequence<SQL>, by separator: SQL = ", ") -> SQL {
    var all = Interpolation(literalCapacity: 0, interpolationCount: 0)
    for (index, part) in parts.enumerated() {
      if index > 0 { all.appendInterpolation(separator) }
      all.appendInterpolation(part)
    }
    return SQL(stringInterpolation: all)
  }

  /// So many equal parts, as `?, ?, ?`.
  package static func repeated(_ part: SQL, _ count: Int) -> SQL { joined(repeatElement(part, count: count)) }

  /// The names of tables or columns, quoted: `"id", "name"`.
  package static func names(_ names: some Sequence<String>) -> SQL { joined(names.lazy.map { "\(name: $0)" }) }
}

extension SQL: ExpressibleByStringInterpolation {
  @usableFromInline package init(stringLiteral literal: StaticString) {
    self.init(.literal(literal), code: Int(bitPattern: literal.utf8Start), nil)
  }

  @usableFromInline package init(stringInterpolation: Interpolation) {
    self.init(stringInterpolation.text, stringInterpolation.engine)
  }

  /// Collects the parts of an interpolated literal.
  @usableFromInline package struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var engine: Engine?

    @usableFromInline package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 32 * interpolationCount)
    }

    @usableFromInline package mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

    package mutating func appendInterpolation(_ part: SQL) {
      text += part.description
      engine = engine ?? part.engine
    }

    /// The part if the condition holds: `\(" AND owner = ?", if: hasOwner)`.
    package mutating func appendInterpolation(_ part: SQL, if condition: Bool) {
      if condition { appendInterpolation(part) }
    }

    /// A number that is the same in each run of the statement; others are parameters.
    package mutating func appendInterpolation(number: some BinaryInteger) { text += String(number) }

    /// The name of a table, column or schema, quoted.
    package mutating func appendInterpolation(name: String) { text += SQL.quoted(name) }
  }

  /// A name in double quotes.
  static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}

extension SQL: Hashable {
  @usableFromInline package func hash(into hasher: inout Hasher) { hasher.combine(code) }

  @usableFromInline package static func == (left: SQL, right: SQL) -> Bool {
    guard left.code == right.code else { return false }
    switch (left.content, right.content) {
    case (.literal, .literal): return true
    case (.text(let left), .text(let right)): return left == right
    default: return false
    }
  }
}

extension SQL: CustomStringConvertible {
  @usableFromInline package var description: String {
    switch content {
    case .literal(let literal): literal.description
    case .text(let text): text
    }
  }
}
