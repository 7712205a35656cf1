import Core

/// The logs of all devices read as one. Only `commit` appends.
///
/// Reads each event once and passes it on; what the events amount to is for others to know. Reading changes nothing on
/// disk. Use one journal per thread; locks coordinate between processes.
package final class Journal {
  let folders: Folders
  /// The content of `/etc/machine-id`; nil if absent.
  let machine: String?
  /// Milliseconds since 1970.
  let now: () -> UInt64
  /// The device ID our own file belongs to.
  var identity: DeviceIdentity
  /// The clock that has observed everything read so far and generates the IDs of new events.
  package internal(set) var clock: HybridClock
  /// Every file read: `LogRange.file` is an index into this.
  var files: [LogFile] = []
  /// The files that currently have these names.
  var current: [String: LogFile] = [:]
  /// Events too far ahead of the clock to be passed on yet.
  var ahead: [EventID: Deferred] = [:]
  private var others: [LogFinding] = []
  /// The paths of other devices' files that could not be read.
  private(set) var unreadable: [String] = []
  /// What this device remembers of the logs; nil if nothing.
  private var remembered: Extent?
  /// The highest timestamp of this device's events in the logs.
  var written: UInt64 = 0
  /// The names of all logs.
  private var names: [String] = []
  /// Whether this journal holds the writer lock.
  var isWriting = false
  /// What this process found while appending.
  private(set) var appending = AppendingFindings()
  /// A digest of the state that events give, by which a rewritten file is compared with the old one; nil if it cannot be
  /// computed.
  package var digest: (_ events: ((Event) -> Void) -> Void) -> UInt64? = { _ in nil }
  /// Whether what was passed on is no longer what the files hold: one was rewritten or is gone. Only a new journal
  /// helps, and callers that kept what was passed on have to begin again.
  package internal(set) var isStale = false

  /// Called with each event read, the number of its file and the offset of its line.
  package var receive: (Event, Int, UInt64) -> Void = { _, _, _ in }

  /// Opens the logs; nothing is read before `refresh`. A missing folder is an empty log.
  ///
  /// `device` is nil to use the ID kept in the state folder, which the first commit creates. `now` returns milliseconds
  /// since 1970. With a `coverage`, reading goes on where it ends; see `isResumed`.
  package init(
    folders: Folders, device: DeviceID?, machine: String? = DeviceIdentity.machine, coverage: [UInt8]?,
    clock now: @escaping () -> UInt64
  ) throws(LogError) {
    (self.folders, self.machine, self.now) = (folders, machine, now)
    if let device {
      identity = .known(device)
    } else {
      identity = try DeviceIdentity.read(in: folders, machine: machine)
    }
    var generator = SystemRandomNumberGenerator()
    clock = HybridClock(device: identity.device ?? DeviceID(using: &generator))
    if let coverage { isResumed = resume(coverage) }
  }

  /// Whether reading goes on after the coverage given; false if a file no longer begins with what it covers.
  package private(set) var isResumed = false

  /// How many bytes there are to read.
  package func unreadBytes() throws(LogError) -> UInt64 {
    var bytes: UInt64 = 0
    for name in try folders.logNames() {
      let size = try FileStatus.of(folders.path(of: name))?.size ?? 0
      bytes += size - min(size, current[name]?.end ?? 0)
    }
    return bytes
  }

  /// Findings about the files as last read.
  package var findings: [LogFinding] {
    var findings = others + appending.moved
    switch identity {
    case .known, .none: break
    case .otherMachine(let device): findings.append(.otherMachine(device))
    case .damaged: findings.append(.deviceDamaged(path: folders.deviceFile))
    }
    findings += losses
    for (_, file) in current.sorted(by: { $0.key < $1.key }) { findings += file.findings }
    let copies = Dictionary(
      grouping: current.values.filter { $0.device != nil && !LogFile.isKeptFork($0.path) }, by: \.device)
    for case (let device?, let files) in copies where files.count > 1 {
      findings.append(.copies(device, paths: files.map(\.path).sorted()))
    }
    if HybridClock.isAhead(EventID(reading: clock.own, device: clock.device), of: now()) {
      findings.append(.clockSetBack(latest: EventID(reading: clock.own, device: clock.device)))
    }
    if let earliest = ahead.keys.min() { findings.append(.ahead(count: ahead.count, earliest: earliest)) }
    return findings
  }

  /// What the logs lack of what this device remembers, and other devices' logs without a byte.
  package var losses: [LogFinding] {
    var losses = loss.map { [$0] } ?? []
    if let remembered, remembered.last.device == device {
      // A file that was renamed, as synchronisation does with conflicts, is still read.
      let devices = Set(current.values.compactMap { $0.device.map { "\($0).jsonl" } })
      let gone = remembered.logs.filter { !names.contains($0) && !devices.contains($0) && $0 != ownName }
      losses += gone.map { LogFinding.missing(path: folders.path(of: $0)) }
    }
    let empty = current.filter { $0.value.size == 0 && $0.key != ownName }.map(\.value.path)
    return losses + empty.sorted().map { LogFinding.empty(path: $0) }
  }

  /// The events of this device that are gone; nil if none are, or if damage of our own file explains it.
  package var loss: LogFinding? {
    guard let remembered, let ownName, remembered.last.device == device, written < remembered.last.reading else {
      return nil
    }
    if let own = current[ownName], !own.brokenLines.isEmpty || own.endsWithWholeLine { return nil }
    return .lost(path: folders.log + "/" + ownName, latest: remembered.last)
  }

  /// Remembers how far the logs reach now.
  func remember(synced: Bool) throws(LogError) {
    let logs = current.filter { name, file in file.device.map { "\($0).jsonl" } == name }.keys.sorted()
    let extent = Extent(last: EventID(reading: written, device: clock.device), logs: logs)
    try extent.write(folders.extentFile, synced: synced)
    remembered = extent
  }

  /// Shares what this process found while appending with the journal that this one replaces, which may still append.
  package func inherit(from old: Journal) { appending = old.appending }

  /// Returns the findings made while appending, and clears them so that they are reported once.
  package func takeNews() -> [LogFinding] {
    defer { appending.moved = [] }
    return appending.moved
  }

  /// This device's ID; nil before its first commit.
  package var device: DeviceID? { identity.device }

  /// Passes on everything appended since the last read, by any process. Throws if our own file cannot be read; for
  /// another device's file that is a finding.
  package func refresh() throws(LogError) {
    (others, unreadable) = ([], [])
    let now = now()
    // Before the logs: a writer updates it after them.
    remembered = Extent.read(folders.extentFile)
    names = try folders.logNames()
    for name in names {
      do throws(LogError) {
        try refresh(name, now: now)
      } catch {
        if name == ownName { throw error }
        others.append(.unreadable(error))
        unreadable.append(folders.path(of: name))
      }
    }
    if !isWriting, let own = ownName.flatMap({ current[$0] }), own.tornTail != nil,
      let lock = try? FileLock(folders.writerLock, waiting: 10_000)
    {
      // It may have been read while it was being written.
      defer { withExtendedLifetime(lock) {} }
      try readOn(own, now: now)
    }
    for name in current.keys where !names.contains(name) {
      isStale = true
      current[name] = nil
    }
    // Only now is everything read that this device wrote.
    for (id, deferred) in ahead.sorted(by: { $0.key < $1.key }) where !clock.isAhead(id, of: now) {
      ahead[id] = nil
      pass(deferred, now: now)
    }
  }

  /// Reads on while no other process can append. If a log was rewritten, all of them are read again, for their ends and
  /// the IDs in them; the events are not passed on, because callers that kept them have to begin again.
  func refreshAlone() throws(LogError) {
    let wasStale = isStale
    isStale = false
    defer { isStale = isStale || wasStale }
    try refresh()
    guard isStale else { return }
    let receive = receive
    defer { self.receive = receive }
    self.receive = { _, _, _ in }
    (files, current, ahead, written) = ([], [:], [:], 0)
    try refresh()
  }

  /// The name of our own file; nil until this device has an ID.
  var ownName: String? { device.map { "\($0).jsonl" } }

  private func refresh(_ name: String, now: UInt64) throws(LogError) {
    let path = folders.path(of: name)
    guard let status = try FileStatus.of(path) else { return }
    if let file = current[name] {
      if file.isFile(of: status), status.size >= file.end {
        if status.size != file.size { try readOn(file, now: now) }
        return
      }
      // A synchronised file is replaced by one that begins like it.
      let replacement = try File(path, .read)
      let covered = try Coverage.Covered(file)
      guard try covered.isIn(replacement) else { return isStale = true }
      let grown = try LogFile(replacement, index: file.index, from: covered)
      files[Int(file.index)] = grown
      current[name] = grown
      return try readOn(grown, now: now)
    }
    let file = try LogFile(File(path, .read), name: name, index: UInt32(files.count))
    files.append(file)
    current[name] = file
    try readOn(file, now: now)
  }

  private func readOn(_ file: LogFile, now: UInt64) throws(LogError) {
    try file.readOn { pass(Deferred(event: $0, file: file.index, offset: $1), now: now) }
  }

  private func pass(_ deferred: Deferred, now: UInt64) {
    let id = deferred.event.id
    if clock.isAhead(id, of: now) {
      ahead[id] = deferred
    } else {
      clock.observe(id, now: now)
      if id.device == clock.device { written = max(written, id.reading) }
      receive(deferred.event, Int(deferred.file), deferred.offset)
    }
  }

  /// Whether an event is too far ahead of the clock to count yet.
  package func isAhead(_ event: Event) -> Bool { clock.isAhead(event.id, of: now()) }

  /// Whether a file is a log of the catalogue.
  package func isOfCatalogue(_ file: Int) -> Bool { files.indices.contains(file) && files[file].isOfCatalogue }

  /// The length up to which each file was read; it differs whenever something was appended.
  package var extent: [Int: UInt64] {
    Dictionary(current.values.map { (Int($0.index), $0.end) }) { first, _ in first }
  }

  /// The events whose lines begin at these offsets of a file, in order.
  package func events(in file: Int, at offsets: [UInt64]) throws(LogError) -> [Event] {
    guard files.indices.contains(file) else { return [] }
    var events: [Event] = []
    try files[file].forEachEvent(at: Set(offsets).sorted()) { events.append($0) }
    return events
  }

  /// The text of a description, read from the log if it is only referenced there. Invalid UTF-8 is replaced by U+FFFD,
  /// so that one line of another writer cannot break an export.
  package func text(of description: Description) throws(LogError) -> String {
    switch description.source {
    case .text(let text): return text
    case .log(let range): return LogText.text(of: try bytes(at: range))
    }
  }

  /// The text of a description, normalised by `NormalizedText`.
  package func foldedText(of description: Description) throws(LogError) -> [UInt8] {
    switch description.source {
    case .text(let text): return NormalizedText.bytes(of: text)
    case .log(let range): return LogText.folded(try bytes(at: range))
    }
  }

  private func bytes(at range: LogRange) throws(LogError) -> [UInt8] {
    guard files.indices.contains(Int(range.file)) else { return [] }
    let file = files[Int(range.file)].file
    let bytes = try file.bytes(at: range.offset, count: Int(range.length))
    guard bytes.count == Int(range.length) else { throw .unreadable(path: file.path) }
    return bytes
  }
}

/// An event and the offset of its line.
struct Deferred {
  var event: Event
  var file: UInt32
  var offset: UInt64
}

extension DeviceIdentity {
  /// The ID of this device; nil if it has none.
  fileprivate var device: DeviceID? {
    if case .known(let device) = self { device } else { nil }
  }
}

/// What a process found while appending, whichever journal it reads with since.
final class AppendingFindings {
  /// The file whose content on disk is unknown after a failed sync.
  var suspect: String?
  /// Torn tails moved aside, a log started next to others.
  var moved: [LogFinding] = []
}
