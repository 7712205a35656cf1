import Core

/// What a user sees of a catalogue's logs, as logs that only grow: in a folder of their own, to be exchanged with the
/// user's devices. Disposable.
package struct CatalogueCopy {
  private let folder: String

  /// The copy in a folder.
  package init(in folder: String) { self.folder = folder }

  /// The folders of a journal that reads it.
  package var folders: Folders { Folders(data: folder, state: folder, cache: folder) }

  /// Appends what is visible and not in it yet: what was appended to the catalogue, and older lines about what the user
  /// names only now. Reads a log from where it ended, unless `subjects` changed, a text that changes with what the user
  /// names. Returns how many bytes it read, and the copies of logs that are gone, or were rewritten: they may have
  /// lines that the catalogue lacks.
  @discardableResult
  package func update(
    from journal: Journal, subjects: String, visible: (Event) -> Event?
  ) throws(LogError) -> (bytes: UInt64, outlived: [String]) {
    let lock = try FileLock(folder + "/lock", waiting: 10_000)
    defer { withExtendedLifetime(lock) {} }
    let logs = try journal.current.values.filter { $0.isOfCatalogue && $0.device != nil }.sorted { $0.name < $1.name }
      .map { (log) throws(LogError) in (log, end: try journal.presentEnd(of: log)) }
    // A broken one is as if lost.
    let kept = (try? StateFile.read(folder + "/covered")) ?? []
    let isSame = kept.first?["subjects"] == .text(subjects)
    let before = kept.compactMap { Covered($0) }
    let old = isSame ? before : []
    if isSame, old.map({ Extent($0) }) == logs.map({ Extent($0, $1) }) { return (0, []) }
    try Directory.make(folders.log)
    var (new, bytes) = ([Covered](), UInt64(0))
    let gone = before.filter { covered in !logs.contains { log, _ in log.name == covered.name } }
    var outlived = gone.map { "\(folders.log)/\(Directory.name(of: $0.name))" }
    for (log, end) in logs {
      guard let device = log.device else { continue }
      let path = "\(folders.log)/\(device).jsonl"
      var start: UInt64 = 0
      if let covered = before.first(where: { $0.name == log.name }), try !covered.isBeginning(of: log, end) {
        outlived.append(path)
      }
      if let covered = old.first(where: { $0.name == log.name }), try covered.isValid(for: log, end, path) {
        start = covered.end.length
      } else {
        bytes += try FileStatus.of(path)?.size ?? 0
      }
      try CatalogueCopy.update(path, from: log, start..<end, of: journal, visible)
      bytes += end - start
      new.append(try Covered(log, end, path))
    }
    try StateFile.write(folder + "/covered", [StateRecord([("subjects", .text(subjects))])] + new.map(\.record))
    return (bytes, outlived)
  }

  /// The extent up to which a log of the catalogue was read: name, generation and length.
  private struct Extent: Equatable {
    var name: String
    var generation: Int
    var end: UInt64

    init(_ covered: Covered) { (name, generation, end) = (covered.name, covered.generation, covered.end.length) }

    init(_ log: LogFile, _ end: UInt64) { (name, generation, self.end) = (log.name, log.start?.generation ?? 1, end) }
  }

  /// A log of the catalogue as far as it is in the copy, and the size of the copy then: if a crash left more in it, all is
  /// read again.
  private struct Covered {
    var name: String
    var generation: Int
    var end: LogEnd
    var size: UInt64

    init(_ log: LogFile, _ end: UInt64, _ copy: String) throws(LogError) {
      (name, generation, self.end) = (log.name, log.start?.generation ?? 1, try LogEnd(of: log.file, at: end))
      size = try FileStatus.of(copy)?.size ?? 0
    }

    init?(_ record: StateRecord) {
      guard case .text(let name) = record["log"], case .number(let generation) = record["generation"],
        case .number(let length) = record["length"], let length = UInt64(exactly: length),
        case .text(let checksum) = record["checksum"], case .number(let size) = record["size"],
        let size = UInt64(exactly: size)
      else { return nil }
      (self.name, self.generation, self.size) = (name, generation, size)
      end = LogEnd(length: length, checksum: checksum)
    }

    var record: StateRecord {
      StateRecord([
        ("log", .text(name)), ("generation", .number(generation)), ("length", .number(Int(end.length))),
        ("checksum", .text(end.checksum)), ("size", .number(Int(size))),
      ])
    }

    func isValid(for log: LogFile, _ end: UInt64, _ copy: String) throws(LogError) -> Bool {
      let size = try FileStatus.of(copy)?.size ?? 0
      guard size == self.size else { return false }
      return try isBeginning(of: log, end)
    }

    func isBeginning(of log: LogFile, _ end: UInt64) throws(LogError) -> Bool {
      guard generation == log.start?.generation ?? 1, self.end.length <= end else { return false }
      return try self.end.isIn(log.file)
    }
  }

  private static func update(
    _ path: String, from log: LogFile, _ part: Range<UInt64>, of journal: Journal, _ visible: (Event) -> Event?
  ) throws(LogError) {
    // What follows is not in it: every line has an ID of its own.
    let known = try part.lowerBound == 0 ? knownLines(path) : []
    var new: [UInt8] = []
    func add(_ line: some Sequence<UInt8>, _ fingerprint: UInt64) throws(LogError) {
      guard !known.contains(fingerprint) else { return }
      new.append(contentsOf: line)
      new.append(UInt8(ascii: "\n"))
      guard new.count >= batch else { return }
      try LogAppender.append(new, to: path)
      new.removeAll(keepingCapacity: true)
    }
    var entries = LogLines(log.file, index: log.index, from: part.lowerBound, after: 0)
    while entries.end < part.upperBound, let entry = try entries.next() {
      guard let bytes = entry.bytes, let content = entry.line?.content else { continue }
      switch content {
      case .start: if entries.start == 0 { try add(bytes, Fingerprint.of(bytes.bytes)) }
      case .event(let event):
        guard let seen = visible(event) else { continue }
        if seen == event {
          try add(bytes, Fingerprint.of(bytes.bytes))
        } else {
          var writer = LineWriter()
          writer.write(try seen.selfContained { (description) throws(LogError) in try journal.text(of: description) })
          let line = writer.bytes.dropLast()
          try add(line, Fingerprint.of(Array(line).span.bytes))
        }
      case .unknown: continue
      }
    }
    if !new.isEmpty { try LogAppender.append(new, to: path) }
  }

  /// About how many bytes are appended at once.
  private static let batch = 1 << 20

  /// Fingerprints of the lines of a copy, after cutting off what a crash left of one.
  private static func knownLines(_ path: String) throws(LogError) -> Set<UInt64> {
    guard try FileStatus.of(path) != nil else { return [] }
    let file = try File(path, .append)
    var known: Set<UInt64> = []
    var entries = LogLines(file, index: 0, from: 0, after: 0)
    var end: UInt64 = 0
    while let entry = try entries.next() {
      guard let bytes = entry.bytes, entry.line != nil else { break }
      known.insert(Fingerprint.of(bytes.bytes))
      end = entries.end
    }
    if try file.status().size > end { try file.truncate(to: end) }
    return known
  }
}
