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
  /// names only now. Does nothing if it was brought up to date for the same `subjects`, a text that changes with them.
  package func update(
    from journal: Journal, subjects: String, visible: (Event) -> Event?
  ) throws(LogError) {
    let lock = try FileLock(folder + "/lock", waiting: 10_000)
    defer { withExtendedLifetime(lock) {} }
    let logs = journal.current.values.filter { $0.isOfCatalogue && $0.device != nil }.sorted { $0.name < $1.name }
    let extent = logs.map { "\($0.name) \($0.start?.generation ?? 1) \($0.end)" }.joined(separator: ";")
    let state = [StateRecord([("extent", .text(extent)), ("subjects", .text(subjects))])]
    // A broken one is as if lost.
    if let kept = try? StateFile.read(folder + "/covered"), kept == state { return }
    try Directory.make(folders.log)
    for log in logs {
      guard let device = log.device else { continue }
      try CatalogueCopy.update("\(folders.log)/\(device).jsonl", from: log, of: journal, visible)
    }
    try StateFile.write(folder + "/covered", state)
  }

  private static func update(
    _ path: String, from log: LogFile, of journal: Journal, _ visible: (Event) -> Event?
  ) throws(LogError) {
    let known = try knownLines(path)
    var new: [UInt8] = []
    func add(_ line: some Sequence<UInt8>, _ fingerprint: UInt64) throws(LogError) {
      guard !known.contains(fingerprint) else { return }
      new.append(contentsOf: line)
      new.append(UInt8(ascii: "\n"))
      guard new.count >= batch else { return }
      try LogAppender.append(new, to: path)
      new.removeAll(keepingCapacity: true)
    }
    var entries = LogLines(log.file, index: log.index, from: 0, after: 0)
    while entries.end < log.end, let entry = try entries.next() {
      guard let bytes = entry.bytes, let content = entry.line?.content else { continue }
      switch content {
      case .start: if entries.start == 0 { try add(bytes, Fingerprint.of(bytes.bytes)) }
      case .event(let event):
        guard let seen = visible(event) else { continue }
        if seen == event {
          try add(bytes, Fingerprint.of(bytes.bytes))
        } else {
          var writer = LineWriter()
          writer.write(try journal.selfContained(seen))
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

extension Journal {
  /// An event with the text of its description, so that it can be written to another file.
  fileprivate func selfContained(_ event: Event) throws(LogError) -> Event {
    var event = event
    switch event.body {
    case .videoFound(var found):
      if let description = found.description { found.description = Description(try text(of: description)) }
      event.body = .videoFound(found)
    case .videoChanged(var change):
      if let description = change.description { change.description = Description(try text(of: description)) }
      event.body = .videoChanged(change)
    default: break
    }
    return event
  }
}
