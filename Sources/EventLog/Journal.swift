import Core

/// The log of all devices as one: the state that is their fold. `commit` is the one way to append to it.
///
/// Reading changes nothing on the disk. One for each thread; between programs, the locks see to it.
package final class Journal {
  /// The fold of everything read so far.
  package internal(set) var state = State()
  let folders: Folders
  /// The text of `/etc/machine-id`, or nil where there is none.
  let machine: String?
  /// Milliseconds since 1970.
  let now: () -> UInt64
  /// Whose log our own file is.
  var identity: DeviceIdentity
  /// The clock that has seen what was read so far, by which the ids of new events are made.
  package internal(set) var clock: HybridClock
  /// Every file opened, those under an earlier identity too: `LogPlace.file` counts them.
  var files: [LogFile] = []
  /// The files that have the names now.
  var current: [String: LogFile] = [:]
  /// Events too far ahead of the clock to be believed yet.
  var ahead: [EventID: Deferred] = [:]
  private var others: [LogFinding] = []
  /// What was found while appending: torn tails that were moved aside, a log that was begun beside others.
  var moved: [LogFinding] = []
  /// The checkpoint's size, and how many bytes of the logs it covers.
  var covered: (size: Int, bytes: UInt64) = (0, 0)
  /// The checkpoint that the state was begun with.
  var map: MappedFile?
  /// How many videos may be in memory beside the checkpoint; a fifth as many as are in it may be anyway.
  var roomForVideos = 6000
  /// With logs of fewer bytes nobody needs to know where in them something is; nor with fewer since it was noted.
  var leastForPlaces: UInt64 = 4 << 20
  /// The last event that is folded; nil where every one is.
  let last: EventID?
  /// The file of which nobody knows what the disk holds, after a failed sync.
  var suspect: String?

  /// Reads every device's file; a missing folder is an empty state.
  ///
  /// `device` is nil for the one that the state folder keeps, which the first commit makes. `now` gives milliseconds
  /// since 1970. Throws where our own file cannot be read; of another's that is a finding.
  package init(
    folders: Folders, device: DeviceID?, machine: String? = DeviceIdentity.machine, clock now: @escaping () -> UInt64
  ) throws(LogError) {
    self.folders = folders
    self.machine = machine
    self.now = now
    last = nil
    if let device {
      identity = .known(device)
    } else {
      identity = try DeviceIdentity.read(in: folders, machine: machine)
    }
    var generator = SystemRandomNumberGenerator()
    clock = HybridClock(device: identity.device ?? DeviceID(using: &generator))
    resume()
    try refresh()
    keepCheckpoint()
  }

  /// Reads the files of another journal anew, up to an event.
  init(_ journal: Journal, upTo last: EventID) throws(LogError) {
    (folders, machine, now, identity) = (journal.folders, journal.machine, journal.now, journal.identity)
    clock = HybridClock(device: journal.clock.device)
    self.last = last
    resume()
    try refresh()
  }

  /// What a person should be told of the files, as they were read last.
  package var findings: [LogFinding] {
    var findings = others + moved
    switch identity {
    case .known, .none: break
    case .otherMachine(let device): findings.append(.otherMachine(device))
    case .damaged: findings.append(.deviceDamaged(path: folders.deviceFile))
    }
    for (_, file) in current.sorted(by: { $0.key < $1.key }) { findings += file.findings }
    let copies = Dictionary(grouping: current.values.filter { $0.device != nil }, by: \.device)
    for case (let device?, let files) in copies where files.count > 1 {
      findings.append(.copies(device, paths: files.map(\.path).sorted()))
    }
    if HybridClock.isAhead(EventID(reading: clock.own, device: clock.device), of: now()) {
      findings.append(.clockSetBack(latest: EventID(reading: clock.own, device: clock.device)))
    }
    if let earliest = ahead.keys.min() { findings.append(.ahead(count: ahead.count, earliest: earliest)) }
    return findings
  }

  /// What was found while appending, to be told once.
  package func takeNews() -> [LogFinding] {
    defer { moved = [] }
    return moved
  }

  /// This device's id; nil before its first commit.
  package var device: DeviceID? { identity.device }

  /// Reads what was appended since, by whomever.
  package func refresh() throws(LogError) {
    others = []
    let now = now()
    for name in try Directory.names(in: folders.log) where name.hasSuffix(".jsonl") {
      do throws(LogError) {
        try refresh(name, now: now)
      } catch {
        if name == ownName { throw error }
        others.append(.unreadable(error))
      }
    }
    // Now that all is read that this device wrote.
    for (id, deferred) in ahead where !clock.isAhead(id, of: now) {
      ahead[id] = nil
      fold(deferred, now: now)
    }
  }

  /// The name of our own file, once this device has an id.
  var ownName: String? { device.map { "\($0).jsonl" } }

  private func refresh(_ name: String, now: UInt64) throws(LogError) {
    let path = folders.log + "/" + name
    guard let status = try FileStatus.of(path) else { return current[name] = nil }
    if let file = current[name], file.identity == FileIdentity(status), status.size >= file.end {
      if status.size != file.size { try readOn(file, now: now) }
      return
    }
    // A file put in the place of another is read whole: what both say is folded twice, which changes nothing.
    let file = try LogFile(File(path, .read), index: UInt32(files.count))
    files.append(file)
    current[name] = file
    try readOn(file, now: now)
  }

  private func readOn(_ file: LogFile, now: UInt64) throws(LogError) {
    try file.readOn { fold(Deferred(event: $0, file: file.index, offset: $1), now: now) }
  }

  private func fold(_ deferred: Deferred, now: UInt64) {
    let id = deferred.event.id
    if let last, id > last { return }
    if clock.isAhead(id, of: now) {
      ahead[id] = deferred
    } else {
      clock.observe(id, now: now)
      state.apply(deferred.event)
    }
  }

  /// The text of a description, read from the log where it is there; what is no UTF-8 in it is replaced by U+FFFD, so
  /// that one line of another writer stops no export.
  package func text(of description: Description) throws(LogError) -> String {
    switch description.source {
    case .text(let text): return text
    case .log(let place): return try bytes(at: place).withUnsafeBytes(Journal.text)
    }
  }

  /// The text of a description as `FoldedText` folds it.
  package func foldedText(of description: Description) throws(LogError) -> [UInt8] {
    switch description.source {
    case .text(let text): return FoldedText.bytes(of: text)
    case .log(let place):
      // Without the text in between it takes a quarter of the time.
      return try bytes(at: place).withUnsafeBytes { bytes in
        JSONString.folded(bytes) ?? FoldedText.bytes(of: Journal.text(bytes))
      }
    }
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    JSONString.unescaped(bytes) ?? String(decoding: bytes, as: UTF8.self)
  }

  private func bytes(at place: LogPlace) throws(LogError) -> [UInt8] {
    guard files.indices.contains(Int(place.file)) else { return [] }
    let file = files[Int(place.file)].file
    let bytes = try file.bytes(at: place.offset, count: Int(place.length))
    guard bytes.count == Int(place.length) else { throw .unreadable(path: file.path) }
    return bytes
  }
}

/// An event, and where its line begins.
struct Deferred {
  var event: Event
  var file: UInt32
  var offset: UInt64
}

extension DeviceIdentity {
  /// The id of this device, where it has one.
  fileprivate var device: DeviceID? {
    if case .known(let device) = self { device } else { nil }
  }
}
