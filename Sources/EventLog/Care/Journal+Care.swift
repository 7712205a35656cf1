import Core

extension Journal {
  /// Drops from our own file the values of what YouTube said that a later line of it replaced, and the runs but the
  /// last 24. Every decision of the person stays, every first sight of a video, and every line that is not understood.
  ///
  /// What lies over a day ahead of the clock neither goes nor takes another's place: to other devices it is not there
  /// yet.
  ///
  /// nil where there is nothing to drop. Throws where the file is damaged or of a later version, and where the new one
  /// would not give the same state.
  package func compact() throws(LogError) -> RewriteReport? {
    try withWriterLock { () throws(LogError) in
      guard let own = try ownFileAnew() else { return nil }
      try refuseDamage(of: own)
      try moveTornTail(of: own)
      try own.readOn { _, _ in }
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

  /// The broken lines of our own file; none where it is whole.
  package func damage() throws(LogError) -> [DamagedLine] {
    guard let own = try ownFile() else { return [] }
    return try FileReport(of: own.file).damage
  }

  /// Takes the broken lines out of our own file, and restores what stands whole in them; the file as it was is kept
  /// among the backups, and the broken lines alone beside it. nil where nothing is broken.
  package func repair() throws(LogError) -> RewriteReport? {
    try withWriterLock { () throws(LogError) in
      guard let own = try ownFileAnew() else { return nil }
      if let later = own.later { throw .newerFormat(later.position, version: later.version) }
      try moveTornTail(of: own)
      try own.readOn { _, _ in }
      if own.brokenLines.isEmpty { return nil }
      try quarantine(own)
      return try rewrite(own) { $0 != nil }
    }
  }

  /// Our own file, read from its beginning: a checkpoint made before a damage does not know of it.
  private func ownFileAnew() throws(LogError) -> LogFile? {
    guard let own = try ownFile() else { return nil }
    let file = try LogFile(own.file, index: own.index)
    try file.readOn { _, _ in }
    return file
  }

  /// Keeps the broken lines of our own file by themselves as `backups/NAME.damaged-TIME`.
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

  /// Writes a new generation with the lines of our own file that `keeps`, and those that stand whole in a broken one;
  /// its first line is not asked for.
  private func rewrite(_ own: LogFile, keeps: (Line?) -> Bool) throws(LogError) -> RewriteReport {
    var rewrite = try Rewrite(of: own, in: folders, device: clock.device, id: nextID())
    var entries = LogLines(own.file, index: own.index, from: 0, after: 0)
    var restored: [Event] = []
    while entries.end < own.size, let entry = try entries.next() {
      if case .start? = entry.line?.content { continue }
      guard let bytes = entry.bytes else { continue }
      if entry.line == nil {
        try rewrite.restore(from: bytes) { restored.append($0) }
      } else if keeps(entry.line) {
        try rewrite.keep(bytes)
      }
    }
    let new = try rewrite.finish()
    guard try isSameState(own, and: restored, new) else {
      try Directory.remove(new.path)
      throw .unreadable(path: new.path)
    }
    let report = try rewrite.replace(own, at: timeForName)
    try refresh()
    return report
  }

  /// Whether two files give one state, the first with what was restored of it: the last look before one takes the
  /// other's place.
  private func isSameState(_ own: LogFile, and restored: [Event], _ new: File) throws(LogError) -> Bool {
    var states = (State(), State())
    try own.forEachEvent { states.0.apply($0) }
    for event in restored { states.0.apply(event) }
    try LogFile(new, index: own.index).readOn { event, _ in states.1.apply(event) }
    return states.0 == states.1
  }
}
