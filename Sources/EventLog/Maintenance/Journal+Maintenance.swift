import Core

extension Journal {
  /// Compacts our own file: drops YouTube metadata that a later line of the file replaced, and all but the last 24
  /// runs. Keeps every user action, every first sighting of a video, and every line that is not understood.
  ///
  /// Events more than a day ahead of the clock are neither dropped nor supersede others: other devices do not apply
  /// them yet.
  ///
  /// Returns nil if there is nothing to drop. Throws if the file is damaged or of a newer version, or if the new file
  /// would not give the same state.
  package func compact() throws(LogError) -> RewriteReport? {
    try withWriterLock { () throws(LogError) in
      let own = try ownFileAnew()
      try refuseDamage()
      guard let own else { return nil }
      try moveTornTail(of: own)
      var compaction = Compaction()
      let now = now()
      try own.forEachEvent { if !HybridClock.isAhead($0.id, of: now) { compaction.note($0) } }
      func isSuperseded(_ event: Event) -> Bool {
        !HybridClock.isAhead(event.id, of: now) && compaction.isSuperseded(event)
      }
      var superseded = 0
      try own.forEachEvent { if isSuperseded($0) { superseded += 1 } }
      if superseded == 0 { return nil }
      return try rewrite(own) { line in
        if case .event(let event)? = line?.content { !isSuperseded(event) } else { line != nil }
      }
    }
  }

  /// The broken lines of our own file; empty if it is intact.
  package func damage() throws(LogError) -> [DamagedLine] {
    guard let own = try ownFile() else { return [] }
    return try FileReport(of: own.file).damage
  }

  /// Removes the broken lines from our own file, and gives up what it lost. Keeps the original file among the backups,
  /// with the broken lines in a separate file next to it. Returns nil if nothing is broken.
  package func repair() throws(LogError) -> RewriteReport? {
    try withWriterLock { () throws(LogError) in
      var report: RewriteReport?
      let own = try ownFileAnew()
      let isLost = loss != nil
      if let own {
        if let later = own.later { throw .newerFormat(later.position, version: later.version) }
        try moveTornTail(of: own)
        if !own.brokenLines.isEmpty {
          try quarantine(own)
          report = try rewrite(own) { $0 != nil }
        }
      }
      guard report != nil || isLost else { return nil }
      isStale = true
      try refreshAlone()
      try remember(synced: true)
      return report
    }
  }

  /// Our own file, read from its beginning: a coverage from before the damage does not know of it.
  private func ownFileAnew() throws(LogError) -> LogFile? {
    guard let own = try ownFile() else { return nil }
    let file = try LogFile(own.file, name: own.name, index: own.index)
    try file.readOn { _, _ in }
    files[Int(file.index)] = file
    current[file.name] = file
    return file
  }

  /// Copies the broken lines of our own file to `backups/NAME.damaged-TIME`.
  private func quarantine(_ own: LogFile) throws(LogError) {
    try Directory.make(folders.backups)
    let name = "\(folders.backups)/\(Directory.name(of: own.path)).damaged-\(timeForName)"
    let copy = try File(Directory.unusedPath(name, ""), .create)
    var entries = LogLines(own.file, index: own.index, from: 0, after: 0)
    while entries.end < own.size, let entry = try entries.next() {
      if entry.line == nil { try own.file.copy(from: entries.start, to: entries.end, into: copy) }
    }
    try copy.synchronize()
    try Directory.synchronize(folders.backups)
  }

  /// Writes a new generation with those lines of our own file for which `keeps` returns true. `keeps` is not called for
  /// the file's first line.
  private func rewrite(_ own: LogFile, keeps: (Line?) -> Bool) throws(LogError) -> RewriteReport {
    var rewrite = try Rewrite(of: own, in: folders, device: clock.device, id: nextID())
    var entries = LogLines(own.file, index: own.index, from: 0, after: 0)
    while entries.end < own.size, let entry = try entries.next() {
      if case .start? = entry.line?.content { continue }
      if let bytes = entry.bytes, keeps(entry.line) { try rewrite.keep(bytes) }
    }
    let new = try rewrite.finish()
    guard try isSameState(own, new) else { throw .unreadable(path: new.path) }
    defer { isStale = true }
    return try rewrite.replace(own, at: timeForName)
  }

  /// Whether two files give the same state: the final check before one replaces the other.
  private func isSameState(_ own: LogFile, _ new: File) throws(LogError) -> Bool {
    var failure: LogError?
    func reading(_ body: () throws(LogError) -> Void) {
      do throws(LogError) { try body() } catch { failure = failure ?? error }
    }
    let before = digest { receive in reading { () throws(LogError) in try own.forEachEvent(receive) } }
    let after = digest { receive in
      reading { () throws(LogError) in
        try LogFile(new, name: own.name, index: own.index).readOn { event, _ in receive(event) }
      }
    }
    if let failure { throw failure }
    return before != nil && before == after
  }
}

// MARK: Rewriting

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
