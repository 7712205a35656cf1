/// What a server gave to ask with the next time, an ETag or a date; whatever it sent, only what can be sent back is kept.
package enum Validator {
  /// The most bytes of one; real ones have a few dozen.
  static let limit = 1024

  /// The text where it can be sent in a line of HTTP (RFC 9110 §5.5) and is no longer than that; else nil.
  package static func sendable(_ text: String?) -> String? {
    guard let text, (1...limit).contains(text.utf8.count) else { return nil }
    return text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 } ? text : nil
  }
}
