/// The state of a subscription: a channel, or a followed playlist.
package struct Channel: Equatable, Sendable {
  package let id: SubscriptionID
  var follows: LWWRegister<Bool>?
  /// The title given by a file or the user.
  var givenTitle: LWWRegister<String>?
  /// The name in its feed.
  var feedName: LWWRegister<String>?
  var tagList: LWWRegister<[String]>?
  var feedChoice: LWWRegister<FeedForm>?
  var shortsChoice: LWWRegister<ListVisibility>?
  var liveChoice: LWWRegister<ListVisibility>?
  var orderChoice: LWWRegister<ListOrder>?
  var seenLimit: LWWRegister<Timestamp>?

  init(id: SubscriptionID) { self.id = id }

  /// Whether it is currently followed.
  package var isFollowed: Bool { follows?.value ?? false }
  /// When it was last followed or unfollowed.
  package var followChanged: EventID? { follows?.id }
  /// The display title: the user's, else the feed's, else the ID.
  package var title: String {
    if let given = givenTitle?.value, !given.isEmpty { return given }
    return feedName?.value ?? id.description
  }
  /// Whether it has a title other than the ID.
  package var hasTitle: Bool { feedName != nil || !(givenTitle?.value ?? "").isEmpty }
  /// The title given by a file or the user; nil if absent.
  package var chosenTitle: String? { givenTitle?.value }
  /// The name in the feed; nil until it is first read.
  package var name: String? { feedName?.value }
  package var tags: [String] { tagList?.value ?? [] }
  /// The kind of feed to poll.
  package var feed: FeedForm {
    switch id {
    case .channel: feedChoice?.value ?? .channel
    case .playlist: .playlist
    }
  }
  /// Whether its Shorts are listed; hidden by default.
  package var shorts: ListVisibility { shortsChoice?.value ?? .hide }
  /// Whether its streams and premieres are listed; shown by default.
  package var live: ListVisibility { liveChoice?.value ?? .show }
  /// The order of its own list.
  package var order: ListOrder { orderChoice?.value ?? .newest }
  /// Videos published before this are marked watched when they are found.
  package var seenBefore: Timestamp? { seenLimit?.value }

  mutating func apply(_ followed: ChannelFollowed, by id: EventID) {
    follows.set(true, by: id)
    if let title = followed.title { givenTitle.set(title, by: id) }
    if let tags = followed.tags { tagList.set(tags, by: id) }
    if let feed = followed.feed { feedChoice.set(feed, by: id) }
    if let date = followed.seenBefore { seenLimit.set(date, by: id) }
  }

  mutating func apply(_ change: ChannelChanged, by id: EventID) {
    if let title = change.title { givenTitle.set(title, by: id) }
    if let name = change.name { feedName.set(name, by: id) }
    if let tags = change.tags { tagList.set(tags, by: id) }
    if let feed = change.feed { feedChoice.set(feed, by: id) }
    if let shorts = change.shorts { shortsChoice.set(shorts, by: id) }
    if let live = change.live { liveChoice.set(live, by: id) }
    if let order = change.order { orderChoice.set(order, by: id) }
  }
}

/// A followed name that only YouTube can resolve to a channel ID.
package struct Handle: Equatable, Sendable {
  /// The last user action on it.
  struct Decision: Equatable, Sendable {
    /// nil if it was unfollowed.
    var followed: HandleFollowed?
    var action: EventID
  }

  package let handle: String
  var decision: LWWRegister<Decision>?
  var resolution: LWWRegister<SubscriptionID>?

  init(handle: String) { self.handle = handle }

  /// The title and tags it was followed with; nil if it was unfollowed or only its resolution is known.
  package var followed: HandleFollowed? { decision?.value.followed }
  /// When it was last followed or unfollowed.
  package var followChanged: EventID? { decision?.id }
  /// The action that followed or unfollowed it; events caused by its resolution belong to that action.
  package var action: EventID? { decision?.value.action }
  /// The subscription it resolved to; nil until then.
  package var subscription: SubscriptionID? { resolution?.value }

  mutating func apply(_ followed: HandleFollowed?, by event: Event) {
    decision.set(Decision(followed: followed, action: event.action), by: event.id)
  }

  mutating func apply(_ resolved: HandleResolved, by id: EventID) { resolution.set(resolved.subscription, by: id) }
}

/// Whether one kind of a channel's videos is listed.
package enum ListVisibility: String, CaseIterable, Sendable { case show, hide }

/// The order of a single channel's list.
package enum ListOrder: String, CaseIterable, Sendable {
  case newest
  /// In viewing order, for a series.
  case oldest
}
