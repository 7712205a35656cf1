/// A subscription was followed, by a command or an import.
package struct ChannelFollowed: Equatable, Sendable {
  package var subscription: SubscriptionID
  /// The title given by the file or the user.
  package var title: String?
  package var tags: [String]?
  /// The kind of feed to poll, if specified.
  package var feed: FeedForm?
  /// Videos published before this are marked watched when they are found.
  package var seenBefore: Timestamp?
  /// The account whose subscription it is, if an account brought it: `google:UC…`. Only what an account brought is
  /// unfollowed with it.
  package var source: String?

  package init(
    subscription: SubscriptionID, title: String?, tags: [String]?, feed: FeedForm? = nil, seenBefore: Timestamp? = nil,
    source: String? = nil
  ) {
    (self.subscription, self.title, self.tags) = (subscription, title, tags)
    (self.feed, self.seenBefore, self.source) = (feed, seenBefore, source)
  }
}

/// A subscription changed: its user settings, or the name in its feed.
package struct ChannelChanged: Equatable, Sendable {
  package var subscription: SubscriptionID
  /// The title set by the user; empty to revert to the name in the feed.
  package var title: String?
  /// The name in the feed.
  package var name: String?
  package var tags: [String]?
  package var feed: FeedForm?
  /// Whether its Shorts are listed.
  package var shorts: ListVisibility?
  /// Whether its streams and premieres are listed.
  package var live: ListVisibility?
  /// The order of its own list.
  package var order: ListOrder?

  package init(
    subscription: SubscriptionID, title: String? = nil, name: String? = nil, tags: [String]? = nil,
    feed: FeedForm? = nil, shorts: ListVisibility? = nil, live: ListVisibility? = nil, order: ListOrder? = nil
  ) {
    (self.subscription, self.title, self.name, self.tags) = (subscription, title, name, tags)
    (self.feed, self.shorts, self.live, self.order) = (feed, shorts, live, order)
  }

  /// Whether the user changed any of it.
  package var isUserAction: Bool { self != ChannelChanged(subscription: subscription, name: name) }
}

/// The Data API returned details of a channel.
package struct ChannelEnriched: Equatable, Sendable {
  package var channel: ChannelID
  /// The URL of its picture.
  package var avatar: String?
  /// Nil if the channel hides it. YouTube rounds it to three digits.
  package var subscribers: Int?
  /// The number of its public videos.
  package var videos: Int?

  package init(channel: ChannelID, avatar: String?, subscribers: Int?, videos: Int?) {
    (self.channel, self.avatar, self.subscribers, self.videos) = (channel, avatar, subscribers, videos)
  }
}

/// A name that only YouTube can resolve to a channel ID was followed.
package struct HandleFollowed: Equatable, Sendable {
  /// `@handle`, `/user/NAME` or `/c/NAME`; see `ChannelName.description`.
  package var handle: String
  package var title: String?
  package var tags: [String]?
  /// Videos published before this are marked watched when they are found.
  package var seenBefore: Timestamp?

  package init(handle: String, title: String?, tags: [String]?, seenBefore: Timestamp? = nil) {
    (self.handle, self.title, self.tags, self.seenBefore) = (handle, title, tags, seenBefore)
  }

  /// The web page: `https://www.youtube.com/@somebody`.
  package var page: String {
    "https://www.youtube.com" + (ChannelName(description: handle)?.encodedPath ?? "/\(handle)")
  }
}

/// A name was unfollowed and is no longer to be resolved.
package struct HandleUnfollowed: Equatable, Sendable {
  /// The name as it was followed.
  package var handle: String

  package init(handle: String) { self.handle = handle }
}

/// A followed name was resolved to a channel.
package struct HandleResolved: Equatable, Sendable {
  package var handle: String
  package var subscription: SubscriptionID

  package init(handle: String, subscription: SubscriptionID) {
    (self.handle, self.subscription) = (handle, subscription)
  }
}
