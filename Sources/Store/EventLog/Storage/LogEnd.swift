import Core

/// A prefix of a log that ends with a line.
package struct LogEnd: Equatable, Sendable {
  /// Its length in bytes.
  package var length: UInt64
  /// 32 hexadecimal digits for its first 4 KiB and its last 64 KiB; empty if there are no bytes. Since each line has an
  /// ID and a checksum of its own, histories that differ anywhere differ there.
  package var checksum: String

  package init(length: UInt64, checksum: String) { (self.length, self.checksum) = (length, checksum) }

  /// The end of a log without lines.
  package static let start = LogEnd(length: 0, checksum: "")
}

extension LogEnd {
  /// The end of the first `length` bytes of a log that is not a file; `head` and `tail` are the first and the last of
  /// them, `headLength` and `tailLength` if there are as many.
  package init(length: UInt64, head: [UInt8], tail: [UInt8]) {
    guard length > 0 else {
      self = .start
      return
    }
    let looks = [head, tail].map { String(hex: Fingerprint.of($0.span.bytes), digits: 16) }
    self.init(length: length, checksum: looks.joined())
  }

  /// How much of a log's beginning and of its end a checksum is of, in bytes.
  package static var headLength: UInt64 { Coverage.headLength }
  package static var tailLength: UInt64 { Coverage.tailLength }

  /// The end of the first bytes of a file.
  init(of file: File, at length: UInt64) throws(LogError) {
    guard length > 0 else {
      self = .start
      return
    }
    let (head, tail) = try Coverage.Covered.looks(of: file, end: length)
    self.init(length: length, checksum: String(hex: head, digits: 16) + String(hex: tail, digits: 16))
  }

  /// The end of the whole file at a path.
  package init(ofFile path: String) throws(LogError) {
    let file = try File(path, .read)
    try self.init(of: file, at: file.status().size)
  }

  /// Whether a file has this end: is as long, and has a line's end there.
  func isIn(_ file: File) throws(LogError) -> Bool {
    guard length > 0 else { return checksum.isEmpty }
    guard try file.status().size >= length else { return false }
    guard try file.bytes(at: length - 1, count: 1) == [UInt8(ascii: "\n")] else { return false }
    return try LogEnd(of: file, at: length) == self
  }
}
