import ArgumentParser
import Core
import EventLog

/// `status`: how things stand.
struct StatusCommand: PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say how things stand: the last poll, what fails, gaps, the log.",
    discussion: """
      Examples:
        metube-rss status
        metube-rss status --format json | jq .failing
      """)
  /// How the status is shown.
  enum StatusFormat: String, CaseIterable, ExpressibleByArgument { case text, json }

  @OptionGroup var common: CommonOptions
  @OptionGroup var paging: PagerOptions
  @Option(name: .long, help: "How to show it: text or json.")
  var format: StatusFormat = .text

  func run() throws {
    let session = try Session(common)
    let standing = Standing(session, MemoryFile(session).read(at: session.now))
    var output = Output()
    switch format {
    case .text: output.write(standing.text)
    case .json: output.write(standing.json.object + [10])
    }
    try output.finish()
  }
}

/// How things stand.
struct Standing {
  private let session: Session
  private let memory: PollMemory
  private let rows: [ChannelRow]

  init(_ session: Session, _ memory: PollMemory) {
    self.session = session
    self.memory = memory
    rows = session.channelRows(memory)
  }

  private var state: State { session.state }
  private var failing: [ChannelRow] { rows.filter { $0.failures > 0 } }
  private var unwatched: Int { rows.reduce(0) { $0 + $1.unwatched } }

  /// For a person.
  var text: String {
    var lines = ["\(Words.count(rows.count, "subscription")), \(Words.count(state.videos.count, "video")) found"]
    if !state.unresolved.isEmpty {
      lines.append("\(Words.count(state.unresolved.count, "name")) still to be looked up")
    }
    lines.append("\(Words.count(unwatched, "video")) new to you")
    lines.append(lastPoll)
    lines += nextPoll
    let gone = rows.count { $0.verdict == .gone }
    if gone > 0 { lines.append("\(Words.count(gone, "channel")) gone for good: metube-rss channels --dead") }
    for row in failing {
      let since = row.failingSince.map { ", since \($0.rfc3339)" } ?? ""
      let title = DisplayText(row.title).text
      lines.append("failing: \(title) (\(row.lastAnswer ?? "?"), \(Words.count(row.failures, "time"))\(since))")
    }
    for (_, gap) in state.openGaps {
      let title = DisplayText(state.channels[gap.subscription]?.title ?? gap.subscription.description).text
      lines.append("gap: \(title) may have published more between \(gap.after.rfc3339) and \(gap.before.rfc3339)")
    }
    lines.append("log: \(session.home.folders.log)")
    lines.append("      \(File.sizes(in: session.home.folders.log)) bytes")
    return lines.map { "\($0)\n" }.joined()
  }

  /// What the next poll would ask, and when there is more for it to do.
  private var nextPoll: [String] {
    if let pause = memory.pause, session.now < pause.retry {
      return ["paused until \(pause.retry.rfc3339): \(Words.stoppedShort(pause.reason))"]
    }
    let times = state.followed.map { channel -> Timestamp in
      guard let known = memory.feeds[channel.id], let asked = known.asked else { return session.now }
      return asked.adding(seconds: max(known.gap(at: session.now), PollPlan.floor))
    }
    guard let next = times.min() else { return [] }
    let due = times.count { $0 <= session.now }
    return [due > 0 ? "\(Words.count(due, "feed")) due now" : "the next feed is due at \(next.rfc3339)"]
  }

  private var lastPoll: String {
    guard let run = state.lastRun else { return "never polled; metube-rss poll asks the feeds" }
    let ago = run.id.timestamp.short(at: session.now)
    let end = run.value.stopped.map { ", stopped: \(Words.stopped($0))" } ?? ""
    return "last poll \(ago): \(run.value.checked) checked, \(run.value.new) new, \(run.value.failed) failed\(end)"
  }

  /// For a program.
  var json: JSONLine {
    var line = JSONLine()
    line.add("subscriptions", rows.count)
    line.add("unresolved", state.unresolved.map(\.handle))
    line.add("videos", state.videos.count)
    line.add("unwatched", unwatched)
    line.add("lastPoll", state.lastRun?.id.timestamp)
    line.add("checked", state.lastRun?.value.checked)
    line.add("new", state.lastRun?.value.new)
    line.add("failed", state.lastRun?.value.failed)
    line.add("stopped", state.lastRun?.value.stopped?.rawValue)
    line.add("failing", failing.map(\.channel.description))
    line.add("gaps", state.openGaps.map(\.gap.subscription.description))
    line.add("log", session.home.folders.log)
    return line
  }
}
