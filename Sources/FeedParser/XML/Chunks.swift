/// The chunks in which a document is passed to libxml2, and the check on the length of its tags.
///
/// A chunk ends before a `<`, which occurs in a tag only at its start, so no tag is split; and where two `<` are no
/// further apart than the limit, no tag is longer, whatever quotes and comments lie between. That costs nothing on a
/// document within the limit, and a short look back on a longer one.
struct Chunks: Sequence, IteratorProtocol {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position: Int
  private let limit: Int
  /// The offset of a tag that is longer than the limit; the chunks end before it.
  private(set) var longTag: Int?

  /// The chunks of `bytes` from `start` on, of at most `limit` bytes unless a text, comment or section is longer.
  init(of bytes: UnsafeBufferPointer<UInt8>, from start: Int, limit: Int) {
    self.bytes = bytes
    self.limit = limit
    position = start
  }

  /// Whether all chunks have been returned.
  var isAtEnd: Bool { position == bytes.count }

  mutating func next() -> UnsafeBufferPointer<UInt8>? {
    guard position < bytes.count else { return nil }
    let begin = position
    position = end(after: begin)
    return position > begin ? UnsafeBufferPointer(rebasing: bytes[begin..<position]) : nil
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
