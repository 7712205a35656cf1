/// Looks for bytes among bytes.
enum ByteSearch {
  /// Where some bytes, which are not none, are first found at a place or after it; nil where they are not.
  static func first(_ sought: [UInt8], in bytes: UnsafeRawBufferPointer, from place: Int) -> Int? {
    let last = bytes.count - sought.count
    guard place <= last else { return nil }
    return sought.withUnsafeBytes { sought in
      let (first, end) = (sought[0], sought[sought.count - 1])
      var place = place
      // The first and the last byte together: most places have not both.
      while place <= last {
        if bytes[place] == first, bytes[place + sought.count - 1] == end, isEqual(sought, bytes, place) {
          return place
        }
        place += 1
      }
      return nil
    }
  }

  private static func isEqual(
    _ sought: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer, _ place: Int
  ) -> Bool {
    var index = 1
    while index < sought.count {
      if bytes[place + index] != sought[index] { return false }
      index += 1
    }
    return true
  }
}
