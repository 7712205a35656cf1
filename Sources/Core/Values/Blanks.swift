extension StringProtocol {
  /// The text without spaces, tabs and line ends around it.
  package var withoutBlanks: Substring {
    let start = Substring(self).drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start }
    return start[...last]
  }
}
