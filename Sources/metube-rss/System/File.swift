import Glibc

/// Reads whole files; errors are messages for the user.
enum File {
  /// Whether a path exists. `access`.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The bytes of a file, or of standard input for `-`. Throws if it is larger than `limit` bytes or unreadable.
  static func read(_ path: String, limit: Int) throws -> [UInt8] {
    if path == "-" { try StandardStreams.requireInput() }
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

  /// A failure described by `errno`.
  private static func failure(_ path: String, _ what: String) -> Failure {
    let problem = errno
    let status: ExitStatus = problem == ENOENT || problem == EISDIR ? .notUnderstood : .disk
    return Failure(status, "\(path): \(what): \(String(cString: strerror(problem)))")
  }
}

extension File {
  /// The total size of a folder's regular files, bytes; 0 if the folder does not exist.
  static func sizes(in folder: String) -> Int {
    guard let stream = opendir(folder) else { return 0 }
    defer { closedir(stream) }
    var sum = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      var status = stat()
      if lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG { sum += Int(status.st_size) }
    }
    return sum
  }
}
