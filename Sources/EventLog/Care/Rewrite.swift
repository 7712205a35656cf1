import Core

/// What became of our own file when it was written anew.
package struct RewriteReport: Equatable, Sendable {
  /// The generation that begins with it.
  package var generation: Int
  /// Bytes before and after.
  package var before: UInt64
  package var after: UInt64
  /// Lines that are no longer in it.
  package var droppedLines: Int
  /// Lines that were broken by what stood around them, and are whole now.
  package var restoredLines: Int
  /// The file as it was.
  package var backup: String
}

/// A new generation of our own file: written beside it, synced, and renamed into its place once the old one has a
/// second name among the backups. Killed at any moment, one of the two is there, whole.
struct Rewrite {
  private let path: String
  private let folders: Folders
  private let file: File
  private var buffer: [UInt8] = []
  private var kept = 0
  private var restored = 0
  let generation: Int

  /// Begins the generation after `own`'s with its first line.
  init(of own: LogFile, in folders: Folders, device: DeviceID, id: EventID) throws(LogError) {
    self.folders = folders
    path = own.path
    generation = (own.start?.generation ?? 1) + 1
    // Not `.jsonl`: what is unfinished must not be taken for a log.
    file = try File(path + ".new", .replace)
    try file.truncate(to: 0)
    var writer = LineWriter()
    writer.write(LogStart(device: device, generation: generation), id: id)
    buffer = writer.bytes
  }

  /// Appends a line, given without its newline, as it is.
  mutating func keep(_ line: UnsafeRawBufferPointer) throws(LogError) {
    buffer.append(contentsOf: line)
    buffer.append(UInt8(ascii: "\n"))
    kept += 1
    if buffer.count >= 1 << 20 { try flush() }
  }

  /// Appends the whole lines that stand in the bytes of a broken one, and gives what they say to `body`; the first of a
  /// file is not asked for.
  mutating func restore(from broken: UnsafeRawBufferPointer, _ body: (Event) -> Void) throws(LogError) {
    var reader = LineReader()
    var isRestored = false
    WholeLines.forEach(in: broken) { bytes in
      guard let line = reader.read(bytes, at: LogPlace(file: 0, length: 0, offset: 0)) else { return }
      isRestored = true
      restored += 1
      switch line.content {
      case .start: return
      case .event(let event): body(event)
      case .unknown: break
      }
      buffer.append(contentsOf: bytes)
      buffer.append(UInt8(ascii: "\n"))
    }
    if isRestored { kept += 1 }
    if buffer.count >= 1 << 20 { try flush() }
  }

  private mutating func flush() throws(LogError) {
    try file.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes what is left and waits until it is on the disk; returns the new file, still under its other name.
  mutating func finish() throws(LogError) -> File {
    try flush()
    try file.synchronize()
    return file
  }

  /// Puts the new file in the place of the old one, which is kept as `backups/NAME.generation-N-TIME`.
  func replace(_ own: LogFile, at time: String) throws(LogError) -> RewriteReport {
    try Directory.make(folders.backups)
    let name = "\(Directory.name(of: path)).generation-\(generation - 1)-\(time)"
    let backup = try Directory.unusedPath(folders.backups + "/" + name, "")
    try Directory.link(path, as: backup)
    try Directory.rename(file.path, to: path)
    // The first line was there before, under the lower generation.
    let starts = own.start == nil ? 0 : 1
    return RewriteReport(
      generation: generation, before: own.size, after: try file.status().size,
      droppedLines: own.lines + own.brokenEnd.count - starts - kept, restoredLines: restored, backup: backup)
  }
}
