import ArgumentParser
import Core

extension VideoQuery.Order: ExpressibleByArgument {}

/// `list`: the videos, in time order.
struct ListCommand: PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show what the channels you follow have published, the newest first.",
    discussion: """
      Without options: the 50 newest videos that are new to you, without Shorts.
      On a terminal each has a number that watched, skip and the like take.
      Where there are more, the last line says how to go on; what arrives or is
      marked meanwhile makes no video come twice or be left out.

      Examples:
        metube-rss list
        metube-rss list --channel 'In a Nutshell' --all
        metube-rss list --search 'steam engine' --since 30d
        metube-rss list --shorts only --limit 10
        metube-rss list --catch-up --tag science
        metube-rss list --mix --limit 20
        metube-rss list --format jsonl --limit 0 | jq -r .title
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var paging: PagerOptions
  @OptionGroup var formatting: FormatOptions
  @OptionGroup var filter: FilterOptions
  @OptionGroup var statuses: StatusOptions
  @Flag(name: .long, help: "Also of channels no longer followed; of every status, unless one is asked for.")
  var all = false
  @Option(name: .long, help: "By which time to order: published or found.")
  var sort: VideoQuery.Order = .published
  @Flag(name: .long, help: "The oldest first.")
  var oldest = false
  @Flag(name: .long, help: "The newest first, also of a channel whose order was set to oldest.")
  var newest = false
  @Flag(name: .long, help: "Channel by channel, each from its oldest on; the one that waits longest first.")
  var catchUp = false
  @Flag(name: .long, help: "One of each channel in turn, the newest first.")
  var mix = false
  @Option(
    name: .long,
    help: ArgumentHelp("Go on after this place: what the last line of a list says, or a video.", valueName: "cursor"),
    transform: ArgumentShield.unguarded)
  var after: String?
  @Option(name: .long, help: "How many to show; 0 is all.")
  var limit: Limit = 50

  func validate() throws {
    if catchUp, mix { throw ValidationError("--catch-up and --mix are two orders; give one") }
    if oldest, newest { throw ValidationError("--oldest and --newest are two orders; give one") }
    if catchUp || mix, oldest || newest || sort != .published {
      throw ValidationError("--catch-up and --mix are orders of their own, without --sort, --oldest and --newest")
    }
  }

  func run() throws {
    let session = try Session(common)
    let query = try query(in: session)
    let selection = try Selecting(session).page(of: query, filter)
    let rows = selection.videos.compactMap { VideoRow($0, in: session.state, at: session.now) }
    var output = Output()
    if formatting.format == .table {
      let isNarrowed = filter.isGiven || query.statuses != [.new] || after != nil
      VideoListing(session, formatting.color).write(rows, selection, isNarrowed: isNarrowed, to: &output)
    } else {
      RowFormat.write(rows, as: formatting.format, to: &output)
    }
    try output.finish()
  }

  private func query(in session: Session) throws -> VideoQuery {
    var query = try Selecting(session).query(
      filter, alsoUnfollowed: all || after != nil, areTagsKnown: after == nil)
    query.statuses = wantedStatuses
    query.alsoGone = query.alsoGone || all
    query.arrangement = catchUp ? .catchUp : mix ? .mix : .byTime
    query.order = sort
    query.oldestFirst = oldest || !newest && query.arrangement == .byTime && isOfSeries(query, session.state)
    query.limit = limit.count
    query.after = try after.map { text in
      if let cursor = PageCursor(text) { return cursor }
      guard let video = try VideoNames([text], in: session).videos.first else { throw ExitStatus.inPart }
      return PageCursor(video: video, moment: nil)
    }
    return query
  }

  /// Whether only channels are asked for whose order the person set to oldest.
  private func isOfSeries(_ query: VideoQuery, _ state: State) -> Bool {
    guard let wanted = query.subscriptions else { return false }
    return wanted.allSatisfy { state.channels[$0]?.order == .oldest }
  }

  /// The statuses asked for. What was put aside is shown whatever its status, unless one is asked for.
  private var wantedStatuses: Set<Status>? {
    let given = statuses.given
    if given.isEmpty { return all || filter.saved ? nil : [.new] }
    return given
  }
}
