import Core

/// A damaged log, and what replaces its broken lines.
///
/// A device writes lines with ascending IDs, so between two whole lines only those belong whose IDs are between theirs.
/// They are put there only if they are, together, exactly as long as what is broken: then the file is again, byte by
/// byte, what its device wrote.
struct Mending {
  private let file: File
  private var gaps: [Gap] = []

  /// Broken bytes between whole lines.
  private struct Gap {
    var bytes: Range<UInt64>
    /// The number of broken lines.
    var lines: Int
    /// The IDs of the whole lines before and after; nil at the file's ends, and after its first line, whose ID is
    /// that of the last compaction.
    var after: EventID?
    var before: EventID?
    /// Lines of copies, with their newlines.
    var found: [EventID: [UInt8]] = [:]
    /// The first line of the log.
    var start: [UInt8]?
    var length = 0

    /// Adds a line unless it is known, or there is enough.
    mutating func add(_ line: UnsafeRawBufferPointer, _ id: EventID) {
      guard found[id] == nil, length <= bytes.count, before != nil || length < bytes.count else { return }
      found[id] = Array(line) + [UInt8(ascii: "\n")]
      length += line.count + 1
    }

    /// The lines that belong here; nil unless they fit.
    var filling: [[UInt8]]? {
      guard !bytes.isEmpty, length + (start?.count ?? 0) == bytes.count else { return nil }
      return (start.map { [$0] } ?? []) + found.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// Finds the broken lines of a file.
  init(_ file: File) throws(LogError) {
    self.file = file
    var entries = LogLines(file, index: 0, from: 0, after: 0)
    var (end, broken): (UInt64, Int) = (0, 0)
    var last: EventID?
    while let entry = try entries.next() {
      guard let line = entry.line else {
        broken += 1
        continue
      }
      let id = entries.id
      if broken > 0 { gaps.append(Gap(bytes: end..<entries.start, lines: broken, after: last, before: id)) }
      (end, broken) = (entries.end, 0)
      if case .start = line.content { last = nil } else { last = id ?? last }
    }
    let size = entries.fileEnd
    // What may be an unfinished write is its device's to move aside.
    if size > end, broken > 0 { gaps.append(Gap(bytes: end..<size, lines: broken, after: last, before: nil)) }
  }

  /// Looks in a copy of the log for what is missing.
  mutating func search(_ copy: File) throws(LogError) {
    guard !gaps.isEmpty else { return }
    var entries = LogLines(copy, index: 0, from: 0, after: 0)
    while let entry = try entries.next() {
      guard let bytes = entry.bytes, let line = entry.line, let id = entries.id else { continue }
      if case .start = line.content {
        if gaps[0].bytes.lowerBound == 0, gaps[0].start == nil { gaps[0].start = Array(bytes) + [UInt8(ascii: "\n")] }
      } else if let index = gapIndex(of: id) {
        gaps[index].add(bytes, id)
      }
    }
  }

  /// The gap in which a line with an ID belongs; nil if it belongs in none.
  private func gapIndex(of id: EventID) -> Int? {
    // The last one that begins before it.
    var (low, high) = (0, gaps.count)
    while low < high {
      let middle = (low + high) / 2
      if gaps[middle].after.map({ $0 < id }) ?? true { low = middle + 1 } else { high = middle }
    }
    guard low > 0, gaps[low - 1].before.map({ id < $0 }) ?? true else { return nil }
    return low - 1
  }

  /// How many lines replace broken ones.
  var found: Int { gaps.reduce(0) { $0 + ($1.filling?.count ?? 0) } }

  /// Writes the file with what was found.
  func write(to new: Replacement) throws(LogError) {
    var position: UInt64 = 0
    for gap in gaps {
      guard let lines = gap.filling else { continue }
      try copy(position..<gap.bytes.lowerBound, to: new)
      for line in lines { try new.append(line) }
      position = gap.bytes.upperBound
    }
    try copy(position..<file.status().size, to: new)
  }

  private func copy(_ range: Range<UInt64>, to new: Replacement) throws(LogError) {
    var position = range.lowerBound
    while position < range.upperBound {
      let bytes = try file.bytes(at: position, count: Int(min(range.upperBound - position, 1 << 20)))
      guard !bytes.isEmpty else { throw .unreadable(path: file.path) }
      try new.append(bytes)
      position += UInt64(bytes.count)
    }
  }
}

/// What `Journal.mendAll` did with one file.
package struct MendReport: Equatable, Sendable {
  package var path: String
  /// How many lines came back from other copies.
  package var mended: Int
  /// How many broken lines were taken out, because no copy here has them; 0 of our own log.
  package var removed: Int
}

extension Journal {
  /// Replaces broken lines of a log by lines of other copies, as far as they fit; returns how many. Keeps the damaged
  /// file among the backups. Under the writer lock.
  func mend(_ path: String, from copies: [File]) throws(LogError) -> Int {
    var mending = try Mending(File(path, .read))
    for copy in copies { try mending.search(copy) }
    guard mending.found > 0 else { return 0 }
    let new = try Replacement(ofLog: path)
    try mending.write(to: new)
    _ = try backUp(path, as: "damaged-file")
    try new.commit()
    return mending.found
  }

  /// Mends all logs of the folder: from other copies here, such as forks that devices sent. What none has is taken out
  /// and kept among the backups, but for our own log: that is for `repair`, with which it begins a new generation.
  package func mendAll() throws(LogError) -> [MendReport] {
    var reports: [MendReport] = []
    try withWriterLock { () throws(LogError) in
      var files: [FileReport] = []
      for name in try Directory.names(in: folders.log) where name.hasSuffix(".jsonl") {
        files.append(try FileReport(of: File(folders.log + "/" + name, .read)))
      }
      for file in files where !file.damage.isEmpty {
        let others = files.filter { $0.device != nil && $0.device == file.device && $0.path != file.path }
        let copies = try others.map { (other) throws(LogError) in try File(other.path, .read) }
        let mended = try mend(file.path, from: copies)
        let left = try LogFile(File(file.path, .read), name: Directory.name(of: file.path), index: 0)
        try left.readOn { _, _ in }
        let isOurs = left.name == ownName
        reports.append(MendReport(path: file.path, mended: mended, removed: isOurs ? 0 : left.brokenLines.count))
        guard !left.brokenLines.isEmpty, !isOurs else { continue }
        try quarantine(left)
        _ = try backUp(file.path, as: "damaged-file")
        try copyGoodLines(of: left.file, to: file.path)
      }
      isStale = isStale || !reports.isEmpty
    }
    return reports
  }
}
