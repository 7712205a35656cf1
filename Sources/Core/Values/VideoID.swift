/// The id of a video: 11 letters that hold 64 bits, so the last one is one of sixteen.
///
/// Kept as those 64 bits, in an order-preserving form: `<` is the order of the texts. An id that does not match
/// `^[\w-]{10}[AEIMQUYcgkosw048]$` cannot be made. Example: `dQw4w9WgXcQ`.
package struct VideoID: Hashable, Sendable {
  /// The packed letters: ten of six bits, then one of four.
  package let bits: UInt64

  /// The id with these packed letters, as `bits` gave them.
  package init(bits: UInt64) { self.bits = bits }

  /// The id spelt by exactly 11 bytes of ASCII, or nil where they spell none.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count == VideoID.length else { return nil }
    var packed: UInt64 = 0
    for position in 0..<VideoID.length - 1 {
      guard let rank = SortableBase64.rank(bytes[position]) else { return nil }
      packed = packed << 6 | rank
    }
    guard let last = SortableBase64.rank(bytes[VideoID.length - 1], among: VideoID.ends) else { return nil }
    bits = packed << 4 | last
  }

  /// The id spelt by exactly 11 bytes of ASCII, or nil where they spell none.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == VideoID.length else { return nil }
    self.init(Array(bytes).span)
  }

  /// The id spelt by a whole text, or nil where it spells none.
  package init?(_ text: some StringProtocol) { self.init(bytes: text.utf8) }

  /// How many letters an id has.
  package static let length = 11
  private static let ends: StaticString = "048AEIMQUYcgkosw"

  /// Writes the 11 letters in ASCII to the start of `buffer`, which has room for them.
  package func write(to buffer: UnsafeMutablePointer<UInt8>) {
    buffer[10] = VideoID.ends.utf8Start[Int(bits & 15)]
    var rest = bits >> 4
    for position in stride(from: 9, through: 0, by: -1) {
      buffer[position] = SortableBase64.letter(Int(rest & 63))
      rest >>= 6
    }
  }
}

extension VideoID: Comparable {
  package static func < (left: VideoID, right: VideoID) -> Bool { left.bits < right.bits }
}

extension VideoID: CustomStringConvertible {
  package var description: String {
    String(unsafeUninitializedCapacity: VideoID.length) { buffer in
      buffer.baseAddress.map(write(to:))
      return VideoID.length
    }
  }
}
