import Core

/// The lines that stand whole in the bytes of a broken one: with a carriage return behind, a byte order mark before, or
/// two on one line. Each proves itself by its seal.
enum WholeLines {
  /// Gives each of them to `body`, without what is around it.
  ///
  /// A quote inside a text is escaped, so that a line has the opening of an object and that of a seal in no other place
  /// than its beginning and its end; of a few false ones in other bytes the last opening counts.
  static func forEach(in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    var start: Int?
    var failures = 0
    var index = 0
    while index + LineSeal.length <= bytes.count, failures < mostFailures {
      if bytes[index] == UInt8(ascii: "{"), bytes.has(opening, at: index) {
        start = index
      } else if bytes[index] == UInt8(ascii: ","), bytes.has(seal, at: index), let begin = start {
        let line = UnsafeRawBufferPointer(rebasing: bytes[begin..<index + LineSeal.length])
        if LineSeal.unsealed(line) != nil {
          body(line)
          start = nil
          index += LineSeal.length
          continue
        }
        failures += 1
      }
      index += 1
    }
  }

  private static let opening: StaticString = "{\"v\":"
  private static let seal: StaticString = ",\"c\":\""
  /// Bytes that were made to look like seals would be gone through again for each.
  private static let mostFailures = 100
}

extension UnsafeRawBufferPointer {
  fileprivate func has(_ text: StaticString, at index: Int) -> Bool {
    guard index + text.utf8CodeUnitCount <= count else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { self[index + $0] == text.utf8Start[$0] }
  }
}
