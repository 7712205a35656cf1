import Core

/// A condition of the log worth reporting that does not prevent reading.
package enum LogFinding: Equatable, Sendable {
  /// A broken line followed by good ones; the good ones are applied, the broken one is not.
  case damaged(LogPosition)
  /// Further broken lines of a file, counted instead of listed.
  case damagedFurther(path: String, lines: Int)
  /// Bytes after the last good line: an incomplete write, possibly still in progress. Not worth reporting when reading.
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
