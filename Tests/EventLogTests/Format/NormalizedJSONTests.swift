import Core
import Seeded
import Testing

@testable import EventLog

private let pieces: [[UInt8]] =
  [
    "steam ", "ENGINE", "\\n", "\\\"", "\\\\", "\\/", "\\u00c9", "\\u0130", "\\ud83c\\udf89", "\\ud83c", "\\x", "\\u12",
    "\\",
  ]
  .map { Array($0.utf8) }
  + [
    Array("É".utf8), Array("東京".utf8), Array("🎉".utf8), [0xc3], [0x80], [0xc0, 0x80], [0xe0, 0x80, 0x80],
    [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff], [0xf0, 0x9f], [0x0a], [0xf5, 0x80, 0x80, 0x80],
  ]

@Test(
  "The contents of a JSON string are normalised like its text, and rejected if invalid",
  arguments: 1...40 as ClosedRange<UInt64>)
func foldedStrings(seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  var good = 0
  for turn in 0..<200 {
    // Most broken pieces break the whole.
    let choice = turn % 2 == 0 ? Array(pieces.prefix(9)) + Array(pieces[13..<16]) : pieces
    let bytes = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in choice.randomElement(using: &random) }
      .flatMap(\.self)
    let text = bytes.withUnsafeBytes(JSONString.unescaped)
    #expect(bytes.withUnsafeBytes(JSONString.folded) == text.map { NormalizedText.bytes(of: $0) }, "\(bytes)")
    good += text == nil ? 0 : 1
  }
  #expect((100..<200).contains(good))
}
