extension DisplayText {
  /// The text in lines of at most `limit` columns, broken between words. A longer word gets a line of its own,
  /// unbroken, so that a URL remains clickable.
  package func wrapped(to limit: Int) -> [DisplayText] {
    guard width > limit else { return [self] }
    var lines: [DisplayText] = []
    var line = ""
    var (columns, blanks) = (0, 0)
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let width = DisplayText(String(word)).width
      // Spaces wait for the next word: at a line break they are dropped.
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
