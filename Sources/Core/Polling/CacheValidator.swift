/// A cache validator (ETag or Last-Modified), kept only if it can be sent back as a header value.
package enum Validator {
  /// The maximum length in bytes; real ones have a few dozen.
  static let limit = 1024

  /// The text if it is a legal HTTP header value (RFC 9110 §5.5) of at most `limit` bytes, else nil.
  package static func sendable(_ text: String?) -> String? {
    guard let text, (1...limit).contains(text.utf8.count) else { return nil }
    return text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 } ? text : nil
  }
}
