/// The project's JSON string encoding (RFC 8259 §7): escapes only what must be escaped.
package enum JSONText {
  /// Appends the text's JSON form without quotes: `"` and `\` with a backslash, U+0000 to U+001F as `\n`, `\t`, `\r` or
  /// `\u00xx`, everything else as UTF-8.
  package static func escape(_ text: String, into bytes: inout [UInt8]) {
    let utf8 = text.utf8.span
    var begin = 0
    for index in utf8.indices {
      let byte = utf8[index]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      bytes.append(utf8.extracting(begin..<index))
      appendEscape(of: byte, to: &bytes)
      begin = index + 1
    }
    bytes.append(utf8.extracting(begin..<utf8.count))
  }

  /// Appends the text's JSON form with quotes.
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

extension [UInt8] {
  /// Appends the bytes of a span.
  package mutating func append(_ span: Span<UInt8>) { span.withUnsafeBufferPointer { append(contentsOf: $0) } }
}
