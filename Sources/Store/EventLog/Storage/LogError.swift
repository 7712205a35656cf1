import Core

/// Why the log could not be read or written.
///
/// Every case is evidence; the wording is made next to the user.
package enum LogError: Error, Equatable, Sendable {
  /// A system call failed.
  case failed(SystemCall, path: String, errno: Int32)
  /// The disk accepted only part of a batch; that part was truncated again.
  case shortWrite(path: String, written: Int, of: Int)
  /// A path that should be one of our files is a directory, a FIFO, a symbolic link or the like.
  case notAFile(path: String)
  /// A line in the middle of our own file is broken: nothing is appended until it is repaired.
  case damaged(LogPosition)
  /// Our own file lacks events that this device wrote, the last of them `latest`: nothing is appended until they are
  /// restored or given up.
  case lost(path: String, latest: EventID)
  /// Our own file has a line of a newer version: this version appends nothing.
  case newerFormat(LogPosition, version: Int)
  /// Another process held a lock for longer than the timeout.
  case locked(path: String, holder: LockHolder?)
  /// An event cannot be written as it is.
  case refused(kind: String, LineError)
  /// An earlier sync failed, so the content of the disk is unknown; the next start reads it again.
  case suspect(path: String)
  /// A file in the state folder is broken.
  case unreadable(path: String)
}

/// The system calls whose failures are reported.
package enum SystemCall: String, Sendable {
  case open, read, write, fdatasync, fsync, ftruncate, rename, mkdir, stat, readdir, flock, unlink, link
}

/// The position of a line in a log file.
package struct LogPosition: Equatable, Sendable {
  package var path: String
  /// Line number, from 1.
  package var line: Int
  /// Byte offset of the line.
  package var byte: UInt64

  package init(path: String, line: Int, byte: UInt64) { (self.path, self.line, self.byte) = (path, line, byte) }
}

/// The holder of a lock, as recorded in the lock file.
package struct LockHolder: Equatable, Sendable {
  package var process: Int32
  /// `metube-rss poll`.
  package var command: String
}

/// A condition of the log worth reporting that does not prevent reading.
package enum LogFinding: Equatable, Sendable {
  /// A broken line followed by good ones; the good ones are applied, the broken one is not.
  case damaged(LogPosition)
  /// Further broken lines of a file, counted instead of listed.
  case damagedFurther(path: String, lines: Int)
  /// Our own file lacks events that this device wrote, the last of them `latest`.
  case lost(path: String, latest: EventID)
  /// Another device's file that was there when this device last wrote is gone.
  case missing(path: String)
  /// Another device's file has no bytes.
  case empty(path: String)
  /// Bytes after the last good line: an incomplete write.
  case unfinished(LogPosition, bytes: UInt64)
  /// The torn tail of our own file was moved to the file `to`.
  case tornTailMoved(LogPosition, to: String, bytes: UInt64)
  /// The first line of a newer version; it and the following lines are applied as far as they are understood.
  case newerFormat(LogPosition, version: Int)
  /// Other devices' events more than a day ahead of the clock: kept, and applied once they are due.
  case ahead(count: Int, earliest: EventID)
  /// This device wrote an event more than a day later than its clock shows now.
  case clockSetBack(latest: EventID)
  /// Another device's file cannot be read.
  case unreadable(LogError)
  /// Users other than the owner may read the file; `mode` as for chmod.
  case readableByOthers(path: String, mode: UInt32)
  /// The file belongs to another user.
  case ownedByAnother(path: String, user: UInt32)
  /// Several files of one device: copies or a fork, which `Journal.verify` tells apart. All of them count.
  case copies(DeviceID, paths: [String])
  /// This device starts its own log next to others: it is new, or its state folder was lost.
  case newDevice(path: String)
  /// The file with this device's ID is damaged, so this machine takes a new ID.
  case deviceDamaged(path: String)
  /// The state folder came from another machine, so this machine takes its own ID.
  case otherMachine(DeviceID)
}
