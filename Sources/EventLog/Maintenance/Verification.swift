import Core

/// What `Journal.verify` found in one file.
package struct FileReport: Equatable, Sendable {
  package var path: String
  /// The device the file belongs to, by its first line or else by its name; nil if neither states one.
  package var device: DeviceID?
  /// 1 until the file is first compacted or repaired.
  package var generation: Int
  /// Number of good lines.
  package var lines: Int
  package var events: Int
  /// Number of good lines with a kind or a value that this program does not know.
  package var unknown: Int
  package var bytes: UInt64
  /// Broken lines, except those of a torn tail.
  package var damage: [DamagedLine]
  /// Size of the torn tail, in bytes.
  package var unfinished: UInt64
  /// The first line of a newer version of the format.
  package var later: LogPosition?
}

/// A broken line, to be shown before it is removed.
package struct DamagedLine: Equatable, Sendable {
  package var position: LogPosition
  package var length: UInt64
  /// Its first bytes, up to 200.
  package var beginning: [UInt8]
}

/// Two files of one device, compared line by line.
package struct CopyReport: Equatable, Sendable {
  package var first: String
  package var second: String
  package var relation: FileAncestry
}

/// What `Journal.verify` found.
package struct LogReport: Equatable, Sendable {
  package var files: [FileReport]
  /// Every pair of files of one device.
  package var copies: [CopyReport]
  /// Files of other devices that cannot be read.
  package var unreadable: [LogError]
  /// The read model's file, if it differed from the logs; it was built anew.
  package var wrongReadModel: String?

  /// Whether every line of every file is good, no device has two histories, and the caches agree with a full replay.
  package var isGood: Bool {
    unreadable.isEmpty && wrongReadModel == nil && files.allSatisfy(\.damage.isEmpty)
      && copies.allSatisfy { $0.relation != .forked }
  }
}

extension Journal {
  /// Reads every line of every file again and reports what is in them. Changes nothing.
  package func verify() throws(LogError) -> LogReport {
    var report = LogReport(files: [], copies: [], unreadable: [], wrongReadModel: nil)
    for path in try paths {
      do throws(LogError) {
        report.files.append(try FileReport(of: File(path, .read)))
      } catch {
        report.unreadable.append(error)
      }
    }
    for (index, first) in report.files.enumerated() {
      for second in report.files[(index + 1)...] where first.device != nil && first.device == second.device {
        let relation = try FileAncestry(of: File(second.path, .read), to: File(first.path, .read), at: now())
        report.copies.append(CopyReport(first: first.path, second: second.path, relation: relation))
      }
    }
    return report
  }

  /// The paths of all logs, sorted.
  var paths: [String] {
    get throws(LogError) {
      try Directory.names(in: folders.log).filter { $0.hasSuffix(".jsonl") }.map { folders.log + "/" + $0 }
    }
  }
}

extension FileReport {
  /// Reads a whole file.
  init(of file: File) throws(LogError) {
    self.init(
      path: file.path, device: DeviceID(Directory.name(of: file.path).prefix(DeviceID.length)), generation: 1,
      lines: 0, events: 0, unknown: 0, bytes: 0, damage: [], unfinished: 0, later: nil)
    var entries = LogLines(file, index: 0, from: 0, after: 0)
    var goodEnd: UInt64 = 0
    var broken: [DamagedLine] = []
    while let entry = try entries.next() {
      let position = LogPosition(path: path, line: entries.number, byte: entries.start)
      guard let line = entry.line else {
        let beginning = try file.bytes(at: entries.start, count: Int(min(entries.end - 1 - entries.start, 200)))
        let length = entries.end - entries.start
        broken.append(DamagedLine(position: position, length: length, beginning: beginning))
        continue
      }
      take(line, at: position)
      damage += broken
      broken = []
      goodEnd = entries.end
    }
    bytes = entries.fileEnd
    if try TornTail.isTorn(lines: broken.count, in: file, from: goodEnd, to: bytes) {
      unfinished = bytes - goodEnd
    } else {
      damage += broken
    }
  }

  private mutating func take(_ line: Line, at position: LogPosition) {
    lines += 1
    if line.version > LogFormat.version, later == nil { later = position }
    switch line.content {
    case .event: events += 1
    case .unknown: unknown += 1
    case .start(let start):
      guard position.byte == 0 else { return }
      device = start.device
      generation = start.generation
    }
  }
}
