/// A query for videos: filters and order.
package struct VideoQuery: Equatable, Sendable {
  /// The statuses included; nil for all, which implies `alsoGone`.
  package var statuses: Set<Status>?
  /// Whether to include videos of unfollowed subscriptions and videos that YouTube no longer has.
  package var alsoGone = false
  /// How to treat Shorts; nil for the setting of each channel.
  package var shorts: Visibility?
  /// How to treat upcoming videos; nil hides them.
  package var upcoming: Visibility?
  /// Whether to hide nothing beyond the filters of the query itself: for videos that the user saved one by one.
  package var hidesNothing = false
  /// Only these subscriptions; nil for all.
  package var subscriptions: Set<SubscriptionID>?
  /// Only channels with one of these tags; empty for all.
  package var tags: Set<String>
  /// Only videos published at or after this.
  package var since: Timestamp?
  /// Only videos published before this.
  package var until: Timestamp?
  /// Only saved videos.
  package var savedOnly = false
  /// Whether rules hide nothing.
  package var ignoresRules = false
  /// Only videos proven to be streams or premieres, also where the person chose to hide those of their channel.
  package var streamsOnly = false
  /// Only videos of at least this known duration, in seconds.
  package var minimumLength: Int?
  /// Only videos of at most this known duration, in seconds.
  package var maximumLength: Int?
  package var arrangement = Arrangement.byTime
  package var order: Order
  /// Whether the oldest come first.
  package var oldestFirst: Bool
  /// The maximum number of videos; 0 for no limit.
  package var limit: Int
  /// Only videos after this position in the order.
  package var after: PageCursor?

  /// How to treat one kind of videos.
  package enum Visibility: String, CaseIterable, Sendable { case hide, show, only }

  /// The time to sort by; ties are broken by the other time, then by ID.
  package enum Order: String, CaseIterable, Sendable { case published, found }

  /// The arrangement of the list.
  package enum Arrangement: Sendable {
    /// Sorted by `order` alone.
    case byTime
    /// Channel by channel, each oldest first; the channel with the longest wait first.
    case catchUp
    /// Round-robin over the channels, newest first, so that a prolific channel does not bury a quiet one.
    case mix
  }

  package init(
    statuses: Set<Status>?, shorts: Visibility?, upcoming: Visibility?, subscriptions: Set<SubscriptionID>?,
    tags: Set<String>, since: Timestamp?, until: Timestamp?, order: Order, oldestFirst: Bool, limit: Int
  ) {
    (self.statuses, self.shorts, self.upcoming, self.subscriptions) = (statuses, shorts, upcoming, subscriptions)
    (self.tags, self.since, self.until, self.order) = (tags, since, until, order)
    (self.oldestFirst, self.limit) = (oldestFirst, limit)
  }
}

extension VideoQuery {
  /// What is new to the user, as `list` shows it without options.
  package static let unwatched = VideoQuery(
    statuses: [.new], shorts: nil, upcoming: .hide, subscriptions: nil, tags: [], since: nil, until: nil,
    order: .published, oldestFirst: false, limit: 1)
}

/// A place in an ordered list of videos, after which the next page begins: `dQw4w9WgXcQ`, or with the number that a
/// catch-up list or a mix needs beside the video, `692fd3a0.dQw4w9WgXcQ`.
///
/// A later page shows the list as it is then. By time what arrived or was marked meanwhile moves nothing else; in a
/// catch-up list or a mix it moves the other videos of its channel.
package struct PageCursor: Equatable, Sendable {
  /// The last video of the previous page.
  package var video: VideoID
  /// Of a catch-up list when the channel's oldest video was published, of a mix the turn.
  package var number: Int64?

  package init(video: VideoID, number: Int64?) { (self.video, self.number) = (video, number) }

  /// Parses a cursor; nil if malformed.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = parts.last, let video = VideoID(last), parts.count <= 2 else { return nil }
    self.init(video: video, number: nil)
    guard parts.count == 2 else { return }
    guard let number = Int64(parts[0], radix: 16) else { return nil }
    self.number = number
  }
}

extension PageCursor: CustomStringConvertible {
  package var description: String { number.map { "\(String($0, radix: 16)).\(video)" } ?? "\(video)" }
}
