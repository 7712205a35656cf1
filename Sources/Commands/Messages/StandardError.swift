import Core
import Glibc

/// Standard error: messages to the user, apart from results.
enum StandardError {
  /// Whether standard error is a terminal.
  static let isTerminal = isatty(STDERR_FILENO) == 1

  /// Whether a progress line can be rewritten: not on a terminal without escape sequences.
  static let showsProgress = isTerminal && Environment.variables()["TERM"] != "dumb"

  /// Writes a message of one or more lines: `metube-rss: …`. Strips escape sequences, whichever name, title or setting
  /// they come from.
  static func report(_ message: String) { write("metube-rss: \(harmless(message))\n") }

  /// A message with each line made safe to print on a terminal.
  static func harmless(_ message: String) -> String {
    message.split(separator: "\n", omittingEmptySubsequences: false).map { DisplayText(String($0)).text }
      .joined(separator: "\n")
  }

  /// Runs a task whose failure is reported but does not end the command.
  static func reportFailure(_ body: () throws -> Void) {
    do { try body() } catch let failure as Failure { report(failure.message) } catch { report("\(error)") }
  }

  /// Writes a text unchanged. If standard error fails, there is nowhere left to report it.
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var rest = bytes[...]
      while let base = UnsafeBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
        let written = Glibc.write(STDERR_FILENO, base, rest.count)
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { return }
        rest = rest.dropFirst(written)
      }
    }
  }
}

/// A confirmation prompt on the terminal.
enum Confirmation {
  /// Whether the user answers yes. Throws with exit status 64 without a terminal.
  static func isConfirmed(_ prompt: String) throws -> Bool {
    guard isatty(STDIN_FILENO) == 1 else {
      throw Failure(.usage, "\(prompt) Cannot ask without a terminal; use --yes")
    }
    StandardError.write("\(prompt) [y/N] ")
    let answer = readLine()?.lowercased() ?? ""
    return answer == "y" || answer == "yes"
  }
}
