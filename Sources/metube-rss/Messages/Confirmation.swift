import Glibc

/// A confirmation prompt on the terminal.
enum Question {
  /// Whether the user answers yes. Throws with exit status 64 without a terminal.
  static func isAnsweredYes(_ question: String) throws -> Bool {
    guard isatty(STDIN_FILENO) == 1 else {
      throw Failure(.usage, "\(question) Cannot ask without a terminal; use --yes")
    }
    Messages.write("\(question) [y/N] ")
    let answer = readLine()?.lowercased() ?? ""
    return answer == "y" || answer == "yes"
  }
}
