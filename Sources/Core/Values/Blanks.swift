extension StringProtocol {
  /// The text without spaces, tabs and line ends around it.
  package var withoutBlanks: Substring {
    let start = Substring(self).drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start }
    return start[...last]
  }

  /// The first letters of the text, up to `count` scalars: what looks like one letter can have a million of them.
  package func cut(toScalars count: Int) -> String {
    String(String.UnicodeScalarView(Substring(self).unicodeScalars.prefix(count)))
  }
}
