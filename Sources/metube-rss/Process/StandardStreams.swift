import Glibc

/// The three files that a program is begun with.
enum StandardStreams {
  /// Puts something in the place of those that are closed, so that no file opened later gets their numbers: the log
  /// would be read as the ids on standard input, or the results written into it.
  ///
  /// What is put there can be used for nothing: reading `/dev/null` opened for writing fails as reading a closed file
  /// does, and so the other way round. Returns false where that cannot be opened.
  static func fill() -> Bool {
    for (stream, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)] {
      // The lowest number that is free is this one, those below being open by now.
      if fcntl(stream, F_GETFD) < 0, open("/dev/null", mode) != stream { return false }
    }
    return true
  }

  /// Throws with 64 where standard input was closed when the program began.
  static func requireInput() throws {
    guard fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE != O_WRONLY else {
      throw Failure(.usage, "-: standard input is closed; there is nothing to read")
    }
  }
}
