import ArgumentParser
import Core
import EventLog
import Library
import ReadModel

extension VideoQuery.Visibility: ExpressibleByArgument {}

/// The filters that select videos for a command.
struct FilterOptions: ParsableArguments {
  @Option(
    text: "Only this channel, by ID, address, handle or title; repeatable: any of them.", value: "channel",
    completion: Completion.channels)
  var channel: [String] = []
  @Option(text: "Only channels with this tag; repeatable: any of them.", completion: Completion.tags)
  var tag: [String] = []
  @Option(
    name: .customLong("search"), text: "Only with every word in the title, channel or description; repeatable.",
    value: "words")
  var searches: [String] = []
  @Option(text: "Only published since: 3d, 12h, 2026-11-01.", value: "time") var since: String?
  @Option(text: "Only published before: 3d, 12h, 2026-11-01.", value: "time") var until: String?
  @Option(help: "Shorts: hide, show or only (default: as set by channel set, else hide).")
  var shorts: VideoQuery.Visibility?
  @Option(help: "Known upcoming videos: hide, show or only (default: hide).") var upcoming: VideoQuery.Visibility?
  @Flag(help: "Only saved videos, including Shorts and videos hidden by rules.") var saved = false
  @Flag(help: "Only known streams and premieres, live or over; upcoming ones with --upcoming show.") var live = false
  @Option(text: "Only with a known length of at least: 90s, 10m, 1:30:00.", value: "length") var minDuration: String?
  @Option(text: "Only with a known length of at most: 10m.", value: "length") var maxDuration: String?

  @Flag(help: "Show videos hidden by rules.") var noRules = false

  /// The text of all `--search` options; nil without any.
  var search: String? { searches.isEmpty ? nil : searches.joined(separator: " ") }

  /// Whether any filter was given.
  var isGiven: Bool {
    !channel.isEmpty || !tag.isEmpty || search != nil || since != nil || until != nil || shorts != nil
      || upcoming != nil || noRules || saved || live || minDuration != nil || maxDuration != nil
  }
}

extension Status: ExpressibleByArgument {}

/// Which statuses to include.
struct StatusOptions: ParsableArguments {
  @Option(help: "Only this status: new, watched, skipped or snoozed; repeatable.") var status: [Status] = []
  @Flag(help: "Short for --status new.") var unwatched = false
  @Flag(help: "Short for --status watched.") var watched = false
  @Flag(help: "Short for --status skipped.") var skipped = false
  @Flag(help: "Short for --status snoozed.") var snoozed = false

  /// The statuses given by `--status` or a shorthand; empty if none.
  var given: Set<Status> {
    let short: [(isGiven: Bool, status: Status)] = [
      (unwatched, .new), (watched, .watched), (skipped, .skipped), (snoozed, .snoozed),
    ]
    return Set(status).union(short.filter(\.isGiven).map(\.status))
  }
}

/// The value of `--limit`: the most rows a command shows or writes.
struct Limit: ExpressibleByArgument, ExpressibleByIntegerLiteral {
  /// The number of rows; 0 is all.
  let count: Int

  /// A command's default limit, 0 or more.
  init(integerLiteral count: Int) { self.count = count }

  /// The limit as typed; nil if it is not a number or is negative.
  init?(argument: String) {
    guard let count = Int(argument), count >= 0 else { return nil }
    self.count = count
  }

  /// The default limit as shown in help.
  var defaultValueDescription: String { String(count) }
}

extension Session {
  /// The query behind the filter options, of every status, the newest first, without a limit. `alsoUnfollowed` is
  /// whether channels may be named that are followed no longer, and `areTagsKnown` whether a tag that no channel has
  /// is a mistake.
  func query(for options: FilterOptions, alsoUnfollowed: Bool, areTagsKnown: Bool) throws -> VideoQuery {
    let since = try options.since.map { try TimeArgument($0, before: now, option: "--since").time }
    let until = try options.until.map { try TimeArgument($0, before: now, option: "--until").time }
    let subscriptions = try subscriptions(options, alsoUnfollowed: alsoUnfollowed || options.saved)
    let tags = try tags(options, areKnown: areTagsKnown)
    var query = VideoQuery(
      statuses: nil, shorts: options.shorts, upcoming: options.upcoming,
      subscriptions: subscriptions.isEmpty ? nil : Set(subscriptions), tags: Set(tags),
      since: since, until: until, order: .published, oldestFirst: false, limit: 0)
    query.savedOnly = options.saved
    // What a person put aside is theirs, whatever it is and wherever it came from.
    (query.hidesNothing, query.alsoGone) = (options.saved, options.saved)
    query.streamsOnly = options.live
    query.minimumLength = try options.minDuration.map { try DurationArgument($0, option: "--min-duration").seconds }
    query.maximumLength = try options.maxDuration.map { try DurationArgument($0, option: "--max-duration").seconds }
    return query
  }

  /// The channels that the options name.
  private func subscriptions(_ options: FilterOptions, alsoUnfollowed: Bool) throws -> [SubscriptionID] {
    if options.channel.isEmpty { return [] }
    // IDs are known without reading every title.
    let ids = options.channel.compactMap { ChannelResolver.id($0) }
    let state = ids.count < options.channel.count ? try state : try query { try $0.state(of: ids) }
    let names = ChannelResolver(state, alsoUnfollowed: alsoUnfollowed)
    return try options.channel.map { try names.resolve($0) }
  }

  /// The tags that the options name, as they are spelt.
  private func tags(_ options: FilterOptions, areKnown: Bool) throws -> [String] {
    if options.tag.isEmpty { return [] }
    let names = try TagNames(state)
    return try options.tag.flatMap { areKnown ? try names.resolve($0) : names.speltOrNew($0) }
  }

  /// The videos that a query and a search select.
  func select(_ query: VideoQuery, _ options: FilterOptions) throws -> VideoSelection {
    var query = query
    query.ignoresRules = options.noRules
    switch options.search.flatMap({ ReadModel.flaw(ofSearch: $0) }) {
    case .empty: throw Failure(.usage, "--search: no words given, so it would match every video")
    case .tooLong(let limit): throw Failure(.usage, "--search: more than \(limit) different words")
    case nil: break
    }
    return try self.query { model in
      let candidates = try options.search.map { try model.search($0) }
      return try model.select(query, at: now, among: candidates)
    }
  }

  /// The text of a description, read from the log; empty if absent.
  func text(of description: Description?) throws -> String {
    guard let description else { return "" }
    return try Session.reporting { try library.text(of: description) }
  }

  /// The texts of descriptions, in their order; empty where absent.
  func texts(of descriptions: [Description?]) throws -> [String] {
    var texts = try Session.reporting { try library.texts(of: descriptions.compactMap(\.self)) }[...]
    return descriptions.map { $0 == nil ? "" : texts.removeFirst() }
  }
}
