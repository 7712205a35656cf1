import App
import Core
import EventLog
import Exporters
import Library
import Messages
import Platform
import ReadModel
import Sync
import Terminal
import YouTube

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
  package let runs: [LWWRegister<RunFinished>]

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

  /// The time of the report in the user's time zone.
  package var now: LocalTime { session.local }

  /// The text report, without the table of polls.
  package var lines: [String] {
    var lines = ["\(UserMessages.count(rows.count, "subscription")), \(UserMessages.count(videoCount, "video")) found"]
    let waiting = state.unresolved.count { memory.names[$0.handle] == nil }
    if waiting > 0 { lines.append("\(UserMessages.count(waiting, "handle")) not yet looked up") }
    lines.append("\(UserMessages.count(unwatched, "video")) new to you")
    lines.append(lastPoll)
    lines += [standing.unstoredText(at: session.now)].compactMap(\.self) + nextPoll
    let gone = rows.count { $0.verdict == .gone }
    if gone > 0 { lines.append("\(UserMessages.count(gone, "dead channel")): see metube-rss channels --dead") }
    for row in failing {
      let since = row.failingSince.map { ", since \($0.local)" } ?? ""
      let title = DisplayText(row.title).text
      let times = row.failures > 0 ? ", \(UserMessages.count(row.failures, "time"))" : ""
      lines.append("failing: \(title) (\(row.lastOutcome ?? "?")\(times)\(since))")
    }
    lines += memory.handleFailures(state).map { "failing: \($0)" }
    for (_, gap) in state.openGaps {
      let title = DisplayText(state.channels[gap.subscription]?.title ?? gap.subscription.description).text
      lines.append("gap: \(title) may have published more between \(gap.after.local) and \(gap.before.local)")
    }
    return lines + remarks
  }

  /// The use of the Data API, and the log's path and size.
  package var remarks: [String] {
    [leftOutText, quota?.text].compactMap(\.self) + (hub?.lines ?? [])
      + [logText].compactMap(\.self)
  }

  private var leftOutText: String? {
    guard leftOut > 0, let maximum = session.maxSubscriptions else { return nil }
    return "\(UserMessages.count(leftOut, "subscription")) neither shown nor polled: this hub allows \(maximum), "
      + "and takes those followed first (METUBE_HUB_SUBSCRIPTIONS)"
  }

  /// The units of the Data API that were used today; 0 without a key.
  package var unitsUsed: Int { quota?.used ?? 0 }

  /// The folder of the log and its size; nil if it is in a database.
  private var log: (folder: String, size: Int)? {
    guard let folder = session.workspace.files?.home.folders.log else { return nil }
    return (folder, Int(File.sizes(in: folder)))
  }

  private var logText: String? {
    log.map { folder, size in
      let bytes = size < 1000 ? "\(size) bytes" : size < 1_000_000 ? "\(size / 1000) kB" : "\(size / 1_000_000) MB"
      return "log: \(folder) (\(bytes))"
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
    line.add("unsent", try? hub?.unsent)  // Absent if the log cannot be read, which is reported by itself.
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
      let reason = UserMessages.refusal(.known(pause.why), budget: settings.budget, now: session.now).message
      return "no requests until \(pause.until.local): \(reason)"
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
