/// A regular expression that cannot hang: it takes time in proportion to the text, whatever the expression.
///
/// Syntax: characters as they are, `.`, `[a-z]`, `[^a-z]`, `\d \w \s` and their opposites `\D \W \S`, `\b` and `\B`
/// (at the edge of a word, or not), `^` and `$` (the ends of the text), `|`, `(…)` and `(?:…)`, `* + ? {2} {2,} {2,5}`,
/// and `\` before any other sign for the sign itself. What no automaton can do, such as references back, is refused.
/// Case and accents make no difference, as in a search.
///
/// Source: K. Thompson, "Regular Expression Search Algorithm", 1968; the states are made as they are met, as in RE2.
package struct Pattern: Equatable, Sendable {
  /// The expression as it was typed.
  package let text: String
  let program: PatternProgram
  /// Characters that are in every text it matches, folded; nil where none are certain.
  let needed: [UInt8]?
  /// Whether it matches every text, for nothing at all is enough for it.
  package let isEverywhere: Bool

  /// The most characters an expression may have.
  package static let longest = 500

  /// The expression in a text. Throws what is wrong with it and where.
  package init(_ text: String) throws(PatternError) {
    self.text = text
    guard text.unicodeScalars.count <= Pattern.longest else { throw .tooLong(limit: Pattern.longest) }
    var parser = PatternParser(text)
    let node = try parser.parse()
    program = try PatternProgram(node)
    needed = node.needed
    isEverywhere = node.isEverywhere
  }

  package static func == (left: Pattern, right: Pattern) -> Bool { left.text == right.text }
}

/// Why a text is no pattern; positions count characters from 1.
package enum PatternError: Error, Equatable {
  case tooLong(limit: Int)
  /// Repeated so often that it becomes larger than so many steps.
  case tooLarge(limit: Int)
  /// A bracket that is not closed, or was not opened.
  case unbalanced(position: Int)
  /// A repetition of nothing, or one over the limit.
  case badRepetition(position: Int)
  /// A set that is empty or the wrong way round.
  case badSet(position: Int)
  /// Something that other engines know and that takes them for ever.
  case unsupported(position: Int)
  /// The text ends in the middle.
  case unfinished
}

/// What an expression is made of.
indirect enum PatternNode: Equatable {
  case empty
  /// One character out of these.
  case one(ScalarSet)
  case sequence([PatternNode])
  case either([PatternNode])
  /// So often at least, and at most; nil is without end.
  case repeated(PatternNode, Int, Int?)
  case assertion(PatternAssertion)
}

/// Something about the place between two characters.
enum PatternAssertion: Equatable {
  case textStart
  case textEnd
  case wordEdge
  case noWordEdge
}
