import Core
import Glibc

/// Reads the content of a JSON string (RFC 8259 §7).
enum JSONString {
  /// The text of bytes without escapes; nil if they are not UTF-8.
  static func plain(_ bytes: UnsafeRawBufferPointer) -> String? {
    text(bytes.bindMemory(to: UInt8.self).span)
  }

  /// The text of bytes with escapes; nil if an escape is invalid, a surrogate is unpaired, or the rest is not UTF-8.
  static func unescaped(_ bytes: UnsafeRawBufferPointer) -> String? {
    withoutEscapes(bytes).flatMap { text($0.span) }
  }

  /// The text of bytes with escapes, normalised by `NormalizedText`; nil if `unescaped` returns nil.
  static func folded(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    withoutEscapes(bytes).flatMap { NormalizedText.bytes(of: $0.span) }
  }

  /// The bytes that bytes with escapes stand for; nil if an escape is invalid or a surrogate is unpaired.
  private static func withoutEscapes(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    var utf8: [UInt8] = []
    utf8.reserveCapacity(bytes.count)
    var index = 0
    while let found = backslash(in: bytes, from: index) {
      utf8.append(contentsOf: bytes[index..<found])
      guard let (scalar, length) = escape(in: bytes, at: found) else { return nil }
      utf8.append(contentsOf: scalar.utf8)
      index = found + length
    }
    utf8.append(contentsOf: bytes[index...])
    return utf8
  }

  private static func text(_ bytes: Span<UInt8>) -> String? {
    // A third faster than `String(validating:)` in Swift 6.3.
    guard let valid = try? UTF8Span(validating: bytes) else { return nil }
    return String(copying: valid)
  }

  /// Whether every escape is one that `JSONText` would write, so that equal texts have equal bytes.
  static func isCanonical(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while let found = backslash(in: bytes, from: index) {
      index = found
      if index + 1 < bytes.count, isShort(bytes[index + 1]) {
        index += 2
        continue
      }
      guard let (scalar, length) = escape(in: bytes, at: index) else { return false }
      var written: [UInt8] = []
      JSONText.escape(String(scalar), into: &written)
      guard bytes[index..<index + length].elementsEqual(written) else { return false }
      index += length
    }
    return true
  }

  /// Whether a byte behind a backslash makes an escape of two characters that `JSONText` writes.
  private static func isShort(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "\""), UInt8(ascii: "\\"): true
    default: false
    }
  }

  private static func backslash(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = bytes.baseAddress, start < bytes.count,
      let found = memchr(base + start, Int32(UInt8(ascii: "\\")), bytes.count - start)
    else { return nil }
    return found - UnsafeMutableRawPointer(mutating: base)
  }

  /// The scalar of the escape at `start`, and the escape's length in bytes.
  private static func escape(in bytes: UnsafeRawBufferPointer, at start: Int) -> (UnicodeScalar, length: Int)? {
    guard start + 1 < bytes.count else { return nil }
    switch bytes[start + 1] {
    case UInt8(ascii: "\""): return ("\"", 2)
    case UInt8(ascii: "\\"): return ("\\", 2)
    case UInt8(ascii: "/"): return ("/", 2)
    case UInt8(ascii: "b"): return ("\u{8}", 2)
    case UInt8(ascii: "f"): return ("\u{c}", 2)
    case UInt8(ascii: "n"): return ("\n", 2)
    case UInt8(ascii: "r"): return ("\r", 2)
    case UInt8(ascii: "t"): return ("\t", 2)
    case UInt8(ascii: "u"): return scalar(in: bytes, at: start)
    default: return nil
    }
  }

  /// The scalar of `\uXXXX`, or of two that form a surrogate pair.
  private static func scalar(in bytes: UnsafeRawBufferPointer, at start: Int) -> (UnicodeScalar, length: Int)? {
    guard let first = codeUnit(in: bytes, at: start) else { return nil }
    if let scalar = UnicodeScalar(first) { return (scalar, 6) }
    guard (0xd800...0xdbff).contains(first), let second = codeUnit(in: bytes, at: start + 6),
      (0xdc00...0xdfff).contains(second)
    else { return nil }
    let value = 0x10000 + (UInt32(first & 0x3ff) << 10 | UInt32(second & 0x3ff))
    return UnicodeScalar(value).map { ($0, 12) }
  }

  private static func codeUnit(in bytes: UnsafeRawBufferPointer, at start: Int) -> UInt16? {
    guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u") else {
      return nil
    }
    var value: UInt16 = 0
    for byte in bytes[start + 2..<start + 6] {
      let lowered = (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte) ? byte | 0x20 : byte
      guard let digit = HexDigit.value(lowered) else { return nil }
      value = value << 4 | UInt16(digit)
    }
    return value
  }
}
