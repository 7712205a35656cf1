import Testing

@testable import Core

@Suite("Text from UTF-8")
struct UTF8Tests {
  /// Sequences of RFC 3629 at its limits, and what it forbids beside them.
  private static let parts: [[UInt8]] = [
    [], [0x00], [0x7f], [0xc2, 0x80], [0xdf, 0xbf], [0xe0, 0xa0, 0x80], [0xed, 0x9f, 0xbf], [0xee, 0x80, 0x80],
    [0xf0, 0x90, 0x80, 0x80], [0xf4, 0x8f, 0xbf, 0xbf],
    [0x80], [0xbf], [0xc0, 0x80], [0xc1, 0x81], [0xc2], [0xc2, 0x41], [0xe0, 0x80, 0x80], [0xe2, 0x82],
    [0xed, 0xa0, 0x80], [0xf0, 0x80, 0x80, 0x80], [0xf0, 0x9f, 0x98], [0xf4, 0x90, 0x80, 0x80],
    [0xf5, 0x80, 0x80, 0x80], [0xff],
  ]

  @Test("is read exactly if it is valid, wherever other letters stand", arguments: 0..<20)
  func limits(before: Int) {
    let plain = (0..<before).map { UInt8(ascii: "a") + UInt8($0) }
    for part in UTF8Tests.parts {
      for after in 0..<18 {
        for second in [[], part, [0xc3, 0xa9]] as [[UInt8]] {
          let bytes = plain + part + plain.prefix(after) + second
          let text = String(utf8: bytes.span)
          #expect(text == String(validating: bytes, as: UTF8.self))
          #expect(text.map { Array($0.utf8) } ?? bytes == bytes)
        }
      }
    }
  }
}
