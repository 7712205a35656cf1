import Core

/// The end of a log and the checksum up to there, by which two machines find out what the other one lacks.
package struct LogMark: Equatable, Sendable {
  /// The name of its file without `.jsonl`: `k3v9x2ap`, or `k3v9x2ap.fork-20260701T140035Z`.
  package var log: String
  package var device: DeviceID
  /// 1 until the file is first compacted or repaired.
  package var generation: Int
  /// The end of its last good line, or of those before the first one from the future.
  package var end: LogEnd
  /// Whether a line before that is damaged.
  package var isDamaged: Bool
  /// The number of the first damaged line, from 1; nil if it is not known.
  package var damagedLine: Int?

  package init(
    log: String, device: DeviceID, generation: Int, end: LogEnd, isDamaged: Bool, damagedLine: Int? = nil
  ) {
    (self.log, self.device, self.generation) = (log, device, generation)
    (self.end, self.isDamaged, self.damagedLine) = (end, isDamaged, damagedLine)
  }
}

/// Why lines from elsewhere are not taken.
package enum LineRefusal: Error, Equatable, Sendable {
  /// The last line has no end.
  case incomplete
  /// The checksum of a line is wrong, or it is not a line of a log. Lines are counted from 1.
  case damaged(line: Int)
  /// A line is longer than `LogFormat.lineLimit`.
  case tooLong(line: Int)
  /// A line that another device wrote.
  case foreign(line: Int)
  /// A line of a later version of the format.
  case newerFormat(line: Int, version: Int)
  /// A log that does not begin with its first line.
  case noStart
  /// A line whose time is more than a day after the clock, as `HybridClock.isAhead` says.
  case future(line: Int, Timestamp)
  /// A line that follows a feed at a URL which is not the feed's.
  case strangeFeed(line: Int)
}

extension LineRefusal {
  /// This refusal, of lines that follow so many others.
  package func after(_ lines: Int) -> LineRefusal {
    switch self {
    case .incomplete, .noStart: self
    case .damaged(let line): .damaged(line: line + lines)
    case .tooLong(let line): .tooLong(line: line + lines)
    case .foreign(let line): .foreign(line: line + lines)
    case .newerFormat(let line, let version): .newerFormat(line: line + lines, version: version)
    case .future(let line, let time): .future(line: line + lines, time)
    case .strangeFeed(let line): .strangeFeed(line: line + lines)
    }
  }
}

/// Lines that came from elsewhere.
package enum ForeignLines {
  /// Checks whole lines of a device's log before anything is written; `isBeginning` is whether they begin it, `now` is
  /// in milliseconds since 1970. Broken lines are refused, unless they are `mayBeBroken`: parts of a whole log to be
  /// merged, which leaves them out.
  package static func check(
    _ bytes: [UInt8], of device: DeviceID, isBeginning: Bool, mayBeBroken: Bool = false, now: UInt64
  ) throws(LineRefusal) {
    guard !bytes.isEmpty else { return }
    guard bytes.last == UInt8(ascii: "\n") else { throw .incomplete }
    var reader = LineReader()
    var refusal: LineRefusal?
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      var number = 0
      while refusal == nil, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        number += 1
        let line = UnsafeRawBufferPointer(rebasing: rest[..<end])
        refusal = reader.refusal(of: line, number, device, isFirst: isBeginning && number == 1, now)
        if mayBeBroken, case .damaged? = refusal { refusal = nil }
        rest = rest[(end + 1)...]
      }
    }
    if let refusal { throw refusal }
  }
}

extension LineReader {
  /// Why a line, passed without its newline, is not taken as one of a device; nil if it is.
  fileprivate mutating func refusal(
    of line: UnsafeRawBufferPointer, _ number: Int, _ device: DeviceID, isFirst: Bool, _ now: UInt64
  ) -> LineRefusal? {
    guard line.count < LogFormat.lineLimit else { return .tooLong(line: number) }
    guard let read = read(line, at: LogRange(file: 0, length: 0, offset: 0)) else { return .damaged(line: number) }
    guard read.version <= LogFormat.version else { return .newerFormat(line: number, version: read.version) }
    if case .start(let start) = read.content {
      guard start.device == device else { return .foreign(line: number) }
    } else if isFirst {
      return .noStart
    }
    // Also of a line whose kind is unknown.
    guard let id = value("id").flatMap({ EventID($0) }), id.device == device else { return .foreign(line: number) }
    // The first line decides nothing.
    if case .start = read.content { return nil }
    if case .event(let event) = read.content, case .feedFollowed(let followed) = event.body, !followed.isConsistent {
      return .strangeFeed(line: number)
    }
    return HybridClock.isAhead(id, of: now) ? .future(line: number, id.timestamp) : nil
  }
}
