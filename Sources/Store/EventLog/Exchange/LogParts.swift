import Core

/// A log file as it is, in parts of whole lines.
package struct LogParts {
  private let file: File
  /// How much of it was read, in bytes.
  package private(set) var end: UInt64 = 0
  private let size: UInt64

  package init(_ path: String) throws(LogError) {
    file = try File(path, .read)
    size = try file.status().size
  }

  /// How many bytes follow the last line: what a crash left of one.
  package var torn: UInt64 { size - end }

  /// The next lines, about a mebibyte of them; nil after the last one.
  package mutating func next() throws(LogError) -> [UInt8]? {
    var count = UInt64(LogParts.size)
    while end < size {
      var bytes = try file.bytes(at: end, count: Int(min(count, size - end)))
      if let newline = bytes.lastIndex(of: UInt8(ascii: "\n")) {
        bytes.removeSubrange((newline + 1)...)
        end += UInt64(bytes.count)
        return bytes
      }
      guard count < size - end else { return nil }
      count *= 2
    }
    return nil
  }

  private static let size = 1 << 20
}
