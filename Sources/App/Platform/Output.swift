import Glibc

/// Buffered standard output, or a file. Every write is checked, so that a full disk is noticed.
package struct Output: ~Copyable {
  /// The reader closed the pipe, which is not an error.
  package enum Closed: Error { case pipe }

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var problem: Int32 = 0
  private static let chunk = 65_536

  /// Whether standard output is a terminal.
  package static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// The width of the terminal in columns; nil if unknown. `ioctl(TIOCGWINSZ)`.
  package static let columns: Int? = {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }()

  /// Standard output.
  package init() { self.init(to: STDOUT_FILENO) }

  /// An open file, which the caller closes.
  package init(to descriptor: Int32) { self.descriptor = descriptor }

  /// What `body` writes, in memory.
  package static func bytes(_ body: (inout Output) throws -> Void) throws -> [UInt8] {
    var output = Output(to: -1)
    try body(&output)
    return output.buffer
  }

  /// Appends a text.
  package mutating func write(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    flushIfFull()
  }

  /// Appends bytes.
  package mutating func write(_ bytes: [UInt8]) {
    buffer.append(contentsOf: bytes)
    flushIfFull()
  }

  /// Whether a write has failed, so that further output is lost.
  package var isBroken: Bool { problem != 0 }

  /// Writes the rest of the buffer. Throws `Closed.pipe` if the reader closed the pipe, otherwise a disk `Failure`.
  package mutating func finish() throws {
    let problem = end()
    guard problem != 0 else { return }
    if problem == EPIPE { throw Closed.pipe }
    throw Failure(PlatformError.outputCut(errno: problem))
  }

  /// Writes the rest of the buffer; returns the `errno` of the first failed write, or 0.
  package mutating func end() -> Int32 {
    flush()
    return problem
  }

  private mutating func flushIfFull() {
    if descriptor >= 0, buffer.count >= Output.chunk { flush() }
  }

  private mutating func flush() {
    if problem == 0 { problem = buffer.withUnsafeBytes { File.write($0, to: descriptor) } }
    buffer.removeAll(keepingCapacity: true)
  }
}
