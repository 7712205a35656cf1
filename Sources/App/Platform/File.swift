import EventLog
import Glibc

/// Reads and writes whole files; errors are messages for the user.
package enum File {
  /// Whether a path exists. `access`.
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether it is a folder, or a link to one.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The descriptor of a file opened for reading, or of standard input for `-`; the caller closes it.
  package static func open(_ path: String) throws -> Int32 {
    if path == "-" { try StandardStreams.requireInput() }
    let descriptor = path == "-" ? dup(STDIN_FILENO) : Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, "cannot be opened") }
    return descriptor
  }

  /// The bytes of a file, or of standard input for `-`. Throws if it is larger than `limit` bytes or unreadable.
  package static func read(_ path: String, limit: Int) throws -> [UInt8] {
    let descriptor = try open(path)
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    try forEachChunk(of: descriptor, path, limit: limit) { bytes += $0 }
    return bytes
  }

  /// Calls `body` with each chunk of an open file. Throws if it is larger than `limit` bytes or unreadable.
  package static func forEachChunk(
    of descriptor: Int32, _ path: String, limit: Int, _ body: ([UInt8]) throws -> Void
  ) throws {
    let room = 65_536
    var sum = 0
    while true {
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
      if chunk.isEmpty { return }
      sum += chunk.count
      if sum > limit { throw Failure(PlatformError.tooLarge(path: path, limit: limit)) }
      try body(chunk)
    }
  }

  /// Writes all bytes to an open file; returns the `errno` of a failed write, or 0.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
      let written = Glibc.write(descriptor, base, rest.count)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return errno }
      rest = rest.dropFirst(written)
    }
    return 0
  }

  /// A failure described by `errno`.
  package static func failure(_ path: String, _ what: String) -> Failure {
    Failure(PlatformError.call(path: path, what: what, errno: errno))
  }
}

extension File {
  /// Creates a folder and its parents. Ignores errors: the first write to the folder reports them. `mkdir`.
  package static func makeFolders(_ path: String) {
    var folder = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      folder += "/\(part)"
      mkdir(folder, 0o755)
    }
  }

  /// The absolute path; resolves symbolic links if the path exists. `getcwd`.
  package static func absolute(_ path: String) -> String {
    if let real = resolved(path) { return real }
    guard !path.hasPrefix("/"), let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    return "\(String(cString: current))/\(path)"
  }

  /// The folder part of an absolute path.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// The names in a folder, sorted; none if it does not exist or cannot be read.
  package static func names(in folder: String) -> [String] { (try? Directory.names(in: folder)) ?? [] }

  /// The total size of a folder's regular files, bytes; 0 if the folder does not exist.
  package static func sizes(in folder: String) -> Int {
    names(in: folder).reduce(0) { sum, name in
      var status = stat()
      guard lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return sum }
      return sum + Int(status.st_size)
    }
  }

  /// The absolute path with symbolic links resolved; nil if it does not exist. `realpath`.
  package static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
