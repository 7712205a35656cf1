/// The ID of a feed of any site: `f` and 26 characters of base32 encoding 128 bits.
///
/// Derived once, from the URL that was followed first; it stays when the feed moves. Every value matches
/// `^f[a-z2-7]{25}[aeimquy4]$`.
package struct FeedID: Hashable, Sendable {
  /// The upper 64 bits.
  package let high: UInt64
  /// The lower 64 bits.
  package let low: UInt64

  /// Creates the ID from 128 bits.
  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// The ID of a feed that was first followed at an address: the first 128 bits of SHA-256 over its normalised text.
  package init(of address: FeedAddress) { (high, low) = SHA256.prefix(of: Array(address.text.utf8)) }

  /// Parses exactly 27 ASCII bytes; nil if they are not a feed's ID.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count == FeedID.length, bytes[0] == UInt8(ascii: "f"),
      let (high, low) = Base32.bits(bytes.extracting(droppingFirst: 1))
    else { return nil }
    (self.high, self.low) = (high, low)
  }

  /// The length of an ID in characters.
  package static let length = 1 + Base32.length

  /// Appends the 27 ASCII characters.
  package func append(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "f"))
    Base32.append(high, low, to: &bytes)
  }
}

extension FeedID: LetteredID {
  /// The order of the texts, as databases sort them.
  package static func < (left: FeedID, right: FeedID) -> Bool { left.description < right.description }
}

/// The address of a feed as its ID sees it: what two spellings of one URL have in common.
///
/// Without scheme, user information, default port, fragment and final slash, the host in lower case and punycode:
/// `https://User:pw@Blog.Example:443/feed/#new` is `blog.example/feed`. Path and query stay as they are.
package struct FeedAddress: Hashable, Sendable {
  /// The normalised text: `blog.example/feed`, `blog.example:8080/?feed=rss2`.
  package let text: String

  /// Normalises a URL.
  package init(_ url: WebURL) {
    let port = url.port.map { ":\($0)" } ?? ""
    let target = url.target
    text = "\(url.host)\(port)\(target.hasSuffix("/") ? target.dropLast() : target[...])"
  }

  /// Parses and normalises an http or https URL; nil if it is not one.
  package init?(_ text: some StringProtocol) {
    guard let url = WebURL(text) else { return nil }
    self.init(url)
  }
}

/// 128 bits as 26 characters of base32 (RFC 4648 §6) in lower case, without padding; the order of the texts is not that of
/// the bits, because the digits 2 to 7 come before the letters.
enum Base32 {
  /// The number of characters.
  static let length = 26
  private static let letters: StaticString = "abcdefghijklmnopqrstuvwxyz234567"

  /// Appends the characters of 128 bits; the two spare bits of the last one are zero.
  static func append(_ high: UInt64, _ low: UInt64, to bytes: inout [UInt8]) {
    let bits = UInt128(high) << 64 | UInt128(low)
    for shift in stride(from: 123, through: 3, by: -5) { bytes.append(letters.utf8Start[Int(bits >> shift & 31)]) }
    bytes.append(letters.utf8Start[Int(bits << 2 & 31)])
  }

  /// The 128 bits of 26 characters; nil if they are not base32 or the spare bits are set.
  static func bits(_ bytes: Span<UInt8>) -> (high: UInt64, low: UInt64)? {
    guard bytes.count == length else { return nil }
    var bits: UInt128 = 0
    for position in 0..<length - 1 {
      guard let value = value(bytes[position]) else { return nil }
      bits = bits << 5 | UInt128(value)
    }
    guard let last = value(bytes[length - 1]), last & 3 == 0 else { return nil }
    bits = bits << 3 | UInt128(last >> 2)
    return (UInt64(truncatingIfNeeded: bits >> 64), UInt64(truncatingIfNeeded: bits))
  }

  private static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a")
    case UInt8(ascii: "2")...UInt8(ascii: "7"): byte - UInt8(ascii: "2") + 26
    default: nil
    }
  }
}
