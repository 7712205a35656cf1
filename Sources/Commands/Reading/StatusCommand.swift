import ArgumentParser
import Core
import EventLog
import Exporters
import Library
import ReadModel
import Terminal
import YouTube

/// `status`: recent polls, failures, gaps and the log.
struct StatusCommand: PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show recent polls, failures, gaps and the log.",
    discussion: """
      Shows polls of all devices that requested at least one feed; 24 are kept.

      Examples:
        metube-rss status
        metube-rss status --runs 24
        metube-rss status --format json | jq '.runs[] | select(.outage) | .ended'
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var paging: PagerOptions
  @Option(help: "Output format: text or json.") var format: ReportFormat = .text
  @Option(help: ArgumentHelp("Number of recent polls to show, up to 24.", valueName: "n")) var runs = 5

  func validate() throws {
    if !(0...RecentRuns.most).contains(runs) {
      throw ValidationError("--runs takes a number from 0 to \(RecentRuns.most)")
    }
  }

  func run(in session: Session, to output: inout Output) throws {
    let standing = try StatusReport(session, runs: runs)
    switch format {
    case .text: standing.write(to: &output, for: Terminal(.auto))
    case .json: output.write(standing.json.object + [10])
    }
  }
}

/// The report of `status`: subscriptions, polls, failures, gaps, API quota and the log.
package struct StatusReport {
  private let session: Session
  package let state: State
  package let videoCount: Int
  /// How many videos are new to the user, each once; the counts of channels and playlists share some.
  package let unwatched: Int
  /// How many subscriptions a hub leaves out, because it allows no more.
  private let leftOut: Int
  private let memory: PollState
  private let standing: PollStanding
  /// One for each subscription, in no order.
  package let rows: [ChannelRow]
  /// Those whose feeds fail, by title.
  package let failing: [ChannelRow]
  private let quota: Quota?
  /// The pollers of a database; nil with files.
  private let pollers: PollerLife?
  private let hub: BackgroundSync?
  /// The last runs, most recent first.
  private let runs: [LWWRegister<RunFinished>]

  /// The current report for this machine, with up to `runs` of the last runs.
  package init(_ session: Session, runs: Int) throws {
    self.session = session
    memory = try session.pollState()
    rows = try session.channelRows(memory)
    failing = ChannelRow.byTitle(rows.filter(\.isFailing))
    hub = try BackgroundSync(session)
    state = try session.state
    leftOut = try session.leftOutSubscriptions
    standing = try PollStanding(session, state)
    quota = Quota(session, state)
    pollers = try session.workspace.pollerLife()
    videoCount = try session.query { try $0.videoCount() }
    unwatched = try session.query { try $0.select(.unwatched, at: session.now).matching }
    self.runs = state.runs.list.suffix(runs).reversed()
  }

  /// Writes the text report, followed by a table if there are several runs; the text itself covers only the last.
  func write(to output: inout Output, for terminal: Terminal) {
    for line in lines {
      for part in DisplayText(line).lines(within: terminal.width) { output.write("\(part)\n") }
    }
    if runs.count > 1 { output.write(TextTable.runs(runs, at: session.local), for: terminal) }
  }

  private var lines: [String] {
    var lines = ["\(UserMessages.count(rows.count, "subscription")), \(UserMessages.count(videoCount, "video")) found"]
    let waiting = state.unresolved.count { memory.names[$0.handle] == nil }
    if waiting > 0 { lines.append("\(UserMessages.count(waiting, "handle")) not yet looked up") }
    lines.append("\(UserMessages.count(unwatched, "video")) new to you")
    lines.append(lastPoll)
    lines += [standing.unstoredWords(at: session.now)].compactMap(\.self) + nextPoll
    let gone = rows.count { $0.verdict == .gone }
    if gone > 0 { lines.append("\(UserMessages.count(gone, "dead channel")): see metube-rss channels --dead") }
    for row in failing {
      let since = row.failingSince.map { ", since \($0.local)" } ?? ""
      let title = DisplayText(row.title).text
      let times = row.failures > 0 ? ", \(UserMessages.count(row.failures, "time"))" : ""
      lines.append("failing: \(title) (\(row.lastAnswer ?? "?")\(times)\(since))")
    }
    lines += memory.handleFailures(state).map { "failing: \($0)" }
    for (_, gap) in state.openGaps {
      let title = DisplayText(state.channels[gap.subscription]?.title ?? gap.subscription.description).text
      lines.append("gap: \(title) may have published more between \(gap.after.local) and \(gap.before.local)")
    }
    return lines + remarks
  }

  /// The use of the Data API, and the log's place and size.
  package var remarks: [String] {
    [leftOutWords, quota?.text].compactMap(\.self) + (hub?.lines ?? [])
      + [logWords].compactMap(\.self)
  }

  private var leftOutWords: String? {
    guard leftOut > 0, let most = session.mostSubscriptions else { return nil }
    return "\(UserMessages.count(leftOut, "subscription")) neither shown nor polled: this hub allows \(most), "
      + "and takes those followed first (METUBE_HUB_SUBSCRIPTIONS)"
  }

  /// The units of the Data API that were used today; 0 without a key.
  package var unitsUsed: Int { quota?.used ?? 0 }

  /// The folder of the log and its size; nil if it is in a database.
  private var log: (folder: String, size: Int)? {
    guard let folder = session.workspace.files?.home.folders.log else { return nil }
    return (folder, Int(File.sizes(in: folder)))
  }

  private var logWords: String? {
    log.map { folder, size in
      let words = size < 1000 ? "\(size) bytes" : size < 1_000_000 ? "\(size / 1000) kB" : "\(size / 1_000_000) MB"
      return "log: \(folder) (\(words))"
    }
  }

  /// When each feed is next due.
  package var dueTimes: [Timestamp] {
    state.channels.values.lazy.filter(\.isFollowed).map { channel in
      guard let known = memory.feeds[channel.id], let last = known.lastRequest(at: session.now) else {
        return session.now
      }
      return last.adding(seconds: max(known.gap(at: session.now), PollPlan.floor))
    }
  }

  /// The backoff in force; nil if none.
  package var pause: Backoff? { memory.pause.flatMap { $0.isActive(at: session.now) ? $0 : nil } }

  /// What the next poll would do: the feeds due now, or the time of the next one, or the end of a backoff; before that,
  /// that no poller of a database works.
  package var nextPoll: [String] { [pollers?.absence].compactMap(\.self) + due }

  private var due: [String] {
    if let pause {
      let wait = pause.retry.wait(from: session.now)
      return [
        "paused for \(wait), until \(pause.retry.local): \(UserMessages.stoppedShort(pause.reason)), "
          + "since \(pause.since.local)"
      ]
    }
    let times = dueTimes
    guard let next = times.min() else { return [] }
    let due = times.count { $0 <= session.now }
    return [
      due > 0
        ? "\(UserMessages.count(due, "feed")) due now"
        : "the next feed is due at \(next.local), in \(next.wait(from: session.now))"
    ]
  }

  private var lastPoll: String {
    guard let run = state.lastRun else {
      return standing.unstored > 0 ? "no poll was completed yet" : "never polled; run metube-rss poll"
    }
    let ago = run.id.timestamp.short(at: session.local)
    let end = run.value.stopped.map { ", stopped: \(UserMessages.stopped($0))" } ?? ""
    return "last poll \(ago): \(run.value.checked) checked, \(run.value.new) new, \(run.value.failed) failed\(end)"
  }

  /// The report as one JSON object.
  package var json: JSONLine {
    var line = JSONLine()
    line.add("subscriptions", rows.count)
    line.add("unresolved", state.unresolved.map(\.handle))
    line.add("notFound", state.unresolved.map(\.handle).filter { memory.names[$0].map { !$0.isUndecided } ?? false })
    line.add("unstored", standing.unstored)
    line.add("leftOut", leftOut)
    line.add("videos", videoCount)
    line.add("unwatched", unwatched)
    line.add("lastPoll", state.lastRun?.id.timestamp)
    line.add("checked", state.lastRun?.value.checked)
    line.add("new", state.lastRun?.value.new)
    line.add("failed", state.lastRun?.value.failed)
    line.add("stopped", state.lastRun?.value.stopped?.rawValue)
    line.add("failing", failing.map(\.channel.description))
    line.add("gaps", state.openGaps.map(\.gap.subscription.description))
    line.add("log", log?.folder)
    line.add("logBytes", log?.size)
    line.add("gone", ChannelRow.byTitle(rows.filter { $0.verdict == .gone }).map(\.channel.description))
    let times = dueTimes
    line.add("due", times.count { $0 <= session.now })
    line.add("nextDue", times.min())
    line.add("pausedUntil", pause?.retry)
    line.add("apiUnitsUsed", quota?.used)
    line.add("apiUnitsLeft", quota?.left)
    line.add("apiBudget", quota?.budget)
    line.add("apiChannelsDue", quota?.channels)
    line.add("pauseReason", pause?.reason.rawValue)
    line.add("pausedSince", pause?.since)
    line.add("hub", hub?.state.url)
    line.add("hubSynced", hub?.state.synced)
    line.add("hubFailingSince", hub?.state.failingSince)
    line.add("hubProblem", hub?.state.problem)
    line.add("hubRetry", hub?.state.pollsWithoutHub(at: session.now))
    line.add("unsent", try? hub?.unsent)
    line.add("pollers", pollers?.working)
    line.add("pollerSeen", pollers?.seen)
    line.add("runs", objects: runs.map(StatusReport.json))
    return line
  }

  private static func json(_ run: LWWRegister<RunFinished>) -> JSONLine {
    var line = JSONLine()
    line.add("ended", run.id.timestamp)
    line.add("device", run.id.device.description)
    run.value.addCounts(to: &line)
    line.add("unrequested", run.value.unrequested)
    return line
  }
}

extension TextTable {
  /// The polls as `status` shows them; the device column is empty unless there are several devices.
  fileprivate static func runs(_ runs: [LWWRegister<RunFinished>], at now: LocalTime) -> TextTable {
    var table = TextTable(columns: [
      Column("polled", minimum: 10, maximum: 10),
      Column("checked", alignment: .right, minimum: 1, maximum: nil),
      Column("new", alignment: .right, minimum: 1, maximum: nil),
      Column("failed", alignment: .right, minimum: 1, maximum: nil),
      Column("gaps", alignment: .right, minimum: 1, maximum: nil, leftOut: 2),
      Column("took", alignment: .right, minimum: 1, maximum: nil, leftOut: 1),
      Column("end", minimum: 6, maximum: nil, isFlexible: true),
      Column("device", minimum: DeviceID.length, maximum: DeviceID.length, leftOut: 0),
    ])
    let hasDevices = Set(runs.map(\.id.device)).count > 1
    for (id, run) in runs.map({ ($0.id, $0.value) }) {
      // Magenta if the user ended it, red if YouTube or the network did.
      let isOwn = run.stopped == .deadline || run.stopped == .interrupted
      table.add([
        Cell(id.timestamp.short(at: now), tint: .cyan), Cell(String(run.checked)), Cell(String(run.new)),
        Cell(String(run.failed), tint: run.failed > 0 ? .red : nil),
        Cell(run.gaps > 0 ? String(run.gaps) : "", tint: .magenta),
        Cell(PlayingTime.text(seconds: run.milliseconds / 1000)),
        Cell(run.stopped.map(UserMessages.stoppedWord) ?? "", tint: run.stopped.map { _ in isOwn ? .magenta : .red }),
        Cell(hasDevices ? id.device.description : ""),
      ])
    }
    return table
  }
}

/// Today's use of the Data API quota.
private struct Quota {
  let used: Int
  let left: Int
  let budget: Int
  /// Channels whose pictures and counts are to be looked up.
  let channels: Int
  /// Why pollers of a database pause, and until when; nil if they do not.
  private let pause: String?
  /// When the quota resets.
  private let renewal: Timestamp

  /// The quota of this machine, or of a database; nil if no API key is set.
  init?(_ session: Session, _ state: State) {
    // The commands that use the API report an invalid key or budget.
    guard let settings = try? APISettings(session.settings) else { return nil }
    guard let units = try? settings.units(in: session) else { return nil }
    pause = (try? settings.pause(in: session)).flatMap(\.self).map { pause in
      let words = UserMessages.refusal(.known(pause.why), budget: settings.budget, now: session.now).message
      return "no requests until \(pause.until.local): \(words)"
    }
    (used, left, budget) = (units.used, units.left, settings.budget)
    channels = session.workspace.apiState().dueChannels(in: state, at: session.now).count
    renewal = PacificDay.end(of: session.now)
  }

  /// `Data API: 12 of 5000 units used today; 3 channels to look up`.
  var text: String {
    let end = pause.map { "; \($0)" } ?? (left > 0 ? "" : "; resets at \(renewal.local)")
    let due = channels > 0 ? "; \(UserMessages.count(channels, "channel")) to look up" : ""
    return "Data API: \(used) of \(budget) units used today\(end)\(due)"
  }
}
