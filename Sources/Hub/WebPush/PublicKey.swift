import CCrypt

/// A point on the curve P-256 in its uncompressed form: 4, then x and y of 32 bytes each (SEC 1 §2.3.3).
package struct PublicKey: Equatable, Sendable {
  /// 65 bytes.
  package let bytes: [UInt8]

  /// The length in bytes.
  package static let length = 65
  /// What precedes the point in its DER form: SubjectPublicKeyInfo of id-ecPublicKey and prime256v1 (RFC 5480 §2).
  private static let prefix: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE,
    0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
  ]

  /// The key of 65 bytes; nil if they are not a point on the curve.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == PublicKey.length, bytes[0] == 4, let key = PublicKey.key(bytes) else { return nil }
    EVP_PKEY_free(key)
    self.bytes = bytes
  }

  /// Calls `body` with the key as libcrypto has it; nil if that fails.
  func withKey<Result>(_ body: (OpaquePointer) -> Result?) -> Result? {
    guard let key = PublicKey.key(bytes) else { return nil }
    defer { EVP_PKEY_free(key) }
    return body(key)
  }

  /// `d2i_PUBKEY`, which refuses what is not on the curve; the caller frees the key.
  private static func key(_ bytes: [UInt8]) -> OpaquePointer? {
    let encoded = prefix + bytes
    return encoded.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      return d2i_PUBKEY(nil, &start, buffer.count)
    }
  }

  /// Whether a signature of 64 bytes, r and s, is this key's of a text. `EVP_DigestVerify`.
  package func verifies(_ signature: [UInt8], of text: [UInt8]) -> Bool {
    guard let encoded = DERSignature.encode(signature) else { return false }
    return withKey { key in
      guard let context = EVP_MD_CTX_new() else { return nil }
      defer { EVP_MD_CTX_free(context) }
      guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return nil }
      return EVP_DigestVerify(context, encoded, encoded.count, text, text.count) == 1
    } ?? false
  }
}
