/// The answer to a query: the videos, and how many more there were that something hid.
package struct VideoSelection: Equatable, Sendable {
  package var videos: [Video]
  /// How many matched, whatever the limit and the page.
  package var matching: Int
  package var hidden: Hidden
  /// Where the next page begins; nil where this was the last.
  package var next: PageCursor?

  /// How many matched otherwise but were hidden, by what hid them first.
  package struct Hidden: Equatable, Sendable {
    package var upcoming = 0
    package var shorts = 0
    /// Streams, by what the person chose for their channel.
    package var streams = 0
    /// By the person's rules.
    package var rules = 0
    /// Because a length was asked for and theirs is unknown.
    package var unknownLength = 0
  }
}

/// What decides on a video by its text, which may have to be read from the log; nil where it decides nothing.
package struct TextDecisions {
  /// Whether the text is what is searched for.
  package var matches: ((Video) -> Bool)?
  /// Whether the person's rules hide it.
  package var isBlocked: ((Video) -> Bool)?

  package init(matches: ((Video) -> Bool)?, isBlocked: ((Video) -> Bool)?) {
    self.matches = matches
    self.isBlocked = isBlocked
  }

  /// Every text will do.
  package static var none: TextDecisions { TextDecisions(matches: nil, isBlocked: nil) }
}

/// Why a query has no answer.
package enum QueryError: Error {
  /// The video after which the page is to begin is not among those asked for.
  case cursorElsewhere(VideoID)
}

extension State {
  /// The videos a query asks for, at `now`. Throws `cursorElsewhere` where the page has no beginning.
  package func select(
    _ query: VideoQuery, at now: Timestamp, _ decisions: TextDecisions
  ) throws(QueryError) -> VideoSelection {
    if query.canBeCounted, decisions.matches == nil, decisions.isBlocked == nil { return first(of: query, at: now) }
    var hidden = VideoSelection.Hidden()
    var ranking = Ranking(query, at: query.arrangement == .byTime ? nil : query.after?.moment ?? videos.lastWord)
    if let after = query.after, let video = videos.found(after.video) { ranking.begin(after: video) }
    forEach(of: query) { video in
      let hasStatus = query.statuses?.contains(video.status(at: now)) ?? true
      // On a later page what was marked since the first one keeps its place, so that the others keep theirs.
      guard hasStatus || ranking.keepsPlace(of: video), matches(video, query) else { return }
      guard decisions.matches?(video) ?? true else { return }
      let fate = fate(of: video, query, at: now, decisions)
      if fate == .shown { ranking.add(video, isShown: hasStatus) } else if hasStatus { hidden.count(fate, 1) }
    }
    if let after = query.after, !ranking.knowsStart { throw .cursorElsewhere(after.video) }
    let page = ranking.page()
    return VideoSelection(
      videos: page.videos.compactMap { videos.found($0) }, matching: ranking.count, hidden: hidden, next: page.next)
  }

  /// Calls `body` with every video that may be asked for.
  private func forEach(of query: VideoQuery, _ body: (Video) -> Void) {
    let keepsPlaces = query.arrangement != .byTime && query.after != nil
    guard query.isOfOpen, !keepsPlaces else { return videos.forEach(body) }
    videos.forEachNewestFirst(.open) { video in
      if let since = query.since, video.published < since { return false }
      body(video)
      return true
    }
  }

  private func fate(
    of video: Video, _ query: VideoQuery, at now: Timestamp, _ decisions: TextDecisions
  ) -> VideoQuery.Fate {
    if query.asksForLength {
      guard let length = video.duration else { return .unknownLength }
      if !query.matches(length: length) { return .otherLength }
    }
    let (isShort, isStream) = (ShortVerdict(of: video).answer == .yes, video.isStream)
    let fate = query.fate(
      isUpcoming: isUpcoming(video, at: now), isShort: isShort, isStream: isStream,
      areShortsListed: isShort && listsShorts(of: video), areStreamsHidden: isStream && hidesStreams(of: video))
    return fate == .shown && decisions.isBlocked?(video) == true ? .blocked : fate
  }
}

// MARK: The first page

extension State {
  /// The newest videos of a query that nothing but its classes decides: only the first few are looked at, the others
  /// are counted.
  private func first(of query: VideoQuery, at now: Timestamp) -> VideoSelection {
    var selection = VideoSelection(videos: [], matching: 0, hidden: VideoSelection.Hidden(), next: nil)
    videos.forEachNewestFirst(query.isOfOpen ? .open : .all) { video in
      guard query.statuses?.contains(video.status(at: now)) ?? true, matches(video, query) else { return true }
      if fate(of: video, query, at: now, .none) == .shown { selection.videos.append(video) }
      return query.limit == 0 || selection.videos.count < query.limit
    }
    videos.tally(
      ofClass: { aClass, size in
        guard matches(aClass, query) else { return }
        let channel = channels[.channel(aClass.channel)]
        let fate = query.fate(
          isUpcoming: false, isShort: aClass.isShort, isStream: aClass.isStream,
          areShortsListed: channel?.shorts == .show, areStreamsHidden: channel?.live == .hide)
        selection.count(fate, size)
      },
      single: { video in
        guard query.statuses?.contains(video.status(at: now)) ?? true, matches(video, query) else { return }
        selection.count(fate(of: video, query, at: now, .none), 1)
      })
    if let last = selection.videos.last, selection.videos.count < selection.matching {
      selection.next = PageCursor(video: last.id, moment: nil)
    }
    return selection
  }

  /// Whether the videos of a class match a query that only classes decide.
  private func matches(_ aClass: VideoClass, _ query: VideoQuery) -> Bool {
    let source = SubscriptionID.channel(aClass.channel)
    if let statuses = query.statuses {
      guard statuses.contains(aClass.status), channels[source]?.isFollowed == true else { return false }
    }
    if let wanted = query.subscriptions, !wanted.contains(source) { return false }
    return query.tags.isEmpty || (channels[source]?.tags ?? []).contains { query.tags.contains($0) }
  }
}

extension VideoSelection {
  fileprivate mutating func count(_ fate: VideoQuery.Fate, _ size: Int) {
    if fate == .shown { matching += size } else { hidden.count(fate, size) }
  }
}

extension VideoSelection.Hidden {
  fileprivate mutating func count(_ fate: VideoQuery.Fate, _ size: Int) {
    switch fate {
    case .shown, .otherLength: break
    case .upcoming: upcoming += size
    case .short: shorts += size
    case .stream: streams += size
    case .blocked: rules += size
    case .unknownLength: unknownLength += size
    }
  }
}

extension VideoQuery {
  /// Whether it asks only for videos that may be new to the person.
  fileprivate var isOfOpen: Bool { statuses?.isSubset(of: [.new, .snoozed]) ?? false }

  /// Whether it asks for the newest of whole classes of videos, so that most need not be looked at.
  fileprivate var canBeCounted: Bool {
    arrangement == .byTime && order == .published && !oldestFirst && after == nil && since == nil && until == nil
      && !savedOnly && !streamsOnly && !asksForLength
  }
}
