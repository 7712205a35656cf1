import CCrypt

/// The encryption of a message for one browser (RFC 8291) in one record of `aes128gcm` (RFC 8188): salt, record size, the
/// sender's public key, ciphertext with its tag.
package enum PushEncryption {
  /// The longest text, in bytes: what a push service must accept is 4,096 bytes (RFC 8030 §7.2), of which 103 are not text.
  package static let limit = 3_993
  /// The length of a salt in bytes.
  package static let saltLength = 16

  /// The body of a request; nil if the text is longer than `limit`. Key and salt must be new for each message.
  package static func encrypt(
    _ text: [UInt8], to receiver: PushKeys, from key: PrivateKey, salt: [UInt8]
  ) -> [UInt8]? {
    guard text.count <= limit, salt.count == saltLength, let secret = key.secret(with: receiver.publicKey) else {
      return nil
    }
    let info = Array("WebPush: info".utf8) + [0] + receiver.publicKey.bytes + key.publicKey.bytes
    let input = expand(hmac(receiver.secret, secret), info)
    let random = hmac(salt, input)
    let contentKey = expand(random, Array("Content-Encoding: aes128gcm".utf8) + [0]).prefix(16)
    let nonce = expand(random, Array("Content-Encoding: nonce".utf8) + [0]).prefix(12)
    // 2 marks the last record.
    guard let sealed = seal(text + [2], key: Array(contentKey), nonce: Array(nonce)) else { return nil }
    let recordSize: [UInt8] = [0, 0, 0x10, 0]
    return salt + recordSize + [UInt8(PublicKey.length)] + key.publicKey.bytes + sealed
  }

  /// HKDF-Expand for at most 32 bytes (RFC 5869 §2.3).
  private static func expand(_ key: [UInt8], _ info: [UInt8]) -> [UInt8] { hmac(key, info + [1]) }

  /// HMAC-SHA-256: HKDF-Extract too. `HMAC`.
  private static func hmac(_ key: [UInt8], _ text: [UInt8]) -> [UInt8] {
    var length: UInt32 = 0
    return [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
      let made = HMAC(EVP_sha256(), key, Int32(key.count), text, text.count, buffer.baseAddress, &length)
      precondition(made != nil, "libcrypto has no SHA-256")
      count = Int(length)
    }
  }

  /// AES-128-GCM, with the tag of 16 bytes at the end. `EVP_EncryptUpdate`.
  private static func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8]? {
    guard let context = EVP_CIPHER_CTX_new() else { return nil }
    defer { EVP_CIPHER_CTX_free(context) }
    guard EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce) == 1 else { return nil }
    var (length, rest): (Int32, Int32) = (0, 0)
    var sealed = [UInt8](repeating: 0, count: text.count + 16)
    var tag = [UInt8](repeating: 0, count: 16)
    guard EVP_EncryptUpdate(context, &sealed, &length, text, Int32(text.count)) == 1,
      EVP_EncryptFinal_ex(context, &tag, &rest) == 1, Int(length) == text.count, rest == 0,
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) == 1
    else { return nil }
    return sealed.prefix(text.count) + tag
  }
}

/// The keys of a browser's subscription to pushes, as the page reports them.
package struct PushKeys: Equatable, Sendable {
  /// `p256dh`
  package let publicKey: PublicKey
  /// `auth`, 16 bytes.
  package let secret: [UInt8]

  /// Parses both in base64url; nil if one is malformed, or the key is not on the curve.
  package init?(p256dh: some StringProtocol, auth: some StringProtocol) {
    guard let point = Base64URL.decode(p256dh), let publicKey = PublicKey(point), let secret = Base64URL.decode(auth),
      secret.count == 16
    else { return nil }
    (self.publicKey, self.secret) = (publicKey, secret)
  }
}
