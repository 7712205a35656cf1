/// The one way this project writes a text as JSON (RFC 8259 §7): only what must be escaped is.
package enum JSONText {
  /// Appends the text's JSON form without its quotes: `"` and `\` with a backslash, U+0000 to U+001F as `\n`, `\t`,
  /// `\r` or `\u00xx`, everything else as UTF-8.
  package static func escape(_ text: String, into bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { utf8 in
      var begin = 0
      for index in 0..<utf8.count where utf8[index] < 0x20 || utf8[index] == 0x22 || utf8[index] == 0x5c {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[begin..<index]))
        appendEscape(of: utf8[index], to: &bytes)
        begin = index + 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[begin..<utf8.count]))
    }
  }

  /// Appends the text in quotes.
  package static func quote(_ text: String, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    escape(text, into: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
    case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
    case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
    default:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(UInt8(ascii: "0") + byte >> 4)
      bytes.append(byte & 15 < 10 ? UInt8(ascii: "0") + byte & 15 : UInt8(ascii: "a") + byte & 15 - 10)
    }
  }
}
