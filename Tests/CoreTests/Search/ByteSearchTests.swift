import Testing

@testable import Core

/// Where some bytes are first found, looked for at one place after the other.
private func slowly(_ sought: [UInt8], _ bytes: [UInt8], from place: Int) -> Int? {
  guard place + sought.count <= bytes.count else { return nil }
  return (place...bytes.count - sought.count).first { bytes[$0..<$0 + sought.count].elementsEqual(sought) }
}

@Test(
  "Bytes are found where they first are, whatever stands around them", arguments: 1...40 as ClosedRange<UInt64>)
func bytesAmongBytes(seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  // Neighbours in value, zeros and high bits are what eight places at once could mistake for one another.
  let letters: [UInt8] = [0, 1, 0x61, 0x60, 0x80, 0xff]
  for _ in 0..<300 {
    let bytes = (0..<Int.random(in: 0...40, using: &random)).compactMap { _ in letters.randomElement(using: &random) }
    let sought = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in letters.randomElement(using: &random) }
    let place = Int.random(in: 0...bytes.count, using: &random)
    let found = bytes.withUnsafeBytes { ByteSearch.first(sought, in: $0, from: place) }
    #expect(found == slowly(sought, bytes, from: place), "\(sought) in \(bytes) from \(place)")
  }
}
