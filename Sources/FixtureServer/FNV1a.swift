/// The 64-bit FNV-1a hash, for ETags and shares: the same on every machine and in every run.
enum FNV1a {
  /// The hash of these bytes.
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
