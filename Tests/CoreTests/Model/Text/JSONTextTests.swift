import Testing

@testable import Core

@Suite("JSON text")
struct JSONTextTests {
  private func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONText.escape(text, into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The same text escaped by the letter of RFC 8259, scalar by scalar.
  private func spelt(_ text: String) -> String {
    let short: [Unicode.Scalar: String] = ["\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"]
    return text.unicodeScalars.map { scalar in
      if let known = short[scalar] { return known }
      guard scalar.value < 0x20 else { return String(scalar) }
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  @Test("escapes what must be escaped, and nothing else", arguments: 0..<0x180 as Range<UInt32>)
  func everyLetter(value: UInt32) throws {
    let scalar = String(try #require(Unicode.Scalar(value)))
    // At every position within eight bytes, alone and next to itself.
    for before in 0..<9 {
      let text = String(repeating: "é", count: before / 2) + String(repeating: "x", count: before % 2) + scalar
      for whole in [text, text + scalar, text + "plain text", scalar + text + scalar] {
        #expect(escaped(whole) == spelt(whole))
      }
    }
  }
}
