import CCrypt

/// The signature of a push: `X-Hub-Signature: sha1=…`, the HMAC of its bytes (WebSub §7.1).
package enum PushSignature {
  /// Whether a header is the signature of a body by a secret; false if it is absent or malformed.
  package static func isRight(_ header: String?, of body: [UInt8], secret: String) -> Bool {
    let sides = (header ?? "").split(separator: "=", maxSplits: 1)
    guard sides.count == 2, let given = bytes(hex: sides[1]) else { return false }
    return digest(String(sides[0]), of: body, secret: secret).map { Secrets.areEqual($0, given) } ?? false
  }

  /// The HMAC of a body by `sha1`, `sha256`, `sha384` or `sha512`; nil for another method. `HMAC`.
  package static func digest(_ name: String, of body: [UInt8], secret: String) -> [UInt8]? {
    guard let method = method(name) else { return nil }
    let key = Array(secret.utf8)
    var length: UInt32 = 0
    let made = [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
      let isMade = HMAC(method, key, Int32(key.count), body, body.count, buffer.baseAddress, &length) != nil
      count = isMade ? Int(length) : 0
    }
    return made.isEmpty ? nil : made
  }

  private static func method(_ name: String) -> OpaquePointer? {
    switch name.lowercased() {
    case "sha1": EVP_sha1()
    case "sha256": EVP_sha256()
    case "sha384": EVP_sha384()
    case "sha512": EVP_sha512()
    default: nil
    }
  }

  private static func bytes(hex text: Substring) -> [UInt8]? {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
  }
}
