import Testing

@testable import FeedParser

private func text(_ bytes: [UInt8]) -> String? { try? String(bytes.span, at: SourceLocation(line: 1, column: 1)) }

@Test("UTF-8 validation agrees with the standard library")
func sameAsValidation() {
  var generator = SystemRandomNumberGenerator()
  let pieces: [[UInt8]] =
    [
      "a", "plain text of more than eight bytes", "é", "水", "🚢", "\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}",
      "\u{D7FF}\u{E000}",
    ]
    .map { Array($0.utf8) } + [[0x80], [0xC1, 0x81], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]]
  for _ in 0..<5_000 {
    let count = Int.random(in: 0...6, using: &generator)
    let bytes = (0..<count).flatMap { _ in pieces.randomElement(using: &generator) ?? [] }
    #expect(text(bytes) == String(validating: bytes, as: UTF8.self), "\(bytes)")
  }
}

@Test("Four-byte sequences are validated as by the standard library")
func everySequence() {
  let bytes: [UInt8] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
    0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
  ]
  for first in bytes {
    for second in bytes {
      for third in bytes {
        for fourth in bytes {
          let sequence = [first, second, third, fourth]
          #expect(text(sequence) == String(validating: sequence, as: UTF8.self), "\(sequence)")
        }
      }
    }
  }
}
