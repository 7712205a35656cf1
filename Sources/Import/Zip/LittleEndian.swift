/// Numbers as zip archives hold them, read within bounds.
extension UnsafeRawBufferPointer {
  /// The 16 bits at an offset, or nil where they are not all there.
  func uint16(at offset: Int) -> Int? { number(UInt16.self, at: offset).map(Int.init) }

  /// The 32 bits at an offset, or nil where they are not all there.
  func uint32(at offset: Int) -> Int? { number(UInt32.self, at: offset).map(Int.init) }

  /// The 64 bits at an offset, or nil where they are not all there or more than a file can be long.
  func uint64(at offset: Int) -> Int? { number(UInt64.self, at: offset).flatMap { Int(exactly: $0) } }

  /// The bytes from an offset, or nil where they are not all there.
  func slice(at offset: Int, count length: Int) -> UnsafeRawBufferPointer? {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
    return UnsafeRawBufferPointer(rebasing: self[offset..<offset + length])
  }

  private func number<Number: FixedWidthInteger>(_: Number.Type, at offset: Int) -> Number? {
    slice(at: offset, count: MemoryLayout<Number>.size).map { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
  }
}
