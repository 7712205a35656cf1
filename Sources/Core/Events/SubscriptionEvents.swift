/// A subscription was followed: by a command, or from a file.
package struct ChannelFollowed: Equatable, Sendable {
  package var subscription: SubscriptionID
  /// The title the file or the person gave.
  package var title: String?
  package var tags: [String]?
  /// The feed to poll it by, where it was said.
  package var feed: FeedForm?
  /// Videos published before this count as seen when they are found.
  package var seenBefore: Timestamp?

  package init(
    subscription: SubscriptionID, title: String?, tags: [String]?, feed: FeedForm? = nil, seenBefore: Timestamp? = nil
  ) {
    self.subscription = subscription
    self.title = title
    self.tags = tags
    self.feed = feed
    self.seenBefore = seenBefore
  }
}

/// Something about a subscription changed: what the person chose for it, or the name its feed says.
package struct ChannelChanged: Equatable, Sendable {
  package var subscription: SubscriptionID
  /// The title the person chose; empty to go back to the name in the feed.
  package var title: String?
  /// The name the feed says.
  package var name: String?
  package var tags: [String]?
  package var feed: FeedForm?
  /// Whether its Shorts are listed.
  package var shorts: Listing?
  /// Whether its streams and premieres are listed.
  package var live: Listing?
  /// In which order its own list is.
  package var order: ListOrder?

  package init(
    subscription: SubscriptionID, title: String? = nil, name: String? = nil, tags: [String]? = nil,
    feed: FeedForm? = nil, shorts: Listing? = nil, live: Listing? = nil, order: ListOrder? = nil
  ) {
    self.subscription = subscription
    self.title = title
    self.name = name
    self.tags = tags
    self.feed = feed
    self.shorts = shorts
    self.live = live
    self.order = order
  }

  /// Whether the person chose any of it.
  package var isDecision: Bool { self != ChannelChanged(subscription: subscription, name: name) }
}

/// A name that only the network can turn into a channel's id was followed.
package struct HandleFollowed: Equatable, Sendable {
  /// `@handle`, `/user/NAME` or `/c/NAME`; see `ChannelName.description`.
  package var handle: String
  package var title: String?
  package var tags: [String]?
  /// Videos published before this count as seen when they are found.
  package var seenBefore: Timestamp?

  package init(handle: String, title: String?, tags: [String]?, seenBefore: Timestamp? = nil) {
    self.handle = handle
    self.title = title
    self.tags = tags
    self.seenBefore = seenBefore
  }

  /// The page a person would open: `https://www.youtube.com/@somebody`.
  package var page: String {
    "https://www.youtube.com" + (ChannelName(description: handle)?.encodedPath ?? "/\(handle)")
  }
}

/// A name is no longer to be turned into a channel's id and followed.
package struct HandleUnfollowed: Equatable, Sendable {
  /// As it was followed.
  package var handle: String

  package init(handle: String) { self.handle = handle }
}

/// A followed name turned out to be this channel.
package struct HandleResolved: Equatable, Sendable {
  package var handle: String
  package var subscription: SubscriptionID

  package init(handle: String, subscription: SubscriptionID) {
    self.handle = handle
    self.subscription = subscription
  }
}
