/// Untrusted text made safe for one line of a terminal, and the number of columns it takes.
///
/// Newlines and tabs become spaces. Removed are all other control characters, so that no escape sequence gets through;
/// characters that change the direction of text; and invisible ones. Terminals disagree about the width of emoji
/// sequences, so a sequence is shown in the form they all agree on: its parts, without joiners, variation selectors and
/// skin tones.
package struct DisplayText: Hashable, Sendable {
  /// The safe text.
  package let text: String
  /// The number of terminal columns.
  package let width: Int

  /// The empty text.
  package static let empty = DisplayText("")

  /// The maximum number of combining marks on one letter; more of them overlap the lines above.
  package static let mostMarks = 6

  package init(_ outside: String) {
    if let columns = DisplayText.plainWidth(of: outside) ?? DisplayText.safeWidth(of: outside) {
      self.init(text: outside, width: columns)
    } else {
      self.init(cleaning: outside.unicodeScalars)
    }
  }

  /// Whether nothing is visible.
  package var isBlank: Bool {
    width == 0
      || text.unicodeScalars.allSatisfy {
        $0.properties.isWhitespace || $0.displayColumns == 0 || $0 == "\u{2800}" || $0 == "\u{3164}"
      }
  }

  private init(text: String, width: Int) {
    (self.text, self.width) = (text, width)
  }

  /// The width of a text of printable ASCII characters only, else nil.
  private static func plainWidth(of text: String) -> Int? {
    text.utf8.allSatisfy { (0x20..<0x7f).contains($0) } ? text.utf8.count : nil
  }

  /// The width of a text that is shown as it is, else nil; leaves texts with marks or emoji to `init(cleaning:)`.
  private static func safeWidth(of text: String) -> Int? {
    var columns = 0
    for scalar in text.unicodeScalars {
      guard !scalar.breaksLine, !scalar.mayModifyEmoji, let width = scalar.displayColumns, width > 0 else { return nil }
      columns += width
    }
    return columns
  }

  private init(cleaning scalars: String.UnicodeScalarView) {
    var kept = String.UnicodeScalarView()
    var (columns, marks) = (0, 0)
    var last: Unicode.Scalar = " "
    for scalar in scalars {
      let shown = scalar.breaksLine ? " " : scalar
      // A newline becomes a space; consecutive newlines become one.
      if scalar.breaksLine && last == " " { continue }
      guard let width = shown.displayColumns else { continue }
      if shown.mayModifyEmoji && shown.properties.isEmojiModifier && last.properties.isEmojiModifierBase { continue }
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
  /// Whether the scalar is a tab or a newline of any kind, which must not appear within a line.
  fileprivate var breaksLine: Bool {
    switch value {
    case 0x09...0x0d, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Whether it is in the planes of the emoji modifiers; to look up the property itself takes long.
  fileprivate var mayModifyEmoji: Bool { value > 0xffff }
}

// MARK: Fitting

extension DisplayText {
  /// The text truncated to at most `limit` columns; ends with `…` if truncated.
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
}

/// Keeps columns in place in terminals that reorder right-to-left text.
///
/// VTE (the terminals of GNOME and Xfce) and mlterm apply the Unicode bidirectional algorithm (UAX #9) to the whole
/// line: an adjacent right-to-left title, or the digits of `9 h ago`, join the run and swap places with it. Seen in VTE
/// 0.70, 2026-11-21. A zero-width left-to-right mark ends the run; terminals that do not reorder text show nothing for
/// it.
package enum TextDirection {
  /// U+200E LEFT-TO-RIGHT MARK. The isolates of UAX #9 would do more, but take a column in older terminals.
  package static let mark = "\u{200e}"
}

extension DisplayText {
  /// Whether it contains right-to-left characters.
  package var hasRightToLeft: Bool { text.unicodeScalars.contains { $0.runsRightToLeft } }

  /// The text, followed by a mark if needed, so that it does not reorder the rest of the line.
  package var apart: String { hasRightToLeft ? text + TextDirection.mark : text }
}

extension Unicode.Scalar {
  /// Whether the scalar is in a block of right-to-left letters (Bidi_Class R and AL).
  fileprivate var runsRightToLeft: Bool {
    switch value {
    case ..<0x590: false
    // Hebrew, Arabic, Syriac, Thaana, NKo etc.; presentation forms; the blocks from U+10800 to Garay.
    case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfeff, 0x10800...0x10fff, 0x1e800...0x1efff: true
    default: false
    }
  }
}

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
