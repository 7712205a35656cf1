/// A feed of another site than YouTube was followed, by a command or an import.
package struct FeedFollowed: Equatable, Sendable {
  package var feed: FeedID
  /// The URL to poll, as it was given; it may contain a secret. Empty to follow it again where it is now.
  package var url: String
  /// The title given by the file or the user.
  package var title: String?
  package var tags: [String]?
  /// Entries published before this are marked watched when they are found.
  package var seenBefore: Timestamp?

  package init(feed: FeedID, url: String, title: String?, tags: [String]?, seenBefore: Timestamp? = nil) {
    (self.feed, self.url, self.title, self.tags, self.seenBefore) = (feed, url, title, tags, seenBefore)
  }

  /// Whether the URL is one that the ID stands for, or empty; anybody could let another feed pass for this one otherwise.
  package var isConsistent: Bool { url.isEmpty || FeedAddress(url).map { FeedID(of: $0) } == feed }
}

/// A feed of another site changed: its user settings, its address, or what its document says of it.
package struct FeedChanged: Equatable, Sendable {
  package var feed: FeedID
  /// The URL to poll; the feed's ID stays.
  package var url: String?
  /// The name in the document.
  package var name: String?
  /// The title set by the user; empty to revert to the name in the document.
  package var title: String?
  package var tags: [String]?
  /// The URL of the site's page.
  package var site: String?
  /// The URL of its picture.
  package var image: String?
  /// The language of its entries: `de-AT`.
  package var language: String?
  /// What of its entries is their key, chosen from its first document.
  package var keyKind: EntryKeyKind?
  /// Whether its Shorts are listed; without effect as long as no feed tells which of its entries are.
  package var shorts: ListVisibility?
  /// Whether its streams are listed; without effect as long as no feed tells which of its entries are.
  package var live: ListVisibility?
  /// The order of its own list.
  package var order: ListOrder?

  package init(feed: FeedID) { self.feed = feed }

  /// Whether the user changed any of it.
  package var isUserAction: Bool {
    title != nil || tags != nil || shorts != nil || live != nil || order != nil
  }
}

extension FeedChanged {
  /// The settings of the user in a change of a feed; nil if it is one of a channel or playlist.
  package init?(_ change: ChannelChanged) {
    guard case .feed(let feed) = change.subscription else { return nil }
    self.init(feed: feed)
    (title, tags, shorts, live, order) = (change.title, change.tags, change.shorts, change.live, change.order)
  }
}

extension ChannelChanged {
  /// The settings of the user in a change of a feed, as those of any subscription.
  package init(_ change: FeedChanged) {
    self.init(
      subscription: .feed(change.feed), title: change.title, name: change.name, tags: change.tags,
      shorts: change.shorts, live: change.live, order: change.order)
  }
}

extension EventBody {
  /// The event that unfollows a subscription of any kind.
  package static func unfollowing(_ id: SubscriptionID) -> EventBody {
    if case .feed(let feed) = id { .feedUnfollowed(feed) } else { .channelUnfollowed(id) }
  }

  /// The event that changes the settings of a subscription of any kind.
  package static func changing(_ change: ChannelChanged) -> EventBody {
    FeedChanged(change).map { .feedChanged($0) } ?? .channelChanged(change)
  }
}

/// Two feeds are one show: one of them goes on for both, the one whose ID comes first, so that both directions mean the same.
package struct FeedMerged: Hashable, Sendable {
  package var feed: FeedID
  package var into: FeedID

  package init(feed: FeedID, into: FeedID) { (self.feed, self.into) = (feed, into) }

  /// The same with the feed that comes first as the one that goes on; nil if it is one feed.
  package var ordered: FeedMerged? {
    feed == into ? nil : FeedMerged(feed: max(feed, into), into: min(feed, into))
  }
}

/// Entries of a feed that are known but were not found: those behind the newest of its first document.
package struct EntriesKnown: Equatable, Sendable {
  package var feed: FeedID
  /// The first 64 bits of the IDs that the entries would have; see `VideoID.high`.
  package var keys: [UInt64]

  package init(feed: FeedID, keys: [UInt64]) { (self.feed, self.keys) = (feed, keys) }

  /// The maximum number of keys in one event, so that its line stays far below the limit.
  package static let maximum = 10_000
}
