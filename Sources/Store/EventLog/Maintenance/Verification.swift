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

  /// Whether every byte belongs to a good line, and there is one.
  package var isGood: Bool { damage.isEmpty && unfinished == 0 && bytes > 0 }
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
  /// Whether `log merge` kept one of them beside the other.
  package var isKeptFork: Bool
}

/// What `Journal.verify` found.
package struct LogReport: Equatable, Sendable {
  package var files: [FileReport]
  /// Every pair of files of one device.
  package var copies: [CopyReport]
  /// Files of other devices that cannot be read.
  package var unreadable: [LogError]
  /// What the logs lack of what this device wrote and saw.
  package var losses: [LogFinding]
  /// The read model's file, if it differed from the logs; it was built anew.
  package var wrongReadModel: String?

  /// Whether every whole line of every file is good, none is gone, no device has two histories but those that `log merge`
  /// kept, and the caches agree with a full replay.
  package var isGood: Bool {
    unreadable.isEmpty && losses.isEmpty && wrongReadModel == nil && files.allSatisfy(\.damage.isEmpty)
      && copies.allSatisfy { $0.relation != .forked || $0.isKeptFork }
  }
}

extension Journal {
  /// Reads every line of every file again and reports what is in them. Changes nothing.
  package func verify() throws(LogError) -> LogReport {
    var report = LogReport(files: [], copies: [], unreadable: [], losses: losses, wrongReadModel: nil)
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
        let isKeptFork = [first, second].contains { LogFile.isKeptFork($0.path) }
        report.copies.append(
          CopyReport(first: first.path, second: second.path, relation: relation, isKeptFork: isKeptFork))
      }
    }
    return report
  }

  /// The paths of all logs, sorted.
  var paths: [String] {
    get throws(LogError) {
      try folders.logNames().map(folders.path)
    }
  }
}

extension FileReport {
  /// Reads a whole file.
  init(of file: File) throws(LogError) {
    let log = try LogFile(file, name: Directory.name(of: file.path), index: 0)
    var events = 0
    try log.readOn { _, _ in events += 1 }
    self.init(
      path: file.path, device: log.device, generation: log.start?.generation ?? 1,
      lines: log.lines - log.damage.count, events: events, unknown: log.unknown, bytes: log.size,
      damage: try log.brokenLines.map { (position) throws(LogError) in try DamagedLine(in: log, at: position) },
      unfinished: log.tornTail?.bytes ?? 0, later: log.later?.position)
  }
}

extension DamagedLine {
  fileprivate init(in log: LogFile, at position: LogPosition) throws(LogError) {
    var lines = LogLines(log.file, index: 0, from: position.byte, after: 0)
    let end = try lines.next() == nil ? log.size : lines.end - 1
    let beginning = try log.file.bytes(at: position.byte, count: Int(min(end - position.byte, 200)))
    self.init(position: position, length: min(end + 1, log.size) - position.byte, beginning: beginning)
  }
}
