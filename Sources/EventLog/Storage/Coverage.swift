import Core

/// How much of the logs was read and passed on, so that a later process can go on from there.
struct Coverage: Equatable {
  /// One log file as far as it is covered.
  struct Covered: Equatable {
    var name: String
    /// The end of the last line covered, and how many lines there are up to it.
    var end: UInt64
    var lines: Int
    var start: LogStart?
    /// What the first bytes and the last ones covered look like.
    var head: UInt64
    var tail: UInt64
    /// Broken lines.
    var damage: [LogPosition]
    var later: LogFile.Later?
  }

  /// An event that was too far ahead of the clock to be folded: its line's place.
  struct Ahead: Equatable {
    var file: Int
    var offset: UInt64
  }

  /// In the order of `LogRange.file`.
  var files: [Covered]
  var ahead: [Ahead]
  /// The clock that has seen what was folded.
  var clock: HybridClock

  /// The clock as a device goes on with it: of another device's it only knows that it was.
  func clock(of device: DeviceID) -> HybridClock {
    HybridClock(device: device, last: clock.last, own: device == clock.device ? clock.own : 0)
  }

  /// The kinds that were understood: a program that knows another one reads the logs anew.
  private static let kinds = EventKind.allCases.map(\.rawValue)

  /// How many bytes at a file's beginning, and before the end of what is covered, must be the same.
  static let headLength: UInt64 = 4 << 10
  static let tailLength: UInt64 = 64 << 10
  /// How many broken lines are looked at, whether they still are.
  static let mostDamage = 100
}

extension Coverage.Covered {
  /// What is covered when a file was read as far as it is now.
  init(_ file: LogFile) throws(LogError) {
    name = file.name
    end = file.end
    lines = file.lines
    start = file.start
    damage = file.damage
    later = file.later
    (head, tail) = try Coverage.Covered.looks(of: file.file, end: file.end)
  }

  /// What is covered when these files were read as far as they are now.
  static func all(of files: [LogFile]) throws(LogError) -> [Coverage.Covered] {
    try files.map { (file) throws(LogError) in try Coverage.Covered(file) }
  }

  /// Whether a file still begins with what is covered, as far as one can tell without reading it.
  func isIn(_ file: File) throws(LogError) -> Bool {
    guard try file.status().size >= end else { return false }
    for position in damage.prefix(Coverage.mostDamage) {
      // A backup may have been put in the place of a damaged file.
      var entries = LogLines(file, index: 0, from: position.byte, after: 0)
      guard let entry = try entries.next(), entry.line == nil else { return false }
    }
    return try Coverage.Covered.looks(of: file, end: end) == (head, tail)
  }

  private static func looks(of file: File, end: UInt64) throws(LogError) -> (head: UInt64, tail: UInt64) {
    let tailStart = end - min(end, Coverage.tailLength)
    let head = try file.bytes(at: 0, count: Int(min(end, Coverage.headLength)))
    let tail = try file.bytes(at: tailStart, count: Int(end - tailStart))
    return (head.withUnsafeBytes { Fingerprint.of($0) }, tail.withUnsafeBytes { Fingerprint.of($0) })
  }
}

// MARK: As lines

extension Coverage {
  /// The coverage as lines, the form of state files.
  var lines: [UInt8] {
    var writer = LineWriter()
    var members: [(String, StateRecord.Value)] = [
      ("kinds", .texts(Coverage.kinds)), ("reading", .text(String(clock.last))), ("files", .number(files.count)),
    ]
    if clock.own > 0 { members += [("device", .text("\(clock.device)")), ("own", .text(String(clock.own)))] }
    writer.write(StateRecord(members))
    for file in files { writer.write(file.record) }
    for event in ahead {
      writer.write(StateRecord([("aheadIn", .number(event.file)), ("offset", .number(Int(event.offset)))]))
    }
    return writer.refusal == nil ? writer.bytes : []
  }

  /// The coverage that lines say; nil where they are no such.
  init?(lines: [UInt8], folders: Folders) {
    var records = StateRecord.records(in: lines)
    guard !records.isEmpty, records[0]["kinds"] == .texts(Coverage.kinds),
      case .text(let reading) = records[0]["reading"], let reading = UInt64(reading),
      case .number(let count) = records[0]["files"], count >= 0, count < records.count
    else { return nil }
    var clock = HybridClock(device: DeviceID(letters: 0), last: reading, own: 0)
    if case .text(let letters) = records[0]["device"], case .text(let own) = records[0]["own"] {
      guard let device = DeviceID(letters), let own = UInt64(own) else { return nil }
      clock = HybridClock(device: device, last: reading, own: own)
    }
    records.removeFirst()
    let files = records.prefix(count).compactMap { Covered($0, folders: folders) }
    let ahead = records.dropFirst(count).compactMap { Ahead($0, files: count) }
    guard files.count + ahead.count == records.count else { return nil }
    self.init(files: files, ahead: ahead, clock: clock)
  }
}

extension Coverage.Ahead {
  fileprivate init?(_ record: StateRecord, files: Int) {
    guard case .number(let file) = record["aheadIn"], (0..<files).contains(file),
      case .number(let offset) = record["offset"], offset >= 0
    else { return nil }
    self.init(file: file, offset: UInt64(offset))
  }
}

extension Coverage.Covered {
  fileprivate var record: StateRecord {
    var members: [(String, StateRecord.Value)] = [
      ("name", .text(name)), ("end", .number(Int(end))), ("lines", .number(lines)),
      ("head", .text(String(head, radix: 16))), ("tail", .text(String(tail, radix: 16))),
      ("damage", .texts(damage.map { "\($0.line) \($0.byte)" })),
    ]
    if let start {
      members += [("device", .text("\(start.device)")), ("generation", .number(start.generation))]
    }
    if let later {
      members += [
        ("later", .text("\(later.position.line) \(later.position.byte)")), ("version", .number(later.version)),
      ]
    }
    return StateRecord(members)
  }

  fileprivate init?(_ record: StateRecord, folders: Folders) {
    guard case .text(let name) = record["name"], case .number(let end) = record["end"], end >= 0,
      case .number(let lines) = record["lines"], case .text(let head) = record["head"],
      case .text(let tail) = record["tail"], case .texts(let damage) = record["damage"],
      let head = UInt64(head, radix: 16), let tail = UInt64(tail, radix: 16)
    else { return nil }
    let path = folders.path(of: name)
    let positions = damage.compactMap { LogPosition(words: $0, path: path) }
    guard positions.count == damage.count else { return nil }
    self.init(
      name: name, end: UInt64(end), lines: lines, start: nil, head: head, tail: tail, damage: positions, later: nil)
    if case .text(let letters) = record["device"], case .number(let generation) = record["generation"] {
      guard let device = DeviceID(letters) else { return nil }
      start = LogStart(device: device, generation: generation)
    }
    if case .text(let words) = record["later"], case .number(let version) = record["version"] {
      guard let position = LogPosition(words: words, path: path) else { return nil }
      later = LogFile.Later(position: position, version: version)
    }
  }
}

extension LogPosition {
  /// `LINE BYTE`
  fileprivate init?(words: String, path: String) {
    let numbers = words.split(separator: " ").compactMap { UInt64($0) }
    guard numbers.count == 2, let line = Int(exactly: numbers[0]) else { return nil }
    self.init(path: path, line: line, byte: numbers[1])
  }
}

// MARK: Going on

extension Journal {
  /// What was passed on so far, as lines to be kept beside what was made of it.
  package func coverage() throws(LogError) -> [UInt8] {
    let places = ahead.values.map { Coverage.Ahead(file: Int($0.file), offset: $0.offset) }
      .sorted { ($0.file, $0.offset) < ($1.file, $1.offset) }
    return Coverage(files: try Coverage.Covered.all(of: files), ahead: places, clock: clock).lines
  }

  /// Goes on where a coverage ends; returns false, with nothing read, unless every file still begins with what it
  /// covers.
  func resume(_ lines: [UInt8]) -> Bool {
    guard let coverage = Coverage(lines: lines, folders: folders) else { return false }
    // With the clock set back, events of others that were passed on may be too far ahead now.
    let clock = coverage.clock(of: clock.device)
    guard clock.isWithinReach(of: now()) else { return false }
    var files: [LogFile] = []
    var ahead: [EventID: Deferred] = [:]
    do throws(LogError) {
      for covered in coverage.files {
        let file = try File(folders.path(of: covered.name), .read)
        guard try covered.isIn(file) else { return false }
        files.append(try LogFile(file, index: UInt32(files.count), from: covered))
      }
      for place in coverage.ahead {
        guard files.indices.contains(place.file) else { return false }
        let file = files[place.file]
        var entries = LogLines(file.file, index: file.index, from: place.offset, after: 0)
        guard case .event(let event)? = try entries.next()?.line?.content else { return false }
        ahead[event.id] = Deferred(event: event, file: file.index, offset: place.offset)
      }
    } catch { return false }  // Reading from the start reports what fails.
    (self.files, self.ahead) = (files, ahead)
    current = Dictionary(files.map { ($0.name, $0) }) { first, _ in first }
    self.clock.catchUp(with: clock)
    written = self.clock.own
    return true
  }

  /// Goes on from another coverage, which another process reached; returns false if that cannot be.
  package func rewind(to coverage: [UInt8]) -> Bool {
    isStale = false
    return resume(coverage)
  }
}
