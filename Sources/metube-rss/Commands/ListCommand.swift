import ArgumentParser
import Core

extension VideoQuery.Order: ExpressibleByArgument {}

/// `list`: the videos, in time order.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show what the channels you follow have published, the newest first.",
    discussion: """
      Without options: the 50 newest videos that are new to you, without Shorts.
      On a terminal each has a number that watched, skip and the like take.

      Examples:
        metube-rss list
        metube-rss list --channel 'In a Nutshell' --all
        metube-rss list --search 'steam engine' --since 30d
        metube-rss list --shorts only --limit 10
        metube-rss list --format jsonl --limit 0 | jq -r .title
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var formatting: FormatOptions
  @OptionGroup var filter: FilterOptions
  @Option(name: .long, help: "Only this status: new, watched, skipped or snoozed; may be given several times.")
  var status: [Status] = []
  @Flag(name: .long, help: "Short for --status new (the default).")
  var unwatched = false
  @Flag(name: .long, help: "Short for --status watched.")
  var watched = false
  @Flag(name: .long, help: "Short for --status skipped.")
  var skipped = false
  @Flag(name: .long, help: "Short for --status snoozed.")
  var snoozed = false
  @Flag(name: .long, help: "Every status, also of channels no longer followed.")
  var all = false
  @Option(name: .long, help: "By which time to order: published or found.")
  var sort: VideoQuery.Order = .published
  @Flag(name: .long, help: "The oldest first.")
  var oldest = false
  @Option(name: .long, help: "How many to show; 0 is all.")
  var limit = 50

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit takes 0 (all) or a number of videos") }
  }

  func run() throws {
    let session = try Session(common)
    let selection = try Selecting(session).select(query(in: session), search: filter.search)
    let rows = selection.videos.compactMap { VideoRow($0, in: session.state, at: session.now) }
    var output = Output()
    switch formatting.format {
    case .table: try VideoListing(session, formatting.color).write(rows, selection, to: &output)
    default: write(rows, to: &output)
    }
    try output.finish()
  }

  private func query(in session: Session) throws -> VideoQuery {
    var statuses = Set(status)
    if unwatched { statuses.insert(.new) }
    if watched { statuses.insert(.watched) }
    if skipped { statuses.insert(.skipped) }
    if snoozed { statuses.insert(.snoozed) }
    var query = try Selecting(session).query(filter)
    query.statuses = all ? nil : statuses.isEmpty ? [.new] : statuses
    query.order = sort
    query.oldestFirst = oldest
    query.limit = limit
    return query
  }

  private func write(_ rows: [VideoRow], to output: inout Output) {
    RowFormat.write(rows, as: formatting.format, to: &output)
  }
}
