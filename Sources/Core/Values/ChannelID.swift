/// The id of a channel: `UC` and 22 letters that hold 128 bits, so the last one is one of four.
///
/// Kept as those 128 bits, in an order-preserving form: `<` is the order of the texts. An id that does not match
/// `^UC[\w-]{21}[AQgw]$` cannot be made. Example: `UCsXVk37bltHxD1rDPwtNM8Q`.
package struct ChannelID: Hashable, Sendable {
  /// The packed letters, first half: ten of six bits and the upper four bits of the eleventh.
  package let high: UInt64
  /// The packed letters, second half.
  package let low: UInt64

  /// The id with these packed letters, as `high` and `low` gave them.
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The id spelt by exactly 24 bytes of ASCII, or nil where they spell none.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count == ChannelID.length, bytes[0] == UInt8(ascii: "U"), bytes[1] == UInt8(ascii: "C") else {
      return nil
    }
    self.init(withoutPrefix: bytes.extracting(droppingFirst: 2))
  }

  /// The id whose 22 letters after `UC` are given; feeds have left the `UC` out of their own id since 2023-12.
  package init?(withoutPrefix bytes: Span<UInt8>) {
    guard bytes.count == ChannelID.length - 2 else { return nil }
    var packed: (high: UInt64, low: UInt64) = (0, 0)
    for position in 0..<bytes.count - 1 {
      guard let rank = SortableBase64.rank(bytes[position]) else { return nil }
      packed = (packed.high << 6 | packed.low >> 58, packed.low << 6 | rank)
    }
    guard let last = SortableBase64.rank(bytes[bytes.count - 1], among: ChannelID.ends) else { return nil }
    high = packed.high << 2 | packed.low >> 62
    low = packed.low << 2 | last
  }

  /// The id spelt by exactly 24 bytes of ASCII, or nil where they spell none.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == ChannelID.length else { return nil }
    self.init(Array(bytes).span)
  }

  /// The id whose 22 letters after `UC` are given.
  package init?(withoutPrefix bytes: some Collection<UInt8>) {
    guard bytes.count == ChannelID.length - 2 else { return nil }
    self.init(withoutPrefix: Array(bytes).span)
  }

  /// The id spelt by a whole text, or nil where it spells none.
  package init?(_ text: some StringProtocol) { self.init(bytes: text.utf8) }

  /// How many letters an id has.
  package static let length = 24
  private static let ends: StaticString = "AQgw"

  /// Writes the 24 letters in ASCII to the start of `buffer`, which has room for them.
  package func write(to buffer: UnsafeMutablePointer<UInt8>) {
    buffer[0] = UInt8(ascii: "U")
    buffer[1] = UInt8(ascii: "C")
    buffer[23] = ChannelID.ends.utf8Start[Int(low & 3)]
    var rest = (high: high >> 2, low: low >> 2 | high << 62)
    for position in stride(from: 22, through: 2, by: -1) {
      buffer[position] = SortableBase64.letter(Int(rest.low & 63))
      rest = (rest.high >> 6, rest.low >> 6 | rest.high << 58)
    }
  }
}

extension ChannelID: Comparable {
  package static func < (left: ChannelID, right: ChannelID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension ChannelID: CustomStringConvertible {
  package var description: String {
    String(unsafeUninitializedCapacity: ChannelID.length) { buffer in
      buffer.baseAddress.map(write(to:))
      return ChannelID.length
    }
  }
}
