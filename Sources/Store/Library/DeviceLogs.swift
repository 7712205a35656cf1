import Core
import EventLog

/// Logs whose lines can be read from any offset on.
package protocol ReadableLogs {
  /// The end of each log.
  func marks() throws -> [LogMark]
  /// Whether a log has this end, at its own or before.
  func hasEnd(_ end: LogEnd, in log: String) throws -> Bool
  /// Whole lines of a log from an offset on, as many as fit in `maximum` bytes, but at least one; nil without this log.
  func lines(of log: String, from offset: UInt64, maximum: Int) throws -> [UInt8]?
  /// How many events of a log `marks` and `lines` leave out because they are more than a day ahead of the clock.
  func futureEvents(of log: String) throws -> Int
}

extension Journal: ReadableLogs {}

/// The logs of a user's devices, as a hub exchanges them with these.
package protocol DeviceLogs: ReadableLogs {
  /// The bytes that are kept of all logs, with the copies that merges replaced.
  var storedBytes: UInt64 { get throws }
  /// The bytes of logs that arrived in part.
  var stagedBytes: UInt64 { get throws }
  /// Appends checked lines of a device to its log, if the log has this end; it is made if absent. Returns whether they
  /// were appended, or are there already.
  func extend(_ log: String, of device: DeviceID, at end: LogEnd, with lines: [UInt8]) throws -> Bool
  /// Takes checked lines as the next part of a whole log of a device, and merges it once all is there.
  func stage(
    _ lines: [UInt8], at offset: UInt64, of device: DeviceID, whole end: LogEnd, taking: LinesTaken
  ) throws -> StagedPart
  /// Forgets the parts of logs that were not continued for a day.
  func removeAbandoned() throws
}

extension DeviceLogs {
  /// Stages lines of a log, with everything that is new in them.
  package func stage(
    _ lines: [UInt8], at offset: UInt64, of device: DeviceID, whole end: LogEnd
  ) throws -> StagedPart { try stage(lines, at: offset, of: device, whole: end, taking: .all) }
}

/// What is taken of a whole log that a device sends.
package enum LinesTaken: Sendable {
  /// All of it is merged; see `Journal.merge`.
  case all
  /// Lines for damaged ones, and nothing else.
  case mending
  /// What no log of the user or the catalogue has, beside these; see `Journal.keepLacking`.
  case lacking
}

/// What became of a part of a log.
package enum StagedPart {
  /// The log goes on after this many bytes; `isTaken` is whether the part was the next one.
  case waiting(UInt64, isTaken: Bool)
  case merged(MergeReport)
  /// All parts are there but are not what was announced. They are forgotten.
  case different
  /// What was announced is no log's end.
  case implausible
}

/// The logs in a user's folders.
package struct FileDeviceLogs: DeviceLogs {
  private let library: FileLibrary
  private let folders: Folders
  private let now: () -> UInt64

  package init(_ library: FileLibrary, in folders: Folders, clock now: @escaping () -> UInt64) {
    (self.library, self.folders, self.now) = (library, folders, now)
  }

  package func marks() throws -> [LogMark] {
    let marks = try library.journal.marks()
    guard library.journal.isStale else { return marks }
    // Bytes that were read already have changed.
    try library.refresh()
    return try library.journal.marks()
  }

  package func hasEnd(_ end: LogEnd, in log: String) throws -> Bool { try library.journal.hasEnd(end, in: log) }

  package func lines(of log: String, from offset: UInt64, maximum: Int) throws -> [UInt8]? {
    try library.journal.lines(of: log, from: offset, maximum: maximum)
  }

  package func futureEvents(of log: String) throws -> Int { try library.journal.futureEvents(of: log) }

  package var storedBytes: UInt64 { get throws { try folders.storedBytes } }
  package var stagedBytes: UInt64 { get throws { try folders.stagedBytes } }

  package func extend(_ log: String, of device: DeviceID, at end: LogEnd, with lines: [UInt8]) throws -> Bool {
    try library.extend(log, at: end, with: lines)
  }

  package func stage(
    _ lines: [UInt8], at offset: UInt64, of device: DeviceID, whole end: LogEnd, taking: LinesTaken
  ) throws -> StagedPart {
    let lock = try FileLock("\(folders.state)/incoming.lock", waiting: 10_000)
    defer { withExtendedLifetime(lock) {} }
    guard let staged = try StagedLog(in: folders, of: device, end: end) else { return .implausible }
    guard try staged.length == offset, try staged.append(lines) else {
      return .waiting(try staged.length, isTaken: false)
    }
    guard try staged.isWhole else { return .waiting(try staged.length, isTaken: true) }
    return try staged.finish { try library.merge(file: $0, taking: taking) }.map { .merged($0) } ?? .different
  }

  package func removeAbandoned() throws { try StagedLog.removeAbandoned(in: folders, at: now()) }
}
