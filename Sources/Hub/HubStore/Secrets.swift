import CCrypt
import Glibc

/// Random secrets, and what is kept of them and of passwords.
package enum Secrets {
  /// A new secret: 43 letters, digits, `-` and `_` for 32 random bytes.
  package static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    return String(decoding: (0..<43).map { _ in letters[Int.random(in: 0..<64, using: &generator)] }, as: UTF8.self)
  }

  /// The letters and digits of codes, which are not taken for each other.
  private static let lettersOfCodes = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

  /// A new code that is typed: so many letters, of 5 random bits each. `K7QFH2MX`
  static func makeCode(of length: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    let letters = Array(lettersOfCodes.utf8)
    return String(
      decoding: (0..<length).map { _ in letters[Int.random(in: 0..<32, using: &generator)] }, as: UTF8.self)
  }

  /// A code as it is shown: `K7QF-H2MX`.
  package static func grouped(_ code: String) -> String {
    var groups: [Substring] = []
    var rest = code[...]
    while !rest.isEmpty {
      groups.append(rest.prefix(4))
      rest = rest.dropFirst(4)
    }
    return groups.joined(separator: "-")
  }

  /// A code as somebody typed it, without what only groups it; nil if it cannot be one of so many letters.
  package static func typedCode(_ text: String, length: Int) -> String? {
    guard text.utf8.count <= 100 else { return nil }
    let code = text.uppercased().filter { $0 != "-" && !$0.isWhitespace }
    return code.count == length && code.allSatisfy(lettersOfCodes.contains) ? code : nil
  }

  /// What is kept of a secret, which is too long to be guessed. `SHA256`.
  package static func digest(_ secret: String) -> [UInt8] {
    let bytes = Array(secret.utf8)
    return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
      SHA256(bytes, bytes.count, buffer.baseAddress)
      count = Int(SHA256_DIGEST_LENGTH)
    }
  }

  /// Whether two digests are equal, in a time that does not depend on where they differ. `CRYPTO_memcmp`.
  package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
  }

  /// Whether a password can be one: 8 to 512 bytes, none of them NUL.
  package static func isAcceptable(password: String) -> Bool {
    (8...512).contains(password.utf8.count) && !password.utf8.contains(0)
  }

  /// The hash of a password with a new salt: yescrypt, crypt(5). Nil if libcrypt cannot.
  package static func hash(password: String) -> String? {
    guard let setting = crypt_gensalt_ra("$y$", 0, nil, 0) else { return nil }
    defer { free(setting) }
    return crypt(password, String(cString: setting))
  }

  /// Whether a password has this hash. A hash that no password has takes as long.
  package static func isRight(_ password: String, hash: String) -> Bool {
    guard let made = crypt(password, hash) else { return false }
    return areEqual(Array(made.utf8), Array(hash.utf8))
  }

  /// The hash of no password, for names that are unknown.
  package static let noPassword = hash(password: make()) ?? "*"

  /// `crypt_ra`; nil if the setting is invalid.
  private static func crypt(_ password: String, _ setting: String) -> String? {
    var data: UnsafeMutableRawPointer?
    var size: Int32 = 0
    defer {
      if let data { memset(data, 0, Int(size)) }
      free(data)
    }
    guard let hash = crypt_ra(password, setting, &data, &size) else { return nil }
    return String(cString: hash)
  }
}
