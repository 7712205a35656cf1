import Glibc
import Testing

/// The destination of a program's standard output.
final class Sink {
  /// The descriptor that the program writes to.
  let writing: Int32
  private let scratch: Scratch?
  /// The user's side of a terminal, or -1.
  private var person: Int32
  private var seen: [UInt8] = []

  init(_ output: Program.Output) throws {
    var (writing, person) = (Int32(-1), Int32(-1))
    var scratch: Scratch?
    switch output {
    case .captured:
      let file = try Scratch(holding: [])
      (scratch, writing) = (file, file.descriptor)
    case .file(let path): writing = open(path, O_WRONLY | O_CLOEXEC)
    case .closedPipe: writing = try Sink.brokenPipe()
    case .terminal(let columns): (person, writing) = try Sink.terminal(columns: columns)
    }
    try #require(writing >= 0, "errno \(errno)")
    (self.writing, self.person, self.scratch) = (writing, person, scratch)
  }

  deinit {
    if scratch == nil { close(writing) }
    if person >= 0 { close(person) }
  }

  /// Reads what a terminal shows, so that the program never blocks.
  func drain() {
    guard person >= 0 else { return }
    var piece = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(person, &piece, piece.count), count > 0 { seen += piece[..<count] }
  }

  /// Everything written so far.
  func bytes() -> [UInt8] {
    drain()
    // A terminal ends its lines with a carriage return too.
    return (try? scratch?.bytes()) ?? seen.filter { $0 != UInt8(ascii: "\r") }
  }

  /// Types into a terminal.
  func type(_ text: String) throws {
    let bytes = Array(text.utf8)
    try #require(write(person, bytes, bytes.count) == bytes.count, "errno \(errno)")
  }

  /// Changes the size of a terminal.
  func resize(rows: UInt16, columns: UInt16) throws {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(person, UInt(TIOCSWINSZ), &size) == 0)
  }

  /// Ends a terminal, as closing its window does.
  func hangUp() {
    drain()
    close(person)
    person = -1
  }

  /// The modes of a terminal, in the order of termios(3).
  func modes() throws -> [UInt32] {
    var modes = termios()
    try #require(tcgetattr(writing, &modes) == 0)
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
  }

  private static func brokenPipe() throws -> Int32 {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    return ends[1]
  }

  /// Both sides of a new terminal. `/dev/ptmx`, ioctl_tty(2); the Glibc module lacks `posix_openpt`.
  private static func terminal(columns: UInt16) throws -> (person: Int32, program: Int32) {
    let person = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    try #require(person >= 0, "no /dev/ptmx: errno \(errno)")
    var (isLocked, number): (Int32, UInt32) = (0, 0)
    let (unlock, askNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)  // TIOCSPTLCK, TIOCGPTN
    try #require(ioctl(person, unlock, &isLocked) == 0 && ioctl(person, askNumber, &number) == 0)
    let program = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(program, UInt(TIOCSWINSZ), &size) == 0)
    return (person, program)
  }
}

/// An unnamed file.
final class Scratch {
  let descriptor: Int32

  /// A file with these bytes, positioned at its start.
  init(holding bytes: [UInt8]) throws {
    var name = Array("/tmp/metube-rss-test-XXXXXX".utf8CString)
    descriptor = mkstemp(&name)
    try #require(descriptor >= 0, "no temporary file")
    unlink(name)
    try #require(write(descriptor, bytes, bytes.count) == bytes.count && lseek(descriptor, 0, SEEK_SET) == 0)
  }

  deinit { close(descriptor) }

  /// The whole contents.
  func bytes() throws -> [UInt8] {
    let count = Int(lseek(descriptor, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: count)
    try #require(pread(descriptor, &bytes, count, 0) == count)
    return bytes
  }
}
