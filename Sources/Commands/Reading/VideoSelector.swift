import Core
import EventLog
import Library
import ReadModel

/// Selects videos for a command.
struct VideoSelector {
  private let session: Session

  init(_ session: Session) { self.session = session }

  /// The query behind the filter options, of every status, the newest first, without a limit. `alsoUnfollowed` is
  /// whether channels may be named that are followed no longer, and `areTagsKnown` whether a tag that no channel has
  /// is a mistake.
  func query(_ options: FilterOptions, alsoUnfollowed: Bool, areTagsKnown: Bool) throws -> VideoQuery {
    let times = try times(options)
    let subscriptions = try subscriptions(options, alsoUnfollowed: alsoUnfollowed || options.saved)
    let tags = try tags(options, areKnown: areTagsKnown)
    var query = VideoQuery(
      statuses: nil, shorts: options.shorts, upcoming: options.upcoming,
      subscriptions: subscriptions.isEmpty ? nil : Set(subscriptions), tags: Set(tags),
      since: times.since, until: times.until, order: .published, oldestFirst: false, limit: 0)
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
    let state = ids.count < options.channel.count ? try session.state : try session.query { try $0.state(of: ids) }
    let names = ChannelResolver(state, alsoUnfollowed: alsoUnfollowed)
    return try options.channel.map { try names.resolve($0) }
  }

  /// The tags that the options name, as they are spelt.
  private func tags(_ options: FilterOptions, areKnown: Bool) throws -> [String] {
    if options.tag.isEmpty { return [] }
    let names = try TagNames(session.state)
    return try options.tag.flatMap { areKnown ? try names.resolve($0) : names.speltOrNew($0) }
  }

  /// Since and until when the options ask for videos.
  private func times(_ options: FilterOptions) throws -> (since: Timestamp?, until: Timestamp?) {
    let since = try options.since.map { try TimeArgument($0, before: session.now, option: "--since").time }
    return (since, try options.until.map { try TimeArgument($0, before: session.now, option: "--until").time })
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
    return try session.query { model in
      let candidates = try options.search.map { try model.search($0) }
      return try model.select(query, at: session.now, among: candidates)
    }
  }
}

extension Session {
  /// The text of a description, read from the log; empty if absent.
  func text(of description: Description?) throws -> String {
    guard let description else { return "" }
    return try Session.reporting { try library.journal.text(of: description) }
  }
}
