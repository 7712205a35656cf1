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
