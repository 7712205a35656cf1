/// What the log says of a subscription: a channel, or a playlist that is followed.
package struct Channel: Equatable, Sendable {
  package let id: SubscriptionID
  var follows: Register<Bool>?
  /// The title a file or the person gave.
  var givenTitle: Register<String>?
  /// The name its feed says.
  var feedName: Register<String>?
  var tagList: Register<[String]>?
  var feedChoice: Register<FeedForm>?
  var shortsChoice: Register<Listing>?
  var liveChoice: Register<Listing>?
  var orderChoice: Register<ListOrder>?
  var seenLimit: Register<Timestamp>?

  init(id: SubscriptionID) { self.id = id }

  /// Whether it is followed now.
  package var isFollowed: Bool { follows?.value ?? false }
  /// When it was last followed or unfollowed.
  package var followChanged: EventID? { follows?.id }
  /// The title to show: the person's, else the feed's, else the id.
  package var title: String {
    if let given = givenTitle?.value, !given.isEmpty { return given }
    return feedName?.value ?? id.description
  }
  /// Whether there is a title to show other than the id.
  package var hasTitle: Bool { feedName != nil || !(givenTitle?.value ?? "").isEmpty }
  /// The title a file or the person gave; nil where none did.
  package var chosenTitle: String? { givenTitle?.value }
  /// The name in the feed, once it was read.
  package var name: String? { feedName?.value }
  package var tags: [String] { tagList?.value ?? [] }
  /// The feed to poll it by.
  package var feed: FeedForm {
    switch id {
    case .channel: feedChoice?.value ?? .channel
    case .playlist: .playlist
    }
  }
  /// Whether its Shorts are listed; they are not unless the person chose so.
  package var shorts: Listing { shortsChoice?.value ?? .hide }
  /// Whether its streams and premieres are listed.
  package var live: Listing { liveChoice?.value ?? .show }
  /// In which order its own list is.
  package var order: ListOrder { orderChoice?.value ?? .newest }
  /// Videos published before this count as seen when they are found.
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

/// A name that was followed and that only the network can turn into a channel's id.
package struct Handle: Equatable, Sendable {
  /// What the person last decided about it.
  struct Decision: Equatable, Sendable {
    /// nil where it was unfollowed.
    var followed: HandleFollowed?
    var action: EventID
  }

  package let handle: String
  var decision: Register<Decision>?
  var resolution: Register<SubscriptionID>?

  init(handle: String) { self.handle = handle }

  /// The title and tags it was followed with; nil where it was unfollowed, or only its resolution is known.
  package var followed: HandleFollowed? { decision?.value.followed }
  /// When it was last followed or unfollowed.
  package var followChanged: EventID? { decision?.id }
  /// The action that followed or unfollowed it: what its resolution brings belongs to that.
  package var action: EventID? { decision?.value.action }
  /// The subscription it stands for, once it is known.
  package var subscription: SubscriptionID? { resolution?.value }

  mutating func apply(_ followed: HandleFollowed?, by event: Event) {
    decision.set(Decision(followed: followed, action: event.action), by: event.id)
  }

  mutating func apply(_ resolved: HandleResolved, by id: EventID) { resolution.set(resolved.subscription, by: id) }
}
