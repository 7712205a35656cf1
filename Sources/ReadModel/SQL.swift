/// The text of a statement, as the key under which a connection keeps it prepared.
///
/// A literal is known by its address, and other texts by a hash that is computed once: hashing a long text takes as long
/// as a small query.
struct SQL: ExpressibleByStringInterpolation {
  private let content: Content
  private let code: Int

  private enum Content {
    case literal(StaticString)
    case text(String)
  }

  init(stringLiteral literal: StaticString) {
    content = .literal(literal)
    code = Int(bitPattern: literal.utf8Start)
  }

  init(stringInterpolation: Interpolation) { self.init(stringInterpolation.text) }

  init(_ text: String) {
    content = .text(text)
    code = text.hashValue
  }

  /// Collects the parts of an interpolated literal.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: StaticString) { text += literal.description }
    mutating func appendInterpolation(_ part: some CustomStringConvertible) { text += part.description }
  }
}

extension SQL: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(code) }

  static func == (left: SQL, right: SQL) -> Bool {
    guard left.code == right.code else { return false }
    switch (left.content, right.content) {
    case (.literal, .literal): return true
    case (.text(let left), .text(let right)): return left == right
    default: return false
    }
  }
}

extension SQL: CustomStringConvertible {
  var description: String {
    switch content {
    case .literal(let literal): literal.description
    case .text(let text): text
    }
  }
}
