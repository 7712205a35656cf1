import Glibc

/// A question to the person at the terminal.
enum Question {
  /// Whether the person answers yes. Without a terminal it is refused with 64.
  static func isAnsweredYes(_ question: String) throws -> Bool {
    guard isatty(STDIN_FILENO) == 1 else {
      throw Failure(.usage, "\(question) There is no terminal to ask at: say --yes")
    }
    Messages.write("\(question) [y/N] ")
    let answer = readLine()?.lowercased() ?? ""
    return answer == "y" || answer == "yes"
  }
}
