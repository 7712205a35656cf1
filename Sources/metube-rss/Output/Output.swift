import Glibc

/// Standard output, or a file: buffered, and every write looked at, so that a full disk is noticed.
struct Output: ~Copyable {
  /// The reader of a pipe went away, which is no error.
  enum Closed: Error { case pipe }

  private let descriptor: Int32
  /// For how many milliseconds a full pipe that does not block is waited for.
  private let patience: Int32
  private var buffer: [UInt8] = []
  private var problem: Int32 = 0
  private static let chunk = 65_536

  /// Whether a person looks at it.
  static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// How many columns that person's terminal has; nil where it does not say. `ioctl(TIOCGWINSZ)`.
  static let columns: Int? = {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }()

  /// Standard output.
  init() { self.init(to: STDOUT_FILENO, patience: 0) }

  /// An open file, which stays the caller's to close. A pipe that does not block is waited for as many milliseconds while
  /// its reader takes nothing; then writing fails with `EAGAIN`.
  init(to descriptor: Int32, patience: Int32) { (self.descriptor, self.patience) = (descriptor, patience) }

  /// Adds a text.
  mutating func write(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    flushIfFull()
  }

  /// Adds bytes.
  mutating func write(_ bytes: [UInt8]) {
    buffer.append(contentsOf: bytes)
    flushIfFull()
  }

  /// Whether there is no use in writing more.
  var isBroken: Bool { problem != 0 }

  /// Writes what is left. Throws `Closed.pipe` where the reader went away, else a failure of the disk.
  mutating func finish() throws {
    let problem = end()
    guard problem != 0 else { return }
    if problem == EPIPE { throw Closed.pipe }
    throw Failure(.disk, "standard output: \(String(cString: strerror(problem))); what was to be shown is cut short")
  }

  /// Writes what is left; returns the `errno` of the first write that failed, or 0.
  mutating func end() -> Int32 {
    flush()
    return problem
  }

  private mutating func flushIfFull() {
    if buffer.count >= Output.chunk { flush() }
  }

  private mutating func flush() {
    if problem == 0 { problem = write(all: buffer) }
    buffer.removeAll(keepingCapacity: true)
  }

  private func write(all bytes: [UInt8]) -> Int32 {
    bytes.withUnsafeBytes { raw in
      var rest = raw[...]
      while let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
        let written = Glibc.write(descriptor, base, rest.count)
        if written < 0, errno == EINTR || errno == EAGAIN && isReady() { continue }
        guard written > 0 else { return errno }
        rest = rest.dropFirst(written)
      }
      return 0
    }
  }

  /// Whether more can be written before the patience is over; leaves `errno` as it was.
  private func isReady() -> Bool {
    let problem = errno
    defer { errno = problem }
    var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return patience > 0 && poll(&wanted, 1, patience) > 0
  }
}
