import Core

/// What became of one file that was offered for merging.
package struct MergeReport: Equatable, Sendable {
  /// The file that was offered; it is never changed.
  package var path: String
  package var outcome: Outcome
  /// Its lines that are broken, and were left out.
  package var brokenLines: Int

  /// What was done.
  package enum Outcome: Equatable, Sendable {
    /// Nothing of its device was here: it is now.
    case taken(as: String)
    /// It has all that the file here has, and more, and replaced it; that is kept as `backup`.
    case replaced(String, backup: String)
    /// Our own file had lost some of its lines: they were appended to it again.
    case broughtBack(lines: Int, to: String)
    /// All that it says is here.
    case nothingNew
    /// It and the file here each have something that the other lacks: both are kept and count.
    case forkKept(as: String)
    /// No line of it is a line of a log.
    case notALog
    case unreadable(LogError)
  }
}

extension Journal {
  /// Takes in what the logs in a folder say that is not here: of other devices, or of this one before it lost a part.
  /// Half-copied files count as far as they are whole. Merging again changes nothing.
  package func merge(from folder: String) throws(LogError) -> [MergeReport] {
    try withWriterLock { () throws(LogError) in
      try Directory.make(folders.log)
      var reports: [MergeReport] = []
      for name in try Directory.names(in: folder) where name.hasSuffix(".jsonl") {
        reports.append(try merge(folder + "/" + name))
      }
      try refresh()
      return reports
    }
  }

  private func merge(_ path: String) throws(LogError) -> MergeReport {
    let offered: FileReport
    let file: File
    do throws(LogError) {
      file = try File(path, .read)
      offered = try FileReport(of: file)
    } catch {
      return MergeReport(path: path, outcome: .unreadable(error), brokenLines: 0)
    }
    var report = MergeReport(path: path, outcome: .notALog, brokenLines: offered.damage.count)
    if let device = offered.device, offered.lines > 0 { report.outcome = try take(file, of: device) }
    return report
  }

  private func take(_ offered: File, of device: DeviceID) throws(LogError) -> MergeReport.Outcome {
    var isKnown = false
    var beginning: String?
    for path in try paths {
      let here = try File(path, .read)
      guard try FileReport(of: here).device == device else { continue }
      isKnown = true
      switch try CopyRelation(of: offered, to: here, at: now()) {
      case .same, .older: return .nothingNew
      case .newer: beginning = beginning ?? path
      case .forked: break
      }
    }
    if let beginning { return try replace(beginning, by: offered) }
    if isKnown, let outcome = try bringBack(from: offered, of: device) { return outcome }
    let name = isKnown ? "\(device).fork-\(timeForName)" : "\(device)"
    let path = try Directory.unusedPath("\(folders.log)/\(name)", ".jsonl")
    try copyGoodLines(of: offered, to: path)
    return isKnown ? .forkKept(as: path) : .taken(as: path)
  }

  /// Appends to our own file the lines that it lost and another copy of it has; nil where it lost none, or where that
  /// copy went its own way after the last line that both have, or nothing may be appended to our file as it is.
  private func bringBack(from offered: File, of device: DeviceID) throws(LogError) -> MergeReport.Outcome? {
    guard device == self.device, let own = try ownFile(), own.brokenLines.isEmpty, own.later == nil else { return nil }
    let known = try KnownLines(of: own.file, at: now())
    let missing = try MissingLines(of: offered, in: known)
    guard missing.wereLost, !missing.hasLater else { return nil }
    try moveTornTail(of: own)
    var lines: [UInt8] = []
    _ = try MissingLines(of: offered, in: known) { line in
      lines.append(contentsOf: line)
      lines.append(UInt8(ascii: "\n"))
    }
    try append(lines, to: Directory.name(of: own.path))
    return .broughtBack(lines: missing.count, to: own.path)
  }

  private func replace(_ path: String, by offered: File) throws(LogError) -> MergeReport.Outcome {
    try Directory.make(folders.backups)
    let name = "\(folders.backups)/\(Directory.name(of: path)).before-merge-\(timeForName)"
    let backup = try Directory.unusedPath(name, "")
    try Directory.link(path, as: backup)
    try copyGoodLines(of: offered, to: path)
    return .replaced(path, backup: backup)
  }

  /// Writes the good lines of a file to `PATH.new`, syncs, and renames it to `path`.
  private func copyGoodLines(of file: File, to path: String) throws(LogError) {
    let copy = try File(path + ".new", .replace)
    try copy.truncate(to: 0)
    var lines = GoodLines(file)
    var buffer: [UInt8] = []
    while let line = try lines.next() {
      buffer.append(contentsOf: line)
      buffer.append(UInt8(ascii: "\n"))
      guard buffer.count >= 1 << 20 else { continue }
      try copy.write(buffer)
      buffer.removeAll(keepingCapacity: true)
    }
    try copy.write(buffer)
    try copy.synchronize()
    try Directory.rename(copy.path, to: path)
  }
}
