extension DisplayText {
  /// The text in lines of at most so many columns, broken between words. A word that is wider stands on a line of its
  /// own and whole, so that an address can still be followed.
  package func wrapped(to limit: Int) -> [DisplayText] {
    guard width > limit else { return [self] }
    var lines: [DisplayText] = []
    var line = ""
    var (columns, blanks) = (0, 0)
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let width = DisplayText(String(word)).width
      // Blanks wait for the word behind them: at a break nobody sees them.
      guard width > 0 else {
        blanks += 1
        continue
      }
      if columns > 0, columns + blanks + width > limit {
        lines.append(DisplayText(line))
        (line, columns, blanks) = ("", 0, 0)
      }
      line += String(repeating: " ", count: blanks) + word
      columns += blanks + width
      blanks = 1
    }
    lines.append(DisplayText(line))
    return lines
  }
}
