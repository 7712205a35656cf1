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
  private(set) var later: (position: LogPosition, version: Int)?
  /// How many lines end at or before `end`.
  private var lines = 0
  private var reader = LineReader()

  init(_ file: File, index: UInt32) throws(LogError) {
    self.file = file
    self.index = index
    status = try file.status()
  }

  var path: String { file.path }
  var identity: FileIdentity { FileIdentity(status) }

  /// The bytes after the last good line.
  var tail: (position: LogPosition, bytes: UInt64)? {
    size > end ? (LogPosition(path: path, line: lines + 1, byte: end), size - end) : nil
  }

  /// Reads what was appended, giving each event to `fold`.
  func readOn(_ fold: (Event) -> Void) throws(LogError) {
    var scanner = LineScanner(file: file, offset: end)
    // Broken lines since the last good one: damage if another good one follows, else the torn tail.
    var broken: [LogPosition] = []
    var number = lines
    while let bytes = try scanner.next() {
      number += 1
      let place = LogPlace(file: index, length: 0, offset: scanner.lineStart)
      guard let line = bytes.bytes.flatMap({ reader.read($0, at: place) }) else {
        broken.append(LogPosition(path: path, line: number, byte: scanner.lineStart))
        continue
      }
      take(line, at: LogPosition(path: path, line: number, byte: scanner.lineStart), fold)
      damage += broken
      broken.removeAll()
      end = scanner.lineEnd
      lines = number
    }
    size = scanner.fileEnd
  }

  /// Reads the lines read so far again.
  func forEachEvent(_ body: (Event) -> Void) throws(LogError) {
    var scanner = LineScanner(file: file, offset: 0)
    var reader = LineReader()
    while scanner.lineEnd < end, let bytes = try scanner.next() {
      let place = LogPlace(file: index, length: 0, offset: scanner.lineStart)
      guard let line = bytes.bytes.flatMap({ reader.read($0, at: place) }) else { continue }
      if case .event(let event) = line.content { body(event) }
    }
  }

  /// What a person should be told of the file.
  var findings: [LogFinding] {
    var findings = damage.map(LogFinding.damaged)
    if let tail { findings.append(.unfinished(tail.position, bytes: tail.bytes)) }
    if let later { findings.append(.newerFormat(later.position, version: later.version)) }
    if status.permissions & 0o077 != 0 {
      findings.append(.readableByOthers(path: path, mode: status.permissions))
    }
    if status.owner != Process.user { findings.append(.ownedByAnother(path: path, user: status.owner)) }
    return findings
  }

  private func take(_ line: Line, at position: LogPosition, _ fold: (Event) -> Void) {
    if line.version > LogFormat.version, later == nil { later = (position, line.version) }
    switch line.content {
    case .event(let event): fold(event)
    case .start(let start): if self.start == nil { self.start = start }
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
