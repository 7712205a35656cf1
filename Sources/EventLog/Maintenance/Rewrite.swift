import Core

/// The result of rewriting our own file.
package struct RewriteReport: Equatable, Sendable {
  /// The generation of the new file.
  package var generation: Int
  /// File size in bytes, before and after.
  package var before: UInt64
  package var after: UInt64
  /// Number of lines removed.
  package var droppedLines: Int
  /// The path of the original file.
  package var backup: String
}

/// Writes a new generation of our own file next to the old one, syncs it, and renames it into place after giving the
/// old one a second name among the backups. If the process is killed at any point, one of the two is in place, intact.
struct Rewrite {
  private let path: String
  private let folders: Folders
  private let replacement: Replacement
  private var buffer: [UInt8] = []
  private var kept = 0
  let generation: Int

  /// Starts the generation after that of `own` with its first line.
  init(of own: LogFile, in folders: Folders, device: DeviceID, id: EventID) throws(LogError) {
    self.folders = folders
    path = own.path
    generation = (own.start?.generation ?? 1) + 1
    // Not `.jsonl`: an unfinished file must not be taken for a log.
    replacement = try Replacement(of: path, as: path + ".new", mode: 0o600)
    var writer = LineWriter()
    writer.write(LogStart(device: device, generation: generation), id: id)
    buffer = writer.bytes
  }

  /// Appends a line, passed without its newline, unchanged.
  mutating func keep(_ line: UnsafeRawBufferPointer) throws(LogError) {
    buffer.append(contentsOf: line)
    buffer.append(UInt8(ascii: "\n"))
    kept += 1
    if buffer.count >= 1 << 20 { try flush() }
  }

  private mutating func flush() throws(LogError) {
    try replacement.file.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes the rest of the buffer; returns the new file, still under its temporary name.
  mutating func finish() throws(LogError) -> File {
    try flush()
    return replacement.file
  }

  /// Replaces the old file with the new one, and keeps the old one as `backups/NAME.generation-N-TIME`.
  func replace(_ own: LogFile, at time: String) throws(LogError) -> RewriteReport {
    try Directory.make(folders.backups)
    let name = "\(Directory.name(of: path)).generation-\(generation - 1)-\(time)"
    let backup = try Directory.unusedPath(folders.backups + "/" + name, "")
    try Directory.link(path, as: backup)
    try replacement.commit()
    // The old file had a first line too, with the lower generation.
    let starts = own.start == nil ? 0 : 1
    return RewriteReport(
      generation: generation, before: own.size, after: try replacement.file.status().size,
      droppedLines: own.lines + own.brokenEnd.count - starts - kept, backup: backup)
  }
}
