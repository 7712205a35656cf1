/// Keeping the columns of a line apart where terminals reorder text that runs from right to left.
///
/// VTE (GNOME's and Xfce's terminals) and mlterm apply Unicode's algorithm (UAX #9) to the whole line: beside such a
/// title another one, or the digits of `9 h ago`, join its run and change places with it. Seen in VTE 0.70, 2026-11-21.
/// A mark that is a letter of no width from left to right ends the run; terminals that reorder nothing show nothing.
enum TextDirection {
  /// U+200E LEFT-TO-RIGHT MARK. The isolates of UAX #9 would do more, and take a column in older terminals.
  static let mark = "\u{200e}"
}

extension DisplayText {
  /// Whether some of it runs from right to left.
  package var hasRightToLeft: Bool { text.unicodeScalars.contains { $0.runsRightToLeft } }

  /// The text so that what follows on the line stays where it is.
  package var apart: String { hasRightToLeft ? text + TextDirection.mark : text }
}

extension Unicode.Scalar {
  /// Whether the scalar is in a block of letters from right to left (Bidi_Class R and AL).
  fileprivate var runsRightToLeft: Bool {
    switch value {
    case ..<0x590: false
    // Hebrew, Arabic, Syriac, Thaana, NKo and the like; presentation forms; what lies between U+10800 and Garay.
    case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfeff, 0x10800...0x10fff, 0x1e800...0x1efff: true
    default: false
    }
  }
}
