import Glibc

/// The three standard streams.
package enum StandardStreams {
  /// Opens `/dev/null` for closed streams, so that no file opened later gets their numbers: otherwise the log could be
  /// read as IDs from standard input, or results be written into it.
  ///
  /// The replacement has the opposite access mode, so that using it fails as using a closed stream does: reading fails
  /// on `/dev/null` opened for writing, and vice versa. Returns false if it cannot be opened.
  package static func fill() -> Bool {
    for (stream, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)] {
      // open(2) returns the lowest free number, which is this one: those below are open by now.
      if fcntl(stream, F_GETFD) < 0, open("/dev/null", mode) != stream { return false }
    }
    return true
  }

  /// Throws with exit status 64 if standard input was closed when the program started; says so if a person has to type.
  static func requireInput() throws {
    guard fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE != O_WRONLY else {
      throw Failure(PlatformError.closedInput)
    }
    if isatty(STDIN_FILENO) == 1 { StandardError.report("-: reading from the terminal; Ctrl-D ends the input") }
  }
}
