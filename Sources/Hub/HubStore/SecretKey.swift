import CCrypt

/// The key that encrypts what the hub must be able to read again, such as the token of an account elsewhere: AES-256-GCM
/// of libcrypto, which the hub links anyway for its digests.
///
/// A sealed text: version 1, the first 4 bytes of the key's digest, a nonce of 12 random bytes, the text, a tag of 16
/// bytes. What it is for is authenticated with it, so that one cannot stand for another.
package struct SecretKey: Sendable {
  private let bytes: [UInt8]
  /// What distinguishes it from other keys.
  private let mark: [UInt8]

  /// The length of a key in bytes.
  package static let length = 32

  /// A key from its bytes; nil if they are too few or too many.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == SecretKey.length else { return nil }
    self.bytes = bytes
    mark = Array(Secrets.digest("metube-hub key " + bytes.map { String($0) }.joined(separator: ",")).prefix(4))
  }

  /// What a sealed text is for.
  package enum Purpose: String, Sendable {
    case googleToken = "google token"
    case googleLogin = "google login"
  }

  /// Why a sealed text cannot be read.
  package enum Failure: Error, Equatable {
    /// It was sealed with another key.
    case otherKey
    /// It is damaged, or for another purpose.
    case damaged
  }

  private static let version: UInt8 = 1
  private static let (nonceLength, tagLength) = (12, 16)

  /// Encrypts a text.
  package func seal(_ text: String, _ purpose: Purpose) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    let nonce = (0..<SecretKey.nonceLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    let head = [SecretKey.version] + mark + nonce
    guard let (sealed, tag) = cipher(Array(text.utf8), nonce, head + Array(purpose.rawValue.utf8), tag: nil) else {
      preconditionFailure("libcrypto has no AES-256-GCM")
    }
    return head + sealed + tag
  }

  /// Decrypts what `seal` made.
  package func open(_ sealed: [UInt8], _ purpose: Purpose) throws(Failure) -> String {
    let headLength = 1 + mark.count + SecretKey.nonceLength
    guard sealed.count >= headLength + SecretKey.tagLength, sealed[0] == SecretKey.version else { throw .damaged }
    guard Array(sealed[1...mark.count]) == mark else { throw .otherKey }
    let head = Array(sealed[..<headLength])
    let tag = Array(sealed.suffix(SecretKey.tagLength))
    let body = Array(sealed[headLength..<(sealed.count - SecretKey.tagLength)])
    let nonce = Array(head.suffix(SecretKey.nonceLength))
    guard let (text, _) = cipher(body, nonce, head + Array(purpose.rawValue.utf8), tag: tag) else { throw .damaged }
    return String(decoding: text, as: UTF8.self)
  }

  /// Encrypts, or with a tag decrypts; nil if it cannot, as with a wrong tag. `EVP_CipherUpdate`.
  private func cipher(
    _ input: [UInt8], _ nonce: [UInt8], _ associated: [UInt8], tag: [UInt8]?
  ) -> (output: [UInt8], tag: [UInt8])? {
    guard let context = EVP_CIPHER_CTX_new() else { return nil }
    defer { EVP_CIPHER_CTX_free(context) }
    guard EVP_CipherInit_ex(context, EVP_aes_256_gcm(), nil, bytes, nonce, tag == nil ? 1 : 0) == 1 else { return nil }
    var length: Int32 = 0
    guard EVP_CipherUpdate(context, nil, &length, associated, Int32(associated.count)) == 1 else { return nil }
    var output = [UInt8](repeating: 0, count: input.count + 16)
    guard EVP_CipherUpdate(context, &output, &length, input, Int32(input.count)) == 1 else { return nil }
    var made = tag ?? [UInt8](repeating: 0, count: SecretKey.tagLength)
    if tag != nil, EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(made.count), &made) != 1 { return nil }
    var rest = [UInt8](repeating: 0, count: 32)
    var restLength: Int32 = 0
    guard EVP_CipherFinal_ex(context, &rest, &restLength) == 1, Int(length) == input.count else { return nil }
    if tag == nil, EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(made.count), &made) != 1 { return nil }
    return (Array(output.prefix(Int(length))), made)
  }
}
