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
    /// Broken lines, and the first line of a newer version; their paths are left out when read from lines.
    var damage: [LogPosition]
    var later: LogFile.Later?
  }

  /// An event that was too far ahead of the clock to be folded: its line's position.
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
  static let maxDamage = 100
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

  /// The coverage of files that have been read up to their present ends.
  static func all(of files: [LogFile]) throws(LogError) -> [Coverage.Covered] {
    try files.map { (file) throws(LogError) in try Coverage.Covered(file) }
  }

  /// Whether a file still begins with what is covered, as far as one can tell without reading it.
  func isIn(_ file: File) throws(LogError) -> Bool {
    guard try file.status().size >= end else { return false }
    for position in damage.prefix(Coverage.maxDamage) {
      // A backup may have replaced a damaged file.
      var entries = LogLines(file, index: 0, from: position.byte, after: 0)
      guard let entry = try entries.next(), entry.line == nil else { return false }
    }
    return try Coverage.Covered.looks(of: file, end: end) == (head, tail)
  }

  /// What the first bytes of a file and the last ones before `end` look like.
  static func looks(of file: File, end: UInt64) throws(LogError) -> (head: UInt64, tail: UInt64) {
    let tailStart = end - min(end, Coverage.tailLength)
    let head = try file.bytes(at: 0, count: Int(min(end, Coverage.headLength)))
    let tail = try file.bytes(at: tailStart, count: Int(end - tailStart))
    return (Fingerprint.of(head.span.bytes), Fingerprint.of(tail.span.bytes))
  }
}

// MARK: As lines

extension Coverage {
  /// What a coverage says first: the kinds that were understood, how many files follow, and the clock.
  private struct Head: FieldSchema {
    var kinds: [String]
    var files: Int
    var clock: HybridClock

    static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
      let kinds = try coder.member("kinds", body?.kinds)
      let last = try coder.member("reading", body?.clock.last)
      let files = try coder.member("files", body?.files)
      // A device that wrote nothing has a new ID in each process.
      let writer = body.flatMap { $0.clock.own > 0 ? $0.clock : nil }
      let device = try coder.option("device", writer?.device) ?? DeviceID(letters: 0)
      let own = try coder.option("own", writer?.own) ?? 0
      return Head(kinds: kinds, files: files, clock: HybridClock(device: device, last: last, own: own))
    }
  }

  /// The coverage as lines, the form of state files.
  var lines: [UInt8] {
    var writer = LineWriter()
    writer.write(Head(kinds: Coverage.kinds, files: files.count, clock: clock))
    for file in files { writer.write(file) }
    for event in ahead { writer.write(event) }
    return writer.refusal == nil ? writer.bytes : []
  }

  /// The coverage in lines; nil if they are malformed or of a program that understands other kinds.
  init?(lines: [UInt8]) {
    var reader = LineReader()
    let lines = lines.split(separator: UInt8(ascii: "\n"))
    guard let first = lines.first, let head: Head = reader.body(in: first), head.kinds == Coverage.kinds,
      (0..<lines.count).contains(head.files)
    else { return nil }
    let files: [Covered] = lines.dropFirst().prefix(head.files).compactMap { reader.body(in: $0) }
    let ahead: [Ahead] = lines.dropFirst(1 + head.files).compactMap { reader.body(in: $0) }
    guard 1 + files.count + ahead.count == lines.count else { return nil }
    self.init(files: files, ahead: ahead, clock: head.clock)
  }
}

extension Coverage.Ahead: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try Coverage.Ahead(file: coder.member("aheadIn", body?.file), offset: coder.member("offset", body?.offset))
  }
}

extension Coverage.Covered: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try Coverage.Covered(
      name: coder.member("name", body?.name), end: coder.member("end", body?.end),
      lines: coder.member("lines", body?.lines), start: coder.optional(body?.start),
      head: coder.member("head", body?.head), tail: coder.member("tail", body?.tail),
      damage: coder.member("damage", body?.damage), later: coder.optional(body?.later))
  }
}

extension LogFile.Later: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try LogFile.Later(position: coder.member("later", body?.position), version: coder.member("version", body?.version))
  }
}

extension LogPosition: FieldValue {
  /// Without the path, because a home may be moved: `"LINE BYTE"`.
  func write(to line: inout LineWriter) { "\(self.line) \(byte)".write(to: &line) }

  init?(_ value: LineValue) {
    let numbers = (value.text ?? "").split(separator: " ").compactMap { UInt64($0) }
    guard numbers.count == 2, let line = Int(exactly: numbers[0]) else { return nil }
    self.init(path: "", line: line, byte: numbers[1])
  }
}

// MARK: Going on

extension Journal {
  /// What was passed on so far, as lines to be kept beside what was made of it.
  package func coverage() throws(LogError) -> [UInt8] {
    let positions = ahead.values.map { Coverage.Ahead(file: Int($0.file), offset: $0.offset) }
      .sorted { ($0.file, $0.offset) < ($1.file, $1.offset) }
    return Coverage(files: try Coverage.Covered.all(of: files), ahead: positions, clock: clock).lines
  }

  /// Goes on where a coverage ends; returns false, with nothing read, unless every file still begins with what it
  /// covers.
  func resume(_ lines: [UInt8]) -> Bool {
    guard let coverage = Coverage(lines: lines) else { return false }
    // With the clock set back, events of others that were passed on may be too far ahead now.
    let clock = coverage.clock(of: clock.device)
    guard clock.isWithinReach(of: now()) else { return false }
    var files: [LogFile] = []
    var ahead: [EventID: Deferred] = [:]
    var own = clock.own
    do throws(LogError) {
      for covered in coverage.files {
        let file = try File(folders.path(of: covered.name), .read)
        guard try covered.isIn(file) else { return false }
        files.append(try LogFile(file, index: UInt32(files.count), from: covered))
        guard covered.name == ownName, coverage.clock.device != clock.device else { continue }
        // Another device knew nothing of this one's clock.
        var entries = LogLines(file, index: 0, from: 0, after: 0)
        while entries.end < covered.end, let entry = try entries.next() {
          if case .event(let event)? = entry.line?.content { own = max(own, event.id.reading) }
        }
      }
      for position in coverage.ahead {
        guard files.indices.contains(position.file) else { return false }
        let file = files[position.file]
        var entries = LogLines(file.file, index: file.index, from: position.offset, after: 0)
        guard case .event(let event)? = try entries.next()?.line?.content else { return false }
        ahead[event.id] = Deferred(event: event, file: file.index, offset: position.offset)
      }
    } catch { return false }  // Reading from the start reports what fails.
    (self.files, self.ahead) = (files, ahead)
    current = Dictionary(files.map { ($0.name, $0) }) { first, _ in first }
    self.clock.catchUp(with: clock)
    written = max(own, self.clock.own)
    return true
  }

  /// Goes on from another coverage, which another process reached; returns false if that cannot be.
  package func rewind(to coverage: [UInt8]) -> Bool {
    isStale = false
    return resume(coverage)
  }

  /// Whether the catalogue named one of the videos before the coverage ends with which this journal went on.
  package func catalogueNamed(_ videos: Set<VideoID>) throws(LogError) -> Bool {
    for file in files where file.isOfCatalogue {
      if try file.wereNamed(videos) { return true }
    }
    return false
  }
}
