/// Lines of the log and of state files, with checksums as the program writes them.
enum Seal {
  /// Appends the checksum (CRC-32C) and the closing brace to a line that lacks both: `{"v":1,…,"c":"xxxxxxxx"}`.
  static func line(_ text: String) -> String { text + #","c":"\#(checksum(text))"}"# }

  private static func checksum(_ text: String) -> String {
    var crc = ~UInt32(0)
    for byte in text.utf8 {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82f6_3b78 : crc >> 1 }
    }
    let digits = String(~crc, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
