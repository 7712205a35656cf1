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
  package static let maxMarks = 6

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
      guard marks <= DisplayText.maxMarks else { continue }
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

extension Unicode.Scalar {
  /// The number of terminal columns the scalar takes, 0 to 2; nil if it must not be shown: controls, characters that
  /// change the direction of text, and invisible ones (zero-width spaces, joiners, variation selectors, tags).
  ///
  /// Sources: East_Asian_Width W and F (UAX #11) take 2; combining marks (Mn, Me) and the vowels and final consonants
  /// of conjoining Hangul take 0, as in `wcwidth(3)`.
  package var displayColumns: Int? {
    if value < 0x300 {
      // U+00AD is the soft hyphen.
      return value < 0x20 || (0x7f..<0xa0).contains(value) || value == 0xad ? nil : 1
    }
    if !mayBeUnshown { return isWide ? 2 : 1 }
    let properties = properties
    guard !properties.isDefaultIgnorableCodePoint, !properties.isNoncharacterCodePoint else { return nil }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    case .control, .lineSeparator, .paragraphSeparator: return nil
    // The signs before a number in Arabic, Syriac and Kaithi are visible although they are format characters.
    case .format: return isNumberSign ? 1 : nil
    default: return isConjoiningEnd ? 0 : isWide ? 2 : 1
    }
  }

  /// False in the two large blocks that consist only of letters and ideographs.
  private var mayBeUnshown: Bool { !(0x3400...0x9fff).contains(value) && !(0xac00...0xd7a3).contains(value) }

  private var isWide: Bool { WideRanges.contain(value) || properties.isEmojiPresentation && !isFlagLetter }

  /// A flag is two of these and takes two columns, so each counts as one.
  private var isFlagLetter: Bool { (0x1f1e6...0x1f1ff).contains(value) }

  private var isConjoiningEnd: Bool { (0x1160...0x11ff).contains(value) || (0xd7b0...0xd7ff).contains(value) }

  private var isNumberSign: Bool {
    switch value {
    case 0x600...0x605, 0x6dd, 0x70f, 0x890...0x891, 0x8e2, 0x110bd, 0x110cd: true
    default: false
    }
  }
}

/// The scalars that take two columns, except emoji, which the standard library identifies.
private enum WideRanges {
  /// Whether a code point is in one of the ranges.
  static func contain(_ value: UInt32) -> Bool {
    guard value >= ranges[0].lowerBound else { return false }
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(value)
  }

  /// Sorted. Unassigned code points count with the script around them.
  private static let ranges: [ClosedRange<UInt32>] = [
    0x1100...0x115f,  // the first consonants of conjoining Hangul
    0x2329...0x232a,  // angle brackets
    0x2630...0x2637, 0x268a...0x268f,  // signs of the Yijing, wide since Unicode 16
    0x2e80...0x303e,  // radicals, CJK punctuation
    0x3041...0x3247,  // kana, Bopomofo, Hangul letters, enclosed CJK
    0x3250...0xa4c6,  // enclosed CJK, ideographs, Yi
    0xa960...0xa97c, 0xac00...0xd7a3,  // Hangul
    0xf900...0xfaff,  // compatibility ideographs
    0xfe10...0xfe6b,  // vertical and small forms
    0xff01...0xff60, 0xffe0...0xffe6,  // full-width forms
    0x16fe0...0x18d20, 0x18d80...0x191d2,  // Tangut, Khitan
    0x1aff0...0x1b2fb,  // kana, Nüshu
    0x1d300...0x1d376,  // Tai Xuan Jing, counting rods
    0x1f200...0x1f265,  // enclosed ideographs
    0x1fa70...0x1faff,  // emoji still to come
    0x20000...0x2fffd, 0x30000...0x3fffd,  // further ideographs
  ]
}
