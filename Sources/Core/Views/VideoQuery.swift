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
  /// The videos a query asks for, at `now`. `matchesText` decides last, for it may have to read the log; nil where
  /// there is no such question.
  package func select(
    _ query: VideoQuery, at now: Timestamp, matchesText: ((Video) -> Bool)?
  ) -> VideoSelection {
    var selection = VideoSelection(videos: [], matching: 0, hiddenShorts: 0, hiddenUpcoming: 0)
    func take(_ video: Video) {
      guard matches(video, query, at: now), matchesText?(video) ?? true else { return }
      let fate = query.fate(isUpcoming: isUpcoming(video, at: now), isShort: ShortVerdict(of: video).answer == .yes)
      selection.count(fate, 1)
      if fate == .shown { selection.videos.append(video) }
    }
    guard query.order == .published, !query.oldestFirst else {
      videos.forEach { video in
        take(video)
        if query.limit > 0, selection.videos.count > query.limit * 2 + 1000 { selection.keepFirst(of: query) }
      }
      selection.keepFirst(of: query)
      return selection
    }
    let canCount = matchesText == nil && query.since == nil && query.until == nil
    videos.forEachNewestFirst(query.isOfOpen ? .open : .all) { video in
      if let since = query.since, video.published < since { return false }
      take(video)
      return !canCount || query.limit == 0 || selection.videos.count < query.limit
    }
    if query.limit > 0 { selection.videos = Array(selection.videos.prefix(query.limit)) }
    if canCount, query.limit > 0 { selection.recount(query, in: self, at: now) }
    return selection
  }

  /// Whether a video is proven to be still to come: until a day after its planned start, for starts are late.
  package func isUpcoming(_ video: Video, at now: Timestamp) -> Bool {
    guard video.live == .upcoming else { return false }
    guard let scheduled = video.enriched?.value.scheduled else { return true }
    return now < scheduled.adding(seconds: 86_400)
  }

  fileprivate func matches(_ video: Video, _ query: VideoQuery, at now: Timestamp) -> Bool {
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

extension State {
  /// Whether the videos of a class match a query that asks for no dates.
  fileprivate func matches(_ aClass: VideoClass, _ query: VideoQuery) -> Bool {
    let source = SubscriptionID.channel(aClass.channel)
    if let statuses = query.statuses {
      guard statuses.contains(aClass.status), channels[source]?.isFollowed == true else { return false }
    }
    if let wanted = query.subscriptions, !wanted.contains(source) { return false }
    return query.tags.isEmpty || (channels[source]?.tags ?? []).contains { query.tags.contains($0) }
  }
}

extension VideoSelection {
  /// Counts anew by classes what matches, for the videos were looked at only as far as the limit.
  fileprivate mutating func recount(_ query: VideoQuery, in state: State, at now: Timestamp) {
    (matching, hiddenShorts, hiddenUpcoming) = (0, 0, 0)
    state.videos.tally(
      ofClass: { aClass, size in
        guard state.matches(aClass, query) else { return }
        count(query.fate(isUpcoming: false, isShort: aClass.isShort), size)
      },
      single: { video in
        guard state.matches(video, query, at: now) else { return }
        let isShort = ShortVerdict(of: video).answer == .yes
        count(query.fate(isUpcoming: state.isUpcoming(video, at: now), isShort: isShort), 1)
      })
  }

  fileprivate mutating func count(_ fate: VideoQuery.Fate, _ size: Int) {
    switch fate {
    case .shown: matching += size
    case .hiddenShort: hiddenShorts += size
    case .hiddenUpcoming: hiddenUpcoming += size
    }
  }

  /// Puts the videos in order and drops those beyond the limit.
  fileprivate mutating func keepFirst(of query: VideoQuery) {
    videos.sort { query.isBefore($0, $1) }
    if query.limit > 0 { videos = Array(videos.prefix(query.limit)) }
  }
}

extension VideoQuery {
  /// What becomes of a video that matches.
  fileprivate enum Fate { case shown, hiddenShort, hiddenUpcoming }

  fileprivate func fate(isUpcoming: Bool, isShort: Bool) -> Fate {
    if upcoming.hides(isUpcoming) { return .hiddenUpcoming }
    return shorts.hides(isShort) ? .hiddenShort : .shown
  }

  /// Whether it asks only for videos that may be new to the person.
  fileprivate var isOfOpen: Bool { statuses?.isSubset(of: [.new, .snoozed]) ?? false }
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
