/// Which videos a person asks for, and in which order.
package struct VideoQuery: Equatable, Sendable {
  /// The statuses shown; nil is all of them, and then videos of what was unfollowed are shown too.
  package var statuses: Set<Status>?
  package var shorts: Visibility
  package var upcoming: Visibility
  /// Only these subscriptions; nil is all.
  package var subscriptions: Set<SubscriptionID>?
  /// Only channels with one of these tags; empty is all.
  package var tags: Set<String>
  /// Only videos published at or after this.
  package var since: Timestamp?
  /// Only videos published before this.
  package var until: Timestamp?
  package var order: Order
  /// Whether the oldest comes first.
  package var oldestFirst: Bool
  /// How many at most; 0 is all.
  package var limit: Int

  /// What becomes of one sort of videos.
  package enum Visibility: String, CaseIterable, Sendable { case hide, show, only }

  /// By which time videos are ordered; ties go by the other time, then by id.
  package enum Order: String, CaseIterable, Sendable { case published, found }

  package init(
    statuses: Set<Status>?, shorts: Visibility, upcoming: Visibility, subscriptions: Set<SubscriptionID>?,
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

/// The answer to a query: the videos, and how many more there were that something hid.
package struct VideoSelection: Equatable, Sendable {
  package var videos: [Video]
  /// How many matched, whatever the limit.
  package var matching: Int
  /// How many Shorts were hidden that matched otherwise.
  package var hiddenShorts: Int
  /// How many upcoming videos were hidden that matched otherwise.
  package var hiddenUpcoming: Int
}

extension State {
  /// The videos a query asks for, at `now`. `matchesText` decides last, for it may have to read the log.
  package func select(
    _ query: VideoQuery, at now: Timestamp, matchesText: (Video) -> Bool
  ) -> VideoSelection {
    var selection = VideoSelection(videos: [], matching: 0, hiddenShorts: 0, hiddenUpcoming: 0)
    videos.forEach { video in
      guard matches(video, query, at: now), matchesText(video) else { return }
      if query.upcoming.hides(isUpcoming(video, at: now)) {
        selection.hiddenUpcoming += 1
      } else if query.shorts.hides(ShortVerdict(of: video).answer == .yes) {
        selection.hiddenShorts += 1
      } else {
        selection.videos.append(video)
      }
    }
    selection.matching = selection.videos.count
    selection.videos.sort { query.isBefore($0, $1) }
    if query.limit > 0 { selection.videos = Array(selection.videos.prefix(query.limit)) }
    return selection
  }

  /// Whether a video is proven to be still to come: until a day after its planned start, for starts are late.
  package func isUpcoming(_ video: Video, at now: Timestamp) -> Bool {
    guard video.live == .upcoming else { return false }
    guard let scheduled = video.enriched?.value.scheduled else { return true }
    return now < scheduled.adding(seconds: 86_400)
  }

  private func matches(_ video: Video, _ query: VideoQuery, at now: Timestamp) -> Bool {
    if let statuses = query.statuses {
      guard statuses.contains(video.status(at: now)), isFollowed(video), !video.isRemoved else { return false }
    }
    if let since = query.since, video.published < since { return false }
    if let until = query.until, video.published >= until { return false }
    if let wanted = query.subscriptions, !wanted.contains(.channel(video.channel)),
      !video.playlists.contains(where: { wanted.contains(.playlist($0)) })
    {
      return false
    }
    return query.tags.isEmpty || tags(of: video).contains { query.tags.contains($0) }
  }
}

extension VideoQuery.Visibility {
  /// Whether a video is hidden that is, or is not, of the sort in question.
  fileprivate func hides(_ isOfSort: Bool) -> Bool {
    switch self {
    case .hide: isOfSort
    case .show: false
    case .only: !isOfSort
    }
  }
}

extension VideoQuery {
  /// Whether one video comes before another in the order asked for.
  fileprivate func isBefore(_ left: Video, _ right: Video) -> Bool {
    let (first, second) = oldestFirst ? (left, right) : (right, left)
    let times: (Timestamp, Timestamp)
    let ties: (Timestamp, Timestamp)
    switch order {
    case .published: (times, ties) = ((first.published, second.published), (first.published, second.published))
    case .found: (times, ties) = ((first.foundAt, second.foundAt), (first.published, second.published))
    }
    if times.0 != times.1 { return times.0 < times.1 }
    if ties.0 != ties.1 { return ties.0 < ties.1 }
    return left.id < right.id
  }
}

extension Video {
  /// When it was first seen; the beginning of time where it was not.
  fileprivate var foundAt: Timestamp { found?.timestamp ?? Timestamp(seconds: 0) }
}
