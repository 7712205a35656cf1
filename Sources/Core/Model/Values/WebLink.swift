/// Recognition of untrusted URLs that are safe to link.
package enum WebLink {
  /// Whether a URL is http or https and contains only URL characters (RFC 3986 §2), so that it can neither execute
  /// anything nor break out of its link.
  package static func isSafe(_ address: String) -> Bool {
    let bytes = address.utf8
    guard bytes.starts(with: "https://".utf8) || bytes.starts(with: "http://".utf8) else { return false }
    return bytes.allSatisfy(isAddressByte)
  }

  /// Whether an ASCII byte may appear in a URL: unreserved, reserved or `%`.
  package static func isAddressByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "?")...UInt8(ascii: "["), UInt8(ascii: "#")...UInt8(ascii: ";"):
      true
    case UInt8(ascii: "!"), UInt8(ascii: "="), UInt8(ascii: "]"), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }
}
