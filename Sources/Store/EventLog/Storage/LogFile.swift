import Core
import Glibc

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
  /// The end of the lines that another reader read.
  private var covered: UInt64 = 0
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
  /// The end of the lines before the first event found to be from the future, and its ID.
  private var presentEnd: UInt64 = 0
  private var future: EventID?
  /// How it looked when it was last compared with another machine's, and when it had last changed.
  private var look: (end: LogEnd, changed: Int64)?
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
    self.covered = covered.end
    size = covered.end
    lines = covered.lines
    start = covered.start
    damage = covered.damage.map { LogPosition(path: file.path, line: $0.line, byte: $0.byte) }
    later = covered.later
    later?.position.path = file.path
  }

  var path: String { file.path }
  /// Whether it is a log of the catalogue, whose decisions do not count.
  var isOfCatalogue: Bool { name.hasPrefix(Folders.cataloguePrefix) }
  /// Whether another status is of the same file, whatever its name.
  func isFile(of other: FileStatus) -> Bool { (status.device, status.inode) == (other.device, other.inode) }

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
  func forEachEvent(_ body: (Event) -> Void) throws(LogError) {
    var entries = LogLines(file, index: index, from: 0, after: 0)
    while entries.end < end, let entry = try entries.next() {
      if case .event(let event)? = entry.line?.content { body(event) }
    }
  }

  /// The end of the lines before the first event from the future; `now` in milliseconds since 1970. Reads each line once.
  func end(before now: UInt64) throws(LogError) -> UInt64 {
    if let future, HybridClock.isAhead(future, of: now) { return presentEnd }
    future = nil
    var entries = LogLines(file, index: index, from: presentEnd, after: 0)
    while presentEnd < end, let entry = try entries.next() {
      if case .event(let event)? = entry.line?.content, HybridClock.isAhead(event.id, of: now) {
        future = event.id
        break
      }
      presentEnd = entries.end
    }
    return presentEnd
  }

  /// How its first bytes look, to be compared with another machine's, and whether they looked the same before. `now` is
  /// in milliseconds since 1970.
  func look(at length: UInt64, _ now: UInt64) throws(LogError) -> (end: LogEnd, isSame: Bool) {
    let status = try file.status()
    if let look, look.changed == status.changed, look.end.length == length { return (look.end, true) }
    let end = try LogEnd(of: file, at: length)
    if let look, try !look.end.isIn(file) { return (end, false) }
    // A change within the same tick of the clock would not be seen.
    let isSettled = status.changed < Int64(now) - LogFile.tick
    look = (end, isSettled ? status.changed : 0)
    return (end, true)
  }

  /// Longer than a tick of the clock of any file system, in milliseconds.
  private static let tick: Int64 = 2000

  /// Whether a line that another reader read names one of the videos. Parsing the lines would take as long as beginning
  /// again.
  func wereNamed(_ videos: Set<VideoID>) throws(LogError) -> Bool {
    var scanner = LineScanner(file: file, offset: 0)
    while scanner.lineEnd < covered, let line = try scanner.next() {
      if let bytes = line.bytes, LogFile.names(videos, bytes) { return true }
    }
    return false
  }

  /// Whether a line has one of the IDs in quotation marks; no writer escapes their characters.
  private static func names(_ videos: Set<VideoID>, _ line: UnsafeRawBufferPointer) -> Bool {
    let mark = UInt8(ascii: "\"")
    guard let base = line.baseAddress else { return false }
    var start = 0
    while let quote = memchr(base + start, Int32(mark), line.count - start) {
      start = UnsafeRawPointer(quote) - base + 1
      if ids(from: start, in: line).contains(where: videos.contains) { return true }
    }
    return false
  }

  /// The ID that begins at `start` and ends with a quotation mark, if there is one.
  private static func ids(from start: Int, in line: UnsafeRawBufferPointer) -> [VideoID] {
    [VideoID.length, VideoID.maximumLength].compactMap { length in
      let end = start + length
      guard end < line.count, line[end] == UInt8(ascii: "\"") else { return nil }
      return VideoID(bytes: line[start..<end])
    }
  }

  /// Reads the lines at the given offsets, which are ascending, again.
  func forEachEvent(at offsets: [UInt64], _ body: (Event) -> Void) throws(LogError) {
    var next = offsets[...]
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

/// Reads a file line by line through a large buffer that is reused.
///
/// Not memory-mapped: a file that shrinks under a mapping kills the process.
struct LineScanner: ~Copyable {
  private let file: File
  private var buffer: UnsafeMutableRawBufferPointer
  /// File offset of the buffer's first byte.
  private var base: UInt64
  /// Number of valid bytes in the buffer.
  private var filled = 0
  /// Buffer offset of the next line.
  private var position = 0
  /// File offset of the line returned last.
  private(set) var lineStart: UInt64
  /// File offset after that line's newline.
  private(set) var lineEnd: UInt64

  /// A line without its newline; `bytes` is nil if it exceeds the line limit.
  struct Line {
    var bytes: UnsafeRawBufferPointer?
  }

  /// A scanner that starts at a file offset.
  init(file: File, offset: UInt64) {
    self.file = file
    buffer = .allocate(byteCount: 1 << 18, alignment: 16)
    base = offset
    lineStart = offset
    lineEnd = offset
  }

  deinit { buffer.deallocate() }

  /// The end of what was read; the file's size once there are no more lines.
  var fileEnd: UInt64 { base + UInt64(filled) }

  /// The next line that ends with a newline; nil at the end. Its bytes are valid until the next call.
  mutating func next() throws(LogError) -> Line? {
    lineStart = base + UInt64(position)
    var searched = position
    var isTooLong = false
    while true {
      if let newline = newline(from: searched) {
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[position..<newline])
        position = newline + 1
        lineEnd = base + UInt64(position)
        return Line(bytes: isTooLong || bytes.count >= LogFormat.lineLimit ? nil : bytes)
      }
      if filled - position >= LogFormat.lineLimit {
        isTooLong = true
        position = filled
      }
      searched = filled - position
      guard try fill() else { return nil }
    }
  }

  private func newline(from index: Int) -> Int? {
    guard let start = buffer.baseAddress, let found = memchr(start + index, 10, filled - index) else { return nil }
    return found - start
  }

  /// Moves the incomplete line to the buffer's beginning and reads more; false at the end of the file.
  private mutating func fill() throws(LogError) -> Bool {
    let rest = filled - position
    if rest == buffer.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count * 2, alignment: 16)
      larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[position..<filled]))
      buffer.deallocate()
      buffer = larger
    } else if position > 0, let start = buffer.baseAddress {
      memmove(start, start + position, rest)
    }
    base += UInt64(position)
    position = 0
    filled = rest
    let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[rest...]), at: base + UInt64(rest))
    filled += count
    return count > 0
  }
}

/// Reads a log file line by line and parses each line.
struct LogLines: ~Copyable {
  private var scanner: LineScanner
  private var reader = LineReader()
  private let file: UInt32
  /// Number of the line returned last, from 1 at the start of the file.
  private(set) var number: Int

  /// One line of the file.
  struct Entry {
    /// Its bytes without the newline, valid until the next line is read; nil if it exceeds the line limit.
    var bytes: UnsafeRawBufferPointer?
    /// Its content; nil if it is broken.
    var line: Line?
  }

  /// The lines from `offset` on; `lines` lines precede them, and `index` is the file's index in the reader's list.
  init(_ file: File, index: UInt32, from offset: UInt64, after lines: Int) {
    scanner = LineScanner(file: file, offset: offset)
    self.file = index
    number = lines
  }

  /// File offset of the line returned last.
  var start: UInt64 { scanner.lineStart }
  /// Its end, after the newline.
  var end: UInt64 { scanner.lineEnd }
  /// The end of the file, once there are no more lines.
  var fileEnd: UInt64 { scanner.fileEnd }

  /// The ID in the line returned last, of whatever kind it is; nil if it has none.
  var id: EventID? {
    mutating get { reader.value("id").flatMap { EventID($0) } }
  }

  /// The next line that ends with a newline; nil at the end.
  mutating func next() throws(LogError) -> Entry? {
    guard let scanned = try scanner.next() else { return nil }
    number += 1
    let range = LogRange(file: file, length: 0, offset: scanner.lineStart)
    let line = scanned.bytes.flatMap { reader.read($0, at: range) }
    return Entry(bytes: scanned.bytes, line: line)
  }
}
