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

  /// The broken lines of the folder's files; empty if all are intact.
  package func damage() throws(LogError) -> [DamagedLine] {
    var damage: [DamagedLine] = []
    for name in try Directory.names(in: folders.log) where name.hasSuffix(".jsonl") {
      damage += try FileReport(of: File(folders.log + "/" + name, .read)).damage
    }
    return damage
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

  /// Copies the broken lines of a file to `backups/NAME.damaged-TIME`.
  func quarantine(_ own: LogFile) throws(LogError) {
    let copy = try File(backupPath(of: own.path, as: "damaged"), .create)
    var entries = LogLines(own.file, index: own.index, from: 0, after: 0)
    while entries.end < own.size, let entry = try entries.next() {
      if entry.line == nil { try own.file.copy(from: entries.start, to: entries.end, into: copy) }
    }
    try copy.synchronize()
    try Directory.synchronize(folders.backups)
  }

  /// Writes a new generation with those lines of our own file for which `keeps` returns true. `keeps` is not called for
  /// the file's first line.
  ///
  /// It is written next to the old one, synced, and renamed into place after giving the old one a second name among the
  /// backups. If the process is killed at any point, one of the two is in place, intact.
  private func rewrite(_ own: LogFile, keeps: (Line?) -> Bool) throws(LogError) -> RewriteReport {
    let generation = (own.start?.generation ?? 1) + 1
    let new = try Replacement(ofLog: own.path)
    var first = LineWriter()
    first.write(LogStart(device: clock.device, generation: generation), id: nextID())
    try new.append(first.bytes)
    var kept = 0
    var entries = LogLines(own.file, index: own.index, from: 0, after: 0)
    while entries.end < own.size, let entry = try entries.next() {
      if case .start? = entry.line?.content { continue }
      guard let bytes = entry.bytes, keeps(entry.line) else { continue }
      try new.append(line: bytes)
      kept += 1
    }
    try new.flush()
    guard try isSameState(own, new.file) else { throw .unreadable(path: new.file.path) }
    defer { isStale = true }
    let backup = try backUp(own.path, as: "generation-\(generation - 1)")
    try new.commit()
    // The old file had a first line too, with the lower generation.
    let starts = own.start == nil ? 0 : 1
    return RewriteReport(
      generation: generation, before: own.size, after: try new.file.status().size,
      droppedLines: own.lines + own.brokenEnd.count - starts - kept, backup: backup)
  }

  /// Gives a log a second name among the backups, `NAME.SUFFIX-TIME`; returns its path.
  func backUp(_ path: String, as suffix: String) throws(LogError) -> String {
    let backup = try backupPath(of: path, as: suffix)
    try Directory.link(path, as: backup)
    return backup
  }

  private func backupPath(of path: String, as suffix: String) throws(LogError) -> String {
    try Directory.make(folders.backups)
    return try Directory.unusedPath("\(folders.backups)/\(Directory.name(of: path)).\(suffix)-\(timeForName)", "")
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
