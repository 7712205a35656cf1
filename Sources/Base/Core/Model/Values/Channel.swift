/// The state of a subscription: a channel, a followed playlist, or a feed of another site.
package struct Channel: Equatable, Sendable {
  package let id: SubscriptionID
  package var follows: LWWRegister<Bool>?
  /// The title a file or the person gave.
  package var givenTitle: LWWRegister<String>?
  /// The name its feed says.
  package var feedName: LWWRegister<String>?
  package var tagList: LWWRegister<[String]>?
  package var feedChoice: LWWRegister<FeedForm>?
  package var shortsChoice: LWWRegister<ListVisibility>?
  package var liveChoice: LWWRegister<ListVisibility>?
  package var orderChoice: LWWRegister<ListOrder>?
  package var seenLimit: LWWRegister<Timestamp>?
  private var enrichment = Enrichment.unknown
  private var details = Details.none

  /// Kept apart, because thousands of channels are read where hardly one needs it.
  private indirect enum Enrichment: Equatable, Sendable { case unknown, known(LWWRegister<ChannelEnriched>) }

  /// Kept apart, because channels of YouTube have none.
  private indirect enum Details: Equatable, Sendable { case none, feed(FeedDetails) }

  package init(id: SubscriptionID) { self.id = id }

  /// What is known of a feed of another site alone; empty for what is YouTube's.
  package var feedDetails: FeedDetails {
    get { if case .feed(let details) = details { details } else { FeedDetails() } }
    set { details = newValue == FeedDetails() ? .none : .feed(newValue) }
  }

  /// What the Data API said last.
  package var enriched: LWWRegister<ChannelEnriched>? {
    get { if case .known(let register) = enrichment { register } else { nil } }
    set { enrichment = newValue.map { .known($0) } ?? .unknown }
  }

  /// The page of the subscription: on YouTube, or the site of a feed, else the feed itself.
  package var url: String { id.isYouTube ? id.url : feedDetails.site?.value ?? (isPrivate ? nil : address) ?? "" }
  /// The URL at which a feed of another site is polled; nil for what is YouTube's.
  package var address: String? { feedDetails.address?.value }
  /// Whether a feed's address seems to contain a secret, so that it belongs in no export.
  package var isPrivate: Bool { address.flatMap { WebURL($0) }?.hasSecret ?? false }

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
  /// The kind of feed to poll; without meaning for a feed of another site.
  package var feed: FeedForm {
    switch id {
    case .channel: feedChoice?.value ?? .channel
    case .playlist: .playlist
    case .feed: .channel
    }
  }
  /// Whether its Shorts are listed; hidden by default, unless its feed has nothing else.
  package var shorts: ListVisibility { shorts(usual: .hide) }
  /// Whether its Shorts are listed, with what the person prefers for channels without a setting.
  package func shorts(usual: ListVisibility) -> ListVisibility {
    shortsChoice?.value ?? (feedChoice?.value == .shorts ? .show : usual)
  }
  /// Whether its streams and premieres are listed; shown by default.
  package var live: ListVisibility { liveChoice?.value ?? .show }
  /// The order of its own list.
  package var order: ListOrder { orderChoice?.value ?? .newest }
  /// Videos published before this are marked watched when they are found.
  package var seenBefore: Timestamp? { seenLimit?.value }
  /// The URL of its picture; nil if unknown, or on a host that is not YouTube's.
  package var avatar: String? { enriched?.value.avatar.flatMap { Avatar.isOfYouTube($0) ? $0 : nil } }
}

/// What is known of a feed of another site besides what every subscription has.
package struct FeedDetails: Equatable, Sendable {
  /// The URL to poll.
  package var address: LWWRegister<String>?
  /// The URL of the site's page.
  package var site: LWWRegister<String>?
  /// The URL of its picture.
  package var image: LWWRegister<String>?
  /// The language of its entries.
  package var language: LWWRegister<String>?
  /// What of its entries is their key: of several decisions the first counts, because entries have IDs by it.
  package var keyKind: FirstRegister<EntryKeyKind>?

  package init() {}
}

/// URLs of channel pictures.
package enum Avatar {
  /// The origins that YouTube serves them from.
  package static let origins = ["https://yt3.ggpht.com", "https://yt3.googleusercontent.com"]

  /// Whether a URL is on one of them. A response or a log may name any other, such as one in the reader's own network.
  package static func isOfYouTube(_ address: String) -> Bool {
    address.utf8.count <= 1024 && WebLink.isSafe(address) && origins.contains { address.hasPrefix("\($0)/") }
  }
}

/// A followed name that only YouTube can resolve to a channel ID.
package struct Handle: Equatable, Sendable {
  /// What the person last decided about it.
  package struct Decision: Equatable, Sendable {
    /// nil if it was unfollowed.
    package var followed: HandleFollowed?
    package var action: EventID

    package init(followed: HandleFollowed?, action: EventID) {
      (self.followed, self.action) = (followed, action)
    }
  }

  package let handle: String
  package var decision: LWWRegister<Decision>?
  package var resolution: LWWRegister<SubscriptionID>?

  package init(handle: String) { self.handle = handle }

  /// The title and tags it was followed with; nil if it was unfollowed or only its resolution is known.
  package var followed: HandleFollowed? { decision?.value.followed }
  /// When it was last followed or unfollowed.
  package var followChanged: EventID? { decision?.id }
  /// The action that followed or unfollowed it; events caused by its resolution belong to that action.
  package var action: EventID? { decision?.value.action }
  /// The subscription it resolved to; nil until then.
  package var subscription: SubscriptionID? { resolution?.value }

}

/// Whether one kind of a channel's videos is listed.
package enum ListVisibility: String, CaseIterable, Sendable { case show, hide }

/// The order of a single channel's list.
package enum ListOrder: String, CaseIterable, Sendable {
  case newest
  /// In viewing order, for a series.
  case oldest
}
