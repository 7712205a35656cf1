import Core

/// Goes through a log file line by line and reads each.
struct LogLines: ~Copyable {
  private var scanner: LineScanner
  private var reader = LineReader()
  private let file: UInt32
  /// The number of the line given last, from 1 at the file's beginning.
  private(set) var number: Int

  /// One line of the file.
  struct Entry {
    /// Its bytes without the newline, until the next line is read; nil where it is longer than a line may be.
    var bytes: UnsafeRawBufferPointer?
    /// What it says; nil where it is broken.
    var line: Line?
  }

  /// The lines from `offset` on, before which there are `lines`; `index` is the file's position in the reader's list.
  init(_ file: File, index: UInt32, from offset: UInt64, after lines: Int) {
    scanner = LineScanner(file: file, offset: offset)
    self.file = index
    number = lines
  }

  /// Where the line given last begins.
  var start: UInt64 { scanner.lineStart }
  /// Where it ends, after its newline.
  var end: UInt64 { scanner.lineEnd }
  /// The end of the file, once there are no more lines.
  var fileEnd: UInt64 { scanner.fileEnd }

  /// The next line that has a newline; nil at the end.
  mutating func next() throws(LogError) -> Entry? {
    guard let scanned = try scanner.next() else { return nil }
    number += 1
    let place = LogPlace(file: file, length: 0, offset: scanner.lineStart)
    let line = scanned.bytes.flatMap { reader.read($0, at: place) }
    return Entry(bytes: scanned.bytes, line: line)
  }
}
