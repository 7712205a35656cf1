/// A channel ID: `UC` and 22 base64url characters encoding 128 bits, so the last is one of four.
///
/// Stored as those 128 bits in an order-preserving encoding: `<` matches the order of the strings. Every value matches
/// `^UC[\w-]{21}[AQgw]$`. Example: `UCsXVk37bltHxD1rDPwtNM8Q`.
package struct ChannelID: Hashable, Sendable {
  /// The upper 64 packed bits: ten characters of six bits and the upper four bits of the eleventh.
  package let high: UInt64
  /// The lower 64 packed bits.
  package let low: UInt64

  /// Creates the ID from the packed bits in `high` and `low`.
  package init(high: UInt64, low: UInt64) {
    (self.high, self.low) = (high, low)
  }

  /// Parses exactly 24 ASCII bytes; nil if they are not a channel ID.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count == ChannelID.length, bytes[0] == UInt8(ascii: "U"), bytes[1] == UInt8(ascii: "C") else {
      return nil
    }
    self.init(withoutPrefix: bytes.extracting(droppingFirst: 2))
  }

  /// Parses the 22 characters after `UC`; feeds omit the `UC` from their own ID since 2023-12.
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

  /// The length of an ID in characters.
  package static let length = 24
  private static let ends: StaticString = "AQgw"

  /// Appends the 24 ASCII characters.
  package func append(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "UC".utf8)
    let bits = UInt128(high) << 64 | UInt128(low)
    for shift in stride(from: 122, through: 2, by: -6) { bytes.append(SortableBase64.letter(Int(bits >> shift & 63))) }
    bytes.append(ChannelID.ends.utf8Start[Int(low & 3)])
  }
}

extension ChannelID: LetteredID {
  package static func < (left: ChannelID, right: ChannelID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
