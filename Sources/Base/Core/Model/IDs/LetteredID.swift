/// An ID in a fixed alphabet, as a fixed number of ASCII characters.
package protocol LetteredID: Comparable, CustomStringConvertible {
  /// The length of an ID in characters; of an ID with several forms the length of the first.
  static var length: Int { get }
  /// The length of the longest form in characters.
  static var maximumLength: Int { get }
  /// Parses exactly the bytes of one ID; nil if they are not such an ID.
  init?(_ bytes: Span<UInt8>)
  /// Appends the characters.
  func append(to bytes: inout [UInt8])
}

extension LetteredID {
  package static var maximumLength: Int { length }

  /// Parses exactly the ASCII bytes of one ID; nil if they are not such an ID.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count <= Self.maximumLength else { return nil }
    self.init(Array(bytes).span)
  }

  /// Parses a whole string; nil if it is not such an ID.
  package init?(_ text: some StringProtocol) { self.init(bytes: text.utf8) }

  package var description: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.maximumLength)
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The 64 characters of YouTube's IDs (RFC 4648 §5, base64url), ranked in ASCII order, so that IDs packed by rank
/// compare as numbers exactly as their strings compare as bytes.
enum SortableBase64 {
  /// The characters in ASCII order; a character's position is its rank.
  static let letters: StaticString = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"

  /// The character of a rank from 0 to 63.
  static func letter(_ rank: Int) -> UInt8 { letters.utf8Start[rank] }

  /// The rank of a character, 0 to 63; nil if it is not base64url.
  static func rank(_ byte: UInt8) -> UInt64? {
    guard (UInt8(ascii: "-")...UInt8(ascii: "z")).contains(byte) else { return nil }
    let rank = ranks.utf8Start[Int(byte - UInt8(ascii: "-"))] - UInt8(ascii: "0")
    return rank < 64 ? UInt64(rank) : nil
  }

  /// For each byte from `-` to `z` the character at distance rank from `0`, or `~` if it is not base64url. A lookup
  /// table, because random characters make the processor mispredict a chain of comparisons.
  private static let ranks: StaticString =
    "0~~123456789:~~~~~~~;<=>?@ABCDEFGHIJKLMNOPQRST~~~~U~VWXYZ[\\]^_`abcdefghijklmno"

  /// The rank of `byte` among the few characters an ID may end with, given in ASCII order.
  static func rank(_ byte: UInt8, among ends: StaticString) -> UInt64? {
    for rank in 0..<ends.utf8CodeUnitCount where ends.utf8Start[rank] == byte { return UInt64(rank) }
    return nil
  }
}
