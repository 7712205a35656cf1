/// Which videos a person asks for, and in which order.
package struct VideoQuery: Equatable, Sendable {
  /// The statuses shown; nil is all of them, and then `alsoGone` is so too.
  package var statuses: Set<Status>?
  /// Whether videos of what was unfollowed are shown, and those that YouTube no longer has.
  package var alsoGone = false
  /// What becomes of Shorts; nil is what the person chose for their channel.
  package var shorts: Visibility?
  /// What becomes of videos that are still to come; nil hides them.
  package var upcoming: Visibility?
  /// Whether nothing is hidden that the query itself does not say: where the person put the videos aside, each of them.
  package var hidesNothing = false
  /// Only these subscriptions; nil is all.
  package var subscriptions: Set<SubscriptionID>?
  /// Only channels with one of these tags; empty is all.
  package var tags: Set<String>
  /// Only videos published at or after this.
  package var since: Timestamp?
  /// Only videos published before this.
  package var until: Timestamp?
  /// Only videos put aside.
  package var savedOnly = false
  /// Only videos proven to be streams or premieres, also where the person chose to hide those of their channel.
  package var streamsOnly = false
  /// Only videos known to last at least so many seconds.
  package var minimumLength: Int?
  /// Only videos known to last at most so many seconds.
  package var maximumLength: Int?
  package var arrangement = Arrangement.byTime
  package var order: Order
  /// Whether the oldest comes first.
  package var oldestFirst: Bool
  /// How many at most; 0 is all.
  package var limit: Int
  /// Only what comes after this place in the order.
  package var after: PageCursor?

  /// What becomes of one sort of videos.
  package enum Visibility: String, CaseIterable, Sendable { case hide, show, only }

  /// By which time videos are ordered; ties go by the other time, then by id.
  package enum Order: String, CaseIterable, Sendable { case published, found }

  /// How the videos are laid out.
  package enum Arrangement: Sendable {
    /// By `order` alone.
    case byTime
    /// Channel by channel, each from its oldest on; the channel that waits longest first.
    case catchUp
    /// One of each channel in turn, the newest first, so that a prolific channel does not bury a quiet one.
    case mix
  }

  package init(
    statuses: Set<Status>?, shorts: Visibility?, upcoming: Visibility?, subscriptions: Set<SubscriptionID>?,
    tags: Set<String>, since: Timestamp?, until: Timestamp?, order: Order, oldestFirst: Bool, limit: Int
  ) {
    self.statuses = statuses
    self.shorts = shorts
    self.upcoming = upcoming
    self.subscriptions = subscriptions
    self.tags = tags
    self.since = since
    self.until = until
    self.order = order
    self.oldestFirst = oldestFirst
    self.limit = limit
  }
}

extension VideoQuery {
  /// Whether lengths are asked for, so that a video of unknown length cannot match.
  var asksForLength: Bool { minimumLength != nil || maximumLength != nil }

  /// Whether a length in seconds is one of those asked for.
  func matches(length: Int) -> Bool {
    length >= minimumLength ?? 0 && length <= maximumLength ?? .max
  }
}

extension State {
  /// Whether the person chose to see the Shorts of a video's channel, or of a playlist it is in.
  package func listsShorts(of video: Video) -> Bool {
    hasSource(video) { $0.shorts == .show }
  }

  /// Whether the person chose to see no streams of a video's channel, or of a playlist it is in.
  package func hidesStreams(of video: Video) -> Bool {
    hasSource(video) { $0.live == .hide }
  }

  private func hasSource(_ video: Video, _ isSuch: (Channel) -> Bool) -> Bool {
    if channels[.channel(video.channel)].map(isSuch) ?? false { return true }
    return video.playlists.contains { channels[.playlist($0)].map(isSuch) ?? false }
  }

  /// Whether a video is proven to be still to come: until a day after its planned start, for starts are late.
  package func isUpcoming(_ video: Video, at now: Timestamp) -> Bool { video.isUpcoming(at: now) }
}

extension Video {
  /// Whether it is proven to be still to come: until a day after its planned start, for starts are late.
  func isUpcoming(at now: Timestamp) -> Bool {
    guard live == .upcoming else { return false }
    guard let scheduled = enriched?.value.scheduled else { return true }
    return now < scheduled.adding(seconds: 86_400)
  }

  /// Whether it is proven to be a stream or premiere, to come, on or over.
  package var isStream: Bool {
    switch live {
    case .upcoming, .live, .ended: true
    case .none, .unknown: false
    }
  }
}
