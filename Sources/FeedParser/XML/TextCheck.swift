import Glibc

/// Whether bytes are ASCII, UTF-8 or invalid.
///
/// libxml2 2.9.14 accepts overlong encodings, `C1 81` for `A`, in a CDATA section; so a field's text is validated
/// before it becomes a `String`, eight bytes at a time while they are ASCII.
enum TextCheck {
  case ascii, utf8, invalid

  /// Classifies `bytes` (RFC 3629, section 4).
  init(_ bytes: UnsafeRawBufferPointer) {
    self = .ascii
    var position = TextCheck.endOfASCII(in: bytes, from: 0)
    while position < bytes.count {
      guard let length = TextCheck.scalarLength(in: bytes, at: position) else {
        self = .invalid
        return
      }
      self = .utf8
      position = TextCheck.endOfASCII(in: bytes, from: position + length)
    }
  }

  /// The index of the first non-ASCII byte from `start` on; the end if there is none.
  private static func endOfASCII(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    let highBits: UInt64 = 0x8080_8080_8080_8080
    var position = start
    while position + 8 <= bytes.count {
      let eight = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      if eight & highBits != 0 { return position + (eight & highBits).trailingZeroBitCount / 8 }
      position += 8
    }
    while position < bytes.count, bytes[position] < 0x80 { position += 1 }
    return position
  }

  /// The length in bytes of the non-ASCII scalar at `position`; nil if it is invalid.
  private static func scalarLength(in bytes: UnsafeRawBufferPointer, at position: Int) -> Int? {
    func follows(_ distance: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      position + distance < bytes.count && range.contains(bytes[position + distance])
    }
    switch bytes[position] {
    case 0xC2...0xDF: return follows(1) ? 2 : nil
    case 0xE0: return follows(1, 0xA0...0xBF) && follows(2) ? 3 : nil
    case 0xED: return follows(1, 0x80...0x9F) && follows(2) ? 3 : nil
    case 0xE1...0xEF: return follows(1) && follows(2) ? 3 : nil
    case 0xF0: return follows(1, 0x90...0xBF) && follows(2) && follows(3) ? 4 : nil
    case 0xF1...0xF3: return follows(1) && follows(2) && follows(3) ? 4 : nil
    case 0xF4: return follows(1, 0x80...0x8F) && follows(2) && follows(3) ? 4 : nil
    default: return nil
    }
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
