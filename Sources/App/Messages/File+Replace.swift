import EventLog
import Glibc
import Platform

/// Atomic replacement of files.
extension File {
  /// Creates or atomically replaces a file, so that a reader sees either the old or the new content. Leaves the file
  /// untouched if the content is equal; returns whether it was written. Follows symbolic links; writes directly to a
  /// device; refuses a named pipe.
  package static func replace(_ path: String, with bytes: [UInt8]) throws -> Bool {
    try replace(path) { output in output.write(bytes) }
  }

  /// As above, with the content streamed by `body`, which keeps only a chunk in memory. If `body` throws, the old file
  /// is unchanged.
  package static func replace(_ path: String, _ body: (inout Output) throws -> Void) throws -> Bool {
    try replace(path, mode: 0o644, body)
  }

  /// Replaces a file; a new one gets the mode.
  package static func replace(
    _ path: String, mode: mode_t, _ body: (inout Output) throws -> Void
  ) throws -> Bool {
    let target = resolved(path) ?? path
    var status = stat()
    guard stat(target, &status) == 0 else { return try put(target, old: nil, mode: mode, body) }
    // Opening a named pipe blocks until it has a reader, while a poll holds its lock.
    guard status.st_mode & S_IFMT != S_IFIFO else {
      throw Failure(.usage, "\(path): a named pipe; write to standard output and redirect it")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return try write(into: target, body) }
    return try put(target, old: Int(status.st_size), mode: status.st_mode & 0o777, body)
  }

  /// Replaces `path` atomically, unless the old file, of `old` bytes, has the same content.
  private static func put(
    _ path: String, old: Int?, mode: mode_t, _ body: (inout Output) throws -> Void
  ) throws -> Bool {
    do {
      let replacement = try Replacement(of: path, as: "\(path).\(getpid()).tmp", mode: mode)
      let problem = try end(Output(to: replacement.descriptor), body)
      guard problem == 0 else { throw unwritable(path, "cannot be written and is unchanged", problem) }
      if let old, holdsTheSame(replacement.descriptor, path, count: old) { return false }
      try replacement.commit()
      return true
    } catch let error as LogError {
      guard case .failed(let call, let path, let problem) = error else { throw UserMessages.failure(error) }
      let parent = folder(of: File.absolute(path))
      if problem == ENOENT, !exists(parent) { throw Failure(.disk, "\(parent): no such folder") }
      throw unwritable(path, call.rawValue, problem)
    }
  }

  private static func write(into path: String, _ body: (inout Output) throws -> Void) throws -> Bool {
    let descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unwritable(path, "cannot be opened", errno) }
    defer { close(descriptor) }
    let problem = try end(Output(to: descriptor), body)
    guard problem == 0 else { throw unwritable(path, "cannot be written", problem) }
    return true
  }

  /// Runs `body`, then ends the output; returns the `errno` of the first failed write, or 0.
  private static func end(_ output: consuming Output, _ body: (inout Output) throws -> Void) throws -> Int32 {
    try body(&output)
    return output.end()
  }

  /// Whether the file at `path`, of `count` bytes, equals an open file; reads both in chunks.
  private static func holdsTheSame(_ descriptor: Int32, _ path: String, count: Int) -> Bool {
    // Compare sizes first: a different size needs no reading.
    guard lseek(descriptor, 0, SEEK_END) == count else { return false }
    let old = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard old >= 0 else { return false }
    defer { close(old) }
    var (left, right) = ([UInt8](repeating: 0, count: 65_536), [UInt8](repeating: 0, count: 65_536))
    var offset = 0
    while offset < count {
      let wanted = min(left.count, count - offset)
      guard pread(descriptor, &left, wanted, offset) == wanted, pread(old, &right, wanted, offset) == wanted,
        left[..<wanted] == right[..<wanted]
      else { return false }
      offset += wanted
    }
    return true
  }

  private static func unwritable(_ path: String, _ what: String, _ problem: Int32) -> Failure {
    Failure(.disk, "\(path): \(what): \(String(cString: strerror(problem)))")
  }
}
