import App
import ArgumentParser
import Arguments
import Core
import Messages
import Platform
import PollEngine
import ReadModel
import Sync
import Terminal

extension VideoQuery.Order: ExpressibleByArgument {}

/// `list`: lists videos in time order.
struct ListCommand: PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the videos of the channels you follow, newest first.",
    discussion: """
      Without options, shows the 50 newest videos with status new, without Shorts.
      With another status, --all, --saved or --started, videos follow that no feed
      has shown: saved by URL, or named by an imported history or playlist.
      On a terminal each has a number that watched, skip and similar commands take.
      If there are more, the last line shows how to continue; videos that arrive or
      are marked meanwhile cause neither repeats nor omissions. The preference order
      is the order used without --oldest and the like: see metube-rss preferences.

      Examples:
        metube-rss list
        metube-rss list --channel 'In a Nutshell' --all
        metube-rss list --search bookshelf --since 30d
        metube-rss list --shorts only --limit 10
        metube-rss list --catch-up --tag science
        metube-rss list --mix --limit 20
        metube-rss list --started          continue watching
        metube-rss list --next
        metube-rss list --format jsonl --limit 0 | jq -r .title
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var paging: PagerOptions
  @OptionGroup var formatting: FormatOptions
  @OptionGroup var filter: FilterOptions
  @OptionGroup var statuses: StatusOptions
  @Flag(help: "Include unfollowed channels, and every status unless one is given.") var all = false
  @Option(help: "Sort by the time published or found (default: as preferred, else published).")
  var sort: VideoQuery.Order?
  @Flag(help: "Oldest first.") var oldest = false
  @Flag(help: "Newest first, even for a channel whose order is set to oldest.") var newest = false
  @Flag(help: "Channel by channel, each oldest first; the channel waiting longest first.") var catchUp = false
  @Flag(help: "One video from each channel in turn, newest first.") var mix = false
  @Option(text: "Continue after this cursor (from the last line of a list) or video.", value: "cursor")
  var after: String?
  @Flag(help: "The next page of the last list on a terminal, with the same options.") var next = false
  @Option(name: [.customShort("n"), .long], help: "How many videos to show; 0 is all.") var limit: Limit = 50

  func validate() throws {
    do { _ = try order } catch { throw ValidationError(UserMessages.text(of: error)) }
  }

  /// The order that the options describe.
  private var order: ListRequest.Order {
    get throws(AppError) {
      try ListRequest.Order(oldest: oldest, newest: newest, catchUp: catchUp, mix: mix, sort: sort)
    }
  }

  /// The request that the options describe.
  func request(in session: Session) throws -> ListRequest {
    ListRequest(
      filter: filter.filter, status: statuses.given, all: all, order: try order, sort: sort,
      after: try after.map { text in
        if let cursor = PageCursor(text) { return cursor }
        guard let video = try VideoArguments([text], in: session).videos.first else { throw ExitStatus.partial }
        return PageCursor(video: video, number: nil)
      }, limit: limit.count)
  }

  func run(in session: Session, to output: inout Output) throws {
    let options = ListCommand.options(of: CommandLine.arguments)
    guard next else { return try show(options, session, to: &output) }
    let page = try LastShown.page(session.home).read(now: session.now)?.map { String(decoding: $0, as: UTF8.self) }
    guard let cursor = page?.first else {
      throw Failure(.partial, "--next: no list to continue; run metube-rss list first")
    }
    guard !cursor.isEmpty else { throw Failure(.partial, "--next: the last list showed everything") }
    let all = Array((page ?? []).dropFirst()) + options
    let command = try ListCommand.parse(DashIDArguments.guardIDs(in: all) + ["--after=\(cursor)"])
    try command.show(all, session, to: &output)
  }

  /// The options of a list that its next page has too: without `--next`, `--after` and the folder.
  private static func options(of arguments: [String]) -> [String] {
    var options: [String] = []
    var rest = arguments.drop { $0 != configuration.commandName }.dropFirst()
    while let word = rest.popFirst() {
      if word == "--after" || word == "--home" {
        _ = rest.popFirst()
      } else if word != "--next", !word.hasPrefix("--after="), !word.hasPrefix("--home=") {
        options.append(word)
      }
    }
    return options
  }

  /// Shows the list; `options` are those of the command line, for the next page.
  private func show(_ options: [String], _ session: Session, to output: inout Output) throws {
    let request = try request(in: session)
    let listed = try ListedVideos(request, in: session)
    let selection = try listed.selection(in: session)
    let rows = try session.rows(selection.ids, alsoUnseen: true)
    guard formatting.format == .table else {
      return RowFormat.write(session.withViews(rows), as: formatting.format, to: &output)
    }
    let heading = try heading(rows, selection, session).joined(separator: ", ")
    output.write(rows, heading: heading, of: session, formatting.color)
    // An empty list is the last one too.
    let shown = [selection.next?.description ?? ""] + options
    let isKept = Output.isTerminal && LastShown.page(session.home).remember(shown, now: session.now)
    if rows.isEmpty {
      let isNarrowed = request.filter.isGiven || listed.query.statuses != [.new] || after != nil
      return output.write(isNarrowed ? "Nothing matches.\n" : try UserMessages.emptyList(session))
    }
    guard let next = selection.next else { return }
    output.write(isKept ? "more: metube-rss list --next\n" : "more: add --after \(next)\n")
  }

  /// The counts above the table, and what the last poll left out.
  private func heading(_ rows: [VideoRow], _ selection: VideoSelection, _ session: Session) throws -> [String] {
    var parts = ["\(rows.count) of \(UserMessages.count(selection.matching, "video"))"]
    parts += UserMessages.hidden(selection.hidden)
    let polls = try session.query { try $0.polls() }
    parts += try PollStanding(session, polls).summary(at: session.local)
    if let age = BackgroundSync.age(session) { parts.append(age) }
    let gaps = polls.openGaps.count
    if gaps > 0 { parts.append("\(UserMessages.count(gaps, "gap")): see metube-rss status") }
    return parts
  }
}

extension UserMessages {
  /// The text of an empty list: all caught up only if the last poll was recent and none of its feeds failed.
  static func nothingNew(_ standing: PollStanding, now: LocalTime) -> String {
    if let reason = standing.stopped {
      return "Nothing new so far, but the last poll stopped: \(stopped(reason)).\n"
    }
    if standing.unchecked > 0 {
      return "All caught up, except for failing feeds: see metube-rss channels --failing.\n"
    }
    if let time = standing.last?.id.timestamp, now.time.seconds(since: time) >= 86_400 {
      return "All caught up as of the last poll (\(time.short(at: now))); run metube-rss poll to check again.\n"
    }
    return "You're all caught up.\n"
  }

  /// What a list without videos and filters says.
  static func emptyList(_ session: Session) throws -> String {
    let state = try session.state
    if state.followsNothing { return followsNothing }
    let standing = try PollStanding(session, state)
    if let text = standing.unstoredText(at: session.now) { return "\(text)\n" }
    guard standing.last != nil else { return "Nothing polled yet: run metube-rss poll.\n" }
    return nothingNew(standing, now: session.local)
  }
}
