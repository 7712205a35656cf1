/// The 64 letters of YouTube's ids (RFC 4648 §5, base64url), each with its rank in ASCII order, so that an id packed
/// by rank compares as a number exactly as its text compares as bytes.
enum SortableBase64 {
  /// The letters in ASCII order; a letter's position is its rank.
  static let letters: StaticString = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"

  /// The letter of a rank from 0 to 63.
  static func letter(_ rank: Int) -> UInt8 { letters.utf8Start[rank] }

  /// The rank of a letter, 0 to 63, or nil where the byte is none of them.
  static func rank(_ byte: UInt8) -> UInt64? {
    guard (UInt8(ascii: "-")...UInt8(ascii: "z")).contains(byte) else { return nil }
    let rank = ranks.utf8Start[Int(byte - UInt8(ascii: "-"))] - UInt8(ascii: "0")
    return rank < 64 ? UInt64(rank) : nil
  }

  /// For each byte from `-` to `z` the letter that its rank lies behind `0`, and `~` for what is no letter of an id: a
  /// look instead of a chain of comparisons, which letters drawn at random make the processor guess wrongly.
  private static let ranks: StaticString =
    "0~~123456789:~~~~~~~;<=>?@ABCDEFGHIJKLMNOPQRST~~~~U~VWXYZ[\\]^_`abcdefghijklmno"

  /// The rank of `byte` among the few letters an id may end with, given in ASCII order.
  static func rank(_ byte: UInt8, among ends: StaticString) -> UInt64? {
    for rank in 0..<ends.utf8CodeUnitCount where ends.utf8Start[rank] == byte { return UInt64(rank) }
    return nil
  }
}
