/// What a rule asks of a text: words that are all in it, a pattern that matches it, or both.
package struct TextCondition: Hashable, Sendable {
  let contains: String?
  let matches: String?

  /// What a rule asks of a text; nil where it asks nothing.
  package init?(_ rule: Rule) {
    guard rule.contains != nil || rule.matches != nil else { return nil }
    self.init(contains: rule.contains, matches: rule.matches)
  }

  init(contains: String?, matches: String?) {
    self.contains = contains
    self.matches = matches
  }
}

/// A condition made ready for many texts.
struct TextTest {
  let words: SearchWords?
  /// It learns from text to text.
  private var matcher: PatternMatcher?
  /// Whether the pattern is one; one from a later version may not be, and then no text satisfies the condition.
  let isUnderstood: Bool

  init(_ condition: TextCondition) {
    words = condition.contains.map { SearchWords($0) }
    let pattern = condition.matches.map { try? Pattern($0) }
    matcher = pattern.flatMap { $0 }.map { PatternMatcher($0) }
    let run = String(decoding: (pattern ?? nil)?.needed ?? [], as: UTF8.self).unicodeScalars
    let ofPattern = run.split { $0.properties.isWhitespace }.map { Array(String($0).utf8) }
    needed = (words?.words ?? []) + ofPattern
    isUnderstood = condition.matches == nil || matcher != nil
  }

  /// Folded words without blanks that are in every text that satisfies it.
  let needed: [[UInt8]]

  /// Whether words alone decide.
  var isOfWords: Bool { matcher == nil && isUnderstood }

  /// Whether a text that is folded already satisfies the condition.
  mutating func holds(folded text: Span<UInt8>) -> Bool {
    guard isUnderstood, words?.match(folded: text) ?? true else { return false }
    return matcher?.matches(folded: text) ?? true
  }
}
