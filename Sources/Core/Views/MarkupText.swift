/// Text inside XML and HTML.
package enum MarkupText {
  /// Where a text stands.
  package enum Place: Sendable {
    /// Between tags.
    case content
    /// Between the double quotes of an attribute, where a reader would take a raw newline or tab for a space.
    case attribute
  }

  /// Appends a text so that it stands for itself, in XML 1.0 (§2.2) and in HTML.
  ///
  /// `&`, `<`, `>` and `"` become entities, `\r\n` and `\r` a newline; what XML 1.0 does not allow or discourages is dropped:
  /// controls but tab and newline, and noncharacters.
  package static func escape(_ text: String, in place: Place, into bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { escape($0, in: place, into: &bytes) }
  }

  /// Appends UTF-8 that is valid; see above.
  package static func escape(_ utf8: UnsafeBufferPointer<UInt8>, in place: Place, into bytes: inout [UInt8]) {
    var begin = 0
    var index = 0
    while index < utf8.count {
      guard let (length, replacement) = change(at: index, of: utf8, in: place) else {
        index += 1
        continue
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[begin..<index]))
      bytes.append(contentsOf: UnsafeBufferPointer(start: replacement.utf8Start, count: replacement.utf8CodeUnitCount))
      index += length
      begin = index
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[begin...]))
  }

  /// How many bytes from `index` on are written otherwise, and how; nil where the byte stays.
  private static func change(at index: Int, of utf8: UnsafeBufferPointer<UInt8>, in place: Place) -> (
    Int, StaticString
  )? {
    switch utf8[index] {
    case UInt8(ascii: "&"): return (1, "&amp;")
    case UInt8(ascii: "<"): return (1, "&lt;")
    case UInt8(ascii: ">"): return (1, "&gt;")
    case UInt8(ascii: "\""): return (1, "&quot;")
    case UInt8(ascii: "\t"): return place == .attribute ? (1, "&#9;") : nil
    case UInt8(ascii: "\n"): return place == .attribute ? (1, "&#10;") : nil
    case UInt8(ascii: "\r"):
      let isNewlineNext = index + 1 < utf8.count && utf8[index + 1] == UInt8(ascii: "\n")
      return (1, isNewlineNext ? "" : place == .attribute ? "&#10;" : "\n")
    case 0..<0x20, 0x7f: return (1, "")
    // U+0080 to U+009F are C2 80 to C2 9F.
    case 0xc2: return utf8[index + 1] < 0xa0 ? (2, "") : nil
    // U+FDD0 to U+FDEF are EF B7 90 to EF B7 AF, U+FFFE and U+FFFF are EF BF BE and EF BF BF.
    case 0xef:
      let (second, third) = (utf8[index + 1], utf8[index + 2])
      return (second == 0xb7 && (0x90...0xaf).contains(third)) || (second == 0xbf && third >= 0xbe) ? (3, "") : nil
    // U+1FFFE, U+1FFFF and so on are F0 9F BF BE, F0 9F BF BF, …
    case 0xf0...:
      let (second, third, fourth) = (utf8[index + 1], utf8[index + 2], utf8[index + 3])
      return second & 0xf == 0xf && third == 0xbf && fourth >= 0xbe ? (4, "") : nil
    default: return nil
    }
  }
}
