import Core

/// One device's file as far as it was read: it is read on from there.
///
/// Keeps the file open, so that the places of its texts hold when the name comes to mean another file.
final class LogFile {
  let file: File
  /// The position among the reader's files, for `LogPlace`.
  let index: UInt32
  private let status: FileStatus
  /// The end of the last good line.
  private(set) var end: UInt64 = 0
  /// How many bytes the file had when it was last read.
  private(set) var size: UInt64 = 0
  private(set) var start: LogStart?
  /// Broken lines that have a good one after them.
  private(set) var damage: [LogPosition] = []
  /// The first line of a later version.
  private(set) var later: Later?
  /// How many lines end at or before `end`.
  private(set) var lines = 0
  /// Broken lines after the last good one, where they are more than one unfinished write leaves.
  private(set) var brokenEnd: [LogPosition] = []

  init(_ file: File, index: UInt32) throws(LogError) {
    self.file = file
    self.index = index
    status = try file.status()
  }

  /// A line of a later version.
  struct Later: Equatable {
    var position: LogPosition
    var version: Int
  }

  /// A file that was read before as far as a checkpoint covers it.
  convenience init(_ file: File, index: UInt32, from covered: Coverage.Covered) throws(LogError) {
    try self.init(file, index: index)
    end = covered.end
    size = covered.end
    lines = covered.lines
    start = covered.start
    damage = covered.damage
    later = covered.later
  }

  var path: String { file.path }
  var identity: FileIdentity { FileIdentity(status) }

  /// The bytes after the last good line, where they are what an unfinished write leaves.
  var tornTail: (position: LogPosition, bytes: UInt64)? {
    guard size > end, brokenEnd.isEmpty else { return nil }
    return (LogPosition(path: path, line: lines + 1, byte: end), size - end)
  }

  /// Whether what follows the last good line is a whole one that lacks its newline, as some editors leave it.
  var endsWithWholeLine: Bool {
    get throws(LogError) {
      guard size > end, size - end < LogFormat.lineLimit else { return false }
      return try file.bytes(at: end, count: Int(size - end)).withUnsafeBytes { LineSeal.unsealed($0) != nil }
    }
  }

  /// Every broken line but those of a torn tail.
  var brokenLines: [LogPosition] { damage + brokenEnd }

  /// Reads what was appended, giving each event and where its line begins to `fold`.
  func readOn(_ fold: (Event, UInt64) -> Void) throws(LogError) {
    var entries = LogLines(file, index: index, from: end, after: lines)
    // Broken lines since the last good one: damage if another good one follows, else the torn tail.
    var broken: [LogPosition] = []
    while let entry = try entries.next() {
      let position = LogPosition(path: path, line: entries.number, byte: entries.start)
      guard let line = entry.line else {
        broken.append(position)
        continue
      }
      take(line, at: position, fold)
      damage += broken
      broken.removeAll()
      end = entries.end
      lines = entries.number
    }
    size = entries.fileEnd
    brokenEnd = try TornTail.isTorn(lines: broken.count, in: file, from: end, to: size) ? [] : broken
  }

  /// Reads the lines read so far again.
  func forEachEvent(_ body: (Event) -> Void) throws(LogError) { try forEachEvent(from: 0) { event, _ in body(event) } }

  /// Reads the lines read so far again, from the one that begins at a place on; gives where each begins too.
  func forEachEvent(from start: UInt64, _ body: (Event, UInt64) -> Void) throws(LogError) {
    var entries = LogLines(file, index: index, from: start, after: 0)
    while entries.end < end, let entry = try entries.next() {
      if case .event(let event)? = entry.line?.content { body(event, entries.start) }
    }
  }

  /// Reads the lines that begin at some places again, which are in order.
  func forEachEvent(at places: [UInt64], _ body: (Event) -> Void) throws(LogError) {
    var next = places[...]
    while let start = next.popFirst() {
      var entries = LogLines(file, index: index, from: start, after: 0)
      while let entry = try entries.next() {
        if case .event(let event)? = entry.line?.content { body(event) }
        // A line right behind is in the buffer already.
        guard next.first == entries.end else { break }
        next.removeFirst()
      }
    }
  }

  /// How many broken lines are told one by one.
  private static let listed = 10

  /// The device that writes it, by its first line or else its name; nil where neither says.
  var device: DeviceID? { start?.device ?? DeviceID(Directory.name(of: path).prefix(DeviceID.length)) }

  /// What a person should be told of the file.
  var findings: [LogFinding] {
    var findings = brokenLines.prefix(LogFile.listed).map(LogFinding.damaged)
    let further = brokenLines.count - LogFile.listed
    if further > 0 { findings.append(.damagedFurther(path: path, lines: further)) }
    if let tornTail { findings.append(.unfinished(tornTail.position, bytes: tornTail.bytes)) }
    if let later { findings.append(.newerFormat(later.position, version: later.version)) }
    if status.permissions & 0o077 != 0 {
      findings.append(.readableByOthers(path: path, mode: status.permissions))
    }
    if status.owner != Process.user { findings.append(.ownedByAnother(path: path, user: status.owner)) }
    return findings
  }

  private func take(_ line: Line, at position: LogPosition, _ fold: (Event, UInt64) -> Void) {
    if line.version > LogFormat.version, later == nil { later = Later(position: position, version: line.version) }
    switch line.content {
    case .event(let event): fold(event, position.byte)
    case .start(let start): if position.byte == 0 { self.start = start }
    case .unknown: break
    }
  }
}

/// What makes a file the same one under whatever name.
struct FileIdentity: Hashable {
  var device: UInt64
  var inode: UInt64

  init(_ status: FileStatus) {
    device = status.device
    inode = status.inode
  }
}
