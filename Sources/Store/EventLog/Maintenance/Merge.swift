import Core

/// The result of merging one file.
package struct MergeReport: Equatable, Sendable {
  /// The file that was merged; it is never changed.
  package var path: String
  package var outcome: Outcome
  /// Number of broken lines in it, which were skipped.
  package var brokenLines: Int

  /// What the merge did with the file.
  package enum Outcome: Equatable, Sendable {
    /// There was no file of this device here; now there is.
    case taken(as: String)
    /// It has everything our copy has, and more, and replaced it; the old copy is kept as `backup`.
    case replaced(String, backup: String)
    /// Everything in it is already here.
    case nothingNew
    /// Our copy was damaged; so many of its broken lines were replaced.
    case mended(String, lines: Int)
    /// It and our copy each have something the other lacks: both are kept and both count.
    case forkKept(as: String)
    /// None of its lines is a log line.
    case notALog
    case unreadable(LogError)
  }
}

extension Journal {
  /// Merges the logs in a folder: events of other devices, or of this one before it lost some. Of partially copied
  /// files, the intact part counts. Merging again changes nothing.
  package func merge(from folder: String) throws(LogError) -> [MergeReport] {
    try withWriterLock { () throws(LogError) in
      try Directory.make(folders.log)
      var reports: [MergeReport] = []
      for name in try Directory.names(in: folder) where name.hasSuffix(".jsonl") {
        reports.append(try merge(folder + "/" + name, keeping: "before-merge"))
      }
      try refresh()
      return reports
    }
  }

  /// Merges one log that was received; its name, or its first line, states its device. Of earlier copies that such
  /// merges replaced only the last ones stay: a sender of logs must not fill the disk. With `onlyMending` it gives its
  /// lines for broken ones, and nothing else.
  package func merge(file path: String, onlyMending: Bool = false) throws(LogError) -> MergeReport {
    try withWriterLock { () throws(LogError) in
      try Directory.make(folders.log)
      let report = try merge(path, keeping: Journal.receivedSuffix, onlyMending: onlyMending)
      if case .replaced(let log, _) = report.outcome { try dropOlderCopies(of: log) }
      try refresh()
      return report
    }
  }

  private static let receivedSuffix = "before-sync"
  private static let maxCopies = 2

  private func dropOlderCopies(of log: String) throws(LogError) {
    let beginning = "\(Directory.name(of: log)).\(Journal.receivedSuffix)-"
    let copies = try Directory.names(in: folders.backups).filter { $0.hasPrefix(beginning) }
    for name in copies.dropLast(Journal.maxCopies) { try Directory.remove(folders.backups + "/" + name) }
  }

  private func merge(
    _ path: String, keeping suffix: String, onlyMending: Bool = false
  ) throws(LogError) -> MergeReport {
    let offered: FileReport
    let file: File
    do throws(LogError) {
      file = try File(path, .read)
      offered = try FileReport(of: file)
    } catch {
      return MergeReport(path: path, outcome: .unreadable(error), brokenLines: 0)
    }
    var report = MergeReport(path: path, outcome: .notALog, brokenLines: offered.damage.count)
    if let device = offered.device, offered.lines > 0 {
      report.outcome = try take(file, of: device, suffix, onlyMending: onlyMending)
    }
    return report
  }

  private func take(
    _ offered: File, of device: DeviceID, _ suffix: String, onlyMending: Bool
  ) throws(LogError) -> MergeReport.Outcome {
    var isKnown = false
    var beginning: String?
    var mended: MergeReport.Outcome?
    // Never a log of the catalogue.
    for name in try Directory.names(in: folders.log) where name.hasSuffix(".jsonl") {
      let path = folders.log + "/" + name
      var here = try File(path, .read)
      let known = try FileReport(of: here)
      guard known.device == device else { continue }
      isKnown = true
      if !known.damage.isEmpty, case let lines = try mend(path, from: [offered]), lines > 0 {
        mended = .mended(path, lines: lines)
        here = try File(path, .read)
      }
      if onlyMending { continue }
      switch try FileAncestry(of: offered, to: here, at: now()) {
      case .same, .older: return mended ?? .nothingNew
      case .newer: beginning = beginning ?? path
      case .forked: break
      }
    }
    if onlyMending { return mended ?? .nothingNew }
    if let beginning { return try replace(beginning, by: offered, keeping: suffix) }
    let name = isKnown ? "\(device).fork-\(timeForName)" : "\(device)"
    let path = try Directory.unusedPath("\(folders.log)/\(name)", ".jsonl")
    try copyGoodLines(of: offered, to: path)
    return isKnown ? .forkKept(as: path) : .taken(as: path)
  }

  private func replace(
    _ path: String, by offered: File, keeping suffix: String
  ) throws(LogError) -> MergeReport.Outcome {
    let backup = try backUp(path, as: suffix)
    try copyGoodLines(of: offered, to: path)
    return .replaced(path, backup: backup)
  }

  /// Replaces `path` by the good lines of a file.
  func copyGoodLines(of file: File, to path: String) throws(LogError) {
    let copy = try Replacement(ofLog: path)
    var lines = GoodLines(file)
    while let line = try lines.next() { try copy.append(line: line) }
    try copy.commit()
  }
}
