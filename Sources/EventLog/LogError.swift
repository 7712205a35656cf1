import Core

/// Why the log could not be read or written; every case is evidence, the words are made next to the user.
package enum LogError: Error, Equatable, Sendable {
  /// A system call failed.
  case failed(SystemCall, path: String, errno: Int32)
  /// The disk took only a part of a batch; what it took was cut off again.
  case shortWrite(path: String, written: Int, of: Int)
  /// What should be a file of ours is a directory, a FIFO, a link or the like.
  case notAFile(path: String)
  /// A line in the middle of our own file is broken: nothing is appended until it is repaired.
  case damaged(LogPosition)
  /// Our own file has a line of a later version: nothing is appended by this one.
  case newerFormat(LogPosition, version: Int)
  /// Someone else held a lock for longer than one waits.
  case locked(path: String, holder: LockHolder?)
  /// An event may not be written as it is.
  case refused(kind: String, LineRefusal)
  /// A sync failed before, so that nobody knows what the disk holds; the next start reads it again.
  case suspect(path: String)
  /// A file of the state folder is broken.
  case unreadable(path: String)
}

/// The system calls whose failures are told.
package enum SystemCall: String, Sendable {
  case open, read, write, fdatasync, fsync, ftruncate, rename, mkdir, stat, readdir, flock, unlink, link
}

/// A line of a log file.
package struct LogPosition: Equatable, Sendable {
  package var path: String
  /// The number of the line, from 1.
  package var line: Int
  /// How many bytes stand before it.
  package var byte: UInt64

  package init(path: String, line: Int, byte: UInt64) {
    self.path = path
    self.line = line
    self.byte = byte
  }
}

/// Who holds a lock, as it wrote itself into the lock's file.
package struct LockHolder: Equatable, Sendable {
  package var process: Int32
  /// `metube-rss poll`.
  package var command: String

  package init(process: Int32, command: String) {
    self.process = process
    self.command = command
  }
}
