/// A text from outside made harmless for one line of a terminal, and the columns it takes there.
///
/// Newlines and tabs become spaces. Out go: the other controls, so that no escape sequence comes through; whatever
/// changes the direction of text; what leaves no trace. Terminals disagree about the width of emoji sequences, so a
/// sequence is shown as what all of them agree on: its parts, without joiners, variation selectors and skin tones.
package struct DisplayText: Hashable, Sendable {
  /// The text that is left.
  package let text: String
  /// The columns it takes.
  package let width: Int

  /// Nothing.
  package static let empty = DisplayText("")

  /// How many marks may stand on one letter; more of them climb into the lines above.
  package static let mostMarks = 6

  package init(_ outside: String) {
    if let columns = DisplayText.plainWidth(of: outside) {
      self.init(text: outside, width: columns)
    } else {
      self.init(cleaning: outside.unicodeScalars)
    }
  }

  /// Whether there is nothing to see.
  package var isBlank: Bool {
    width == 0
      || text.unicodeScalars.allSatisfy {
        $0.properties.isWhitespace || $0.displayColumns == 0 || $0 == "\u{2800}" || $0 == "\u{3164}"
      }
  }

  private init(text: String, width: Int) {
    self.text = text
    self.width = width
  }

  /// The width of a text in which every byte is a printable character of ASCII, else nil.
  private static func plainWidth(of text: String) -> Int? {
    text.utf8.allSatisfy { (0x20..<0x7f).contains($0) } ? text.utf8.count : nil
  }

  private init(cleaning scalars: String.UnicodeScalarView) {
    var kept = String.UnicodeScalarView()
    var (columns, marks) = (0, 0)
    var last: Unicode.Scalar = " "
    for scalar in scalars {
      let shown = scalar.breaksLine ? " " : scalar
      // A newline becomes a space, and two newlines become one.
      if scalar.breaksLine && last == " " { continue }
      guard let width = shown.displayColumns else { continue }
      if shown.properties.isEmojiModifier && last.properties.isEmojiModifierBase { continue }
      marks = width == 0 ? marks + 1 : 0
      guard marks <= DisplayText.mostMarks else { continue }
      kept.append(shown)
      columns += width
      last = shown
    }
    self.init(text: String(kept), width: columns)
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is white space that a line of a terminal must not hold: tab, newlines of every sort.
  fileprivate var breaksLine: Bool {
    switch value {
    case 0x09...0x0d, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}

// MARK: Fitting

extension DisplayText {
  /// The text in at most `limit` columns; where it was longer it ends with `…`.
  package func cut(to limit: Int) -> DisplayText {
    guard width > limit else { return self }
    guard limit > 0 else { return .empty }
    var kept = String.UnicodeScalarView()
    var columns = 0
    for scalar in text.unicodeScalars {
      let width = scalar.displayColumns ?? 0
      guard columns + width < limit else { break }
      kept.append(scalar)
      columns += width
    }
    kept.append("…")
    return DisplayText(text: String(kept), width: columns + 1)
  }

  /// The lines of a longer text, such as a description, each harmless; the last one is not followed by an empty one.
  package static func lines(of text: String) -> [DisplayText] {
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { DisplayText(String($0)) }
  }
}
