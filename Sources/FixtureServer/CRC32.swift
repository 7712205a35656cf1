/// CRC-32 as gzip uses it: ISO-HDLC, reflected, polynomial 0xedb88320 (RFC 1952 §8).
enum CRC32 {
  /// The checksum of these bytes.
  static func checksum(of bytes: [UInt8]) -> UInt32 {
    ~bytes.withUnsafeBufferPointer { buffer in
      table.withUnsafeBufferPointer { table in
        buffer.reduce(UInt32.max) { crc, byte in table[Int((crc ^ UInt32(byte)) & 255)] ^ crc >> 8 }
      }
    }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 1 ? 0xedb8_8320 ^ crc >> 1 : crc >> 1 }
  }
}
