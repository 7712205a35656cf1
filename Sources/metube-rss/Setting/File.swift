import Glibc

/// Whole files, with words for what can go wrong.
enum File {
  /// The bytes of a file, or of standard input for `-`, up to a limit in bytes.
  static func read(_ path: String, limit: Int) throws -> [UInt8] {
    let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, "cannot be opened") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while true {
      let room = max(65_536, bytes.count)
      var problem: Int32 = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        let got = Glibc.read(descriptor, buffer.baseAddress, room)
        if got < 0 { problem = errno }
        count = max(0, got)
      }
      if problem == EINTR { continue }
      if problem != 0 {
        errno = problem
        throw failure(path, "cannot be read")
      }
      if chunk.isEmpty { return bytes }
      bytes.append(contentsOf: chunk)
      if bytes.count > limit { throw Failure(.notUnderstood, "\(path): larger than \(limit) bytes; not read") }
    }
  }

  /// Puts a file in place of another, or of none, so that a reader sees the old or the new whole. Unchanged bytes
  /// leave the file untouched; returns whether it was written.
  static func replace(_ path: String, with bytes: [UInt8]) throws -> Bool {
    if access(path, F_OK) == 0, try read(path, limit: bytes.count + 1) == bytes { return false }
    let temporary = "\(path).\(getpid()).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(temporary, "cannot be made") }
    let isWritten = bytes.withUnsafeBytes { raw in
      var rest = raw[...]
      while let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
        let count = write(descriptor, base, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return fsync(descriptor) == 0
    }
    let problem = errno
    close(descriptor)
    guard isWritten else {
      unlink(temporary)
      errno = problem
      throw failure(temporary, "cannot be written; \(path) is as it was")
    }
    guard rename(temporary, path) == 0 else {
      let problem = errno
      unlink(temporary)
      errno = problem
      throw failure(path, "cannot be replaced")
    }
    return true
  }

  /// A failure of the disk in words, from `errno`.
  private static func failure(_ path: String, _ what: String) -> Failure {
    let problem = errno
    let status: ExitStatus = problem == ENOENT || problem == EISDIR ? .notUnderstood : .disk
    return Failure(status, "\(path): \(what): \(String(cString: strerror(problem)))")
  }
}
