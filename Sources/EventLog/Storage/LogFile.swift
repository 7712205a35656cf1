import Core

/// One device's file as far as it was read; reading continues from there.
///
/// Keeps the file open, so that offsets into it stay valid when its name comes to refer to another file.
final class LogFile {
  let file: File
  /// The name by which the journal knows it; see `Folders.path`.
  let name: String
  /// The index in the reader's file list, for `LogRange`.
  let index: UInt32
  private let status: FileStatus
  /// The end of the last good line.
  private(set) var end: UInt64 = 0
  /// The file's size in bytes when it was last read.
  private(set) var size: UInt64 = 0
  private(set) var start: LogStart?
  /// Broken lines followed by a good one.
  private(set) var damage: [LogPosition] = []
  /// The first line of a newer version.
  private(set) var later: Later?
  /// The number of lines that end at or before `end`.
  private(set) var lines = 0
  /// Broken lines after the last good one, if they are more than one incomplete write leaves.
  private(set) var brokenEnd: [LogPosition] = []
  /// Whether the last good line is followed by a whole one that only lacks its newline, as some editors leave it.
  private(set) var endsWithWholeLine = false
  /// The number of good lines with a kind or a value that this program does not know.
  private(set) var unknown = 0

  init(_ file: File, name: String, index: UInt32) throws(LogError) {
    (self.file, self.name, self.index) = (file, name, index)
    status = try file.status()
  }

  /// A line of a newer version.
  struct Later: Equatable {
    var position: LogPosition
    var version: Int
  }

  /// A file already read as far as a coverage says.
  convenience init(_ file: File, index: UInt32, from covered: Coverage.Covered) throws(LogError) {
    try self.init(file, name: covered.name, index: index)
    end = covered.end
    size = covered.end
    lines = covered.lines
    start = covered.start
    damage = covered.damage
    later = covered.later
  }

  var path: String { file.path }
  /// Whether it is a log of the catalogue, of which decisions do not count.
  var isOfCatalogue: Bool { name.hasPrefix(Folders.cataloguePrefix) }
  var identity: FileIdentity { FileIdentity(status) }

  /// The bytes after the last good line, if they are consistent with an incomplete write.
  var tornTail: (position: LogPosition, bytes: UInt64)? {
    guard size > end, brokenEnd.isEmpty else { return nil }
    return (LogPosition(path: path, line: lines + 1, byte: end), size - end)
  }

  /// Whether `log merge` kept it beside another file of its device.
  static func isKeptFork(_ path: String) -> Bool { Directory.name(of: path).contains(".fork-") }

  /// Every broken line except those of a torn tail.
  var brokenLines: [LogPosition] { damage + brokenEnd }

  /// Reads what was appended, and passes each event and the offset of its line to `fold`.
  func readOn(_ fold: (Event, UInt64) -> Void) throws(LogError) {
    var entries = LogLines(file, index: index, from: end, after: lines)
    // Broken lines since the last good one: damage if another good one follows, otherwise perhaps a torn tail.
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
    (brokenEnd, endsWithWholeLine) = ([], false)
    guard size > end else { return }
    if broken.isEmpty, size - end < LogFormat.lineLimit {
      let rest = try file.bytes(at: end, count: Int(size - end))
      endsWithWholeLine = rest.withUnsafeBytes { LineChecksum.unsealed($0) != nil }
    }
    guard try !TornTail.isTorn(in: file, from: end, to: size) else { return }
    brokenEnd = broken.isEmpty ? [LogPosition(path: path, line: lines + 1, byte: end)] : broken
  }

  /// Reads the lines read so far again.
  func forEachEvent(_ body: (Event) -> Void) throws(LogError) { try forEachEvent(from: 0) { event, _ in body(event) } }

  /// Reads the lines read so far again, starting at the line at an offset; also passes the offset of each.
  func forEachEvent(from start: UInt64, _ body: (Event, UInt64) -> Void) throws(LogError) {
    var entries = LogLines(file, index: index, from: start, after: 0)
    while entries.end < end, let entry = try entries.next() {
      if case .event(let event)? = entry.line?.content { body(event, entries.start) }
    }
  }

  /// Reads the lines at the given offsets, which are ascending, again.
  func forEachEvent(at places: [UInt64], _ body: (Event) -> Void) throws(LogError) {
    var next = places[...]
    while let start = next.popFirst() {
      var entries = LogLines(file, index: index, from: start, after: 0)
      while let entry = try entries.next() {
        if case .event(let event)? = entry.line?.content { body(event) }
        // A line that follows directly is already in the buffer.
        guard next.first == entries.end else { break }
        next.removeFirst()
      }
    }
  }

  /// How many broken lines are reported individually.
  private static let listed = 10

  /// The device that writes the file, by its first line or else by its name; nil if neither states one.
  var device: DeviceID? { start?.device ?? DeviceID(Directory.name(of: path).prefix(DeviceID.length)) }

  /// Findings about the file.
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
    case .unknown: unknown += 1
    }
  }
}

/// Identifies a file regardless of its name.
struct FileIdentity: Hashable {
  var device: UInt64
  var inode: UInt64

  init(_ status: FileStatus) {
    device = status.device
    inode = status.inode
  }
}
