import Glibc
import Testing

@testable import Core

/// The width by the C library's own tables; -1 if unknown.
private struct LibraryWidth {
  private let width: @convention(c) (wchar_t) -> Int32
  private let locale: locale_t

  /// Nil if `wcwidth` or a UTF-8 locale is missing.
  init?() {
    // Swift's Glibc module lacks `wcwidth(3)`, which is X/Open; the type is from the manual.
    guard let symbol = dlsym(nil, "wcwidth"), let locale = newlocale(1 << LC_CTYPE, "C.UTF-8", nil) else { return nil }
    width = unsafeBitCast(symbol, to: (@convention(c) (wchar_t) -> Int32).self)
    self.locale = locale
  }

  /// Calls `body` with the width of every scalar from U+0020 on, except the C1 controls.
  func forEach(_ body: (Unicode.Scalar, Int) -> Void) {
    let before = uselocale(locale)
    defer { uselocale(before) }
    for value in UInt32(0x20)...0x10ffff where !(0x7f..<0xa0).contains(value) {
      if let scalar = Unicode.Scalar(value) { body(scalar, Int(width(wchar_t(value)))) }
    }
  }
}

/// Where this table and the C library's (2.36, Unicode 14) may differ, though both know the scalar.
private let deliberate: [(ClosedRange<UInt32>, ours: Int, theirs: Int)] = [
  (0x2630...0x2637, 2, 1), (0x268a...0x268f, 2, 1), (0x1d300...0x1d376, 2, 1),  // wide since Unicode 16
  (0x3248...0x324f, 1, 2),  // ambiguous in Unicode
  (0x1171e...0x1171e, 1, 0),  // a mark with width since Unicode 14
]

@Test("The width of every scalar matches the C library's", .enabled(if: LibraryWidth() != nil))
func libraryWidth() throws {
  var differences: [String] = []
  try #require(LibraryWidth()).forEach { scalar, theirs in
    guard theirs >= 0, let ours = scalar.displayColumns, ours != theirs else { return }
    if deliberate.contains(where: { $0.0.contains(scalar.value) && $0.ours == ours && $0.theirs == theirs }) { return }
    differences.append("U+\(String(scalar.value, radix: 16)): \(ours), not \(theirs)")
  }
  #expect(differences.isEmpty)
}

@Test("Only controls and invisible characters are dropped")
func leftOut() {
  for value in UInt32(0)...0x10ffff {
    guard let scalar = Unicode.Scalar(value), scalar.displayColumns == nil else { continue }
    let properties = scalar.properties
    let category = properties.generalCategory
    let isUnseen = properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
    let isControl = [.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
    #expect(isUnseen || isControl, "U+\(String(value, radix: 16))")
  }
}

@Test("No control, direction change or zero-width character is shown")
func nothingHarmful() {
  let harmful: [ClosedRange<UInt32>] = [
    0x0...0x1f, 0x7f...0x9f, 0xad...0xad, 0x61c...0x61c, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f,
    0xfe00...0xfe0f, 0xfeff...0xfeff, 0xfff9...0xfffb, 0xe0000...0xe0fff,
  ]
  for scalar in harmful.joined().compactMap(Unicode.Scalar.init) { #expect(scalar.displayColumns == nil) }
}

@Test("Every emoji takes two columns, and a flag letter one")
func emoji() {
  for value in UInt32(0x80)...0x1ffff {
    guard let scalar = Unicode.Scalar(value), scalar.properties.isEmojiPresentation else { continue }
    let isFlagLetter = scalar.properties.generalCategory == .otherSymbol && (0x1f1e6...0x1f1ff).contains(value)
    #expect(scalar.displayColumns == (isFlagLetter ? 1 : 2), "U+\(String(value, radix: 16))")
  }
}

@Test("Cleaning a cleaned text changes nothing")
func idempotent() {
  var generator = SystemRandomNumberGenerator()
  let interesting: [UInt32] = [0x1b, 0x9b, 0x0a, 0x20, 0x41, 0x301, 0x200d, 0x1f3fd, 0x1f44d, 0x202e, 0x4e00, 0xfe0f]
  for _ in 0..<2000 {
    let scalars = (0..<20).compactMap { _ -> Unicode.Scalar? in
      let isAny = Bool.random(using: &generator)
      return Unicode.Scalar(
        isAny ? .random(in: 0...0x10ffff, using: &generator) : interesting.randomElement(using: &generator) ?? 0)
    }
    let once = DisplayText(String(String.UnicodeScalarView(scalars)))
    #expect(DisplayText(once.text) == once)
    let limit = Int.random(in: 0...20, using: &generator)
    let cut = once.cut(to: limit)
    #expect(cut.width <= limit && DisplayText(cut.text) == cut)
  }
}
