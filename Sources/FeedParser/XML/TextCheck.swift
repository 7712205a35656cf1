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
