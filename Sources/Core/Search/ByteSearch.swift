/// Looks for bytes among bytes.
enum ByteSearch {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// Where some bytes, which are not none, are first found at a place or after it; nil where they are not.
  static func first(_ sought: [UInt8], in bytes: UnsafeRawBufferPointer, from place: Int) -> Int? {
    let last = bytes.count - sought.count
    guard place <= last else { return nil }
    return sought.withUnsafeBytes { sought in
      let distance = sought.count - 1
      let (first, end) = (UInt64(sought[0]) &* ones, UInt64(sought[distance]) &* ones)
      var place = place
      // Eight places at once, by the first and the last byte together: most places have not both.
      while place + 7 <= last {
        let differences = bytes.number64(at: place) ^ first | bytes.number64(at: place + distance) ^ end
        // The lowest bit set is that of a byte that is zero; above it there may be others.
        var hits = (differences &- ones) & ~differences & highs
        while hits != 0 {
          let found = place + hits.trailingZeroBitCount / 8
          if isEqual(sought, bytes, found) { return found }
          hits &= hits - 1
        }
        place += 8
      }
      while place <= last {
        if isEqual(sought, bytes, place) { return place }
        place += 1
      }
      return nil
    }
  }

  private static func isEqual(
    _ sought: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer, _ place: Int
  ) -> Bool {
    var index = 0
    while index < sought.count {
      if bytes[place + index] != sought[index] { return false }
      index += 1
    }
    return true
  }
}
