/// The words of a search, without regard to case and accents.
package struct SearchWords: Equatable, Sendable {
  /// The words folded, none of them empty.
  let words: [[UInt8]]

  /// The words of a text, parted by blanks; none match everything.
  package init(_ text: String) {
    words = text.split(whereSeparator: \.isWhitespace).map { FoldedText.bytes(of: String($0)) }.filter { !$0.isEmpty }
  }

  /// Whether there is no word, so that every text matches.
  package var isEmpty: Bool { words.isEmpty }

  /// Whether every word is in one of the texts.
  package func match(_ texts: [String]) -> Bool { matches(texts).allSatisfy(\.self) }

  /// Of each word, whether it is in one of the texts.
  func matches(_ texts: [String]) -> [Bool] {
    var folded: [UInt8] = []
    for text in texts {
      FoldedText.append(text, to: &folded)
      folded.append(UInt8(ascii: "\n"))
    }
    return words.map { SearchWords.occurs($0, in: folded.span) }
  }

  /// Whether every word is in a text that is folded already.
  package func match(folded text: Span<UInt8>) -> Bool {
    words.allSatisfy { SearchWords.occurs($0, in: text) }
  }

  /// Whether a word is in a text, both folded.
  static func occurs(_ word: [UInt8], in text: Span<UInt8>) -> Bool {
    text.withUnsafeBytes { ByteSearch.first(word, in: $0, from: 0) != nil }
  }
}
