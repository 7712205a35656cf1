import Core
import Glibc

/// Reads a file line by line through a large buffer that is reused.
///
/// Not memory-mapped: a file that shrinks under a mapping kills the process.
struct LineScanner: ~Copyable {
  private let file: File
  private var buffer: UnsafeMutableRawBufferPointer
  /// File offset of the buffer's first byte.
  private var base: UInt64
  /// Number of valid bytes in the buffer.
  private var filled = 0
  /// Buffer offset of the next line.
  private var position = 0
  /// File offset of the line returned last.
  private(set) var lineStart: UInt64
  /// File offset after that line's newline.
  private(set) var lineEnd: UInt64

  /// A line without its newline; `bytes` is nil if it exceeds the line limit.
  struct Line {
    var bytes: UnsafeRawBufferPointer?
  }

  /// A scanner that starts at a file offset.
  init(file: File, offset: UInt64) {
    self.file = file
    buffer = .allocate(byteCount: 1 << 18, alignment: 16)
    base = offset
    lineStart = offset
    lineEnd = offset
  }

  deinit { buffer.deallocate() }

  /// The end of what was read; the file's size once there are no more lines.
  var fileEnd: UInt64 { base + UInt64(filled) }

  /// The next line that ends with a newline; nil at the end. Its bytes are valid until the next call.
  mutating func next() throws(LogError) -> Line? {
    lineStart = base + UInt64(position)
    var searched = position
    var isTooLong = false
    while true {
      if let newline = newline(from: searched) {
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[position..<newline])
        position = newline + 1
        lineEnd = base + UInt64(position)
        return Line(bytes: isTooLong || bytes.count >= LogFormat.lineLimit ? nil : bytes)
      }
      if filled - position >= LogFormat.lineLimit {
        isTooLong = true
        position = filled
      }
      searched = filled - position
      guard try fill() else { return nil }
    }
  }

  private func newline(from index: Int) -> Int? {
    guard let start = buffer.baseAddress, let found = memchr(start + index, 10, filled - index) else { return nil }
    return found - start
  }

  /// Moves the incomplete line to the buffer's beginning and reads more; false at the end of the file.
  private mutating func fill() throws(LogError) -> Bool {
    let rest = filled - position
    if rest == buffer.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count * 2, alignment: 16)
      larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[position..<filled]))
      buffer.deallocate()
      buffer = larger
    } else if position > 0, let start = buffer.baseAddress {
      memmove(start, start + position, rest)
    }
    base += UInt64(position)
    position = 0
    filled = rest
    let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[rest...]), at: base + UInt64(rest))
    filled += count
    return count > 0
  }
}

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
    let place = LogRange(file: file, length: 0, offset: scanner.lineStart)
    let line = scanned.bytes.flatMap { reader.read($0, at: place) }
    return Entry(bytes: scanned.bytes, line: line)
  }
}
