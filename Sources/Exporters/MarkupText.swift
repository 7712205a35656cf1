import Core

/// Escaping of text for XML and HTML.
package enum MarkupText {
  /// The context of a text.
  package enum Place: Sendable {
    /// Between tags.
    case content
    /// Between the double quotes of an attribute, where parsers turn a raw newline or tab into a space.
    case attribute
  }

  /// Appends a text, escaped for XML 1.0 (§2.2) and HTML.
  ///
  /// `&`, `<`, `>` and `"` become entities, `\r\n` and `\r` a newline. Characters that XML 1.0 forbids or discourages
  /// are dropped: controls except tab and newline, and noncharacters.
  package static func escape(_ text: String, in place: Place, into bytes: inout [UInt8]) {
    escape(text.utf8.span, in: place, into: &bytes)
  }

  /// Appends a UTF-8 text; see above.
  package static func escape(_ utf8: Span<UInt8>, in place: Place, into bytes: inout [UInt8]) {
    var begin = 0
    var index = 0
    while index < utf8.count {
      guard utf8[index].mayChange, let (length, replacement) = change(at: index, of: utf8, in: place) else {
        index += 1
        continue
      }
      bytes.append(utf8.extracting(begin..<index))
      replacement.withUTF8Buffer { bytes.append(contentsOf: $0) }
      index += length
      begin = index
    }
    bytes.append(utf8.extracting(begin..<utf8.count))
  }

  /// The number of bytes to replace at `index`, and the replacement; nil if the byte stays.
  private static func change(at index: Int, of utf8: Span<UInt8>, in place: Place) -> (Int, StaticString)? {
    func byte(after distance: Int) -> UInt8 { index + distance < utf8.count ? utf8[index + distance] : 0 }
    switch utf8[index] {
    case UInt8(ascii: "&"): return (1, "&amp;")
    case UInt8(ascii: "<"): return (1, "&lt;")
    case UInt8(ascii: ">"): return (1, "&gt;")
    case UInt8(ascii: "\""): return (1, "&quot;")
    case UInt8(ascii: "\t"): return place == .attribute ? (1, "&#9;") : nil
    case UInt8(ascii: "\n"): return place == .attribute ? (1, "&#10;") : nil
    case UInt8(ascii: "\r"):
      if byte(after: 1) == UInt8(ascii: "\n") { return (1, "") }
      return (1, place == .attribute ? "&#10;" : "\n")
    case 0..<0x20, 0x7f: return (1, "")
    // U+0080 to U+009F are C2 80 to C2 9F.
    case 0xc2: return byte(after: 1) < 0xa0 ? (2, "") : nil
    // U+FDD0 to U+FDEF are EF B7 90 to EF B7 AF, U+FFFE and U+FFFF are EF BF BE and EF BF BF.
    case 0xef:
      let (second, third) = (byte(after: 1), byte(after: 2))
      return (second == 0xb7 && (0x90...0xaf).contains(third)) || (second == 0xbf && third >= 0xbe) ? (3, "") : nil
    // U+1FFFE, U+1FFFF and so on are F0 9F BF BE, F0 9F BF BF, …
    case 0xf0...:
      return byte(after: 1) & 0xf == 0xf && byte(after: 2) == 0xbf && byte(after: 3) >= 0xbe ? (4, "") : nil
    default: return nil
    }
  }
}

extension UInt8 {
  /// Whether a character that begins with this byte may need escaping; false for most.
  fileprivate var mayChange: Bool {
    self < 0x20 || (self < 0x40 && "\"&<>".utf8.contains(self)) || self == 0x7f || self == 0xc2 || self >= 0xef
  }
}
