import Core
import Glibc
import ReadModel
import Terminal

/// Buffered standard output, or a file. Every write is checked, so that a full disk is noticed.
struct Output: ~Copyable {
  /// The reader closed the pipe, which is not an error.
  enum Closed: Error { case pipe }

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var problem: Int32 = 0
  private static let chunk = 65_536

  /// Whether standard output is a terminal.
  static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// The width of the terminal in columns; nil if unknown. `ioctl(TIOCGWINSZ)`.
  static let columns: Int? = {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }()

  /// Standard output.
  init() { self.init(to: STDOUT_FILENO) }

  /// An open file, which the caller closes.
  init(to descriptor: Int32) { self.descriptor = descriptor }

  /// What `body` writes, in memory.
  static func bytes(_ body: (inout Output) throws -> Void) throws -> [UInt8] {
    var output = Output(to: -1)
    try body(&output)
    return output.buffer
  }

  /// Appends a text.
  mutating func write(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    flushIfFull()
  }

  /// Appends bytes.
  mutating func write(_ bytes: [UInt8]) {
    buffer.append(contentsOf: bytes)
    flushIfFull()
  }

  /// Whether a write has failed, so that further output is lost.
  var isBroken: Bool { problem != 0 }

  /// Writes the rest of the buffer. Throws `Closed.pipe` if the reader closed the pipe, otherwise a disk `Failure`.
  mutating func finish() throws {
    let problem = end()
    guard problem != 0 else { return }
    if problem == EPIPE { throw Closed.pipe }
    throw Failure(.disk, "standard output: \(String(cString: strerror(problem))); output is incomplete")
  }

  /// Writes the rest of the buffer; returns the `errno` of the first failed write, or 0.
  mutating func end() -> Int32 {
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

/// The terminal that a table is laid out for.
struct Terminal {
  /// The width in columns; nil if the output is not a terminal, so that nothing is cut.
  let width: Int?
  let style: TerminalStyle

  init(_ color: ColorChoice) {
    let environment = Environment.variables()
    let wantsColor: Bool
    switch color {
    case .always: wantsColor = true
    case .never: wantsColor = false
    case .auto:
      wantsColor = Output.isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
    style = TerminalStyle(colors: wantsColor, links: wantsColor)
    width = Output.isTerminal ? Terminal.columns(environment) : nil
  }

  private static func columns(_ environment: [String: String]) -> Int {
    let setting = environment["COLUMNS"].flatMap { Int($0) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
    return Output.columns ?? setting ?? 80
  }
}

extension Output {
  /// Appends a table laid out for `terminal`.
  mutating func write(_ table: TextTable, for terminal: Terminal) {
    var bytes: [UInt8] = []
    table.append(to: &bytes, width: terminal.width, style: terminal.style)
    write(bytes)
  }

  /// Appends `heading` and the table of videos, on a terminal with row numbers, which are stored.
  mutating func write(_ rows: [VideoRow], heading: String, of session: Session, _ color: ColorChoice) {
    let terminal = Terminal(color)
    // Numbers that were not stored would refer to another table. An empty table has none, so those of the previous
    // one stay valid.
    let isNumbered =
      Output.isTerminal && !rows.isEmpty
      && LastShown.listing(session.home).remember(rows.map(\.video.description), now: session.now)
    for line in DisplayText(heading).lines(within: terminal.width) { write("\(line)\n") }
    write(TextTable.videos(rows, numbered: isNumbered, at: session.local), for: terminal)
  }
}
