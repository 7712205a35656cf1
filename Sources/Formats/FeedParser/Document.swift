/// The bytes of a document as passed to libxml2: UTF-8, whatever the original encoding.
///
/// Decoding is done here because libxml2 would decode UTF-7, EBCDIC and whatever else iconv knows.
package struct Document {
  /// The whole document in UTF-8.
  package let bytes: [UInt8]
  /// The offset of its first character: after a byte order mark and the white space that some exporters write before
  /// the XML declaration, where XML allows none.
  package let start: Int
  /// The line of that character, from 1.
  package let line: Int

  /// A document that is decoded, from the offset of its first character.
  package init(decoded bytes: [UInt8], start: Int, line: Int) {
    (self.bytes, self.start, self.line) = (bytes, start, line)
  }

  /// The document in `bytes`, which are in one of the encodings of `TextEncoding`.
  ///
  /// A byte order mark takes precedence over the declaration: exports get saved again in another encoding without
  /// updating the declaration.
  init(_ bytes: [UInt8], limit: Int) throws(ParseError) {
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
  package static func malformed(_ code: Int32, at position: Int, of text: some Collection<UInt8>) -> ParseError {
    let before = text.prefix(position)
    let line = before.count { $0 == UInt8(ascii: "\n") }
    let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count
    return .malformed(code: code, line: 1 + line, column: 1 + column)
  }

  /// Whether a byte is white space in XML (production S).
  package static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }
}

/// The chunks in which a document is passed to libxml2, and the check on the length of its tags.
///
/// A chunk ends before a `<`, which occurs in a tag only at its start, so no tag is split; and where two `<` are no
/// further apart than the limit, no tag is longer, whatever quotes and comments lie between. That costs nothing on a
/// document within the limit, and a short look back on a longer one.
struct Chunks: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var position: Int
  private let limit: Int
  /// The offset of a tag that is longer than the limit; the chunks end before it.
  private(set) var longTag: Int?

  /// The chunks of `bytes` from `start` on, of at most `limit` bytes unless a text, comment or section is longer.
  init(of bytes: [UInt8], from start: Int, limit: Int) {
    (self.bytes, position, self.limit) = (bytes, start, limit)
  }

  /// Whether all chunks have been returned.
  var isAtEnd: Bool { position == bytes.count }

  /// The range of the next chunk; nil at the end, or before a tag that is too long.
  mutating func next() -> Range<Int>? {
    guard position < bytes.count else { return nil }
    let begin = position
    position = end(after: begin)
    return position > begin ? begin..<position : nil
  }

  private mutating func end(after begin: Int) -> Int {
    let window = begin + limit
    guard window < bytes.count else { return bytes.count }
    let open = UInt8(ascii: "<")
    if let last = bytes[(begin + 1)...window].lastIndex(of: open) { return last }
    guard bytes[begin] != open || closesTag(from: begin, within: window) else {
      longTag = begin
      return begin
    }
    return bytes[window...].firstIndex(of: open) ?? bytes.count
  }

  /// Whether the tag that starts at `begin` ends before `window`; a comment may start there too.
  private func closesTag(from begin: Int, within window: Int) -> Bool {
    guard bytes[begin + 1] != UInt8(ascii: "!"), bytes[begin + 1] != UInt8(ascii: "?") else { return true }
    var quote: UInt8?
    for byte in bytes[begin..<window] {
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return true
      }
    }
    return false
  }
}

/// Limits beyond which a document is rejected.
///
/// A feed has 25 to 78 KB, 15 entries, tags of under 300 bytes, titles of 100 and descriptions of 5,000 characters;
/// each limit is far above that, and low enough that no document within them takes long.
package struct ParserLimits: Sendable {
  /// Size of the whole document, in bytes.
  package var bytes: Int
  /// Entries, or outlines with a URL.
  package var entries: Int
  /// Length of one tag, in bytes: libxml2 compares every attribute of a tag with every other.
  package var tag = 64 << 10
  /// Attributes and namespace declarations of one tag.
  package var attributes = 256
  /// Namespaces declared by one tag: libxml2 searches all those in scope for every element.
  package var namespaces = 16
  /// Distinct names in the document: libxml2 keeps them in a table that hardly grows. 4 million took 228 s.
  package var names = 4096
  /// Nesting depth of elements; the root is 1.
  package var depth = 32
  /// Length of one field's text, in bytes.
  package var field = 64 << 10

  package init(bytes: Int, entries: Int) { (self.bytes, self.entries) = (bytes, entries) }

  /// For a feed.
  static let feed = ParserLimits(bytes: 1 << 20, entries: 500)
  /// For an OPML subscription list.
  static let opml = ParserLimits(bytes: 64 << 20, entries: 100_000)
}
