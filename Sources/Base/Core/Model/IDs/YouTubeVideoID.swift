/// The ID of a video of YouTube: 11 base64url characters encoding 64 bits, so the last is one of sixteen.
///
/// The form of `VideoID` that YouTube knows. Every value matches `^[\w-]{10}[AEIMQUYcgkosw048]$`. Example: `dQw4w9WgXcQ`.
package struct YouTubeVideoID: Hashable, Sendable {
  /// The packed bits: ten characters of six bits, then one of four.
  package let bits: UInt64

  /// Creates the ID from the packed bits in `bits`.
  package init(bits: UInt64) { self.bits = bits }

  /// Parses exactly 11 ASCII bytes; nil if they are not a video ID.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count == YouTubeVideoID.length else { return nil }
    var packed: UInt64 = 0
    for position in 0..<YouTubeVideoID.length - 1 {
      guard let rank = SortableBase64.rank(bytes[position]) else { return nil }
      packed = packed << 6 | rank
    }
    guard let last = SortableBase64.rank(bytes[YouTubeVideoID.length - 1], among: YouTubeVideoID.ends) else {
      return nil
    }
    bits = packed << 4 | last
  }

  /// The length of an ID in characters.
  package static let length = 11
  private static let ends: StaticString = "048AEIMQUYcgkosw"

  /// Appends the 11 ASCII characters.
  package func append(to bytes: inout [UInt8]) {
    for shift in stride(from: 58, through: 4, by: -6) { bytes.append(SortableBase64.letter(Int(bits >> shift & 63))) }
    bytes.append(YouTubeVideoID.ends.utf8Start[Int(bits & 15)])
  }
}

extension YouTubeVideoID: LetteredID {
  package static func < (left: YouTubeVideoID, right: YouTubeVideoID) -> Bool { left.bits < right.bits }
}
