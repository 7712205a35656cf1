import Testing

@testable import Core

@Suite("A fingerprint")
struct FingerprintTests {
  private func escaped(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONText.escape(text, into: &bytes)
    return bytes
  }

  /// Written plainly, because caches and state files hold fingerprints: they must stay what they are.
  private func spelt(_ bytes: [UInt8]) -> UInt64 {
    func mix(_ value: UInt64) -> UInt64 {
      let product = value.multipliedFullWidth(by: 0xbb67_ae85_84ca_a73b)
      return product.high ^ product.low
    }
    var hash: UInt64 = 0x6a09_e667_f3bc_c909 ^ UInt64(bytes.count)
    var rest = bytes[...]
    while rest.count >= 8 {
      hash = mix(hash ^ rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
      rest = rest.dropFirst(8)
    }
    return mix(mix(hash ^ rest.reduce(0) { $0 << 8 | UInt64($1) }))
  }

  @Test("The fingerprint of bytes never changes between versions", arguments: 0..<40)
  func bytes(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 200) }
    #expect(Fingerprint.of(bytes.span.bytes) == spelt(bytes))
  }

  @Test("The fingerprint of a text is that of its JSON form", arguments: 0..<40)
  func texts(count: Int) {
    for special in ["", "\n", "\"", "\u{1}", "\u{1}\n", "é\t", "\\\\\\"] {
      let text = String(repeating: "x", count: count)
      for whole in [special + text, text + special, text + special + text, text + special + special + "y"] {
        #expect(Fingerprint.of(whole) == spelt(escaped(whole)))
      }
    }
  }
}
