import Core

extension Journal {
  /// Keeps the lines of a received log that no log here has, those of the catalogue included, in a log of their own:
  /// `DEVICE.fork-TIME.jsonl`, of this folder alone. Lines of a hub's catalogue that a restored backup lacks come back
  /// so for the user whose device has them, and no other user sees them. What compaction would drop is not lacking.
  /// Damaged lines here are mended first. `known` are events that are stored elsewhere.
  package func keepLacking(file path: String, besides known: Set<EventID> = []) throws(LogError) -> MergeReport {
    try withWriterLock { () throws(LogError) in
      try Directory.make(folders.log)
      let file = try File(path, .read)
      let offered = try FileReport(of: file)
      var report = MergeReport(path: path, outcome: .notALog, brokenLines: offered.damage.count)
      guard let device = offered.device, offered.lines > 0 else { return report }
      report.outcome = try keepLacking(of: file, device, known)
      try refresh()
      return report
    }
  }

  private func keepLacking(
    of offered: File, _ device: DeviceID, _ known: Set<EventID>
  ) throws(LogError) -> MergeReport.Outcome {
    let now = now()
    var (present, compaction) = (known, Compaction())
    let mended = try collect(device, besides: offered, into: &present, &compaction, at: now)
    let path = try Directory.unusedPath("\(folders.log)/\(device).fork-\(timeForName)", ".jsonl")
    let fork = try Replacement(ofLog: path)
    var (hasStart, count) = (false, 0)
    var entries = LogLines(offered, index: 0, from: 0, after: 0)
    while let entry = try entries.next() {
      guard let bytes = entry.bytes, let content = entry.line?.content, let id = entries.id else { continue }
      if case .start = content {
        if !hasStart { try fork.append(line: bytes) }
        hasStart = true
        continue
      }
      if case .event(let event) = content, !HybridClock.isAhead(id, of: now), compaction.isSuperseded(event) {
        continue
      }
      guard hasStart, present.insert(id).inserted else { continue }
      try fork.append(line: bytes)
      count += 1
    }
    guard count > 0 else { return mended ?? .nothingNew }
    try fork.commit()
    return .forkKept(as: path)
  }

  /// Adds the events of the device's files here to `present` and `compaction`, after mending those files from `offered`.
  /// Returns what was mended last, if anything.
  private func collect(
    _ device: DeviceID, besides offered: File, into present: inout Set<EventID>, _ compaction: inout Compaction,
    at now: UInt64
  ) throws(LogError) -> MergeReport.Outcome? {
    var mended: MergeReport.Outcome?
    for name in try folders.logNames() {
      let path = folders.path(of: name)
      guard try FileReport(of: File(path, .read)).device == device else { continue }
      if path == folders.log + "/" + name, case let lines = try mend(path, from: [offered]), lines > 0 {
        mended = .mended(path, lines: lines)
      }
      var entries = LogLines(try File(path, .read), index: 0, from: 0, after: 0)
      while let entry = try entries.next() {
        guard let content = entry.line?.content, let id = entries.id else { continue }
        if case .start = content { continue }
        present.insert(id)
        if case .event(let event) = content, !HybridClock.isAhead(id, of: now) { compaction.note(event) }
      }
    }
    return mended
  }
}
