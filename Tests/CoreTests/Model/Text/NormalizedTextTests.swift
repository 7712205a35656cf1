import Seeded
import Testing

@testable import Core

/// A text normalised character by character.
private func slowly(_ text: String) -> [UInt8] {
  var bytes: [UInt8] = []
  for scalar in text.unicodeScalars { NormalizedText.append(scalar, to: &bytes) }
  return bytes
}

private let pieces = [
  "a", "Z", "@", "[", "`", "{", "steam engine ", "STEAM ENGINE", "\\", "\"", "\n", "\u{0}", "\u{7f}", "É", "ß", "Ⱥ",
  "İ",
  "Æ", "e\u{301}", "Ω", "ς", "ώ", "Ж", "ё", "я", "東京", "ไ", "🎉", "𠮷", "ﬁ", "Ǆ", "\u{1e9e}", "\u{2126}",
]

@Test("A text is normalised like its characters one by one", arguments: 1...30 as ClosedRange<UInt64>)
func foldedTexts(seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  for _ in 0..<100 {
    let text = (0..<Int.random(in: 0...30, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }
      .joined()
    #expect(NormalizedText.bytes(of: text) == slowly(text), "\(text.debugDescription)")
  }
}

@Test("Bytes that are not UTF-8 have no normalised text", arguments: 1...30 as ClosedRange<UInt64>)
func damagedBytes(seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  for _ in 0..<200 {
    var bytes = (0..<Int.random(in: 1...4, using: &random)).flatMap { _ in
      Array((pieces.randomElement(using: &random) ?? "").utf8)
    }
    if let index = bytes.indices.randomElement(using: &random) { bytes[index] = .random(in: 0...255, using: &random) }
    #expect(NormalizedText.bytes(of: bytes.span) == String(validating: bytes, as: UTF8.self).map(slowly), "\(bytes)")
  }
}

@Test("Every character listed as unchanged by normalisation stays as it is")
func unchangedCharacters() {
  var count = 0
  for scalar in (0x80...0x3ffff as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init) where !scalar.mayChange {
    count += 1
    #expect(
      scalar.properties.lowercaseMapping == String(scalar) && scalar.properties.generalCategory != .nonspacingMark)
  }
  #expect(count > 80_000)
  // The final sigma is not one of them.
  #expect(NormalizedText.bytes(of: "ΣΊΣΥΦΟΣ ς") == Array("σισυφοσ σ".utf8))
}

@Test("Every kind of apostrophe becomes the one on keyboards")
func apostrophes() {
  for title in ["Savage’s", "Savage‘s", "Savageʼs"] {
    #expect(NormalizedText.bytes(of: title) == Array("savage's".utf8))
  }
}

@Test("A text that normalisation lengthens has room")
func longerFolded() {
  // U+023A has two bytes; its lower case has three, unless normalised to a letter. U+1F88 stays three.
  for character in ["Ⱥ", "İ", "ᾈ", "ẞ", "Ѝ"] {
    let text = String(repeating: character, count: 500)
    #expect(NormalizedText.bytes(of: text) == slowly(text))
  }
}
