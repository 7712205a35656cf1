import Arguments
import Glibc
import HubStore
import Platform

/// A password from standard input.
enum PasswordInput {
  /// Reads a line, on a terminal without echo and twice, and returns its hash. Throws if it is too short or too long, or
  /// if the two differ.
  static func hash() throws -> String {
    let isTerminal = isatty(STDIN_FILENO) == 1
    guard let line = read("Password: "), Secrets.isAcceptable(password: line) else {
      throw Failure(.usage, "the password must have 8 to 512 bytes; it is read from standard input")
    }
    if isTerminal, read("The same again: ") != line {
      throw Failure(.usage, "the two passwords differ; nothing was changed")
    }
    guard let hash = Secrets.hash(password: line) else { throw Failure(.disk, "libcrypt has no yescrypt") }
    return hash
  }

  /// Reads a line; on a terminal it asks for it and does not echo it.
  private static func read(_ prompt: String) -> String? {
    var saved = termios()
    guard tcgetattr(STDIN_FILENO, &saved) == 0 else { return readLine() }
    var quiet = saved
    quiet.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet)
    Program.prompt(prompt)
    let line = readLine()
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved)
    Program.prompt("\n")
    return line
  }
}
