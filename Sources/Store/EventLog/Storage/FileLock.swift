import Glibc

/// A lock held by one process at a time: `flock` on its own file, which is never renamed or deleted.
///
/// The holder writes its process ID and command into the file, so that a waiting process can name it. The system
/// releases the lock when the holder ends, however it ends.
package final class FileLock {
  private let file: File

  /// Takes the lock, waiting up to `milliseconds` for it; then throws `locked` with its holder.
  package init(_ path: String, waiting milliseconds: Int) throws(LogError) {
    try Directory.make(Directory.parent(of: path))
    file = try File(path, .replace)
    let deadline = MonotonicClock.milliseconds &+ milliseconds
    var pause: UInt32 = 500
    while try !file.tryLock() {
      guard MonotonicClock.milliseconds < deadline else { throw .locked(path: path, holder: FileLock.holder(in: file)) }
      usleep(pause)
      pause = min(pause * 2, 16_000)
    }
    // Only informs others: a full disk must not keep the lock from being taken.
    try? file.truncate(to: 0)
    try? file.write(Array("\(getpid()) \(FileLock.command)\n".utf8))
  }

  /// The program and its first argument: `metube-rss poll`.
  private static var command: String {
    let arguments = CommandLine.arguments.prefix(2).map(Directory.name(of:))
    return arguments.joined(separator: " ")
  }

  /// The holder of the lock; nil if it cannot be determined. A holder takes the lock before it records itself, so for a
  /// moment the file is empty or names a process that has ended.
  private static func holder(in file: File) -> LockHolder? {
    for _ in 0..<100 {
      if let holder = LockHolder(in: file), kill(holder.process, 0) == 0 || errno == EPERM { return holder }
      usleep(1000)
    }
    return nil
  }
}

extension LockHolder {
  /// The holder that a lock file names: `4711 metube-rss poll`.
  fileprivate init?(in file: File) {
    // If the file cannot be read, the lock is reported as held without naming the holder.
    guard let bytes = try? file.bytes(at: 0, count: 200) else { return nil }
    let parts = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self).split(
      separator: " ", maxSplits: 1)
    guard parts.count == 2, let process = Int32(parts[0]), process > 0 else { return nil }
    self.init(process: process, command: String(parts[1]))
  }
}

/// Monotonic time, independent of the wall clock.
package enum MonotonicClock {
  /// Milliseconds since some moment. `clock_gettime`.
  package static var milliseconds: Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
  }
}
