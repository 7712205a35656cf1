import Glibc

/// An open file: the only place that reads and writes bytes through system calls.
///
/// Owns its descriptor; every failure is thrown with the call, the path and errno.
final class File {
  let path: String
  let descriptor: Int32

  /// How a file is opened.
  enum Mode {
    case read
    /// For appending; created with mode 0600 if missing.
    case append
    /// A new file with mode 0600; fails if it exists.
    case create
    /// For overwriting; created if missing.
    case replace

    fileprivate var flags: Int32 {
      switch self {
      case .read: O_RDONLY
      case .append: O_RDWR | O_APPEND | O_CREAT
      case .create: O_RDWR | O_CREAT | O_EXCL
      case .replace: O_RDWR | O_CREAT
      }
    }
  }

  /// Opens a regular file; throws `notAFile` for anything else, including a symbolic link.
  init(_ path: String, _ use: Mode, mode: UInt32 = 0o600) throws(LogError) {
    self.path = path
    // Without O_NONBLOCK, opening a FIFO would block until its other end is opened.
    descriptor = File.retrying { open(path, use.flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode) }
    if descriptor < 0 {
      if errno == ELOOP || errno == EISDIR || errno == ENXIO { throw .notAFile(path: path) }
      throw .failed(.open, path: path, errno: errno)
    }
    guard try status().isRegular else { throw .notAFile(path: path) }
  }

  deinit { close(descriptor) }

  /// The file's current status.
  func status() throws(LogError) -> FileStatus {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .failed(.stat, path: path, errno: errno) }
    return FileStatus(status)
  }

  /// Reads up to the buffer's size at an offset; returns fewer bytes only at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(LogError) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = File.retrying { pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(filled)) }
      if count < 0 { throw .failed(.read, path: path, errno: errno) }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Up to `count` bytes at an offset; fewer if the file ends before.
  func bytes(at offset: UInt64, count: Int) throws(LogError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var failure: LogError?
    let filled = bytes.withUnsafeMutableBytes { buffer -> Int in
      do throws(LogError) {
        return try read(into: buffer, at: offset)
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    bytes.removeLast(count - filled)
    return bytes
  }

  /// Writes all bytes with one call at the file's position (the end, if it was opened for appending); throws on a short
  /// write.
  func write(_ bytes: [UInt8]) throws(LogError) {
    let count = bytes.withUnsafeBytes { buffer in
      // EINTR occurs only if nothing was written, so the same bytes are written again.
      File.retrying { Glibc.write(descriptor, buffer.baseAddress, buffer.count) }
    }
    if count < 0 { throw .failed(.write, path: path, errno: errno) }
    if count < bytes.count { throw .shortWrite(path: path, written: count, of: bytes.count) }
  }

  /// Copies a range of this file to another file's position, a mebibyte at a time.
  func copy(from start: UInt64, to end: UInt64, into copy: File) throws(LogError) {
    var offset = start
    while offset < end {
      let bytes = try bytes(at: offset, count: Int(min(end - offset, 1 << 20)))
      if bytes.isEmpty { return }
      try copy.write(bytes)
      offset += UInt64(bytes.count)
    }
  }

  /// Truncates the file.
  func truncate(to size: UInt64) throws(LogError) {
    guard File.retrying({ Int(ftruncate(descriptor, off_t(size))) }) == 0 else {
      throw .failed(.ftruncate, path: path, errno: errno)
    }
  }

  /// Syncs the bytes to disk. After a failure the content of the disk is unknown, so it is never retried.
  func synchronize() throws(LogError) {
    guard fdatasync(descriptor) == 0 else { throw .failed(.fdatasync, path: path, errno: errno) }
  }

  /// Takes the file's lock (`flock`) if it is free.
  func tryLock() throws(LogError) -> Bool {
    if File.retrying({ Int(flock(descriptor, LOCK_EX | LOCK_NB)) }) == 0 { return true }
    guard errno == EWOULDBLOCK else { throw .failed(.flock, path: path, errno: errno) }
    return false
  }

  private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}

/// This process as the system knows it.
enum Process {
  /// Its effective user ID.
  static var user: UInt32 { geteuid() }
}

/// File status, from stat(2).
struct FileStatus: Equatable {
  var device: UInt64
  var inode: UInt64
  var size: UInt64
  var mode: UInt32
  var owner: UInt32
  /// When its bytes or its status last changed, in milliseconds since 1970.
  var changed: Int64

  fileprivate init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = UInt64(status.st_size)
    mode = status.st_mode
    owner = status.st_uid
    changed = Int64(status.st_ctim.tv_sec) * 1000 + Int64(status.st_ctim.tv_nsec) / 1_000_000
  }

  /// The status of a path, not following a symbolic link; nil if there is no such file.
  static func of(_ path: String) throws(LogError) -> FileStatus? {
    var status = stat()
    if lstat(path, &status) == 0 { return FileStatus(status) }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw .failed(.stat, path: path, errno: errno)
  }

  /// Whether it is a regular file: not a directory, FIFO or device.
  var isRegular: Bool { mode & S_IFMT == S_IFREG }
  /// The permission bits, as for chmod.
  var permissions: UInt32 { mode & 0o7777 }
}

extension LogError {
  /// Whether the file does not exist.
  var isMissing: Bool {
    if case .failed(.open, _, ENOENT) = self { true } else { false }
  }
}

/// A file that replaces another one atomically: written beside it, synced, renamed, and the folder synced. The other
/// stays as it is until `commit`.
package final class Replacement {
  private let path: String
  let file: File
  private var isCommitted = false
  /// What is not written yet.
  private var buffer: [UInt8] = []

  /// Begins the replacement of `path` under a temporary name that no other process uses meanwhile; `mode` as for chmod.
  package init(of path: String, as temporary: String, mode: UInt32) throws(LogError) {
    self.path = path
    file = try File(temporary, .replace, mode: mode)
    try file.truncate(to: 0)
  }

  /// Begins the replacement of a log.
  package convenience init(ofLog path: String) throws(LogError) {
    // Not `.jsonl`: an unfinished file must not be taken for a log.
    try self.init(of: path, as: path + ".new", mode: 0o600)
  }

  /// Appends a line, passed without its newline.
  func append(line: UnsafeRawBufferPointer) throws(LogError) {
    buffer.append(contentsOf: line)
    try append([UInt8(ascii: "\n")])
  }

  /// Appends bytes, written a mebibyte at a time.
  package func append(_ bytes: [UInt8]) throws(LogError) {
    buffer += bytes
    if buffer.count >= 1 << 20 { try flush() }
  }

  /// Writes what was appended.
  func flush() throws(LogError) {
    if !buffer.isEmpty { try file.write(buffer) }
    buffer.removeAll(keepingCapacity: true)
  }

  /// For the code that writes the content.
  package var descriptor: Int32 { file.descriptor }

  /// Puts the file into place.
  package func commit() throws(LogError) {
    try flush()
    try file.synchronize()
    try Directory.rename(file.path, to: path)
    isCommitted = true
  }

  deinit { if !isCommitted { unlink(file.path) } }
}
