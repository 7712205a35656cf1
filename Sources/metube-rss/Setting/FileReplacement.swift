import Glibc

/// Files that take the place of others.
extension File {
  /// Puts a file in place of another, or of none, so that a reader sees the old or the new whole. Unchanged bytes
  /// leave the file untouched; returns whether it was written. A link stays one; a pipe or a device is written to.
  static func replace(_ path: String, with bytes: [UInt8]) throws -> Bool {
    let target = resolved(path)
    var status = stat()
    guard stat(target, &status) == 0 else { return try put(bytes, at: target, mode: 0o644) }
    guard status.st_mode & S_IFMT == S_IFREG else { return try write(bytes, into: target) }
    // The size first: a file of another length need not be read.
    if status.st_size == bytes.count, try read(target, limit: bytes.count) == bytes { return false }
    return try put(bytes, at: target, mode: status.st_mode & 0o777)
  }

  /// What a path leads to, links followed; the path itself where there is nothing yet.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Writes a whole file beside its place and moves it there. Throws before the old one is touched.
  private static func put(_ bytes: [UInt8], at path: String, mode: mode_t) throws -> Bool {
    let temporary = "\(path).\(getpid()).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw unwritable(temporary, "cannot be made") }
    let isWritten = write(bytes, to: descriptor) && fsync(descriptor) == 0
    let problem = errno
    close(descriptor)
    guard isWritten else {
      unlink(temporary)
      errno = problem
      throw unwritable(temporary, "cannot be written; \(path) is as it was")
    }
    guard rename(temporary, path) == 0 else {
      let problem = errno
      unlink(temporary)
      errno = problem
      throw unwritable(path, "cannot be replaced")
    }
    return true
  }

  private static func write(_ bytes: [UInt8], into path: String) throws -> Bool {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unwritable(path, "cannot be opened") }
    defer { close(descriptor) }
    guard write(bytes, to: descriptor) else { throw unwritable(path, "cannot be written") }
    return true
  }

  /// Whether all bytes were taken; `errno` says why not.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { raw in
      var rest = raw[...]
      while let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
        let count = Glibc.write(descriptor, base, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  private static func unwritable(_ path: String, _ what: String) -> Failure {
    Failure(.disk, "\(path): \(what): \(String(cString: strerror(errno)))")
  }
}
