import Glibc

/// An open file: the one place that calls the system for bytes.
///
/// Owns its descriptor; every failure is thrown with the call, the path and errno.
final class File {
  let path: String
  private let descriptor: Int32

  /// How a file is opened.
  enum Mode {
    case read
    /// To append to it, made with 0600 where it is missing.
    case append
    /// A new file with 0600; fails where there is one.
    case create
    /// To overwrite what is there, made with 0600 where it is missing.
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

  /// Opens a regular file; anything else, a link too, throws `notAFile`.
  init(_ path: String, _ mode: Mode) throws(LogError) {
    self.path = path
    // Without O_NONBLOCK a FIFO would wait for its other end.
    descriptor = File.retrying { open(path, mode.flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600) }
    if descriptor < 0 {
      if errno == ELOOP || errno == EISDIR || errno == ENXIO { throw .notAFile(path: path) }
      throw .failed(.open, path: path, errno: errno)
    }
    guard try status().isRegular else { throw .notAFile(path: path) }
  }

  deinit { close(descriptor) }

  /// What the file is now.
  func status() throws(LogError) -> FileStatus {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .failed(.stat, path: path, errno: errno) }
    return FileStatus(status)
  }

  /// Reads up to the buffer's size from a place in the file; fewer bytes only at the file's end.
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

  /// The bytes of a part of the file; fewer where it ends before.
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

  /// Writes all bytes with one call at the file's place (the end, where it was opened to append); a short write throws.
  func write(_ bytes: [UInt8]) throws(LogError) {
    let count = bytes.withUnsafeBytes { buffer in
      // EINTR comes only when nothing was written: the same bytes again.
      File.retrying { Glibc.write(descriptor, buffer.baseAddress, buffer.count) }
    }
    if count < 0 { throw .failed(.write, path: path, errno: errno) }
    if count < bytes.count { throw .shortWrite(path: path, written: count, of: bytes.count) }
  }

  /// Writes a part of this file, a mebibyte at a time, at another's place.
  func copy(from start: UInt64, to end: UInt64, into copy: File) throws(LogError) {
    var offset = start
    while offset < end {
      let bytes = try bytes(at: offset, count: Int(min(end - offset, 1 << 20)))
      if bytes.isEmpty { return }
      try copy.write(bytes)
      offset += UInt64(bytes.count)
    }
  }

  /// Cuts the file.
  func truncate(to size: UInt64) throws(LogError) {
    guard File.retrying({ Int(ftruncate(descriptor, off_t(size))) }) == 0 else {
      throw .failed(.ftruncate, path: path, errno: errno)
    }
  }

  /// Waits until the bytes are on the disk. After a failure nobody knows what is there: it is never tried again.
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

/// This program as the system knows it.
enum Process {
  /// The user whose rights it has.
  static var user: UInt32 { geteuid() }
}

/// What the system says of a file.
struct FileStatus: Equatable {
  var device: UInt64
  var inode: UInt64
  var size: UInt64
  var mode: UInt32
  var owner: UInt32

  fileprivate init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = UInt64(status.st_size)
    mode = status.st_mode
    owner = status.st_uid
  }

  /// What the system says of the file of a path, not following a link; nil where there is none.
  static func of(_ path: String) throws(LogError) -> FileStatus? {
    var status = stat()
    if lstat(path, &status) == 0 { return FileStatus(status) }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw .failed(.stat, path: path, errno: errno)
  }

  /// Whether it is a file of bytes, no directory, FIFO or device.
  var isRegular: Bool { mode & S_IFMT == S_IFREG }
  /// The permissions as of chmod.
  var permissions: UInt32 { mode & 0o7777 }
}

extension LogError {
  /// Whether there was no such file.
  var isMissing: Bool {
    if case .failed(.open, _, ENOENT) = self { true } else { false }
  }
}
