import Core
import EventLog
import Importers
import Library
import Messages
import Platform

/// What an archive of another home had, and what of it was new here.
package struct ArchiveReport: Equatable, Sendable {
  package var logs = 0
  package var events = 0
  package var new = 0
  /// Events of a kind, or with a value, that this program does not know; they are kept as they are.
  package var unknown = 0
}

/// Reads an archive that `export archive` wrote, and adds what no log here has: the events keep their IDs, times and
/// order, so that the state becomes that of the other home, or of both.
///
/// The whole archive is checked before anything of it is written. It is read twice for that, and never unpacked to a disk.
struct ArchiveImport {
  let path: String
  let source: ImportSource
  let session: Session
  let isDry: Bool
  /// Whether there are options, which say how rows of other files are taken.
  let hasOptions: Bool

  /// A checked log of the archive.
  private struct Log {
    var name: String
    var device: DeviceID
    var end = LogEnd.start
    var events = 0
    var unknown = 0
    /// How many events no log here has; counted for a dry run only.
    var new = 0
  }

  /// Returns nil if the file is not an archive of a home. Throws a `Failure` if it is refused; then nothing was
  /// changed, unless the disk failed.
  func run() throws -> ArchiveReport? {
    guard let logs = try check() else { return nil }
    guard !logs.isEmpty else { throw refused(.noLog) }
    if hasOptions { throw refused(.options) }
    var report = ArchiveReport(logs: logs.count)
    report.events = logs.reduce(0) { $0 + $1.events }
    report.unknown = logs.reduce(0) { $0 + $1.unknown }
    if isDry {
      report.new = logs.reduce(0) { $0 + $1.new }
    } else {
      try Session.reporting { report.new = try merge(logs) }
    }
    return report
  }

  private func refused(_ refusal: ArchiveRefusal) -> Failure {
    Failure(ArchiveError.refused(path: path, refusal))
  }

  /// Reads the archive; calls `take` with each log's name, or with parts of whole lines of it. Returns false if the
  /// file is not such an archive.
  private func forEachPart(
    begin: @escaping (String) throws -> Void, take: @escaping ([UInt8]) throws -> Void,
    end: @escaping () throws -> Void
  ) throws -> Bool {
    var (lines, name, passed) = (WholeLines(), "", 0)
    do {
      return try HomeArchive.read(
        source, limits: .archive,
        HomeArchive.Reader(
          begin: {
            name = $0
            (lines, passed) = (WholeLines(), 0)
            try begin($0)
          },
          take: { piece in
            lines.add(piece)
            guard lines.count < LogFormat.lineLimit else { throw LineRefusal.tooLong(line: passed + 1) }
            guard let part = lines.part() else { return }
            passed += part.count { $0 == UInt8(ascii: "\n") }
            try take(part)
          },
          end: {
            if lines.count > 0 { try take(lines.rest) }
            try end()
          }))
    } catch let flaw as HomeArchive.Flaw {
      throw refused(.malformed(flaw))
    } catch let error as ImportError {
      throw Failure(ActionError.unimportable(path: path, error))
    } catch let refusal as LineRefusal {
      throw refused(.line(refusal, log: name))
    }
  }

  // MARK: Checking

  /// The logs of the archive, which is checked as a whole; nil if the file is not such an archive.
  private func check() throws -> [Log]? {
    let now = session.workspace.milliseconds
    var logs: [Log] = []
    var check = LogCheck(now: now)
    var present: EventIDSet?
    var room = try room()
    let isArchive = try forEachPart(
      begin: { name in
        guard let device = DeviceID(name.prefix(DeviceID.length)),
          name == "\(device)" || name.hasPrefix("\(device).")
        else { throw HomeArchive.Flaw.foreignEntry(HomeArchive.entry(ofLog: name)) }
        if let refusal = room.begin(name) { throw refused(refusal) }
        logs.append(Log(name: name, device: device))
        check = LogCheck(now: now)
      },
      take: { part in
        if let refusal = room.add(part.count, to: logs[logs.count - 1].name) { throw refused(refusal) }
        try check.take(part, of: logs[logs.count - 1].device)
        guard isDry else { return }
        if present == nil { present = try Session.reporting { try presentEvents() } }
        // The first line of a log is not an event.
        let ids = EventLines(of: part).ids.dropFirst(check.lines == check.linesOfPart ? 1 : 0)
        logs[logs.count - 1].new += try Session.reporting { try present?.insert(ids) ?? 0 }
      },
      end: {
        guard check.lines > 0 else { throw LineRefusal.noStart }
        logs[logs.count - 1].end = check.end
        logs[logs.count - 1].events = check.lines - 1
        logs[logs.count - 1].unknown = check.lines - 1 - check.known
      })
    return isArchive ? logs : nil
  }

  /// The IDs of all events here.
  private func presentEvents() throws -> EventIDSet {
    let present = try EventIDSet()
    try session.workspace.copyCatalogue()
    for logs in [session.workspace.deviceLogs, try session.workspace.catalogueLogs()].compactMap(\.self)
      as [any ReadableLogs]
    {
      for mark in try logs.marks() {
        var offset: UInt64 = 0
        while let lines = try logs.lines(of: mark.log, from: offset, maximum: WholeLines.part), !lines.isEmpty {
          _ = try present.insert(EventLines(of: lines).ids)
          offset += UInt64(lines.count)
        }
      }
    }
    return present
  }

  /// The room for the logs of an archive, beside what is kept here.
  private func room() throws -> ArchiveRoom {
    let own = session.workspace.deviceLogs
    return try Session.reporting {
      ArchiveRoom(limits: .usual, known: Set(try own.marks().map(\.log)), stored: try own.storedBytes)
    }
  }

  // MARK: Merging

  /// Merges checked logs; returns how many events were new.
  private func merge(_ logs: [Log]) throws -> Int {
    var known = Set(try session.workspace.deviceLogs.marks().map(\.device))
    var (new, index, offset) = (0, -1, UInt64(0))
    var arrived: UInt64 = 0
    let isArchive = try forEachPart(
      begin: { _ in (index, offset, arrived) = (index + 1, 0, 0) },
      take: { part in
        let log = logs[index]
        let isKnown = try known.contains(log.device) || session.workspace.isOfCatalogue(log.device)
        let start = offset
        offset += UInt64(part.count)
        // What an earlier attempt left is not sent again.
        while offset > arrived {
          let rest = arrived > start ? Array(part.dropFirst(Int(arrived - start))) : part
          let staged = try session.workspace.deviceLogs.stage(
            rest, at: max(start, arrived), of: log.device, whole: log.end, taking: isKnown ? .lacking : .all)
          switch staged {
          case .waiting(let length, isTaken: let isTaken):
            guard isTaken || length > arrived else { throw changed }
            arrived = length
          case .merged(let report):
            new += try newEvents(report, log)
            known.insert(log.device)
            arrived = offset
          case .different, .implausible: throw changed
          }
        }
      }, end: {})
    guard isArchive else { throw changed }
    try session.library.refresh()
    return new
  }

  private var changed: Failure {
    Failure(ArchiveError.changed(path: path))
  }

  /// How many events of a log were new.
  private func newEvents(_ report: MergeReport, _ log: Log) throws -> Int {
    switch report.outcome {
    case .taken, .replaced: return log.events
    case .nothingNew: return 0
    case .mended(_, let lines): return lines
    case .forkKept(let path):
      let name = String(Directory.name(of: path).split(separator: ".jsonl").first ?? "")
      var (lines, offset) = (0, UInt64(0))
      while let part = try session.workspace.deviceLogs.lines(of: name, from: offset, maximum: WholeLines.part),
        !part.isEmpty
      {
        lines += part.count { $0 == UInt8(ascii: "\n") }
        offset += UInt64(part.count)
      }
      return max(0, lines - 1)
    case .notALog: throw changed
    case .unreadable(let error): throw error
    }
  }
}

/// Cuts the bytes of a log into parts of whole lines.
private struct WholeLines {
  /// What is in no part yet.
  private(set) var rest: [UInt8] = []
  var count: Int { rest.count }

  /// About how many bytes a part has.
  static let part = 1 << 20

  mutating func add(_ bytes: [UInt8]) { rest += bytes }

  /// The next part; nil if there are too few bytes for one, or no line is whole.
  mutating func part() -> [UInt8]? {
    guard rest.count >= WholeLines.part, let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { rest.removeSubrange(...end) }
    return Array(rest[...end])
  }
}

/// Checks the lines of one log, as those that a device sends.
private struct LogCheck {
  let now: UInt64
  /// How many lines there were, of them in the last part, and how many are events that are understood.
  private(set) var (lines, linesOfPart, known) = (0, 0, 0)
  private var length: UInt64 = 0
  private var (head, tail): ([UInt8], [UInt8]) = ([], [])
  private var reader = EventLineReader()

  init(now: UInt64) { self.now = now }

  /// Takes the next whole lines; throws a `LineRefusal`.
  mutating func take(_ part: [UInt8], of device: DeviceID) throws {
    do {
      try ForeignLines.check(part, of: device, isBeginning: lines == 0, now: now)
    } catch { throw error.after(lines) }
    linesOfPart = 0
    var rest = part[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      if reader.event(of: Array(rest[...end]), log: 0, start: 0) != nil { known += 1 }
      linesOfPart += 1
      rest = rest[(end + 1)...]
    }
    lines += linesOfPart
    length += UInt64(part.count)
    head += part.prefix(Int(LogEnd.headLength) - head.count)
    tail = Array((tail + part).suffix(Int(LogEnd.tailLength)))
  }

  /// The end of all of them.
  var end: LogEnd { LogEnd(length: length, head: head, tail: tail) }
}
