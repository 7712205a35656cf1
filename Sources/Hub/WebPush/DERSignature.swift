/// A signature by ECDSA as libcrypto writes it, a DER sequence of the integers r and s, and as a JWT has it: 64 bytes
/// (RFC 7518 §3.4).
enum DERSignature {
  /// r and s of 32 bytes each; nil if the bytes are no such sequence.
  static func decode(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= 2, bytes[0] == 0x30, Int(bytes[1]) == bytes.count - 2 else { return nil }
    var rest = bytes.dropFirst(2)
    guard let r = integer(&rest), let s = integer(&rest), rest.isEmpty else { return nil }
    return r + s
  }

  private static func integer(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard rest.count >= 2, rest.removeFirst() == 0x02 else { return nil }
    let length = Int(rest.removeFirst())
    guard rest.count >= length else { return nil }
    let digits = rest.prefix(length).drop { $0 == 0 }
    rest = rest.dropFirst(length)
    return digits.count <= 32 ? [UInt8](repeating: 0, count: 32 - digits.count) + digits : nil
  }

  /// The DER sequence of 64 bytes; nil if they are fewer or more.
  static func encode(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count == 64 else { return nil }
    let body = [bytes[..<32], bytes[32...]].flatMap { half in
      var digits = Array(half.drop { $0 == 0 })
      if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
      return [0x02, UInt8(digits.count)] + digits
    }
    return [0x30, UInt8(body.count)] + body
  }
}
