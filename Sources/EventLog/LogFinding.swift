import Core

/// Something about the log that a person should be told, and that stops no reading.
package enum LogFinding: Equatable, Sendable {
  /// A broken line with good ones after it; these are folded, it is not.
  case damaged(LogPosition)
  /// Further broken lines of a file, which are not listed one by one.
  case damagedFurther(path: String, lines: Int)
  /// Bytes after the last good line: an unfinished write, perhaps one that is going on. Not worth a word when reading.
  case unfinished(LogPosition, bytes: UInt64)
  /// The unfinished end of our own file was moved to the file `to`.
  case tornTailMoved(LogPosition, to: String, bytes: UInt64)
  /// The first line of a later version; what is understood of it and the following ones is folded.
  case newerFormat(LogPosition, version: Int)
  /// Other devices' events over a day ahead of the clock: kept, and folded when they are due.
  case ahead(count: Int, earliest: EventID)
  /// This device wrote an event over a day after what its clock says now.
  case clockSetBack(latest: EventID)
  /// Another device's file cannot be read.
  case unreadable(LogError)
  /// Others than the owner may read the file; `mode` as of chmod.
  case readableByOthers(path: String, mode: UInt32)
  /// The file belongs to another user.
  case ownedByAnother(path: String, user: UInt32)
  /// Several files of one device: copies, or a fork, which `Journal.verify` tells apart. All of them count.
  case copies(DeviceID, paths: [String])
  /// This device begins a log of its own beside others: it is new, or its state folder was lost.
  case newDevice(path: String)
  /// The file with this device's id is damaged, so this machine takes another one.
  case deviceDamaged(path: String)
  /// The state folder came from another machine, so this one takes an id of its own.
  case otherMachine(DeviceID)
}
