import Glibc

/// A question to the person that is answered with yes or no.
enum Question {
  /// Asks on the terminal; anything but `y` or `yes` is no. Without a terminal it is refused: say `--yes`.
  static func confirm(_ question: String, isConfirmed: Bool) throws -> Bool {
    if isConfirmed { return true }
    guard isatty(STDIN_FILENO) == 1 else {
      throw Failure(.usage, "\(question) There is no terminal to answer on; say --yes to go ahead")
    }
    Messages.write("\(question) [y/N] ")
    let answer = readLine()?.trimmed.lowercased() ?? ""
    return answer == "y" || answer == "yes"
  }
}
