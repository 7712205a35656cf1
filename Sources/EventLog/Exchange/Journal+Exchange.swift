import Core

/// Logs as machines exchange them: by line, from any place on.
extension Journal {
  /// How far each log was read; those of a catalogue are left out.
  package func marks() throws(LogError) -> [LogMark] {
    var marks: [LogMark] = []
    for (name, file) in current.sorted(by: { $0.key < $1.key }) {
      guard !file.isOfCatalogue, let device = file.device else { continue }
      marks.append(
        LogMark(
          log: String(name.dropLast(LogMark.ending.count)), device: device, generation: file.start?.generation ?? 1,
          end: try LogEnd(of: file.file, at: file.end), isDamaged: !file.brokenLines.isEmpty))
    }
    return marks
  }

  /// Whether a log has this end, at its own or before.
  package func hasEnd(_ end: LogEnd, in log: String) throws(LogError) -> Bool {
    guard let file = file(of: log) else { return end == .start }
    guard end.length <= file.end else { return false }
    return try end.isIn(file.file)
  }

  /// The end of the first bytes of a log; nil without this log.
  package func end(of log: String, at length: UInt64) throws(LogError) -> LogEnd? {
    try file(of: log).map { (file) throws(LogError) in try LogEnd(of: file.file, at: length) }
  }

  /// Whole lines of a log from a place on, as many as fit in `most` bytes, but at least one; nil without this log.
  package func lines(of log: String, from offset: UInt64, most: Int) throws(LogError) -> [UInt8]? {
    guard let file = file(of: log) else { return nil }
    let left = file.end - min(offset, file.end)
    var lines = try file.file.bytes(at: offset, count: Int(min(left, UInt64(most))))
    if UInt64(lines.count) < left {
      if let end = lines.lastIndex(of: UInt8(ascii: "\n")) {
        lines.removeSubrange((end + 1)...)
      } else {
        lines = try file.file.bytes(at: offset, count: Int(min(left, UInt64(LogFormat.lineLimit))))
        lines.removeSubrange(((lines.firstIndex(of: UInt8(ascii: "\n")) ?? lines.count - 1) + 1)...)
      }
    }
    return lines
  }

  /// How many lines of a log follow a place.
  package func lineCount(of log: String, after offset: UInt64) throws(LogError) -> Int {
    guard let file = file(of: log), offset < file.end else { return 0 }
    var entries = LogLines(file.file, index: file.index, from: offset, after: 0)
    while entries.end < file.end, try entries.next() != nil {}
    return entries.number
  }

  /// Appends checked lines that came from elsewhere to a log, with one write and one sync, if the log has this end; it
  /// is created if absent. Returns whether they were appended.
  package func extend(_ log: String, at end: LogEnd, with lines: [UInt8]) throws(LogError) -> Bool {
    try withWriterLock { () throws(LogError) in
      try Directory.make(folders.log)
      try refreshAlone()
      // What a crash left of an earlier attempt.
      if let file = file(of: log) { try moveTornTail(of: file) }
      let file = file(of: log)
      guard file?.end ?? 0 == end.length, file?.brokenLines.isEmpty ?? true, file?.later == nil else { return false }
      guard try hasEnd(end, in: log) else { return false }
      if !lines.isEmpty { try append(lines, to: log + LogMark.ending) }
      return true
    }
  }

  private func file(of log: String) -> LogFile? {
    current[log + LogMark.ending].flatMap { $0.isOfCatalogue ? nil : $0 }
  }

  /// The ID of this device; a new one is stored if it has none yet.
  package func establishDevice() throws(LogError) -> DeviceID {
    try withWriterLock { () throws(LogError) in
      _ = try establish()
      return clock.device
    }
  }
}

extension LogMark {
  /// The ending of a log's name.
  static let ending = ".jsonl"
}
