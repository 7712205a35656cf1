extension String {
  /// The text percent-encoded (RFC 3986 §2.1) but for ASCII letters, digits and the given signs: `k%C3%A4the`.
  package func percentEncoded(keeping signs: String) -> String {
    utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isLetter = byte < 0x80 && (Character(scalar).isLetter || Character(scalar).isNumber)
      if isLetter || signs.utf8.contains(byte) { return String(scalar) }
      return "%" + String(hex: byte, digits: 2).uppercased()
    }.joined()
  }

  /// A number in hexadecimal, with zeros before it up to `digits` digits: `00a1`.
  package init(hex number: some FixedWidthInteger, digits: Int) {
    let text = String(number, radix: 16)
    self = String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
  }
}
