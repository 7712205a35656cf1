/// SHA-256 (FIPS 180-4), for a few dozen bytes at a time.
package enum SHA256 {
  /// The digest, 32 bytes.
  package static func digest(of message: some Sequence<UInt8>) -> [UInt8] {
    var bytes = Array(message)
    let bits = UInt64(bytes.count) * 8
    bytes.append(0x80)
    bytes.append(contentsOf: repeatElement(0, count: (120 - bytes.count % 64) % 64))
    bytes.append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) })
    var hash = initial
    for start in stride(from: 0, to: bytes.count, by: 64) { compress(bytes[start..<start + 64], into: &hash) }
    return hash.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
  }

  /// The first 128 bits of the digest.
  package static func prefix(of message: [UInt8]) -> (high: UInt64, low: UInt64) {
    let digest = digest(of: message)
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    return (word(digest[0..<8]), word(digest[8..<16]))
  }

  private static func compress(_ block: ArraySlice<UInt8>, into hash: inout [UInt32]) {
    var words = (0..<16).map { index in
      block.dropFirst(index * 4).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (old, recent) = (words[index - 15], words[index - 2])
      let first = rotated(old, 7) ^ rotated(old, 18) ^ old >> 3
      let second = rotated(recent, 17) ^ rotated(recent, 19) ^ recent >> 10
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    var state = hash
    for index in 0..<64 {
      let (a, e) = (state[0], state[4])
      let choice = e & state[5] ^ ~e & state[6]
      let majority = a & state[1] ^ a & state[2] ^ state[1] & state[2]
      let first =
        state[7] &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ constants[index] &+ words[index]
      let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
      state = [first &+ second, a, state[1], state[2], state[3] &+ first, e, state[5], state[6]]
    }
    for index in 0..<8 { hash[index] &+= state[index] }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

  /// The fractional parts of the square roots of the first eight primes.
  private static let initial: [UInt32] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  ]
  /// The fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
  ]
}

extension String {
  /// Bytes in base64url without padding: RFC 4648 §5.
  package init(base64URL bytes: some Collection<UInt8>) {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var (text, rest) = ("", Array(bytes)[...])
    while !rest.isEmpty {
      let group = rest.prefix(3)
      let bits = (group + repeatElement(0, count: 3 - group.count)).reduce(0) { $0 << 8 | Int($1) }
      text += (0...group.count).map { String(alphabet[bits >> (18 - 6 * $0) & 63]) }.joined()
      rest = rest.dropFirst(3)
    }
    self = text
  }
}
