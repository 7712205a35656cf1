/// The bytes of a document as passed to libxml2: UTF-8, whatever the original encoding.
///
/// Decoding is done here because libxml2 would decode UTF-7, EBCDIC and whatever else iconv knows.
struct Document {
  /// The whole document in UTF-8.
  let bytes: [UInt8]
  /// The offset of its first character: after a byte order mark and the white space that some exporters write before
  /// the XML declaration, where XML allows none.
  let start: Int
  /// The line of that character, from 1.
  let line: Int

  /// The document in `bytes`, which are in one of the encodings of `TextEncoding`.
  ///
  /// A byte order mark takes precedence over the declaration: exports get saved again in another encoding without
  /// updating the declaration.
  init(_ bytes: [UInt8], limit: Int) throws(XMLDamage) {
    guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    let mark = ByteOrderMark(bytes)
    var text = bytes
    if let mark, mark.encoding != .utf8 { text = try mark.encoding.decode(bytes[mark.length...]) }
    let begin = mark?.encoding == .utf8 ? ByteOrderMark.utf8.length : 0
    guard let start = text[begin...].firstIndex(where: { !Document.isSpace($0) }) else { throw .empty }
    if let declared = DeclaredEncoding(in: text, at: start) {
      guard let encoding = TextEncoding(name: declared.name) else { throw .encoding(declared.name) }
      if encoding != .utf8 { declared.blank(in: &text) }
      if mark == nil {
        // Text readable byte by byte up to here is not UTF-16, whatever it declares.
        guard !encoding.isWide else { throw .encoding(declared.name) }
        if encoding != .utf8 { text = try encoding.decode(text[...]) }
      }
    }
    // Otherwise libxml2 would guess EBCDIC or UTF-32 from the first bytes.
    guard text[start] == UInt8(ascii: "<") else {
      throw Document.malformed(ParserCode.noElement, at: start, of: text)
    }
    self.bytes = text
    self.start = start
    line = 1 + text[..<start].count { $0 == UInt8(ascii: "\n") }
  }

  /// Whether it is an HTML page, as served in place of a feed for errors, consent and sign-in. Checked before parsing,
  /// because such pages are rarely well-formed.
  var isHTML: Bool {
    let beginning = bytes[start...].prefix(32).map { $0 | 0x20 }
    return beginning.starts(with: "<!doctype html".utf8) || beginning.starts(with: "<html".utf8)
  }

  /// The error of a document that cannot be read beyond a byte offset.
  static func malformed(_ code: Int32, at position: Int, of text: some Collection<UInt8>) -> XMLDamage {
    let before = text.prefix(position)
    let line = before.count { $0 == UInt8(ascii: "\n") }
    let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count
    return .malformed(code: code, line: 1 + line, column: 1 + column)
  }

  /// Whether a byte is white space in XML (production S).
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }
}
