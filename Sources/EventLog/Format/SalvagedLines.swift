import Core

/// Finds the whole lines inside a broken one: followed by a carriage return, preceded by a byte order mark, or two on
/// one line. Each is verified by its checksum.
enum SalvagedLines {
  /// Passes each of them to `body`, without the bytes around it.
  ///
  /// Quotes inside a text are escaped, so within a line the opening of an object and that of the checksum occur only at
  /// its beginning and its end; of several false openings in other bytes the last one counts.
  static func forEach(in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    var start: Int?
    var failures = 0
    var index = 0
    while index + LineChecksum.length <= bytes.count, failures < mostFailures {
      if bytes[index] == UInt8(ascii: "{"), bytes.has(opening, at: index) {
        start = index
      } else if bytes[index] == UInt8(ascii: ","), bytes.has(seal, at: index), let begin = start {
        let line = UnsafeRawBufferPointer(rebasing: bytes[begin..<index + LineChecksum.length])
        if LineChecksum.unsealed(line) != nil {
          body(line)
          start = nil
          index += LineChecksum.length
          continue
        }
        failures += 1
      }
      index += 1
    }
  }

  private static let opening: StaticString = "{\"v\":"
  private static let seal: StaticString = ",\"c\":\""
  /// Without a limit, bytes crafted to look like checksums would be rescanned for each.
  private static let mostFailures = 100
}

extension UnsafeRawBufferPointer {
  fileprivate func has(_ text: StaticString, at index: Int) -> Bool {
    guard index + text.utf8CodeUnitCount <= count else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { self[index + $0] == text.utf8Start[$0] }
  }
}
