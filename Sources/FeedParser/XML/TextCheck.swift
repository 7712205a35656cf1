import Glibc

/// Whether bytes are ASCII, UTF-8 or invalid.
///
/// libxml2 2.9.14 accepts overlong encodings, `C1 81` for `A`, in a CDATA section; so a field's text is validated
/// before it becomes a `String`.
enum TextCheck {
  case ascii, utf8, invalid

  /// Classifies `bytes`.
  init(_ bytes: UnsafeRawBufferPointer) {
    guard var text = try? UTF8Span(validating: bytes.bindMemory(to: UInt8.self).span) else {
      self = .invalid
      return
    }
    self = text.checkForASCII() ? .ascii : .utf8
  }
}

/// Byte comparisons with C functions, which are vectorised.
extension Span<UInt8> {
  /// Whether these are the UTF-8 bytes of `text`.
  func holds(_ text: String) -> Bool {
    guard text.utf8.count == count else { return false }
    return withUnsafeBytes { bytes in
      text.utf8.withContiguousStorageIfAvailable { isEqual(UnsafeRawBufferPointer($0), bytes) }
    } ?? false
  }

  /// Whether these contain `byte`.
  func contains(_ byte: UInt8) -> Bool {
    withUnsafeBytes { bytes in bytes.baseAddress.map { memchr($0, Int32(byte), bytes.count) != nil } ?? false }
  }

  /// Whether these begin with the bytes of a literal.
  func starts(with literal: StaticString) -> Bool {
    count >= literal.utf8CodeUnitCount && extracting(first: literal.utf8CodeUnitCount).holds(literal)
  }

  /// Whether these are the bytes of a literal.
  func holds(_ literal: StaticString) -> Bool {
    guard literal.utf8CodeUnitCount == count else { return false }
    return withUnsafeBytes { isEqual(UnsafeRawBufferPointer(start: literal.utf8Start, count: count), $0) }
  }
}

/// Whether two buffers of equal length have the same content.
private func isEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
  guard let left = left.baseAddress, let start = right.baseAddress else { return right.isEmpty }
  return memcmp(left, start, right.count) == 0
}
