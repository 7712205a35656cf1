/// The 64 letters of YouTube's ids (RFC 4648 §5, base64url), each with its rank in ASCII order, so that an id packed
/// by rank compares as a number exactly as its text compares as bytes.
enum SortableBase64 {
  /// The letters in ASCII order; a letter's position is its rank.
  static let letters: StaticString = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"

  /// The letter of a rank from 0 to 63.
  static func letter(_ rank: Int) -> UInt8 { letters.utf8Start[rank] }

  /// The rank of a letter, 0 to 63, or nil where the byte is none of them.
  static func rank(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "-"): 0
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0")) + 1
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt64(byte - UInt8(ascii: "A")) + 11
    case UInt8(ascii: "_"): 37
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt64(byte - UInt8(ascii: "a")) + 38
    default: nil
    }
  }

  /// The rank of `byte` among the few letters an id may end with, given in ASCII order.
  static func rank(_ byte: UInt8, among ends: StaticString) -> UInt64? {
    for rank in 0..<ends.utf8CodeUnitCount where ends.utf8Start[rank] == byte { return UInt64(rank) }
    return nil
  }
}
