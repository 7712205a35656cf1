import Core

/// XML and HTML, with text escaped.
package enum MarkupText {
  /// The context of a text.
  package enum Context: Sendable {
    /// Between tags.
    case content
    /// Between the double quotes of an attribute, where parsers turn a raw newline or tab into a space.
    case attribute
  }

  /// Appends `<NAME>TEXT</NAME>` and a newline.
  static func element(_ name: String, _ text: String, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "<"))
    bytes += name.utf8
    bytes.append(UInt8(ascii: ">"))
    escape(text, in: .content, into: &bytes)
    bytes += "</".utf8
    bytes += name.utf8
    bytes += ">\n".utf8
  }

  /// Appends `<NAME ATTRIBUTE="VALUE"…/>`, or with another `end` only the start of an element, and a newline.
  static func element(
    _ name: String, _ attributes: [(name: String, value: String)], end: String = "/>", into bytes: inout [UInt8]
  ) {
    bytes += "<\(name)".utf8
    for attribute in attributes {
      bytes += " \(attribute.name)=\"".utf8
      escape(attribute.value, in: .attribute, into: &bytes)
      bytes.append(UInt8(ascii: "\""))
    }
    bytes += "\(end)\n".utf8
  }

  /// Appends a text, escaped for XML 1.0 (§2.2) and HTML.
  ///
  /// `&`, `<`, `>` and `"` become entities, `\r\n` and `\r` a newline. Characters that XML 1.0 forbids or discourages
  /// are dropped: controls except tab and newline, and noncharacters.
  package static func escape(_ text: String, in context: Context, into bytes: inout [UInt8]) {
    escape(Array(text.utf8)[...], in: context, into: &bytes)
  }

  /// Appends a UTF-8 text; see above.
  package static func escape(_ utf8: ArraySlice<UInt8>, in context: Context, into bytes: inout [UInt8]) {
    var begin = utf8.startIndex
    var index = begin
    while index < utf8.endIndex {
      guard utf8[index].mayChange, let (length, replacement) = change(at: index, of: utf8, in: context) else {
        index += 1
        continue
      }
      bytes += utf8[begin..<index]
      bytes += replacement.utf8
      index += length
      begin = index
    }
    bytes += utf8[begin...]
  }

  /// The number of bytes to replace at `index`, and the replacement; nil if the byte stays.
  private static func change(at index: Int, of utf8: ArraySlice<UInt8>, in context: Context) -> (Int, String)? {
    func byte(after distance: Int) -> UInt8 { index + distance < utf8.endIndex ? utf8[index + distance] : 0 }
    switch utf8[index] {
    case UInt8(ascii: "&"): return (1, "&amp;")
    case UInt8(ascii: "<"): return (1, "&lt;")
    case UInt8(ascii: ">"): return (1, "&gt;")
    case UInt8(ascii: "\""): return (1, "&quot;")
    case UInt8(ascii: "\t"): return context == .attribute ? (1, "&#9;") : nil
    case UInt8(ascii: "\n"): return context == .attribute ? (1, "&#10;") : nil
    case UInt8(ascii: "\r"):
      if byte(after: 1) == UInt8(ascii: "\n") { return (1, "") }
      return (1, context == .attribute ? "&#10;" : "\n")
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
