import App
import ArgumentParser
import Arguments
import Core
import HTTPClient
import Messages
import Platform
import PollEngine
import ReadModel
import Terminal

extension ChannelRow.Order: ExpressibleByArgument {}

/// `channels`: lists the subscriptions.
struct ChannelsCommand: PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "channels", abstract: "List your subscriptions.",
    discussion: """
      Examples:
        metube-rss channels
        metube-rss channels --tag science
        metube-rss channels --sort unwatched
        metube-rss channels --failing
        metube-rss channels --dead
        metube-rss channels --resolve
        metube-rss channels --format ids
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var paging: PagerOptions
  @OptionGroup var formatting: FormatOptions
  @Option(text: "Only with this tag.", completion: Completion.tags) var tag: [String] = []
  @Flag(help: "Only channels whose feed fails.") var failing = false
  @Flag(help: "Look up pending handles (@handle, /c/, /user/) now.") var resolve = false
  @Flag(help: "Only channels confirmed dead over several days, with the evidence.") var dead = false

  @Option(
    name: .long,
    help: """
      Sort by title, unwatched, published, checked (longest ago first), failures,
      habit (most frequent first), tags or verdict (worst first).
      """)
  var sort: ChannelRow.Order = .title

  func run(in session: Session, to output: inout Output) throws {
    if resolve { return try session.whilePolling { try lookUp(session, to: &output) } }
    let memory = try session.pollState()
    let request = ChannelsRequest(tag: tag, failing: failing, dead: dead, sort: sort)
    let rows = try request.rows(in: session, memory)
    guard formatting.format == .table else { return RowFormat.write(rows, as: formatting.format, to: &output) }
    let state = try session.state
    if state.followsNothing {
      output.write(UserMessages.followsNothing)
    } else if rows.isEmpty, state.followsAny {
      if !failing || memory.handleFailures(state, tag).isEmpty { output.write("Nothing matches.\n") }
    } else {
      output.write(TextTable.channels(rows, at: session.local), for: Terminal(formatting.color))
    }
    if dead { writeEvidence(rows, memory, to: &output) }
    if !dead { writeNames(state, memory, to: &output) }
  }

  /// Looks up every handle that is due, and prints the results.
  private func lookUp(_ session: Session, to output: inout Output) throws {
    let file = try PollStateFile(session)
    let memory = file.readToAsk(at: session.now)
    if let pause = memory.pause, pause.isActive(at: session.now) {
      throw Failure(
        .temporaryFailure, "requests to YouTube are paused until \(pause.retry.local); try again after that")
    }
    var names = try HandleLookup(session, memory, inTurnsOf: [], maximum: .max, isForced: true, deadline: nil)
    if !names.isEmpty {
      let fetcher = try HTTPSession(session.settings, jobs: 1)
      defer { for line in names.report.complaints { StandardError.report(line) } }
      try names.run(with: fetcher)
      try file.write(names.memory)
    }
    let report = names.report
    for (name, subscription) in report.resolved {
      let title = try session.state.channels[subscription].flatMap { $0.hasTitle ? $0.title : nil } ?? ""
      output.write("\(name) is \(subscription)  \(DisplayText(title).text)\n")
    }
    if report.waiting > 0 { output.write("\(UserMessages.count(report.waiting, "handle")) not yet looked up\n") }
    let state = try session.state
    let isEmpty = report.resolved.isEmpty && report.waiting == 0 && report.failed.isEmpty
    if isEmpty, state.unresolved.isEmpty { output.write("no handles to look up\n") }
    // Those that were looked up now are reported already.
    let known = names.memory.handleFailures(state)
    for line in known where report.failed.isEmpty && report.undecided.isEmpty { StandardError.report(line) }
    if report.ending != nil { throw ExitStatus.partial }
    if report.stopped != nil { throw ExitStatus.temporaryFailure }
    if !report.failed.isEmpty || !report.undecided.isEmpty || !known.isEmpty { throw ExitStatus.partial }
  }

  /// Writes the followed handles whose channel is not known yet; with `failing` only those that were not found.
  private func writeNames(_ state: State, _ memory: PollState, to output: inout Output) {
    for line in memory.handleFailures(state, tag) { output.write("\(line)\n") }
    let names = state.unresolved(tag).filter { memory.names[$0.handle] == nil }
    guard !names.isEmpty, !failing else { return }
    let text = names.map { DisplayText($0.handle).text }.joined(separator: ", ")
    output.write("\(UserMessages.count(names.count, "handle")) to be looked up by the next poll: \(text)\n")
  }

  private func writeEvidence(_ rows: [ChannelRow], _ memory: PollState, to output: inout Output) {
    for row in rows {
      guard let known = memory.feeds[row.channel], let since = known.failingSince else { continue }
      let missing = row.channel.isYouTube ? known.page?.missingSince : nil
      let page = missing.map { "; channel page missing (404) since \($0.local)" } ?? ""
      let title = DisplayText(row.title).text
      output.write(
        "\(title): \(known.lastOutcome ?? "?") \(UserMessages.count(known.failures, "time")) since \(since.local)\(page)\n"
      )
    }
    if !rows.isEmpty { output.write("Run `metube-rss unfollow --dead` to unfollow them.\n") }
  }
}
