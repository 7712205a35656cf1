/// Bounds-checked little-endian integers, as zip archives store them.
extension UnsafeRawBufferPointer {
  /// The 16-bit integer at an offset; nil if out of bounds.
  func uint16(at offset: Int) -> Int? { number(UInt16.self, at: offset).map(Int.init) }

  /// The 32-bit integer at an offset; nil if out of bounds.
  func uint32(at offset: Int) -> Int? { number(UInt32.self, at: offset).map(Int.init) }

  /// The 64-bit integer at an offset; nil if out of bounds or too large for `Int`.
  func uint64(at offset: Int) -> Int? { number(UInt64.self, at: offset).flatMap { Int(exactly: $0) } }

  /// The bytes from an offset; nil if out of bounds.
  func slice(at offset: Int, count length: Int) -> UnsafeRawBufferPointer? {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
    return UnsafeRawBufferPointer(rebasing: self[offset..<offset + length])
  }

  private func number<Number: FixedWidthInteger>(_: Number.Type, at offset: Int) -> Number? {
    slice(at: offset, count: MemoryLayout<Number>.size).map { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
  }
}
