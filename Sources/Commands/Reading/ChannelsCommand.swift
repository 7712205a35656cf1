import ArgumentParser
import Core
import Exporters
import ReadModel

extension ChannelRow.Order: ExpressibleByArgument {}

extension Session {
  /// One row for each subscription, in no order; videos hidden by rules do not count as new.
  func channelRows(_ memory: PollState) throws -> [ChannelRow] {
    let counts = try query { try $0.channelCounts(at: now) }
    return ChannelRow.rows(in: try state, memory: memory, counts: counts)
  }
}

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

  func run() throws {
    let session = try Session(common)
    if resolve { return try HandleLookupRun(session).run() }
    let memory = try PollStateFile(session).read(at: session.now)
    let rows = try rows(in: session, memory)
    var output = Output()
    try write(rows, session, to: &output)
    if dead, formatting.format == .table { writeEvidence(rows, memory, to: &output) }
    if !dead, !failing, formatting.format == .table { try writeNames(session.state, to: &output) }
    try output.finish()
  }

  /// The rows that the options select, in their order.
  func rows(in session: Session, _ memory: PollState) throws -> [ChannelRow] {
    var rows = ChannelRow.byTitle(try session.channelRows(memory))
    if !tag.isEmpty {
      let tags = try Set(tag.flatMap(TagNames(session.state).spelt))
      rows.removeAll { tags.isDisjoint(with: $0.tags) }
    }
    if dead { rows.removeAll { $0.verdict != .gone } }
    if failing { rows.removeAll { !$0.isFailing } }
    return ChannelRow.sorted(rows, by: sort)
  }

  /// Writes the followed handles whose channel is not known yet.
  private func writeNames(_ state: State, to output: inout Output) {
    let names = state.unresolved.filter { name in
      tag.isEmpty || (name.tags ?? []).contains { tag.contains($0) }
    }
    guard !names.isEmpty else { return }
    let words = names.map { DisplayText($0.handle).text }.joined(separator: ", ")
    output.write("\(UserMessages.count(names.count, "handle")) to be looked up by the next poll: \(words)\n")
  }

  private func writeEvidence(_ rows: [ChannelRow], _ memory: PollState, to output: inout Output) {
    for row in rows {
      guard let known = memory.feeds[row.channel], let since = known.failingSince else { continue }
      let page = known.page?.missingSince.map { "; channel page missing (404) since \($0.local)" } ?? ""
      let title = DisplayText(row.title).text
      output.write(
        "\(title): \(known.lastAnswer ?? "?") \(UserMessages.count(known.failures, "time")) since \(since.local)\(page)\n"
      )
    }
    if !rows.isEmpty { output.write("Run `metube-rss unfollow --dead` to unfollow them.\n") }
  }

  private func write(_ rows: [ChannelRow], _ session: Session, to output: inout Output) throws {
    guard formatting.format == .table else { return RowFormat.write(rows, as: formatting.format, to: &output) }
    try ChannelListing(session, formatting.color).write(rows, to: &output)
  }
}
