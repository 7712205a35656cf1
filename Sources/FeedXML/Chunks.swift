/// The pieces in which a document is given to libxml2, and the length of its tags.
///
/// A piece ends before a `<`, which stands in no tag but at its start: so none is cut through, and where two `<` are
/// no further apart than the limit no tag is longer, whatever quotes and comments lie between. That costs nothing on a
/// document of the limit's size, and a short look back on a longer one.
struct Chunks: Sequence, IteratorProtocol {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position: Int
  private let limit: Int
  /// Where a tag begins that is longer than the limit; the pieces end before it.
  private(set) var longTag: Int?

  /// The pieces of `bytes` from `start` on, of at most `limit` bytes unless a text, comment or section is longer.
  init(of bytes: UnsafeBufferPointer<UInt8>, from start: Int, limit: Int) {
    self.bytes = bytes
    self.limit = limit
    position = start
  }

  /// Whether no piece is left.
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

  /// Whether the tag that begins at `begin` ends before `window`; what begins there may as well be a comment.
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
