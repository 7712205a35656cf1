import Core
import Glibc

/// A log that arrives in parts and is then merged as a whole: it does not begin as ours does. Kept in the state folder,
/// so that an interrupted transfer goes on where it ended.
package struct StagedLog {
  private let folder: String
  private let device: DeviceID
  private let end: LogEnd

  /// The log of a device that will have this end; nil if that is not an end. Others that were begun for the device are
  /// given up.
  package init?(in folders: Folders, of device: DeviceID, end: LogEnd) throws(LogError) {
    guard end.isPlausible, end.length > 0, end.length <= ExchangeLimits.usual.logBytes else { return nil }
    folder = StagedLog.folder(in: folders)
    (self.device, self.end) = (device, end)
    try Directory.make(folder)
    for name in try Directory.names(in: folder) where name.hasPrefix("\(device).") && folder + "/" + name != path {
      try Directory.remove(folder + "/" + name)
    }
    try cutTornTail()
  }

  // What it is merged as has the device in front.
  private var path: String { "\(folder)/\(device).\(end.length).\(end.checksum)\(StagedLog.ending)" }

  /// What the names of parts end with.
  static let ending = ".part"

  /// How many bytes arrived.
  package var length: UInt64 { get throws(LogError) { try FileStatus.of(path)?.size ?? 0 } }

  /// What arrived.
  package var arrived: LogEnd { get throws(LogError) { try length == 0 ? .start : LogEnd(ofFile: path) } }

  /// Cuts off what a crash left of a line.
  private func cutTornTail() throws(LogError) {
    let (size, newline) = (try length, UInt8(ascii: "\n"))
    guard size > 0 else { return }
    let file = try File(path, .append)
    guard try file.bytes(at: size - 1, count: 1) != [newline] else { return }
    let tail = min(size, UInt64(LogFormat.lineLimit))
    let line = try file.bytes(at: size - tail, count: Int(tail)).lastIndex(of: newline)
    try file.truncate(to: line.map { size - tail + UInt64($0) + 1 } ?? 0)
  }

  /// Gives up what arrived.
  package func drop() throws(LogError) { try Directory.remove(path) }

  /// Appends checked lines. Returns false if they would make it longer than announced.
  package func append(_ lines: [UInt8]) throws(LogError) -> Bool {
    guard try length + UInt64(lines.count) <= end.length else { return false }
    try LogAppender.append(lines, to: path)
    return true
  }

  /// Whether all of it arrived.
  package var isWhole: Bool { get throws(LogError) { try length == end.length } }

  /// Calls `merge` with the path of the whole log and removes it; returns nil, and begins anew with the next part, if it
  /// is not what was announced.
  package func finish(_ merge: (String) throws -> MergeReport) throws -> MergeReport? {
    let report = try LogEnd(ofFile: path) == end ? merge(path) : nil
    try Directory.remove(path)
    return report
  }
}

extension LogEnd {
  /// Whether it can be the end of a log; its checksum may then stand in a file's name.
  package var isPlausible: Bool {
    length == 0 ? checksum.isEmpty : checksum.utf8.count == 32 && checksum.utf8.allSatisfy { HexDigit.value($0) != nil }
  }
}
