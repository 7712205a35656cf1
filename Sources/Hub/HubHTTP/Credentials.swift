/// Credentials in the headers of a request.
package enum Credentials {
  /// The token of `Authorization: Bearer …` (RFC 6750 §2.1); nil if the header is absent or another one.
  package static func bearer(_ header: String?) -> String? {
    let parts = (header ?? "").split(separator: " ")
    return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
  }

  /// The token of `Authorization: GoogleLogin auth=…`, as clients of Google Reader send it; nil as above.
  package static func googleLogin(_ header: String?) -> String? {
    let parts = (header ?? "").split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "googlelogin", parts[1].hasPrefix("auth=") else { return nil }
    return String(parts[1].dropFirst("auth=".count))
  }

  /// The value of a cookie in `Cookie` headers (RFC 6265 §5.4); nil if absent.
  package static func cookie(_ name: String, in headers: [String]) -> String? {
    for pair in headers.joined(separator: ";").split(separator: ";") {
      let sides = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      if sides.count == 2, sides[0] == name { return String(sides[1]) }
    }
    return nil
  }

  /// The name and password of an `Authorization: Basic` header (RFC 7617).
  package static func basic(_ header: String?) -> (name: String, password: String)? {
    let parts = (header ?? "").split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = base64(parts[1]),
      let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
    else { return nil }
    return (String(text[..<colon]), String(text[colon...].dropFirst()))
  }

  /// The bytes of a text in Base64 (RFC 4648 §4); nil if it is not.
  private static func base64(_ text: Substring) -> [UInt8]? {
    var (bytes, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
    for letter in text.utf8 {
      if letter == UInt8(ascii: "=") { break }
      guard let value = alphabet.firstIndex(of: letter) else { return nil }
      (bits, count) = (bits << 6 | UInt32(value), count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
