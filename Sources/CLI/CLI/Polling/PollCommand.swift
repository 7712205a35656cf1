import App
import ArgumentParser
import Arguments
import Core
import EventLog
import Exporters
import HTTPClient
import Library
import Messages
import Platform
import PollEngine
import ReadModel

/// `poll`: checks the feeds for new videos.
struct PollCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "poll", abstract: "Check the feeds of your subscriptions for new videos.",
    discussion: """
      A feed checked in the last 15 minutes is skipped, because YouTube would send
      the same bytes again. A failing feed neither stops the others nor hides videos
      found before. With a hub (METUBE_RSS_HUB), it is asked first, and what it
      checked in time is not requested from YouTube; if it fails, that costs a poll
      at most 15 seconds, and the next ones go on without it for a while. Ctrl-C
      ends the poll and keeps the results so far; the report counts the feeds not
      checked, the status is 1, and the next poll checks them.

      Each site other than YouTube gets one request at a time, and at most one a
      second, whatever --jobs and --rate say. No failure of these feeds changes the
      status.

      Examples:
        metube-rss poll
        metube-rss poll 'In a Nutshell'
        metube-rss poll --now --format json
      """)
  @OptionGroup var common: CommonOptions
  @Flag(help: "Poll every subscription now, due or not.") var now = false
  @Flag(help: ArgumentHelp("Earlier name of --now.", visibility: .hidden)) var all = false
  @Flag(help: "Also poll feeds checked in the last 15 minutes, and during a backoff.") var force = false
  @Option(help: ArgumentHelp("Concurrent requests.", valueName: "n")) var jobs = 4
  @Option(help: ArgumentHelp("Requests per second; 0 is unlimited.", valueName: "n")) var rate = 2.0
  @Option(help: ArgumentHelp("Stop polling after this many seconds.", valueName: "seconds")) var deadline: Int?
  @Flag(help: "Request every feed from YouTube, whatever your hub has.") var direct = false
  @Option(help: ArgumentHelp("Retries after 1, 2, 4 … seconds if your hub does not answer.", valueName: "n"))
  var hubRetries = 3
  @Flag(help: "During an outage, use the Data API instead; needs a key.") var apiFallback = false
  @Option(help: "Format of the report: text or json.") var format: ReportFormat = .text
  @Flag(name: .shortAndLong, help: "Print nothing unless something failed.") var quiet = false
  @Flag(help: ArgumentHelp("Show progress even if standard error is not a terminal.", visibility: .hidden))
  var progress = false
  @Argument(
    text: "Only these channels, by ID, URL, handle or title.", value: "channel", completion: Completion.channels)
  var channels: [String] = []

  func validate() throws {
    if !(1...256).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 256") }
    if rate != 0, !(0.001...1000).contains(rate) {
      throw ValidationError("--rate takes 0.001 to 1000 requests per second, or 0")
    }
    if !(0...10).contains(hubRetries) { throw ValidationError("--hub-retries takes a number from 0 to 10") }
    if let deadline, !(1...86_400).contains(deadline) {
      throw ValidationError("--deadline takes 1 to 86400 seconds")
    }
  }

  static let sendsAfterwards = false
  func run(in session: Session, to output: inout Output) throws {
    var request = PollRequest(
      channels: channels, now: now || all, force: force, jobs: jobs, rate: rate, deadline: deadline, direct: direct,
      hubRetries: hubRetries, apiFallback: apiFallback, isQuiet: quiet, showsProgress: progress)
    request.takesWebFeeds = true
    try session.whilePolling {
      try request.poll(session, folder: common.home, exports: { NamedExports.refresh($0, home: common.home) }) {
        try report($0, $1, session, to: &output)
      }
    }
    HomeAccountSync.runIfDue(session)
  }

  private func report(
    _ poll: PollSession, _ plan: PollPlan, _ session: Session, to output: inout Output
  ) throws {
    let report = try poll.reportFailures()
    switch format {
    case .json: output.write(report.json.object + [10])
    case .text where try plan.due.isEmpty && session.state.followsNothing:
      if !quiet { output.write(UserMessages.followsNothing) }
    case .text:
      if !quiet || !report.failures.isEmpty { output.write(UserMessages.report(report, plan, poll.run.memory)) }
    }
    try output.finish()
  }
}
