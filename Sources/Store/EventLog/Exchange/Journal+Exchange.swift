import Core

/// Logs as machines exchange them: by line, from any offset on.
extension Journal {
  /// The end of each log as read, without lines from the future; those of a catalogue are left out. Finds out whether a
  /// log changed where it looked another way at the last call; then the journal is stale.
  package func marks() throws(LogError) -> [LogMark] {
    var marks: [LogMark] = []
    for (name, file) in current.sorted(by: { $0.key < $1.key }) {
      guard !file.isOfCatalogue, let device = file.device else { continue }
      let length = try presentEnd(of: file)
      let (end, isSame) = try file.look(at: length, now())
      if !isSame { isStale = true }
      marks.append(
        LogMark(
          log: String(name.dropLast(LogMark.ending.count)), device: device, generation: file.start?.generation ?? 1,
          end: end, isDamaged: !file.brokenLines.isEmpty, damagedLine: file.brokenLines.first?.line))
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

  /// Whole lines of a log from an offset on, as many as fit in `maximum` bytes, but at least one; nil without this log.
  package func lines(of log: String, from offset: UInt64, maximum: Int) throws(LogError) -> [UInt8]? {
    guard let file = file(of: log) else { return nil }
    let end = try presentEnd(of: file)
    let left = end - min(offset, end)
    var lines = try file.file.bytes(at: offset, count: Int(min(left, UInt64(maximum))))
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

  /// How many events from the future a log has, which are exchanged when their time has come.
  package func futureEvents(of log: String) throws(LogError) -> Int {
    guard let file = file(of: log) else { return 0 }
    let start = try presentEnd(of: file)
    guard start < file.end else { return 0 }
    var entries = LogLines(file.file, index: file.index, from: start, after: 0)
    while entries.end < file.end, try entries.next() != nil {}
    // The first line of a log is not an event.
    return entries.number - (start == 0 ? 1 : 0)
  }

  /// How many lines of a log follow an offset, without lines from the future.
  package func lineCount(of log: String, after offset: UInt64) throws(LogError) -> Int {
    guard let file = file(of: log) else { return 0 }
    let end = try presentEnd(of: file)
    guard offset < end else { return 0 }
    var entries = LogLines(file.file, index: file.index, from: offset, after: 0)
    while entries.end < end, try entries.next() != nil {}
    return entries.number
  }

  /// How many lines of a log are kept back because they begin with one from the future, and the time of the last one.
  package func futureLines(of log: String) throws(LogError) -> (count: Int, last: Timestamp)? {
    guard let file = file(of: log) else { return nil }
    let end = try presentEnd(of: file)
    guard end < file.end else { return nil }
    var entries = LogLines(file.file, index: file.index, from: end, after: 0)
    var last = Timestamp(seconds: 0)
    while entries.end < file.end, let entry = try entries.next() {
      if case .event(let event)? = entry.line?.content { last = max(last, event.id.timestamp) }
    }
    return (entries.number, last)
  }

  /// The end of the lines before the first event from the future. What follows is exchanged when its time has come.
  func presentEnd(of file: LogFile) throws(LogError) -> UInt64 {
    let isOwnClockAhead = HybridClock.isAhead(EventID(reading: clock.last, device: clock.device), of: now())
    guard isOwnClockAhead || ahead.keys.contains(where: { $0.device == file.device }) else { return file.end }
    return try file.end(before: now())
  }

  /// Appends checked lines that came from elsewhere to a log, with one write and one sync, if the log ends there; it
  /// is created if absent. Returns whether they were appended, or are there already among lines from the future.
  package func extend(_ log: String, at end: LogEnd, with lines: [UInt8]) throws(LogError) -> Bool {
    try withWriterLock { () throws(LogError) in
      try Directory.make(folders.log)
      try refreshAlone()
      // What a crash left of an earlier attempt.
      if let file = file(of: log) { try moveTornTail(of: file) }
      let file = file(of: log)
      guard file?.brokenLines.isEmpty ?? true, file?.later == nil, try hasEnd(end, in: log) else { return false }
      if let file, file.end != end.length {
        guard try presentEnd(of: file) == end.length else { return false }
        return try file.file.bytes(at: end.length, count: lines.count) == lines
      }
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
