/// Strings and numbers from the bytes of a field.
extension String {
  /// The text of these bytes, which end at `spot`; throws if they are not UTF-8.
  init(_ bytes: Span<UInt8>, at spot: Spot) throws(XMLDamage) {
    switch bytes.withUnsafeBytes(TextCheck.init) {
    case .ascii: self.init(copying: UTF8Span(unchecked: bytes, isKnownASCII: true))
    case .utf8: self.init(copying: UTF8Span(unchecked: bytes))
    case .invalid: throw .malformed(code: ParserCode.invalidEncoding, at: spot)
    }
  }

  /// The text of these bytes; `known` itself if it is equal, because an author's name repeats in every entry.
  init(_ bytes: Span<UInt8>, reusing known: String?, at spot: Spot) throws(XMLDamage) {
    if let known, bytes.holds(known) { self = known } else { try self.init(bytes, at: spot) }
  }

  /// The text of an attribute's value, in which libxml2 leaves every ampersand as `&#38;` unless, unlike here, it
  /// substitutes entities.
  init(attribute value: Span<UInt8>, at spot: Spot) throws(XMLDamage) {
    let text = try String(value, at: spot)
    self = value.contains(UInt8(ascii: "&")) ? String.unescaped(text) : text
  }

  /// The text with each `&#38;` replaced by `&`; no other ampersand is left in a value.
  private static func unescaped(_ text: String) -> String {
    var rest = Array(text.utf8)[...]
    var bytes: [UInt8] = []
    while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
      bytes += rest[...ampersand]
      rest = rest[(ampersand + 1)...]
      if rest.starts(with: "#38;".utf8) { rest = rest.dropFirst(4) }
    }
    return String(decoding: bytes + rest, as: UTF8.self)
  }
}

extension Int64 {
  /// The number written in decimal digits; nil if invalid or too large.
  init?(digits: Span<UInt8>) {
    guard !digits.isEmpty else { return nil }
    var value: Int64 = 0
    for position in digits.indices {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digits[position]) else { return nil }
      let (tenfold, over) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tenfold.addingReportingOverflow(Int64(digits[position] - UInt8(ascii: "0")))
      guard !over, !carry else { return nil }
      value = sum
    }
    self = value
  }
}
