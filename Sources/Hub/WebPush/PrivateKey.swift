import CCrypt

/// A private key on the curve P-256 with its public one, for one message or for the server's signature.
package struct PrivateKey: Sendable {
  /// The number, 32 bytes, big-endian; a secret.
  package let bytes: [UInt8]
  /// Derived from `bytes`.
  package let publicKey: PublicKey

  /// The length in bytes.
  package static let length = 32
  /// ECPrivateKey of version 1 and prime256v1 around the number, and the tag before the public key (RFC 5915 §3).
  private static let prefix: [UInt8] = [0x30, 0x77, 0x02, 0x01, 0x01, 0x04, 0x20]
  private static let middle: [UInt8] = [
    0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0xA1, 0x44, 0x03, 0x42, 0x00,
  ]

  /// A key from both of its parts; nil if they are not of one key. `EVP_PKEY_check`.
  package init?(_ bytes: [UInt8], publicKey: PublicKey) {
    guard bytes.count == PrivateKey.length else { return nil }
    (self.bytes, self.publicKey) = (bytes, publicKey)
    let isPair = withKey { key -> Bool? in
      guard let context = EVP_PKEY_CTX_new(key, nil) else { return nil }
      defer { EVP_PKEY_CTX_free(context) }
      return EVP_PKEY_pairwise_check(context) == 1 ? true : nil
    }
    guard isPair == true else { return nil }
  }

  /// A new key. `EVP_PKEY_keygen`.
  package static func make() -> PrivateKey {
    guard let key = generated() else { preconditionFailure("libcrypto has no keys of P-256") }
    return key
  }

  private static func generated() -> PrivateKey? {
    guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { return nil }
    defer { EVP_PKEY_CTX_free(context) }
    guard EVP_PKEY_keygen_init(context) == 1,
      EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1
    else { return nil }
    var made: OpaquePointer?
    guard EVP_PKEY_keygen(context, &made) == 1, let made else { return nil }
    defer { EVP_PKEY_free(made) }
    let privateForm = encoded(made, i2d_PrivateKey)
    let publicForm = encoded(made, i2d_PUBKEY)
    guard privateForm.starts(with: prefix), let point = PublicKey(Array(publicForm.suffix(PublicKey.length))) else {
      return nil
    }
    return PrivateKey(Array(privateForm.dropFirst(prefix.count).prefix(length)), publicKey: point)
  }

  /// The DER form that a function of libcrypto writes into memory of its own.
  private static func encoded(
    _ key: OpaquePointer, _ encode: (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
  ) -> [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    let count = encode(key, &start)
    guard count > 0, let start else { return [] }
    defer { CRYPTO_free(start, nil, 0) }
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  /// The secret that this key and another's public key have in common, 32 bytes; nil if libcrypto cannot derive it.
  /// `EVP_PKEY_derive`.
  func secret(with other: PublicKey) -> [UInt8]? {
    withKey { key in
      other.withKey { otherKey in
        guard let context = EVP_PKEY_CTX_new(key, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, otherKey) == 1 else { return nil }
        var count = 32
        var secret = [UInt8](repeating: 0, count: count)
        return EVP_PKEY_derive(context, &secret, &count) == 1 && count == 32 ? secret : nil
      }
    }
  }

  /// The signature of a text by ECDSA with SHA-256, r and s joined: 64 bytes. `EVP_DigestSign`.
  package func signature(of text: [UInt8]) -> [UInt8] {
    let made = withKey { key -> [UInt8]? in
      guard let context = EVP_MD_CTX_new() else { return nil }
      defer { EVP_MD_CTX_free(context) }
      guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1 else { return nil }
      var count = 80
      var signature = [UInt8](repeating: 0, count: count)
      guard EVP_DigestSign(context, &signature, &count, text, text.count) == 1 else { return nil }
      return DERSignature.decode(Array(signature.prefix(count)))
    }
    guard let made else { preconditionFailure("libcrypto has no ECDSA") }
    return made
  }

  private func withKey<Result>(_ body: (OpaquePointer) -> Result?) -> Result? {
    let encoded = PrivateKey.prefix + bytes + PrivateKey.middle + publicKey.bytes
    let key = encoded.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var start = buffer.baseAddress
      return d2i_PrivateKey(EVP_PKEY_EC, nil, &start, buffer.count)
    }
    guard let key else { return nil }
    defer { EVP_PKEY_free(key) }
    return body(key)
  }
}
