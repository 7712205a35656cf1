/// base64url without padding (RFC 4648 §5), as Web Push writes keys, tokens and salts.
package enum Base64URL {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The bytes of a text; nil if it has other characters, or bits that belong to no byte. Padding is accepted.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (buffer, bits): (UInt32, Int) = (0, 0)
    var letters = Array(text.utf8)
    while letters.last == UInt8(ascii: "=") { letters.removeLast() }
    for letter in letters {
      guard let rank = rank(letter) else { return nil }
      (buffer, bits) = (buffer << 6 | rank, bits + 6)
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
        buffer &= 1 << UInt32(bits) - 1
      }
    }
    return bits < 6 && buffer == 0 ? bytes : nil
  }

  /// The text of some bytes.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    var (buffer, bits): (UInt32, Int) = (0, 0)
    for byte in bytes {
      (buffer, bits) = (buffer << 8 | UInt32(byte), bits + 8)
      while bits >= 6 {
        bits -= 6
        text.append(letters[Int(buffer >> UInt32(bits) & 63)])
      }
      buffer &= 1 << UInt32(bits) - 1
    }
    if bits > 0 { text.append(letters[Int(buffer << UInt32(6 - bits) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  private static func rank(_ letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
