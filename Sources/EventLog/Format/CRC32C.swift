import CChecksum

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
