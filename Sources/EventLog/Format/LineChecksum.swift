import CChecksum

/// The checksum at the end of a line, which verifies the rest of it: `,"c":"cdf0cc3c"}` and a newline.
enum LineChecksum {
  /// Its length in bytes, without the newline.
  static let length = 16
  private static let opening: StaticString = ",\"c\":\""

  /// Appends the checksum to the line that begins at `start`, an object without its closing brace.
  static func seal(_ bytes: inout [UInt8], from start: Int) {
    let checksum = bytes[start...].withUnsafeBytes(CRC32C.of)
    bytes.append(contentsOf: UnsafeBufferPointer(start: opening.utf8Start, count: opening.utf8CodeUnitCount))
    for shift in stride(from: 28, through: 0, by: -4) { bytes.append(HexDigit.letter(UInt8(checksum >> shift & 15))) }
    bytes.append(contentsOf: "\"}\n".utf8)
  }

  /// The bytes of a line, passed without its newline, that its checksum covers; nil if the checksum is missing or
  /// wrong.
  static func unsealed(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let end = line.count - length
    guard end > 0, line[end + 14] == UInt8(ascii: "\""), line[end + 15] == UInt8(ascii: "}") else { return nil }
    for index in 0..<opening.utf8CodeUnitCount where line[end + index] != opening.utf8Start[index] { return nil }
    var checksum: UInt32 = 0
    for index in end + 6..<end + 14 {
      guard let digit = HexDigit.value(line[index]) else { return nil }
      checksum = checksum << 4 | UInt32(digit)
    }
    let covered = UnsafeRawBufferPointer(rebasing: line[..<end])
    return CRC32C.of(covered) == checksum ? covered : nil
  }
}

/// Hexadecimal digits in lower case, the only ones the log writes.
enum HexDigit {
  /// The digit for a value from 0 to 15.
  static func letter(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// The value of a digit; nil if the byte is not one.
  static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

/// CRC-32C, the checksum at the end of each line (RFC 3720, appendix B.4).
package enum CRC32C {
  /// The checksum of `bytes`; `e3069283` for `123456789`.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    cchecksum_crc32c(0, bytes.baseAddress, bytes.count)
  }

  /// The same checksum from a table, as on processors without a CRC instruction.
  static func byTable(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    cchecksum_crc32c_by_table(0, bytes.baseAddress, bytes.count)
  }
}
