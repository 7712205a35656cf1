/// The text of a statement, as the key under which a connection keeps it prepared.
///
/// A literal is known by its address, and other texts by a hash that is computed once: hashing a long text takes as long
/// as a small query.
package struct SQL: ExpressibleByStringInterpolation {
  private let content: Content
  private let code: Int

  private enum Content {
    case literal(StaticString)
    case text(String)
  }

  package init(stringLiteral literal: StaticString) {
    content = .literal(literal)
    code = Int(bitPattern: literal.utf8Start)
  }

  package init(stringInterpolation: Interpolation) { self.init(stringInterpolation.text) }

  init(_ text: String) {
    content = .text(text)
    code = text.hashValue
  }

  /// Collects the parts of an interpolated literal.
  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    package mutating func appendLiteral(_ literal: StaticString) { text += literal.description }
    package mutating func appendInterpolation(_ part: some CustomStringConvertible) { text += part.description }
  }
}

extension SQL: Hashable {
  package func hash(into hasher: inout Hasher) { hasher.combine(code) }

  package static func == (left: SQL, right: SQL) -> Bool {
    guard left.code == right.code else { return false }
    switch (left.content, right.content) {
    case (.literal, .literal): return true
    case (.text(let left), .text(let right)): return left == right
    default: return false
    }
  }
}

extension SQL: CustomStringConvertible {
  package var description: String {
    switch content {
    case .literal(let literal): literal.description
    case .text(let text): text
    }
  }
}
