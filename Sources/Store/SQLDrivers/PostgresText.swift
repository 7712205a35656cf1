import Glibc

/// Texts as PostgreSQL holds them: it cannot hold U+0000, which a note or an imported title may have.
///
/// U+0001, as rare, begins an escape: twice it is U+0000, and with U+0002 itself. So every text comes back as it was, and
/// stored texts compare as the texts do.
enum PostgresText {
  private static let mark: UInt8 = 1

  /// The bytes to be stored; nil if they are the same.
  static func escaped(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    guard has(0, text) || has(mark, text) else { return nil }
    var escaped: [UInt8] = []
    escaped.reserveCapacity(text.count + 16)
    for byte in text {
      if byte <= mark { escaped.append(mark) }
      escaped.append(byte <= mark ? byte + 1 : byte)
    }
    return escaped
  }

  /// The bytes that were stored; nil if they are the same.
  static func unescaped(_ stored: UnsafeRawBufferPointer) -> [UInt8]? {
    guard has(mark, stored) else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(stored.count)
    var isEscaped = false
    for byte in stored {
      if byte == mark, !isEscaped {
        isEscaped = true
        continue
      }
      text.append(isEscaped ? byte &- 1 : byte)
      isEscaped = false
    }
    return text
  }

  private static func has(_ byte: UInt8, _ text: UnsafeRawBufferPointer) -> Bool {
    text.baseAddress.map { memchr($0, Int32(byte), text.count) != nil } ?? false
  }
}
