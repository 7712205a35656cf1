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
