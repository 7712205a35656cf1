import App
import Core
import EventLog
import Exporters
import HubCore
import Library
import Messages
import Platform
import Sync

extension HubRoute {
  /// The maximum size of the lines in one request, bytes: the longest line.
  package static let maxLineBytes = LogFormat.lineLimit

  private static let position: [HubParameter] = [
    HubParameter(
      "offset", .integer(0...(1 << 40)), "Where the lines begin, in bytes.", isRequired: true),
    HubParameter(
      "checksum", .text, "The checksum of what stands before, as in the list; empty at 0."),
  ]
  private static let whole: [HubParameter] = [
    HubParameter(
      "wholeLength", .integer(1...(1 << 32)), "Send a whole log to be merged: its length."),
    HubParameter("wholeChecksum", .text, "Its checksum."),
  ]

  /// The logs of the user's devices, for `metube-rss sync`.
  static let logs: [HubRoute] = [
    HubRoute(
      .get, "/api/v1/logs", "listLogs", "The logs of your devices, and how far the hub has them.",
      .read,
      schema: .named("Logs"),
      work: .service { service, _ in try service.json { try service.logTable().add(to: &$0) } }),
    HubRoute(
      .get, "/api/v1/logs/{log}", "logLines",
      "Whole lines of a log from an offset on, about a mebibyte.", .read,
      query: position, schema: nil, type: "application/jsonl", work: .service { try $0.logLines($1) }),
    HubRoute(
      .post, "/api/v1/logs/{log}", "addLogLines",
      "Append whole lines to the log of the token's device; 409 with the list if they do not fit.",
      .write,
      query: position + whole, body: .lines, schema: .named("LogsTaken"),
      work: .service { try $0.addLogLines($1) }),
  ]
}

extension HubService {
  private var deviceLogs: any DeviceLogs { session.workspace.deviceLogs }

  /// The ends of the user's logs on the hub.
  fileprivate func logTable() throws -> LogTable {
    try Session.reporting {
      try deviceLogs.removeAbandoned()
      try session.workspace.copyCatalogue()
      // First, since it may add to the user's own.
      let shared = try session.workspace.catalogueLogs()?.marks() ?? []
      let own = try deviceLogs.marks()
      let all = own + shared.filter { log in !own.contains { $0.log == log.log } }
      // A copy that somebody named `copy.jsonl` is read here, but goes nowhere.
      var table = LogTable(logs: all.filter { LogTable.isName($0.log, of: $0.device) })
      table.damage = try damage().map { report in
        LogTable.Damage(
          log: report.damage.isOfCatalogue ? nil : String(report.damage.file.dropLast(".jsonl".count)),
          what: HubTrouble.text(report.damage), remedy: report.remedy)
      }
      return table
    }
  }

  /// The end that a request names, of what the client has already.
  private func end(_ call: HubCall, _ route: [HubParameter]) throws -> LogEnd {
    _ = try HubArguments(call.query, of: route)
    return try end(call, "offset", "checksum")
  }

  private func end(_ call: HubCall, _ length: String, _ checksum: String) throws -> LogEnd {
    func value(_ name: String) -> String { call.query.first { $0.name == name }?.value ?? "" }
    let end = LogEnd(length: UInt64(value(length)) ?? 0, checksum: value(checksum))
    guard end.isPlausible else {
      throw HubProblem(400, "\(checksum): takes 32 hexadecimal digits, or nothing at 0")
    }
    return end
  }

  fileprivate func logLines(_ call: HubCall) throws -> RouteResponse {
    let log = call.part("log")
    let end = try end(call, HubRoute.named("logLines")?.query ?? [])
    return try Session.reporting {
      for logs in [deviceLogs, try session.workspace.catalogueLogs()].compactMap(\.self) as [any ReadableLogs] {
        guard let lines = try logs.lines(of: log, from: end.length, maximum: LogSync.part)
        else { continue }
        guard try logs.hasEnd(end, in: log) else {
          throw HubProblem(409, "the log has no such beginning")
        }
        return RouteResponse(200, "application/jsonl", lines)
      }
      throw HubProblem(404, "no such log")
    }
  }

  fileprivate func addLogLines(_ call: HubCall) throws -> RouteResponse {
    let log = call.part("log")
    let end = try end(call, HubRoute.named("addLogLines")?.query ?? [])
    guard let device = DeviceID(log.prefix(DeviceID.length)), LogTable.isName(log, of: device)
    else {
      throw HubProblem(404, "no such log")
    }
    // Only the log of a new device is made.
    let marks = try Session.reporting { try deviceLogs.marks() }
    let known = marks.map(\.log)
    let isWhole = call.query.contains { $0.name.hasPrefix("whole") }
    let isFork = isWhole && log.hasPrefix("\(device).fork-")
    guard known.contains(log) || log == device.description || isFork else {
      throw HubProblem(404, "no such log")
    }
    if case .returning = call.right, !isWhole {
      return try logsTaken(409, "the catalogue's log is continued by the hub alone; send it whole", nil, nil)
    }
    let taking = try taking(isWhole, isFork, call.right, of: device, marks)
    // A whole log may be kept beside the one that is there.
    let length =
      try isWhole
      ? self.end(call, "wholeLength", "wholeChecksum").length : end.length + UInt64(call.body.count)
    let isNew = isWhole || !known.contains(log)
    try checkRoom(
      for: call.body.count, ofLogWith: length, isNew, among: known.count, isStaged: isWhole)
    do {
      try ForeignLines.check(
        call.body, of: device, isBeginning: end.length == 0, mayBeBroken: isWhole, now: Clock.milliseconds())
    } catch { throw HubProblem(422, UserMessages.refusal(error)) }
    if isWhole { return try stage(call, device, at: end.length, taking) }
    guard try Session.reporting({ try deviceLogs.extend(log, of: device, at: end, with: call.body) })
    else {
      return try logsTaken(409, "the lines do not continue the log", nil, nil)
    }
    noteReturned(log, of: device, call.body.count)
    return try logsTaken(200, nil, nil, nil)
  }

  /// What is taken of lines. Throws a `HubProblem` if nothing is.
  private func taking(
    _ isWhole: Bool, _ isFork: Bool, _ right: LineRight, of device: DeviceID, _ marks: [LogMark]
  ) throws -> LinesTaken {
    switch right {
    case .writing: return .all
    case .returning: return .lacking
    case .mending where isFork: return .lacking
    case .mending:
      guard isWhole, marks.contains(where: { $0.device == device && $0.isDamaged }) else {
        throw HubProblem(403, "another token writes the log of device \(device); pair this device to get its own")
      }
      return .mending
    }
  }

  /// Throws a `HubProblem` if bytes of a log that will have a length are more than what is kept for a user.
  private func checkRoom(
    for bytes: Int, ofLogWith length: UInt64, _ isNew: Bool, among logs: Int, isStaged: Bool
  ) throws {
    func size(_ bytes: UInt64) -> String { "\(bytes >> 20) MiB" }
    guard length <= limits.logBytes else {
      throw HubProblem(
        413, "a log may have \(size(limits.logBytes)); metube-rss log compact makes it shorter")
    }
    guard !isNew || logs < limits.logs else {
      throw HubProblem(
        507, "\(logs) logs are kept for this user already; the operator of the hub can remove old ones"
      )
    }
    let (stored, staged) = try Session.reporting {
      (try deviceLogs.storedBytes, try deviceLogs.stagedBytes)
    }
    guard stored + UInt64(bytes) <= limits.bytes else {
      throw HubProblem(
        507,
        "the logs of this user fill \(size(limits.bytes)); the operator of the hub can remove old copies in backups/"
      )
    }
    guard !isStaged || staged + UInt64(bytes) <= limits.stagedBytes else {
      throw HubProblem(
        507, "unfinished transfers fill \(size(limits.stagedBytes)); they are removed after a day")
    }
  }

  /// Reports lines of this hub's own log that a device sent.
  private func noteReturned(_ log: String, of device: DeviceID, _ bytes: Int) {
    guard device == session.library.device, bytes > 0 else { return }
    StandardError.report(
      "log \(log): a device\(user.isEmpty ? "" : " of \(user)") returned \(bytes) bytes of this hub's own log, as after "
        + "restoring a backup")
  }

  /// Takes a part of a whole log, and merges it once all is there.
  private func stage(
    _ call: HubCall, _ device: DeviceID, at offset: UInt64, _ taking: LinesTaken
  ) throws -> RouteResponse {
    let whole = try end(call, "wholeLength", "wholeChecksum")
    return try Session.reporting {
      switch try deviceLogs.stage(call.body, at: offset, of: device, whole: whole, taking: taking)
      {
      case .implausible: throw HubProblem(400, "wholeLength: not the length of a log")
      case .different: throw HubProblem(422, "the parts are not the log that was announced")
      case .waiting(let length, isTaken: false): return try logsTaken(409, "not the next part", length, nil)
      case .waiting(let length, isTaken: true): return try logsTaken(200, nil, length, nil)
      case .merged(let report):
        switch report.outcome {
        case .forkKept, .mended: StandardError.report(UserMessages.merge(report))
        default: break
        }
        if report.outcome != .nothingNew {
          noteReturned(device.description, of: device, Int(whole.length))
        }
        return try logsTaken(200, nil, nil, report.outcome, taking)
      }
    }
  }

  /// The table, after lines were taken or, with a problem, refused.
  private func logsTaken(
    _ status: Int, _ problem: String?, _ staged: UInt64?, _ outcome: MergeReport.Outcome?, _ taking: LinesTaken = .all
  ) throws -> RouteResponse {
    let table = try logTable()
    var response = json(status) { line in
      if let problem {
        line.add("type", "about:blank")
        line.add("title", "Conflict")
        line.add("status", status)
        line.add("detail", problem)
      }
      table.add(to: &line)
      line.add("staged", staged.map { Int($0) })
      line.add("merged", outcome?.word(taking))
    }
    if problem != nil { response.type = HubProblem.type }
    return response
  }
}

extension MergeReport.Outcome {
  /// One word for other programs.
  fileprivate func word(_ taking: LinesTaken) -> String {
    switch self {
    case .forkKept where taking == .lacking: "returned"
    case .taken: "taken"
    case .replaced: "replaced"
    case .nothingNew: "nothingNew"
    case .mended: "mended"
    case .forkKept: "fork"
    case .notALog, .unreadable: "refused"
    }
  }
}
