import Core

/// Reads a log file line by line and parses each line.
struct LogLines: ~Copyable {
  private var scanner: LineScanner
  private var reader = LineReader()
  private let file: UInt32
  /// Number of the line returned last, from 1 at the start of the file.
  private(set) var number: Int

  /// One line of the file.
  struct Entry {
    /// Its bytes without the newline, valid until the next line is read; nil if it exceeds the line limit.
    var bytes: UnsafeRawBufferPointer?
    /// Its content; nil if it is broken.
    var line: Line?
  }

  /// The lines from `offset` on; `lines` lines precede them, and `index` is the file's index in the reader's list.
  init(_ file: File, index: UInt32, from offset: UInt64, after lines: Int) {
    scanner = LineScanner(file: file, offset: offset)
    self.file = index
    number = lines
  }

  /// File offset of the line returned last.
  var start: UInt64 { scanner.lineStart }
  /// Its end, after the newline.
  var end: UInt64 { scanner.lineEnd }
  /// The end of the file, once there are no more lines.
  var fileEnd: UInt64 { scanner.fileEnd }

  /// The next line that ends with a newline; nil at the end.
  mutating func next() throws(LogError) -> Entry? {
    guard let scanned = try scanner.next() else { return nil }
    number += 1
    let place = LogPlace(file: file, length: 0, offset: scanner.lineStart)
    let line = scanned.bytes.flatMap { reader.read($0, at: place) }
    return Entry(bytes: scanned.bytes, line: line)
  }
}
