import Core
import EventLog
import Library
import Messages
import ReadModel

/// Which videos a request is about, as the user typed it: names of channels and times are resolved by `Session.query`.
package struct VideoFilter: Equatable, Sendable {
  /// IDs, addresses, handles or titles; any of them.
  package var channel: [String] = []
  /// Any of them.
  var tag: [String] = []
  /// Every word must be in the title, the channel's name or the description; nil without a search.
  package var search: String?
  /// Published since or before: `3d`, `2026-11-01`.
  var since: String?
  var until: String?
  /// Nil as set for each channel.
  package var shorts: VideoQuery.Visibility?
  package var upcoming: VideoQuery.Visibility?
  package var saved = false
  /// Only videos that were begun.
  package var started = false
  var live = false
  /// Known lengths: `90s`, `10m`.
  package var minDuration: String?
  package var maxDuration: String?
  package var noRules = false
  package var platform: VideoPlatform?
  /// Any of them; empty for all.
  package var kind: Set<MediaKind> = []

  package init(
    channel: [String] = [], tag: [String] = [], search: String? = nil, since: String? = nil, until: String? = nil,
    shorts: VideoQuery.Visibility? = nil, upcoming: VideoQuery.Visibility? = nil, saved: Bool = false,
    started: Bool = false, live: Bool = false, minDuration: String? = nil, maxDuration: String? = nil,
    noRules: Bool = false, platform: VideoPlatform? = nil, kind: Set<MediaKind> = []
  ) {
    (self.channel, self.tag, self.search, self.since, self.until) = (channel, tag, search, since, until)
    (self.shorts, self.upcoming, self.saved, self.started, self.live) = (shorts, upcoming, saved, started, live)
    (self.minDuration, self.maxDuration, self.noRules) = (minDuration, maxDuration, noRules)
    (self.platform, self.kind) = (platform, kind)
  }

  /// Whether it selects what the user chose one by one: that is theirs, whatever it is and wherever it came from.
  var isOfOwn: Bool { saved || started }

  /// Whether it leaves anything out.
  package var isGiven: Bool { self != VideoFilter() }
}

extension Session {
  /// The query behind a filter, of every status, the newest first, without a limit. `alsoUnfollowed` is whether channels
  /// may be named that are followed no longer, and `areTagsKnown` whether a tag that no channel has is a mistake.
  package func query(for filter: VideoFilter, alsoUnfollowed: Bool, areTagsKnown: Bool) throws -> VideoQuery {
    let since = try filter.since.map { try TimeArgument($0, before: now, .since).time }
    let until = try filter.until.map { try TimeArgument($0, before: now, .until).time }
    let subscriptions = try subscriptions(filter, alsoUnfollowed: alsoUnfollowed || filter.isOfOwn)
    let tags = try tags(filter, areKnown: areTagsKnown)
    var query = VideoQuery(
      statuses: nil, shorts: filter.shorts, upcoming: filter.upcoming,
      subscriptions: subscriptions.isEmpty ? nil : Set(subscriptions), tags: Set(tags),
      since: since, until: until, order: .published, oldestFirst: false, limit: 0)
    (query.savedOnly, query.startedOnly) = (filter.saved, filter.started)
    (query.hidesNothing, query.alsoGone) = (filter.isOfOwn, filter.isOfOwn)
    query.streamsOnly = filter.live
    query.ignoresRules = filter.noRules
    query.minimumLength = try filter.minDuration.map { try DurationArgument($0, .minDuration).seconds }
    query.maximumLength = try filter.maxDuration.map { try DurationArgument($0, .maxDuration).seconds }
    if !filter.kind.isEmpty { query.kinds = filter.kind }
    if let platform = filter.platform { try limit(&query, to: platform) }
    return query
  }

  /// Limits a query to a platform: by the addresses of feeds, and where these are of no known site, by kind.
  package func limit(_ query: inout VideoQuery, to platform: VideoPlatform) throws {
    query.areEntries = platform != .youtube
    guard platform != .youtube else { return }
    let site = platform == .podcast || platform == .web ? nil : platform
    let feeds = try state.channels.values.filter { channel in
      channel.id.feed != nil && VideoPlatform.site(ofFeedAt: channel.address) == site
    }.map(\.id)
    query.subscriptions = query.subscriptions.map { $0.intersection(feeds) } ?? Set(feeds)
    guard site == nil else { return }
    let kinds = Set(MediaKind.allCases.filter { ($0 == .audio) == (platform == .podcast) })
    query.kinds = query.kinds.map { $0.intersection(kinds) } ?? kinds
  }

  /// The channels that a filter names.
  private func subscriptions(_ filter: VideoFilter, alsoUnfollowed: Bool) throws -> [SubscriptionID] {
    if filter.channel.isEmpty { return [] }
    // IDs are known without reading every title.
    let ids = filter.channel.compactMap { ChannelResolver.id($0) }
    let state = ids.count < filter.channel.count ? try state : try query { try $0.state(of: ids) }
    let names = ChannelResolver(state, alsoUnfollowed: alsoUnfollowed)
    return try filter.channel.map { try names.resolve($0) }
  }

  /// The tags that a filter names, as they are spelt.
  private func tags(_ filter: VideoFilter, areKnown: Bool) throws -> [String] {
    if filter.tag.isEmpty { return [] }
    let names = try TagNames(state)
    return try filter.tag.flatMap { areKnown ? try names.resolve($0) : names.speltOrNew($0) }
  }

  /// The videos that a query and a search select.
  package func select(_ query: VideoQuery, search: String?) throws -> VideoSelection {
    switch search.flatMap({ ReadModel.flaw(ofSearch: $0) }) {
    case .empty: throw AppError.noWords(.search)
    case .tooLong(let limit): throw AppError.tooManyWords(.search, limit: limit)
    case nil: break
    }
    return try self.query { model in
      let candidates = try search.map { try model.search($0) }
      return try model.select(query, at: now, among: candidates)
    }
  }

  /// The text of a description, read from the log; empty if absent.
  package func text(of description: Description?) throws -> String {
    guard let description else { return "" }
    return try Session.reporting { try library.text(of: description) }
  }

  /// The texts of descriptions, in their order; empty where absent.
  package func texts(of descriptions: [Description?]) throws -> [String] {
    var texts = try Session.reporting { try library.texts(of: descriptions.compactMap(\.self)) }[...]
    return descriptions.map { $0 == nil ? "" : texts.removeFirst() }
  }
}
