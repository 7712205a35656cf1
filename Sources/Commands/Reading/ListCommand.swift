import ArgumentParser
import Core
import ReadModel
import Terminal

extension VideoQuery.Order: ExpressibleByArgument {}

/// `list`: lists videos in time order.
struct ListCommand: PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the videos of the channels you follow, newest first.",
    discussion: """
      Without options, shows the 50 newest videos with status new, without Shorts.
      With another status, --all or --saved, videos follow that no feed has shown,
      but that an imported history or playlist named.
      On a terminal each has a number that watched, skip and similar commands take.
      If there are more, the last line shows how to continue; videos that arrive or
      are marked meanwhile cause neither repeats nor omissions. METUBE_RSS_ORDER sets
      the order used without --oldest and the like: newest, oldest, catch-up or mix.

      Examples:
        metube-rss list
        metube-rss list --channel 'In a Nutshell' --all
        metube-rss list --search bookshelf --since 30d
        metube-rss list --shorts only --limit 10
        metube-rss list --catch-up --tag science
        metube-rss list --mix --limit 20
        metube-rss list --next
        metube-rss list --format jsonl --limit 0 | jq -r .title
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var paging: PagerOptions
  @OptionGroup var formatting: FormatOptions
  @OptionGroup var filter: FilterOptions
  @OptionGroup var statuses: StatusOptions
  @Flag(help: "Include unfollowed channels, and every status unless one is given.") var all = false
  @Option(help: "Sort by the time published or found.") var sort: VideoQuery.Order = .published
  @Flag(help: "Oldest first.") var oldest = false
  @Flag(help: "Newest first, even for a channel whose order is set to oldest.") var newest = false
  @Flag(help: "Channel by channel, each oldest first; the channel waiting longest first.") var catchUp = false
  @Flag(help: "One video from each channel in turn, newest first.") var mix = false
  @Option(text: "Continue after this cursor (from the last line of a list) or video.", value: "cursor")
  var after: String?
  @Flag(help: "The next page of the last list on a terminal, with the same options.") var next = false
  @Option(name: [.customShort("n"), .long], help: "How many videos to show; 0 is all.") var limit: Limit = 50

  func validate() throws {
    if catchUp, mix { throw ValidationError("--catch-up and --mix exclude each other") }
    if oldest, newest { throw ValidationError("--oldest and --newest exclude each other") }
    if catchUp || mix, oldest || newest || sort != .published {
      throw ValidationError("--catch-up and --mix cannot be combined with --sort, --oldest or --newest")
    }
  }

  func run(in session: Session, to output: inout Output) throws {
    let words = ListCommand.words(of: CommandLine.arguments)
    guard next else { return try show(words, session, to: &output) }
    let page = try LastShown.page(session.home).read(now: session.now)?.map { String(decoding: $0, as: UTF8.self) }
    guard let cursor = page?.first else {
      throw Failure(.partial, "--next: no list to continue; run metube-rss list first")
    }
    guard !cursor.isEmpty else { throw Failure(.partial, "--next: the last list showed everything") }
    let all = Array((page ?? []).dropFirst()) + words
    let command = try ListCommand.parse(DashIDArguments.guardIDs(in: all) + ["--after=\(cursor)"])
    try command.show(all, session, to: &output)
  }

  /// The options of a list that its next page has too: without `--next`, `--after` and the folder.
  private static func words(of arguments: [String]) -> [String] {
    var words: [String] = []
    var rest = arguments.drop { $0 != configuration.commandName }.dropFirst()
    while let word = rest.popFirst() {
      if word == "--after" || word == "--home" {
        _ = rest.popFirst()
      } else if word != "--next", !word.hasPrefix("--after="), !word.hasPrefix("--home=") {
        words.append(word)
      }
    }
    return words
  }

  /// Shows the list; `words` are its options, for the next page.
  private func show(_ words: [String], _ session: Session, to output: inout Output) throws {
    let query = try query(in: session, isUsual: true)
    let listed = try ListedVideos(query, filter, in: session)
    let selection = try listed.selection(in: session)
    let rows = try session.rows(selection.ids, alsoUnseen: true)
    guard formatting.format == .table else { return RowFormat.write(rows, as: formatting.format, to: &output) }
    let unseen = filter.saved ? try max(0, savedUnseen(session) - listed.described.count) : 0
    let hints = rows.isEmpty ? [] : UserMessages.unseen(unseen)
    let heading = try (heading(rows, selection, session) + hints).joined(separator: ", ")
    output.write(rows, heading: heading, of: session, formatting.color)
    // An empty list is the last one too.
    let shown = [selection.next?.description ?? ""] + words
    let isKept = Output.isTerminal && LastShown.page(session.home).remember(shown, now: session.now)
    if rows.isEmpty {
      let isNarrowed = filter.isGiven || query.statuses != [.new] || after != nil
      if unseen > 0 { return output.write("No feed has shown what you saved: see metube-rss collection show saved.\n") }
      return output.write(isNarrowed ? "Nothing matches.\n" : try nothing(session))
    }
    guard let next = selection.next else { return }
    output.write(isKept ? "more: metube-rss list --next\n" : "more: add --after \(next)\n")
  }

  /// The counts above the table, and what the last poll left out.
  private func heading(_ rows: [VideoRow], _ selection: VideoSelection, _ session: Session) throws -> [String] {
    var parts = ["\(rows.count) of \(UserMessages.count(selection.matching, "video"))"]
    parts += UserMessages.hidden(selection.hidden)
    let polls = try session.query { try $0.polls() }
    parts += try PollStanding(session, polls).words(at: session.local)
    if let age = BackgroundSync.age(session) { parts.append(age) }
    let gaps = polls.openGaps.count
    if gaps > 0 { parts.append("\(UserMessages.count(gaps, "gap")): see metube-rss status") }
    return parts
  }

  /// How many saved videos no feed has shown, so that no list can have them.
  private func savedUnseen(_ session: Session) throws -> Int {
    try session.query { model in try model.saved().count { try !model.isFound($0) } }
  }

  /// What a list without videos says.
  func nothing(_ session: Session) throws -> String {
    let state = try session.state
    if state.followsNothing { return UserMessages.followsNothing }
    let standing = try PollStanding(session, state)
    if let words = standing.unstoredWords(at: session.now) { return "\(words)\n" }
    guard standing.last != nil else { return "Nothing polled yet: run metube-rss poll.\n" }
    return UserMessages.nothingNew(standing, now: session.local)
  }

  /// The query that the options describe; with `isUsual` in the order that the user has set, unless they name one.
  func query(in session: Session, isUsual: Bool = false) throws -> VideoQuery {
    var query = try session.query(
      for: filter, alsoUnfollowed: all || after != nil, areTagsKnown: after == nil)
    query.statuses = wantedStatuses
    query.alsoGone = query.alsoGone || all
    let isOrdered = oldest || newest || catchUp || mix || sort != .published
    let usual = isUsual && !isOrdered ? try UsualOrder(session.settings) : nil
    query.arrangement = catchUp || usual == .catchUp ? .catchUp : mix || usual == .mix ? .mix : .byTime
    query.order = sort
    query.oldestFirst =
      try oldest || usual == .oldest || !newest && query.arrangement == .byTime && isOfSeries(query, session)
    query.limit = limit.count
    query.after = try after.map { text in
      if let cursor = PageCursor(text) { return cursor }
      guard let video = try VideoArguments([text], in: session).videos.first else { throw ExitStatus.partial }
      return PageCursor(video: video, number: nil)
    }
    return query
  }

  /// Whether the query names only channels whose order is set to oldest.
  private func isOfSeries(_ query: VideoQuery, _ session: Session) throws -> Bool {
    guard let wanted = query.subscriptions else { return false }
    let state = try session.query { try $0.state(of: wanted) }
    return wanted.allSatisfy { state.channels[$0]?.order == .oldest }
  }

  /// The statuses to include. --saved includes every status unless one is given.
  private var wantedStatuses: Set<Status>? {
    let given = statuses.given
    if given.isEmpty { return all || filter.saved ? nil : [.new] }
    return given
  }
}

/// The order of a list whose options give none.
private enum UsualOrder: String, CaseIterable {
  case newest, oldest
  case catchUp = "catch-up"
  case mix

  /// The order in the settings; nil if unset. Throws if it is invalid.
  init?(_ settings: Settings) throws {
    guard let setting = settings["ORDER"] else { return nil }
    guard let order = UsualOrder(rawValue: setting) else {
      let names = UsualOrder.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(.usage, "METUBE_RSS_ORDER is “\(DisplayText(setting).text)”; use one of \(names)")
    }
    self = order
  }
}

extension State {
  /// Whether there are no subscriptions: no channel, playlist or handle.
  var followsNothing: Bool { !followsAny && unresolved.isEmpty }
}
