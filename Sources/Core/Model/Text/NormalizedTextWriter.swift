/// Writes normalised text, eight ASCII characters at a time, because most texts are ASCII with few exceptions.
struct NormalizedTextWriter {
  /// The allocated bytes; the first `count` are written.
  private var bytes: [UInt8]
  private var count = 0
  /// A reusable buffer for one character.
  private var folded: [UInt8] = []

  /// Allocates for a text of `capacity` bytes; few characters become longer.
  init(capacity: Int) { bytes = Array(repeating: 0, count: capacity + 16) }

  /// The written bytes.
  var finished: [UInt8] {
    consuming get {
      bytes.removeLast(bytes.count - count)
      return bytes
    }
  }

  /// Appends ASCII from `start` and returns the index where it stopped: at a non-ASCII character, or at a backslash if
  /// requested.
  mutating func appendPlain(
    _ text: UnsafeRawBufferPointer, from start: Int, stoppingAtBackslash: Bool
  ) -> Int {
    makeRoom(for: text.count - start)
    var (place, count) = (start, count)
    bytes.withUnsafeMutableBytes { bytes in
      while place + 8 <= text.count {
        let letters = text.number64(at: place)
        let stop = NormalizedTextWriter.stops(in: letters, atBackslash: stoppingAtBackslash)
        // Bytes behind the stop are overwritten later.
        bytes.storeBytes(of: NormalizedTextWriter.lowered(letters).littleEndian, toByteOffset: count, as: UInt64.self)
        let length = stop == 0 ? 8 : stop.trailingZeroBitCount / 8
        place += length
        count += length
        if stop != 0 { return }
      }
      while place < text.count, text[place] < 0x80, !stoppingAtBackslash || text[place] != UInt8(ascii: "\\") {
        bytes[count] = NormalizedText.lowered(text[place])
        place += 1
        count += 1
      }
    }
    self.count = count
    return place
  }

  /// Appends one normalised character.
  mutating func append(_ scalar: Unicode.Scalar) {
    makeRoom(for: 0)
    if scalar.isASCII {
      bytes[count] = NormalizedText.lowered(UInt8(scalar.value))
      count += 1
    } else if let letter = NormalizedText.baseLetter(scalar.value) {
      bytes[count] = letter
      count += 1
    } else if !scalar.mayChange {
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
        bytes[count] = byte
        count += 1
      }
    } else {
      folded.removeAll(keepingCapacity: true)
      NormalizedText.append(scalar, to: &folded)
      makeRoom(for: folded.count)
      for byte in folded {
        bytes[count] = byte
        count += 1
      }
    }
  }

  /// Ensures room for `more` bytes and eight extra.
  private mutating func makeRoom(for more: Int) {
    if bytes.count < count + more + 8 { bytes += repeatElement(0, count: max(more + 8, bytes.count / 2)) }
  }

  // MARK: Eight characters at a time

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// The lowest bit set is in the first byte that is not ASCII, or is a backslash.
  private static func stops(in letters: UInt64, atBackslash: Bool) -> UInt64 {
    let others = letters & highs
    guard atBackslash else { return others }
    let differences = letters ^ 0x5c5c_5c5c_5c5c_5c5c
    return others | (differences &- ones) & ~differences & highs
  }

  /// Eight ASCII bytes in lower case: sets bit 5 of each byte from A to Z.
  private static func lowered(_ letters: UInt64) -> UInt64 {
    let low = letters & ~highs
    let isUpper = (low &+ ones &* (0x80 - 0x41)) & ~(low &+ ones &* (0x80 - 0x5b)) & ~letters & highs
    return letters | isUpper >> 2
  }
}

/// Strict decoding of UTF-8 that may be malformed.
enum StrictUTF8 {
  /// Decodes a non-ASCII character at `place`, with its length in bytes; nil if malformed.
  static func scalar(in bytes: UnsafeRawBufferPointer, at place: Int) -> (Unicode.Scalar, length: Int)? {
    let first = UInt32(bytes[place])
    let length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
    guard (0xc2...0xf4).contains(first), place + length <= bytes.count else { return nil }
    var value = first & (0x7f >> UInt32(length))
    for index in place + 1..<place + length {
      guard bytes[index] & 0xc0 == 0x80 else { return nil }
      value = value << 6 | UInt32(bytes[index] & 0x3f)
    }
    // Overlong encodings and surrogates are invalid.
    guard value >= (length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80) else { return nil }
    return Unicode.Scalar(value).map { ($0, length) }
  }
}
