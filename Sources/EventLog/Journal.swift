import Core

/// The log of all devices as one: the state that is their fold, and the one way to append to it.
///
/// Reading changes nothing on the disk. One for each thread; between programs, the locks see to it.
package final class Journal {
  /// The fold of everything read so far.
  package private(set) var state = State()
  let folders: Folders
  private let machine: String?
  let now: () -> UInt64
  private var identity: DeviceIdentity
  private(set) var clock: HybridClock
  /// Every file opened, those under an earlier identity too: `LogPlace.file` counts them.
  private var files: [LogFile] = []
  /// The files that have the names now.
  private(set) var current: [String: LogFile] = [:]
  /// Events over a day ahead of the clock.
  private var ahead: [EventID: Deferred] = [:]
  private var others: [LogFinding] = []
  private var moved: [LogFinding] = []
  /// The checkpoint's size, and how many bytes of the logs it covers.
  private var covered: (size: Int, bytes: UInt64) = (0, 0)
  /// The checkpoint that the state was begun with.
  private var map: MappedFile?
  /// How many videos may be in memory beside the checkpoint; a fifth as many as are in it may be anyway.
  var roomForVideos = 6000
  /// With logs of fewer bytes nobody needs to know where in them something is; nor with fewer since it was noted.
  var leastForPlaces: UInt64 = 4 << 20
  /// The file of which nobody knows what the disk holds, after a failed sync.
  private var suspect: String?

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

  /// Begins with the checkpoint, where there is one to rely on.
  private func resume() {
    let now = now()
    guard let checkpoint = Checkpoint(in: folders, now: now) else { return }
    state = checkpoint.state
    files = checkpoint.files
    for file in files { current[Directory.name(of: file.path)] = file }
    for deferred in checkpoint.ahead { ahead[deferred.event.id] = deferred }
    clock.observe(EventID(reading: checkpoint.reading, device: clock.device), now: now)
    map = checkpoint.map
    covered = (size: checkpoint.map.bytes.count, bytes: files.reduce(0) { $0 + $1.end })
  }

  /// Keeps the state in the cache where it would take long to read what was appended since it was kept last. A cache
  /// that cannot be written is nothing to be told of.
  package func keepCheckpoint() {
    let bytes = current.values.reduce(0) { $0 + $1.end }
    guard bytes > covered.bytes + UInt64(max(1 << 20, covered.size / 16)) else { return }
    try? writeCheckpoint()
  }

  /// Keeps the state in the cache as it is now.
  func writeCheckpoint() throws(LogError) {
    guard let coverage = try coverage() else { return }
    try Checkpoint.write(state, coverage, over: map, in: folders)
    let size = try FileStatus.of(folders.checkpoint).map { Int($0.size) } ?? 0
    covered = (size: size, bytes: coverage.files.reduce(0) { $0 + $1.end })
  }

  /// Keeps the state in the cache and goes on from there, where many videos are in memory: so that a first poll of
  /// thousands of channels takes little more room than a later one. Where that fails they stay in memory.
  private func makeRoom() throws(LogError) {
    guard state.videos.changedCount >= max(roomForVideos, state.videos.storedCount / 5) else { return }
    try? writeCheckpoint()
    resume()
    try refresh()
    roomForVideos = max(roomForVideos, 2 * state.videos.changedCount)
  }

  /// What the state covers; nil where a place in it is one of a file that another one took the name of.
  private func coverage() throws(LogError) -> Coverage? {
    guard files.count == current.count else { return nil }
    var covered: [Coverage.Covered] = []
    for file in files { covered.append(try Coverage.Covered(file)) }
    let places = ahead.values.map { Coverage.Ahead(file: Int($0.file), offset: $0.offset) }
    return Coverage(files: covered, ahead: places, reading: clock.last)
  }

  /// What a person should be told of the files, as they were read last.
  package var findings: [LogFinding] {
    var findings = others + moved
    if case .otherMachine(let device) = identity { findings.append(.otherMachine(device)) }
    for (_, file) in current.sorted(by: { $0.key < $1.key }) { findings += file.findings }
    let copies = Dictionary(grouping: current.values.filter { $0.device != nil }, by: \.device)
    for case (let device?, let files) in copies where files.count > 1 {
      findings.append(.copies(device, paths: files.map(\.path).sorted()))
    }
    if let earliest = ahead.keys.min() { findings.append(.ahead(count: ahead.count, earliest: earliest)) }
    return findings
  }

  /// This device's id; nil before its first commit.
  package var device: DeviceID? { identity.device }

  /// Reads what was appended since, by whomever.
  package func refresh() throws(LogError) {
    others = []
    let now = now()
    for (id, deferred) in ahead where !HybridClock.isAhead(id, of: now) {
      ahead[id] = nil
      fold(deferred, now: now)
    }
    for name in try Directory.names(in: folders.log) where name.hasSuffix(".jsonl") {
      do throws(LogError) {
        try refresh(name, now: now)
      } catch {
        if name == ownName { throw error }
        others.append(.unreadable(error))
      }
    }
  }

  private var ownName: String? { device.map { "\($0).jsonl" } }

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
    if HybridClock.isAhead(id, of: now) {
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
    case .log(let place):
      guard files.indices.contains(Int(place.file)) else { return "" }
      let file = files[Int(place.file)].file
      let bytes = try file.bytes(at: place.offset, count: Int(place.length))
      guard bytes.count == Int(place.length) else { throw .unreadable(path: file.path) }
      return bytes.withUnsafeBytes(JSONString.unescaped) ?? String(decoding: bytes, as: UTF8.self)
    }
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

// MARK: Appending

extension Journal {
  /// Appends what `decide` makes of the state as it is at the log's end, and returns it once it is on the disk.
  ///
  /// Under the writer lock: the state is brought to the end, `decide` gives the bodies, they are stamped, written with
  /// one call and synced. Whatever fails, the log holds all of the batch or, once a writer cut off the torn tail, a
  /// prefix of it, and what is not returned is not acknowledged. `action` is nil for a command's first batch.
  package func commit(
    action: EventID?, undoing undone: EventID?, _ decide: (State) -> [EventBody]
  ) throws(LogError) -> [Event] {
    try withWriterLock { () throws(LogError) in
      let name = try establish()
      try refresh()
      if let own = try ownFile() {
        try refuseDamage(of: own)
        try moveTornTail(of: own)
      }
      let bodies = decide(state)
      if bodies.isEmpty { return [] }
      var lines = LineWriter()
      if current[name]?.end ?? 0 == 0 {
        lines.write(LogStart(device: clock.device, generation: 1), id: nextID())
      }
      let events = stamp(bodies, action: action, undoing: undone)
      for event in events {
        lines.write(event)
        if let refusal = lines.refusal { throw .refused(kind: event.body.kind.rawValue, refusal) }
      }
      try append(lines.bytes, to: name)
      return events
    }
  }

  /// Calls `body` while no other program may append.
  func withWriterLock<Result>(_ body: () throws(LogError) -> Result) throws(LogError) -> Result {
    let lock = try FileLock(folders.writerLock, waiting: 10_000)
    defer { withExtendedLifetime(lock) {} }
    if let suspect { throw .suspect(path: suspect) }
    return try body()
  }

  /// Our own file, read to its end.
  func ownFile() throws(LogError) -> LogFile? {
    try refresh()
    return ownName.flatMap { current[$0] }
  }

  private func establish() throws(LogError) -> String {
    if device == nil {
      let device = try DeviceIdentity.establish(in: folders, machine: machine)
      let last = EventID(reading: clock.last, device: clock.device)
      identity = .known(device)
      clock = HybridClock(device: device)
      clock.observe(last, now: now())
    }
    try Directory.make(folders.log)
    return "\(clock.device).jsonl"
  }

  /// Throws where nothing may be appended to our own file as it is.
  func refuseDamage(of file: LogFile) throws(LogError) {
    if let position = file.brokenLines.first { throw .damaged(position) }
    if let later = file.later { throw .newerFormat(later.position, version: later.version) }
  }

  /// Moves the unfinished end of our own file aside.
  func moveTornTail(of file: LogFile) throws(LogError) {
    guard let tail = file.tornTail else { return }
    let copy = try TornTail.move(of: file.path, from: tail.position, time: timeForName)
    moved.append(.tornTailMoved(tail.position, to: copy, bytes: tail.bytes))
    try refresh()
  }

  /// The time now as it stands in names of files: `20260701T140035Z`.
  var timeForName: String {
    Timestamp(seconds: Int64(now() / 1000)).rfc3339.filter { $0 != "-" && $0 != ":" }
  }

  /// The id of the next event.
  func nextID() -> EventID { clock.next(now: now()) }

  private func stamp(_ bodies: [EventBody], action: EventID?, undoing undone: EventID?) -> [Event] {
    let now = now()
    var events: [Event] = []
    for body in bodies {
      let id = clock.next(now: now)
      events.append(Event(id: id, action: action ?? events.first?.id ?? id, undoes: undone, body: body))
    }
    return events
  }

  private func append(_ batch: [UInt8], to name: String) throws(LogError) {
    do throws(LogError) {
      try LogAppender.append(batch, to: folders.log + "/" + name)
    } catch {
      if error.leavesDoubt { suspect = folders.log + "/" + name }
      throw error
    }
    try refresh()
    try makeRoom()
  }
}

extension LogError {
  /// Whether nobody knows what the disk holds after this.
  fileprivate var leavesDoubt: Bool {
    switch self {
    case .failed(.fdatasync, _, _), .failed(.ftruncate, _, _): true
    default: false
    }
  }
}
