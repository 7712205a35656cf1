import Core

/// The logs of all devices read as one, and the state folded from them. Only `commit` appends.
///
/// Reading changes nothing on disk. Use one journal per thread; locks coordinate between processes.
package final class Journal {
  /// The state folded from everything read so far.
  package internal(set) var state = State()
  let folders: Folders
  /// The content of `/etc/machine-id`; nil if absent.
  let machine: String?
  /// Milliseconds since 1970.
  let now: () -> UInt64
  /// The device ID our own file belongs to.
  var identity: DeviceIdentity
  /// The clock that has observed everything read so far and generates the IDs of new events.
  package internal(set) var clock: HybridClock
  /// Every file opened, including those replaced since: `LogRange.file` is an index into this.
  var files: [LogFile] = []
  /// The files that currently have these names.
  var current: [String: LogFile] = [:]
  /// Events too far ahead of the clock to be applied yet.
  var ahead: [EventID: Deferred] = [:]
  private var others: [LogFinding] = []
  /// Findings made while appending: torn tails moved aside, a log started next to others.
  var moved: [LogFinding] = []
  /// The checkpoint's size, and how many bytes of the logs it covers.
  var covered: (size: Int, bytes: UInt64) = (0, 0)
  /// The checkpoint the state started from.
  var map: MappedFile?
  /// How many videos may be in memory besides the checkpoint; a fifth of the checkpoint's number is always allowed.
  var roomForVideos = 6000
  /// Minimum log size for the event index, and minimum growth before it is updated, in bytes: below that, a scan is
  /// cheap enough.
  var leastForPlaces: UInt64 = 4 << 20
  /// The last event applied; nil if there is no limit.
  let last: EventID?
  /// The file whose content on disk is unknown after a failed sync.
  var suspect: String?

  /// Reads every device's file; a missing folder gives an empty state.
  ///
  /// `device` is nil to use the ID kept in the state folder, which the first commit creates. `now` returns milliseconds
  /// since 1970. Throws if our own file cannot be read; for another device's file that is a finding.
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

  /// Reads the files of another journal again, up to an event.
  init(_ journal: Journal, upTo last: EventID) throws(LogError) {
    (folders, machine, now, identity) = (journal.folders, journal.machine, journal.now, journal.identity)
    clock = HybridClock(device: journal.clock.device)
    self.last = last
    resume()
    try refresh()
  }

  /// Findings about the files as last read.
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

  /// Returns the findings made while appending, and clears them so that they are reported once.
  package func takeNews() -> [LogFinding] {
    defer { moved = [] }
    return moved
  }

  /// This device's ID; nil before its first commit.
  package var device: DeviceID? { identity.device }

  /// Reads everything appended since the last read, by any process.
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
    // Only now is everything read that this device wrote.
    for (id, deferred) in ahead where !clock.isAhead(id, of: now) {
      ahead[id] = nil
      fold(deferred, now: now)
    }
  }

  /// The name of our own file; nil until this device has an ID.
  var ownName: String? { device.map { "\($0).jsonl" } }

  private func refresh(_ name: String, now: UInt64) throws(LogError) {
    let path = folders.log + "/" + name
    guard let status = try FileStatus.of(path) else { return current[name] = nil }
    if let file = current[name], file.identity == FileIdentity(status), status.size >= file.end {
      if status.size != file.size { try readOn(file, now: now) }
      return
    }
    // A file that replaced another is read from its start: applying an event twice changes nothing.
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

  /// The text of a description, read from the log if it is only referenced there. Invalid UTF-8 is replaced by U+FFFD,
  /// so that one line of another writer cannot break an export.
  package func text(of description: Description) throws(LogError) -> String {
    switch description.source {
    case .text(let text): return text
    case .log(let place): return try bytes(at: place).withUnsafeBytes(Journal.text)
    }
  }

  /// The text of a description, normalised by `NormalizedText`.
  package func foldedText(of description: Description) throws(LogError) -> [UInt8] {
    switch description.source {
    case .text(let text): return NormalizedText.bytes(of: text)
    case .log(let place):
      // Skipping the intermediate `String` takes a quarter of the time.
      return try bytes(at: place).withUnsafeBytes { bytes in
        JSONString.folded(bytes) ?? NormalizedText.bytes(of: Journal.text(bytes))
      }
    }
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    JSONString.unescaped(bytes) ?? String(decoding: bytes, as: UTF8.self)
  }

  private func bytes(at place: LogRange) throws(LogError) -> [UInt8] {
    guard files.indices.contains(Int(place.file)) else { return [] }
    let file = files[Int(place.file)].file
    let bytes = try file.bytes(at: place.offset, count: Int(place.length))
    guard bytes.count == Int(place.length) else { throw .unreadable(path: file.path) }
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
