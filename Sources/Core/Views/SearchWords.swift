/// The words of a search, without regard to case and accents.
package struct SearchWords: Equatable, Sendable {
  private let words: [[UInt8]]

  /// The words of a text, parted by blanks; none match everything.
  package init(_ text: String) {
    words = text.split(whereSeparator: \.isWhitespace).map { FoldedText.bytes(of: String($0)) }.filter { !$0.isEmpty }
  }

  /// Whether every word is in one of the texts.
  package func match(_ texts: [String]) -> Bool {
    var folded: [UInt8] = []
    for text in texts {
      FoldedText.append(text, to: &folded)
      folded.append(UInt8(ascii: "\n"))
    }
    return match(folded: folded.span)
  }

  /// Whether every word is in a text that is folded already.
  package func match(folded text: Span<UInt8>) -> Bool {
    words.allSatisfy { SearchWords.occurs($0.span, in: text) }
  }

  private static func occurs(_ word: Span<UInt8>, in text: Span<UInt8>) -> Bool {
    guard word.count <= text.count else { return false }
    let first = word[0]
    var start = 0
    let last = text.count - word.count
    while start <= last {
      if text[start] == first {
        var length = 1
        while length < word.count, text[start + length] == word[length] { length += 1 }
        if length == word.count { return true }
      }
      start += 1
    }
    return false
  }
}
