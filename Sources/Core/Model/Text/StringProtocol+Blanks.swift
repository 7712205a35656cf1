extension StringProtocol {
  /// The text without leading and trailing whitespace.
  package var withoutBlanks: Substring {
    let start = Substring(self).drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start }
    return start[...last]
  }

  /// The first `count` scalars of the text. Counts scalars because one grapheme can have a million of them.
  package func cut(toScalars count: Int) -> String {
    String(String.UnicodeScalarView(Substring(self).unicodeScalars.prefix(count)))
  }
}
