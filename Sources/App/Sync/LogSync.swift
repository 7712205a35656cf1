import App
import Core
import EventLog
import JSON
import Library
import Messages
import Platform

/// Exchanges log lines with a hub until each side has what the other had.
///
/// Every device's log only grows, so usually the lines after what the other side has are enough: they are named by the
/// length and the checksum of what precedes them, and a repetition changes nothing. A log that was compacted, repaired
/// or restored does not begin as before; then all of it is sent and merged as `log merge` does.
package struct LogSync {
  private let client: HubClient
  private let folders: Folders
  /// Not that of a library: what comes may be large, and is not to wait in memory.
  private var journal: Journal
  private let device: DeviceID
  private(set) var state: HubState
  private(set) var report = SyncReport()
  private var progress = ProgressLine(delay: 1000)
  /// Logs of the hub that it lists, but does not send.
  private var withheldLogs: Set<String> = []
  /// Our logs that the hub did not take.
  private var refusedLogs: Set<String> = []
  /// The hub's logs, as of its last response.
  private(set) var table = LogTable(logs: [])

  /// A transfer between the logs of a session and its hub.
  init(_ session: Session, _ client: HubClient, _ state: HubState) throws {
    (self.client, self.state) = (client, state)
    folders = session.home.folders
    let (folders, library) = (session.home.folders, session.files)
    (journal, device) = try Session.reporting {
      let journal = try Journal(
        folders: folders, device: nil, coverage: library.journal.coverage(), clock: Clock.milliseconds)
      try journal.refresh()
      return (journal, try journal.establishDevice())
    }
  }

  /// The maximum number of rounds: one for each time that the hub's logs changed meanwhile.
  private static let rounds = 5
  /// The maximum number of logs of a hub: twice what it takes from devices, because it has logs of its own.
  private static let maxLogs = 2 * ExchangeLimits.usual.logs
  /// About how many bytes of lines one request carries, from a device or from a hub.
  package static let part = 1 << 20

  /// Exchanges all. Throws a `Failure`; what was exchanged before stays.
  mutating func run() throws {
    defer { progress.clear() }
    try Session.reporting {
      try begin()
      for _ in 0..<LogSync.rounds {
        let before = client.requests
        for log in table.logs where !log.isDamaged { try fetch(log) }
        // Forks first: they have what a restored hub lacks, and the other logs of their devices much more.
        for isFork in [true, false] {
          for log in try journal.marks() where LogSync.isFork(log) == isFork { try give(log) }
        }
        // What is damaged there may have been mended by then.
        for log in table.logs where log.isDamaged { try fetch(log) }
        if client.requests == before { break }
      }
      report.noteDamage(of: try journal.marks(), in: folders.log, and: table, of: client.url)
    }
    (report.requests, report.traffic) = (client.requests, client.traffic)
    let known = try Session.reporting { try table.logs + journal.marks() }
    state.settled = state.settled.filter { text in
      known.contains { LogSync.key($0, "<") == text || text.hasPrefix(LogSync.key($0, ">")) }
    }
  }

  // MARK: Requests

  /// The first request: this device's new lines, if it is known where they belong; the response lists the hub's logs.
  private mutating func begin() throws {
    let own = try journal.marks().first { $0.log == device.description }
    // What is intact in it is sent later, as a whole.
    if own?.isDamaged == true { return try list() }
    // It is about another log if this device took a new ID since.
    let name = state.sentTo.flatMap { LogTable.isName($0, of: device) ? $0 : nil } ?? device.description
    let isKnown = try name == state.sentTo && journal.hasEnd(state.sent, in: device.description)
    let sending = try send(device.description, to: name, from: isKnown ? state.sent : .start)
    if case .refused = sending { try list() }
    if let (count, last) = try journal.futureLines(of: device.description) {
      let problem = SyncError.heldBack(count, until: last, deviceFile: folders.deviceFile)
      report.problem = report.problem ?? Failure(problem)
    }
  }

  private mutating func list() throws {
    let response = try client.send("/api/v1/logs")
    guard response.status == 200, try take(response) else { throw refused(response) }
  }

  /// Takes the list of logs in a response; returns whether there is one.
  private mutating func take(_ response: HubClient.Response) throws -> Bool {
    guard let table = LogTable(response.json) else { return false }
    let known = Set(try journal.marks().map(\.log))
    self.table = table.limited(to: LogSync.maxLogs, preferring: known)
    if self.table.logs.count < table.logs.count {
      let problem = client.failure(.tooManyLogs(table.logs.count, limit: LogSync.maxLogs))
      report.problem = report.problem ?? problem
    }
    report.expect(self.table, try journal.marks())
    return true
  }

  private mutating func noteSent(_ bytes: Int) {
    report.sent += bytes
    noteMoved(bytes)
  }

  private mutating func noteReceived(_ bytes: Int) {
    report.received += bytes
    noteMoved(bytes)
  }

  private mutating func noteMoved(_ bytes: Int) {
    if bytes > 0 { client.noteProgress(bytes: bytes) }
    showProgress()
  }

  private mutating func showProgress() {
    progress.show(report.progress)
  }

  private func refused(_ response: HubClient.Response) -> Failure {
    switch response.status {
    case 404: client.failure(.notAHub)
    case 422: client.failure(.invalid(detail: response.detail))
    default: client.failure(.refused(detail: response.detail))
    }
  }

  /// Notes that the hub does not take lines of one of our logs; the others are exchanged all the same.
  private mutating func note(_ response: HubClient.Response, of log: String) -> Sending {
    let failure = client.failure(of: log, .notTaken(detail: response.detail))
    if refusedLogs.insert(log).inserted { report.problem = report.problem ?? failure }
    return .refused
  }

  private static func query(_ end: LogEnd) -> [(name: String, value: String)] {
    [("offset", "\(end.length)"), ("checksum", end.checksum)]
  }

  /// Lines of a log of the hub from a position on, at least one; nil if the log begins otherwise there. Throws
  /// `WithheldLines` if the hub has such lines but sends none.
  private func lines(of log: LogMark, after end: LogEnd) throws -> [UInt8]? {
    let response = try client.send("/api/v1/logs/\(log.log)", query: LogSync.query(end))
    guard [200, 404, 409].contains(response.status) else { throw refused(response) }
    guard response.status == 200 else { return nil }
    if response.body.isEmpty { throw WithheldLines(offset: end.length) }
    return response.body
  }

  /// Lines that a hub lists and does not send.
  private struct WithheldLines: Error {
    var offset: UInt64
  }

  /// The result of sending lines.
  private enum Sending {
    case taken
    /// The hub's log does not continue with them.
    case unfitting
    /// The log is not this device's to send.
    case forbidden
    /// The hub does not take such lines.
    case refused
  }

  /// Sends what follows an offset in one of our logs to a log of the hub.
  private mutating func send(_ log: String, to name: String, from start: LogEnd) throws -> Sending {
    var end = start
    repeat {
      let lines = try journal.lines(of: log, from: end.length, maximum: LogSync.part) ?? []
      let response = try client.send("/api/v1/logs/\(name)", query: LogSync.query(end), body: .lines(lines))
      switch response.status {
      case 200 where try take(response):
        noteSent(lines.count)
        end = try journal.end(of: log, at: end.length + UInt64(lines.count)) ?? .start
        if log == device.description { (state.sent, state.sentTo) = (end, name) }
      case 409 where try take(response): return .unfitting
      case 403 where log != device.description: return .forbidden
      case 413, 422, 507: return note(response, of: log)
      default: throw refused(response)
      }
    } while try journal.marks().contains { $0.log == log && $0.end.length > end.length }
    return .taken
  }

  // MARK: Down

  private static func key(_ log: LogMark, _ direction: String) -> String {
    "\(direction)\(log.log) \(log.end.length) \(log.end.checksum)"
  }

  /// The key of a log that is offered to the hub; it changes with the number of the device's logs that are damaged
  /// there, because those may need its lines.
  private func offer(_ log: LogMark) -> String {
    let damaged = table.logs.count { $0.device == log.device && $0.isDamaged }
    return LogSync.key(log, ">") + (damaged > 0 ? " \(damaged)" : "")
  }

  /// Our logs of a device that are intact.
  private func ours(_ device: DeviceID) throws -> [LogMark] {
    try journal.marks().filter { $0.device == device && !$0.isDamaged }
  }

  /// Whether nothing of a log of the hub is missing here.
  private func isHere(_ log: LogMark) throws -> Bool {
    if log.end.length == 0 || state.settled.contains(LogSync.key(log, "<")) { return true }
    return try ours(log.device).contains { try journal.hasEnd(log.end, in: $0.log) }
  }

  /// Fetches the lines of a hub's log that ours lacks.
  private mutating func fetch(_ log: LogMark) throws {
    guard !withheldLogs.contains(log.log), try !isHere(log) else { return }
    let limits = ExchangeLimits.usual
    let known = try journal.marks()
    guard log.end.length <= limits.logBytes,
      known.contains(where: { $0.log == log.log }) || known.count < LogSync.maxLogs
    else {
      let problem = client.failure(of: log.log, .notFetched(bytes: log.end.length, logs: known.count))
      report.problem = report.problem ?? problem
      return
    }
    do {
      var beginnings = try ours(log.device).filter { $0.end.length < log.end.length }
      beginnings.sort { ($0.log == log.log ? 0 : 1, $1.end.length) < ($1.log == log.log ? 0 : 1, $0.end.length) }
      if try !journal.marks().contains(where: { $0.log == log.log }) {
        beginnings.append(LogMark(log: log.log, device: log.device, generation: 1, end: .start, isDamaged: false))
      }
      // A damaged log can only be merged as a whole.
      for beginning in beginnings where try !log.isDamaged && extend(beginning, with: log) { return }
      try fetchWhole(log)
    } catch let refusal as LineRefusal {
      if case .damaged = refusal, !log.isDamaged, try isKnownAnew(log) { return }
      let problem = client.failure(of: log.log, .refused(refusal))
      report.problem = report.problem ?? problem
    } catch let withheld as WithheldLines {
      withheldLogs.insert(log.log)
      let problem = client.failure(of: log.log, .withheld(bytes: log.end.length, offset: withheld.offset))
      report.problem = report.problem ?? problem
    }
  }

  /// Whether the hub, which sent a broken line of a log, says by now that the log is damaged, or has other lines of it:
  /// then it is fetched later in this exchange.
  private mutating func isKnownAnew(_ log: LogMark) throws -> Bool {
    try list()
    return table.logs.first { $0.log == log.log } != log
  }

  /// Continues one of our logs with the hub's; returns false if it does not begin so.
  private mutating func extend(_ ours: LogMark, with log: LogMark) throws -> Bool {
    var end = ours.end
    while end.length < log.end.length {
      guard let lines = try lines(of: log, after: end) else { return false }
      try ForeignLines.check(lines, of: log.device, isBeginning: end.length == 0, now: Clock.milliseconds())
      guard try journal.extend(ours.log, at: end, with: lines) else { return false }
      noteReceived(lines.count)
      end = try journal.end(of: ours.log, at: end.length + UInt64(lines.count)) ?? .start
    }
    return true
  }

  /// Fetches a whole log and merges it.
  private mutating func fetchWhole(_ log: LogMark) throws {
    guard let staged = try StagedLog(in: folders, of: log.device, end: log.end) else { return }
    while try !staged.isWhole {
      let arrived = try staged.arrived
      // The hub's log may have grown meanwhile.
      guard let lines = try lines(of: log, after: arrived)?.prefix(Int(log.end.length - arrived.length))
      else { return try staged.drop() }
      try ForeignLines.check(
        Array(lines), of: log.device, isBeginning: arrived.length == 0, mayBeBroken: log.isDamaged,
        now: Clock.milliseconds())
      guard try staged.append(Array(lines)) else { return try staged.drop() }
      noteReceived(lines.count)
    }
    guard let merged = try staged.finish({ try journal.merge(file: $0) }) else { return }
    switch merged.outcome {
    case .taken, .replaced, .nothingNew: break
    case .mended(let path, let lines):
      report.mended.append("\(path): \(UserMessages.count(lines, "damaged line")) mended from \(client.url)")
    case .forkKept(let path):
      report.forks.append("\(client.url): log \(log.log): diverged; the hub's is kept beside ours as \(path)")
    case .notALog, .unreadable:
      // Not settled: the next exchange tries again.
      report.problem = report.problem ?? Failure(SyncError.unmerged(merged))
      return
    }
    state.settled.insert(LogSync.key(log, "<"))
    guard journal.isStale else { return }
    journal = try Journal(folders: folders, device: nil, coverage: nil, clock: Clock.milliseconds)
    try journal.refresh()
  }

  // MARK: Up

  /// Whether a log was kept beside another one of its device.
  private static func isFork(_ log: LogMark) -> Bool { log.log.hasPrefix("\(log.device).fork-") }

  /// Sends what one of our logs has more than the hub's: this device's, or one that was lost there.
  private mutating func give(_ log: LogMark) throws {
    if log.log == device.description, let same = table.logs.first(where: { $0.device == device && $0.end == log.end }) {
      (state.sent, state.sentTo) = (log.end, same.log)
    }
    guard log.end.length > 0, !refusedLogs.contains(log.log),
      !state.settled.contains(offer(log))
    else { return }
    let theirs = table.logs.filter { $0.device == log.device }
    guard try !theirs.contains(where: { try !$0.isDamaged && ($0.end == log.end || !isHere($0)) }) else { return }
    let beginnings = try theirs.filter { try !$0.isDamaged && journal.hasEnd($0.end, in: log.log) }
    var sending: Sending
    if log.isDamaged {
      sending = try sendWhole(log)
    } else if let longest = beginnings.max(by: { $0.end.length < $1.end.length }) {
      sending = try send(log.log, to: longest.log, from: longest.end)
      // No other device wrote it meanwhile: it is of the hub's catalogue, which keeps what it lacks elsewhere.
      if case .unfitting = sending, table.logs.contains(where: { $0.log == longest.log && $0.end == longest.end }) {
        sending = try sendWhole(log)
      }
    } else if theirs.isEmpty, log.log == log.device.description {
      sending = try send(log.log, to: log.log, from: .start)
    } else {
      sending = try sendWhole(log)
    }
    if case .forbidden = sending { state.settled.insert(offer(log)) }
  }

  /// Sends a whole log, which the hub merges.
  private mutating func sendWhole(_ log: LogMark) throws -> Sending {
    var (end, setbacks, name) = (LogEnd.start, 0, "\(log.device)")
    let whole = [("wholeLength", "\(log.end.length)"), ("wholeChecksum", log.end.checksum)]
    while true {
      let rest = Int(log.end.length - end.length)
      let lines = Array((try journal.lines(of: log.log, from: end.length, maximum: LogSync.part) ?? []).prefix(rest))
      let response = try client.send(
        "/api/v1/logs/\(name)", query: LogSync.query(end) + whole.map { (name: $0.0, value: $0.1) },
        body: .lines(lines))
      if response.status == 403, LogSync.isFork(log), name != log.log {
        // Another device writes the log itself, but anyone may return a fork.
        name = log.log
        continue
      }
      // Older hubs take no forks by their names.
      let isForbidden = response.status == 403 || response.status == 404 && name == log.log
      guard !isForbidden || log.log == device.description else { return .forbidden }
      guard ![413, 422, 507].contains(response.status) else { return note(response, of: log.log) }
      guard [200, 409].contains(response.status), try take(response) else { throw refused(response) }
      if response.status == 200 { noteSent(lines.count) }
      if let merged = response.json?["merged"]?.string {
        guard merged != "refused" else {
          let problem = client.failure(of: log.log, .unmergedThere)
          report.problem = report.problem ?? problem
          return .unfitting
        }
        report.noteMerged(merged, log.log, at: client.url)
        state.settled.insert(offer(log))
        return .taken
      }
      // Where an earlier attempt ended.
      guard let staged = response.json?["staged"]?.number.flatMap({ UInt64(exactly: $0) }), staged != end.length,
        staged < log.end.length, let next = try journal.end(of: log.log, at: staged)
      else { throw refused(response) }
      // Another device may be sending its copy of this log.
      if next.length < end.length { setbacks += 1 }
      guard setbacks < 3 else { throw client.failure(of: log.log, .sentTwice) }
      end = next
    }
  }
}
