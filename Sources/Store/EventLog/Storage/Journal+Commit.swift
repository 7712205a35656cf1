import Core

extension Journal {
  /// Appends the events that `decide` derives from what the log says at its end, and returns them once they are on
  /// disk.
  ///
  /// Under the writer lock: everything appended is read, `decide` returns the bodies, they get their IDs, and are
  /// written with one call and synced. Whatever fails, the log holds either the whole batch or, once a writer has cut
  /// off the torn tail, a prefix of it; events not returned are not acknowledged. `action` is nil for a command's first
  /// batch.
  package func commit(
    action: EventID?, undoing undone: EventID?, _ decide: () -> [EventBody]
  ) throws(LogError) -> [Event] {
    try withWriterLock { () throws(LogError) in
      let name = try establish()
      try refreshAlone()
      try refuseDamage()
      if let own = current[name] {
        try moveTornTail(of: own)
        try refuseDamage()
      }
      let bodies = decide()
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
      // The events are in the log; if this fails, only their loss might go unnoticed.
      try? remember(synced: false)
      return events
    }
  }

  /// Throws if nothing can be appended to this device's own file, as last read: one of its lines is damaged or of a newer
  /// version, or it lacks events that this device wrote.
  package func refuseDamage() throws(LogError) {
    if let own = ownName.flatMap({ current[$0] }) {
      if let position = own.brokenLines.first { throw .damaged(position) }
      if let later = own.later { throw .newerFormat(later.position, version: later.version) }
    }
    if case .lost(let path, let latest)? = loss { throw .lost(path: path, latest: latest) }
  }

  /// Calls `body` while no other process can append.
  func withWriterLock<Result>(_ body: () throws(LogError) -> Result) throws(LogError) -> Result {
    let lock = try FileLock(folders.writerLock, waiting: 10_000)
    isWriting = true
    defer {
      isWriting = false
      withExtendedLifetime(lock) {}
    }
    if let suspect = appending.suspect { throw .suspect(path: suspect) }
    return try body()
  }

  /// Our own file, read to its end.
  func ownFile() throws(LogError) -> LogFile? {
    try refreshAlone()
    return ownName.flatMap { current[$0] }
  }

  /// Makes sure that this device has an ID and a folder for its log; returns the log's name.
  func establish() throws(LogError) -> String {
    if device == nil {
      let device = try DeviceIdentity.establish(in: folders, machine: machine)
      let isNew = current["\(device).jsonl"] == nil
      if identity == .none, isNew, current.values.contains(where: { !$0.isOfCatalogue }) {
        appending.moved.append(.newDevice(path: "\(folders.log)/\(device).jsonl"))
      }
      identity = .known(device)
      clock = HybridClock(device: device, last: clock.last, own: 0)
      // Another process of this device was first: its events were read as another device's.
      if let own = current["\(device).jsonl"] {
        try LogFile(File(own.path, .read), name: own.name, index: own.index).readOn { event, _ in
          clock.observe(event.id, now: now())
          written = max(written, event.id.reading)
        }
      }
    }
    try Directory.make(folders.log)
    return "\(clock.device).jsonl"
  }

  /// Moves the torn tail of our own file aside; if only its newline is missing, appends that instead.
  func moveTornTail(of file: LogFile) throws(LogError) {
    guard let tail = file.tornTail else { return }
    if file.endsWithWholeLine {
      return try append([UInt8(ascii: "\n")], to: file.name)
    }
    let copy = try TornTail.move(of: file.path, from: tail.position, time: timeForName)
    appending.moved.append(.tornTailMoved(tail.position, to: copy, bytes: tail.bytes))
    try refresh()
  }

  /// The current time as used in file names: `20260701T140035Z`.
  var timeForName: String {
    Timestamp(seconds: Int64(now() / 1000)).rfc3339.filter { $0 != "-" && $0 != ":" }
  }

  /// The ID of the next event.
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

  /// Appends whole lines to our own file with one write and one sync, then reads them.
  func append(_ batch: [UInt8], to name: String) throws(LogError) {
    do throws(LogError) {
      try LogAppender.append(batch, to: folders.log + "/" + name)
    } catch {
      if error.leavesDoubt { appending.suspect = folders.log + "/" + name }
      throw error
    }
    try refresh()
  }
}

extension LogError {
  /// Whether the content of the disk is unknown after this error.
  fileprivate var leavesDoubt: Bool {
    switch self {
    case .failed(.fdatasync, _, _), .failed(.ftruncate, _, _): true
    default: false
    }
  }
}

/// Appends batches to a file; use it under the writer lock.
enum LogAppender {
  /// Appends a batch with one write and one sync. If it fails, truncates what was written.
  static func append(_ batch: [UInt8], to path: String) throws(LogError) {
    let file = try File(path, .append)
    let size = try file.status().size
    // An empty file may be left from a process that was killed before its name was synced.
    if size == 0 { try Directory.synchronize(Directory.parent(of: path)) }
    do throws(LogError) {
      try file.write(batch)
    } catch {
      try file.truncate(to: size)
      throw error
    }
    try file.synchronize()
  }
}

/// The incomplete end that a crash left in our own file: a line without its newline, or lines with holes of NULs, which
/// pages that never reached the disk leave. A whole line with a wrong checksum was damaged later.
enum TornTail {
  /// Moves the bytes from a position to the end to `PATH.torn-TIME`, truncates the file there, and returns the copy's
  /// path.
  static func move(of path: String, from position: LogPosition, time: String) throws(LogError) -> String {
    let file = try File(path, .append)
    let copy = try File(Directory.unusedPath(path + ".torn-" + time, ""), .create)
    do throws(LogError) {
      try file.copy(from: position.byte, to: try file.status().size, into: copy)
      try copy.synchronize()
    } catch {
      try Directory.remove(copy.path)
      throw error
    }
    try Directory.synchronize(Directory.parent(of: path))
    try file.truncate(to: position.byte)
    try file.synchronize()
    return copy.path
  }

  /// Whether the bytes in this range, at the end of a file and after its last good line, are consistent with one
  /// incomplete write.
  static func isTorn(in file: File, from start: UInt64, to end: UInt64) throws(LogError) -> Bool {
    if start == 0 {
      // Without any good line it must at least look like the beginning of a log.
      let beginning = try file.bytes(at: 0, count: opening.count).prefix { $0 != 0 && $0 != 0xff }
      guard opening.starts(with: beginning) else { return false }
    }
    var offset = start
    var zeros = 0
    var hasHole = false
    while offset < end {
      let bytes = try file.bytes(at: offset, count: Int(min(end - offset, 1 << 20)))
      if bytes.isEmpty { break }
      // A hole ends with a sector, so only the one after the last good line may be short.
      if offset == start, bytes.first == 0 { hasHole = true }
      for byte in bytes {
        zeros = byte == 0 ? zeros + 1 : 0
        if zeros == shortestHole { hasHole = true }
        guard byte == UInt8(ascii: "\n") else { continue }
        guard hasHole else { return false }
        hasHole = false
      }
      offset += UInt64(bytes.count)
    }
    return true
  }

  private static let opening = Array(#"{"v":"#.utf8)
  /// More NULs in a row than damage makes of a few bytes, fewer than any part of a disk.
  private static let shortestHole = 16
}
