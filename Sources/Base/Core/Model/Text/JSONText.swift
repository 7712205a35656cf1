/// The project's JSON string encoding (RFC 8259 §7): escapes only what must be escaped.
package enum JSONText {
  /// Appends the text's JSON form without quotes: `"` and `\` with a backslash, U+0000 to U+001F as `\n`, `\t`, `\r` or
  /// `\u00xx`, everything else as UTF-8.
  package static func escape(_ text: String, into bytes: inout [UInt8]) {
    var special = firstSpecial(in: text.utf8.span.bytes, from: 0)
    if special == text.utf8.count { return bytes.append(contentsOf: text.utf8) }
    let utf8 = Array(text.utf8)
    var begin = 0
    while special < utf8.count {
      bytes += utf8[begin..<special]
      appendEscape(of: utf8[special], to: &bytes)
      begin = special + 1
      special = firstSpecial(in: utf8.span.bytes, from: begin)
    }
    bytes += utf8[begin...]
  }

  /// The index of the first byte from `start` that must be escaped: a quote, a backslash or a control character; the count
  /// of bytes if no byte needs it.
  ///
  /// Tests eight bytes at a time: subtracting the bound from a byte borrows into its highest bit. A borrow can corrupt the
  /// higher bytes, so only the lowest bit found counts.
  package static func firstSpecial(in bytes: RawSpan, from start: Int) -> Int {
    let (ones, highBits): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    var index = start
    while index + 8 <= bytes.byteCount {
      let word = UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let (quote, backslash) = (word ^ (0x22 * ones), word ^ (0x5c * ones))
      let control = (word &- 0x20 * ones) & ~word
      let found = (control | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & highBits
      if found != 0 { return index + found.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < bytes.byteCount {
      let byte = bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return index }
      index += 1
    }
    return index
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
      bytes.append(HexDigit.letter(byte >> 4))
      bytes.append(HexDigit.letter(byte & 15))
    }
  }
}
