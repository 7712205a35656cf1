/// Gzip compression (RFC 1952): one deflate block with fixed Huffman codes (RFC 1951 §3.2.6) and matches.
///
/// Shrinks a feed to about a third. Simple rather than optimal, so that the server needs no library.
package enum Gzip {
  /// Compresses `body`.
  package static func pack(_ body: [UInt8]) -> [UInt8] {
    var writer = DeflateWriter()
    var latest = [Int](repeating: -1, count: 1 << hashBits)
    body.withUnsafeBufferPointer { body in
      var position = 0
      while position < body.count {
        let length = longestMatch(in: body, at: position, latest: &latest)
        if let length {
          writer.match(length: length.length, distance: length.distance)
          position += length.length
        } else {
          writer.literal(body[position])
          position += 1
        }
      }
    }
    return header + writer.finished() + trailer(crc: CRC32.checksum(of: body), count: body.count)
  }

  /// A body that expands to `count` bytes of spaces, a few KB for each MB. Its checksum is wrong: no client should read
  /// that far.
  package static func bomb(bytes count: Int) -> [UInt8] {
    var writer = DeflateWriter()
    writer.literal(UInt8(ascii: " "))
    var rest = count - 1
    while rest >= 258 {
      writer.match(length: 258, distance: 1)
      rest -= 258
    }
    for _ in 0..<max(rest, 0) { writer.literal(UInt8(ascii: " ")) }
    return header + writer.finished() + trailer(crc: 0, count: count)
  }

  /// Magic, deflate, no flags, no mtime, no extra flags, Unix.
  private static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
  private static let hashBits = 13

  private static func trailer(crc: UInt32, count: Int) -> [UInt8] {
    [crc, UInt32(truncatingIfNeeded: count)].flatMap { word in (0..<4).map { UInt8(word >> ($0 * 8) & 255) } }
  }

  /// The match with the last position that starts with the same three bytes, if any; records this position.
  private static func longestMatch(
    in body: UnsafeBufferPointer<UInt8>, at position: Int, latest: inout [Int]
  ) -> (length: Int, distance: Int)? {
    guard position + 3 <= body.count else { return nil }
    let three = UInt32(body[position]) << 16 | UInt32(body[position + 1]) << 8 | UInt32(body[position + 2])
    let slot = Int((three &* 0x9e37_79b1) >> UInt32(32 - hashBits))
    let earlier = latest[slot]
    latest[slot] = position
    guard earlier >= 0, position - earlier <= 32_768 else { return nil }
    var length = 0
    while length < 258, position + length < body.count, body[earlier + length] == body[position + length] {
      length += 1
    }
    return length >= 3 ? (length, position - earlier) : nil
  }
}

/// The bits of one final deflate block with fixed codes.
private struct DeflateWriter {
  private var bytes: [UInt8] = []
  private var pending: UInt64 = 0
  private var pendingCount = 0

  init() { put(0b011, bits: 3) }  // last block, fixed codes

  mutating func literal(_ byte: UInt8) { symbol(Int(byte)) }

  mutating func match(length: Int, distance: Int) {
    let lengthCode = DeflateWriter.lengths.lastIndex { $0.base <= length } ?? 0
    symbol(257 + lengthCode)
    put(length - DeflateWriter.lengths[lengthCode].base, bits: DeflateWriter.lengths[lengthCode].extra)
    let distanceCode = DeflateWriter.distances.lastIndex { $0.base <= distance } ?? 0
    putReversed(distanceCode, bits: 5)
    put(distance - DeflateWriter.distances[distanceCode].base, bits: DeflateWriter.distances[distanceCode].extra)
  }

  /// The block with its end marker, padded to a whole byte.
  mutating func finished() -> [UInt8] {
    symbol(256)
    put(0, bits: (8 - pendingCount % 8) % 8)
    return bytes
  }

  private mutating func symbol(_ symbol: Int) {
    switch symbol {
    case 0...143: putReversed(0b0011_0000 + symbol, bits: 8)
    case 144...255: putReversed(0b1_1001_0000 + symbol - 144, bits: 9)
    case 256...279: putReversed(symbol - 256, bits: 7)
    default: putReversed(0b1100_0000 + symbol - 280, bits: 8)
    }
  }

  /// Huffman codes are packed from their most significant bit, everything else from the least (RFC 1951 §3.1.1).
  private mutating func putReversed(_ code: Int, bits: Int) {
    var reversed = 0
    for bit in 0..<bits { reversed |= (code >> bit & 1) << (bits - 1 - bit) }
    put(reversed, bits: bits)
  }

  private mutating func put(_ value: Int, bits: Int) {
    pending |= UInt64(value) << UInt64(pendingCount)
    pendingCount += bits
    while pendingCount >= 8 {
      bytes.append(UInt8(pending & 255))
      pending >>= 8
      pendingCount -= 8
    }
  }

  private typealias Range = (base: Int, extra: Int)

  /// Codes 257 to 285: four codes for each number of extra bits, and 258 on its own (RFC 1951 §3.2.5).
  private static let lengths: [Range] =
    (0..<28).map { code in
      let extra = code < 8 ? 0 : code / 4 - 1
      return (code < 8 ? 3 + code : 3 + (4 + code % 4) << extra, extra)
    } + [(258, 0)]

  /// Codes 0 to 29: two codes for each number of extra bits.
  private static let distances: [Range] = (0..<30).map { code in
    let extra = code < 4 ? 0 : code / 2 - 1
    return (code < 4 ? 1 + code : 1 + (2 + code % 2) << extra, extra)
  }
}
