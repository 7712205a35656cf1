/// The words of a search query, matched without regard to case and diacritics.
package struct SearchWords: Equatable, Sendable {
  /// The normalised words, none empty.
  let words: [[UInt8]]

  /// Splits a query at whitespace; a query without words matches everything.
  package init(_ text: String) {
    words = text.split(whereSeparator: \.isWhitespace).map { NormalizedText.bytes(of: String($0)) }.filter {
      !$0.isEmpty
    }
  }

  /// Whether there are no words, so that every text matches.
  package var isEmpty: Bool { words.isEmpty }

  /// Whether each word occurs in at least one of the texts.
  package func match(_ texts: [String]) -> Bool { matches(texts).allSatisfy(\.self) }

  /// For each word, whether it occurs in at least one of the texts.
  func matches(_ texts: [String]) -> [Bool] {
    var folded: [UInt8] = []
    for text in texts {
      NormalizedText.append(text, to: &folded)
      folded.append(UInt8(ascii: "\n"))
    }
    return words.map { SearchWords.occurs($0, in: folded.span) }
  }

  /// Whether every word occurs in a normalised text.
  package func match(folded text: Span<UInt8>) -> Bool {
    words.allSatisfy { SearchWords.occurs($0, in: text) }
  }

  /// Whether a word occurs in a text, both normalised.
  static func occurs(_ word: [UInt8], in text: Span<UInt8>) -> Bool {
    text.withUnsafeBytes { ByteSearch.first(word, in: $0, from: 0) != nil }
  }
}
