import Core
import Glibc
import ReadModel
import SQLDrivers
import Synchronization

/// Standard error: messages to the user, apart from results.
package enum StandardError {
  /// Whether standard error is a terminal.
  static let isTerminal = isatty(STDERR_FILENO) == 1

  /// Whether a progress line can be rewritten: not on a terminal without escape sequences.
  static let showsProgress = isTerminal && Environment.variables()["TERM"] != "dumb"

  /// The name of the program that speaks.
  package static let program = Mutex("metube-rss")
  /// The prefix of its messages.
  package static var signature: String { program.withLock { $0 } + ": " }

  /// Writes a message of one or more lines: `metube-rss: …`, on a terminal wrapped between words. Strips escape sequences,
  /// whichever name, title or setting they come from.
  package static func report(_ message: String) {
    write(wrapped(signature + harmless(message), to: isTerminal ? columns : nil) + "\n")
  }

  /// Lines of at most `width` columns, but for words that are wider; nil for no limit.
  static func wrapped(_ text: String, to width: Int?) -> String {
    guard let width else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { DisplayText(String($0)).wrapped(to: width).map(\.text) }.joined(separator: "\n")
  }

  /// The width of the terminal in columns; nil if unknown. `ioctl(TIOCGWINSZ)`.
  private static var columns: Int? {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// A message with each line made safe to print on a terminal.
  package static func harmless(_ message: String) -> String {
    message.split(separator: "\n", omittingEmptySubsequences: false).map { DisplayText(String($0)).text }
      .joined(separator: "\n")
  }

  /// What was reported while a full-screen view has the terminal; nil otherwise.
  private static let kept = Mutex<String?>(nil)

  /// Keeps what is written from now on, so that it does not disturb a full screen.
  package static func keep() { kept.withLock { $0 = $0 ?? "" } }

  /// Returns what was kept since the last call, and keeps on.
  package static func takeKept() -> String {
    kept.withLock { text in
      defer { text = text == nil ? nil : "" }
      return text ?? ""
    }
  }

  /// Writes to standard error again, also what was kept.
  package static func release() {
    let text = takeKept()
    kept.withLock { $0 = nil }
    write(text)
  }

  /// Writes a text unchanged. If standard error fails, there is nowhere left to report it.
  package static func write(_ text: String) {
    let isKept = kept.withLock { kept in
      kept? += text
      return kept != nil
    }
    if isKept { return }
    var output = Output(to: STDERR_FILENO)
    output.write(text)
    _ = output.end()
  }
}

/// A line on the terminal that shows how far long work is; silent if standard error is not a terminal.
package struct ProgressLine {
  /// When it was last shown, in milliseconds of the steady clock; at first when it may be shown, less the pause.
  private var shown: Int
  private var isShown = false
  /// Whether it is shown at all.
  private let isWanted: Bool

  /// A line that is shown only if the work takes longer than `delay` milliseconds; also where standard error is not a
  /// terminal if `isForced`.
  package init(delay: Int = 0, isForced: Bool = false) {
    shown = Clock.steady() + delay - ProgressLine.pause
    isWanted = isForced || StandardError.showsProgress
  }

  /// Goes to the beginning of the line and erases it.
  package static let erase = "\r\u{1B}[K"

  /// The minimum time between two changes, milliseconds.
  private static let pause = 100

  /// Changes the line, at most ten times a second.
  package mutating func show(_ text: @autoclosure () -> String) {
    guard isWanted else { return }
    let now = Clock.steady()
    guard now - shown >= ProgressLine.pause else { return }
    (shown, isShown) = (now, true)
    StandardError.write(ProgressLine.erase + text())
  }

  /// Clears the line.
  package func clear() {
    if isShown { StandardError.write(ProgressLine.erase) }
  }
}

/// A confirmation prompt on the terminal.
package enum Confirmation {
  /// Whether the user answers yes. Throws with exit status 64 without a terminal.
  package static func isConfirmed(_ prompt: String) throws -> Bool {
    guard isatty(STDIN_FILENO) == 1 else {
      throw Failure(PlatformError.noTerminal(question: prompt))
    }
    StandardError.write("\(prompt) [y/N] ")
    let reply = readLine()?.lowercased() ?? ""
    return reply == "y" || reply == "yes"
  }

  /// Whether there is a terminal for questions.
  package static var isPossible: Bool { isatty(STDIN_FILENO) == 1 }

  /// The line that the user types; nil at the end of input.
  package static func line(_ prompt: String) -> String? {
    StandardError.write(prompt)
    return readLine()
  }
}
