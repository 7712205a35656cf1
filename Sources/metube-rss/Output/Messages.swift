import Core
import Glibc

/// Standard error: what the person is told beside the results.
enum Messages {
  /// Whether a person looks at it.
  static let isTerminal = isatty(STDERR_FILENO) == 1

  /// Tells one thing on a line of its own, or more: `metube-rss: …`. Whatever a name, a title or a setting in it holds,
  /// no escape sequence comes through.
  static func tell(_ message: String) { write("metube-rss: \(harmless(message))\n") }

  /// A message of several lines, each made harmless for a terminal.
  static func harmless(_ message: String) -> String {
    message.split(separator: "\n", omittingEmptySubsequences: false).map { DisplayText(String($0)).text }
      .joined(separator: "\n")
  }

  /// Does what is no reason to end where it fails: that is told.
  static func tellFailure(_ body: () throws -> Void) {
    do { try body() } catch let failure as Failure { tell(failure.message) } catch { tell("\(error)") }
  }

  /// Writes a text as it is. What cannot be told cannot be told either that it cannot.
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
