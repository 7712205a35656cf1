import ArgumentParser
import Core
import EventLog
import Glibc

extension VideoQuery.Visibility: ExpressibleByArgument {}
extension VideoQuery.Order: ExpressibleByArgument {}
extension Status: ExpressibleByArgument {}

/// Which videos a command is about.
struct FilterOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp("Only this channel, by id, address or title.", valueName: "channel"),
    transform: ArgumentShield.unguarded)
  var channel: [String] = []
  @Option(name: .long, help: "Only channels with this tag.", transform: ArgumentShield.unguarded)
  var tag: [String] = []
  @Option(
    name: .long,
    help: ArgumentHelp("Only where every word is in the title, channel or description.", valueName: "words"),
    transform: ArgumentShield.unguarded)
  var search: String?
  @Option(
    name: .long, help: ArgumentHelp("Only published since: 3d, 12h, 2026-11-01.", valueName: "time"),
    transform: ArgumentShield.unguarded)
  var since: String?
  @Option(
    name: .long, help: ArgumentHelp("Only published before: 3d, 12h, 2026-11-01.", valueName: "time"),
    transform: ArgumentShield.unguarded)
  var until: String?
  @Option(name: .long, help: "What to do with Shorts: hide, show or only.")
  var shorts: VideoQuery.Visibility = .hide
  @Option(name: .long, help: "What to do with videos proven to be still to come: hide, show or only.")
  var upcoming: VideoQuery.Visibility = .hide
}

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

/// Selects videos for a command.
struct Selecting {
  private let session: Session

  init(_ session: Session) { self.session = session }

  /// The query behind the filter options, of every status, the newest first, without a limit.
  func query(_ options: FilterOptions) throws -> VideoQuery {
    let names = ChannelNames(session.state)
    let subscriptions = try options.channel.map { try names.resolve($0) }
    return VideoQuery(
      statuses: nil, shorts: options.shorts, upcoming: options.upcoming,
      subscriptions: subscriptions.isEmpty ? nil : Set(subscriptions), tags: Set(options.tag),
      since: try options.since.map { try Moment($0, before: session.now, option: "--since").time },
      until: try options.until.map { try Moment($0, before: session.now, option: "--until").time },
      order: .published, oldestFirst: false, limit: 0)
  }

  /// The videos a query asks for whose title, channel or description holds every word of `search`.
  func select(_ query: VideoQuery, search: String?) throws -> VideoSelection {
    guard let search else { return session.state.select(query, at: session.now) { _ in true } }
    let words = SearchWords(search)
    var problem: (any Error)?
    let selection = session.state.select(query, at: session.now) { video in
      do { return try matches(video, words) } catch {
        problem = problem ?? error
        return false
      }
    }
    if let problem { throw problem }
    return selection
  }

  private func matches(_ video: Video, _ words: SearchWords) throws -> Bool {
    let channel = VideoRow(video, in: session.state, at: session.now)?.channelTitle ?? ""
    if words.match([video.title, channel]) { return true }
    return words.match([video.title, channel, try session.text(of: video.description)])
  }
}

extension Session {
  /// The text of a description, read from the log; empty where there is none.
  func text(of description: Description?) throws -> String {
    guard let description else { return "" }
    do { return try journal.text(of: description) } catch { throw Words.failure(error) }
  }
}
