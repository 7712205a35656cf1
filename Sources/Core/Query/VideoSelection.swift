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
    let decisions = decisions.usable(with: videos)
    let test = VideoTest(query, in: self, at: now)
    if query.canBeCounted, decisions.canBeCounted { return first(of: query, test, decisions.isBlocked) }
    var hidden = VideoSelection.Hidden()
    var ranking = Ranking(query, at: query.arrangement == .byTime ? nil : query.after?.moment ?? videos.lastWord)
    if let after = query.after, let video = videos.found(after.video) { ranking.begin(after: video) }
    forEach(of: query, among: decisions.matches?.rows?.possible) { video, row in
      let hasStatus = test.hasStatus(video)
      // On a later page what was marked since the first one keeps its place, so that the others keep theirs.
      guard hasStatus || ranking.keepsPlace(of: video), test.matches(video) else { return }
      guard decisions.matches?.holds(of: video, at: row) ?? true else { return }
      var fate = test.fate(of: video)
      if fate == .shown, decisions.isBlocked?.holds(of: video, at: row) == true { fate = .blocked }
      if fate == .shown { ranking.add(video, isShown: hasStatus) } else if hasStatus { hidden.count(fate, 1) }
    }
    if let after = query.after, !ranking.knowsStart { throw .cursorElsewhere(after.video) }
    let page = ranking.page()
    return VideoSelection(
      videos: page.videos.compactMap { videos.found($0) }, matching: ranking.count, hidden: hidden, next: page.next)
  }

  /// Calls `body` with every video that may be asked for, of those stored only with some rows, and its row.
  private func forEach(of query: VideoQuery, among rows: DocumentSet?, _ body: (Video, Int?) -> Void) {
    let keepsPlaces = query.arrangement != .byTime && query.after != nil
    videos.forEachNewestFirst(query.isOfOpen && !keepsPlaces ? .open : .all, among: rows) { video, row in
      if let since = query.since, video.published < since { return false }
      body(video, row)
      return true
    }
  }
}

// MARK: The first page

extension State {
  /// The newest videos of a query that nothing but its classes decides, and perhaps rules on texts: only the first few
  /// are looked at, and those that rules may hide; the others are counted.
  private func first(of query: VideoQuery, _ test: VideoTest, _ isBlocked: TextDecision?) -> VideoSelection {
    var selection = VideoSelection(videos: [], matching: 0, hidden: VideoSelection.Hidden(), next: nil)
    videos.forEachNewestFirst(query.isOfOpen ? .open : .all, among: nil) { video, row in
      guard test.hasStatus(video), test.matches(video), test.fate(of: video) == .shown else { return true }
      if isBlocked?.holds(of: video, at: row) != true { selection.videos.append(video) }
      return query.limit == 0 || selection.videos.count < query.limit
    }
    videos.tally(
      ofClass: { if test.matches($0) { selection.count(test.fate(of: $0), $1) } },
      single: { if test.hasStatus($0), test.matches($0) { selection.count(test.fate(of: $0), 1) } })
    if let isBlocked {
      let blocked = count(of: query, test, isBlocked)
      selection.matching -= blocked
      selection.hidden.rules = blocked
    }
    if let last = selection.videos.last, selection.videos.count < selection.matching {
      selection.next = PageCursor(video: last.id, moment: nil)
    }
    return selection
  }

  /// How many videos of a query would be shown if rules did not hide them.
  private func count(of query: VideoQuery, _ test: VideoTest, _ isBlocked: TextDecision) -> Int {
    var count = 0
    videos.forEachNewestFirst(query.isOfOpen ? .open : .all, among: isBlocked.rows?.possible) { video, row in
      if test.hasStatus(video), test.matches(video), test.fate(of: video) == .shown,
        isBlocked.holds(of: video, at: row)
      {
        count += 1
      }
      return true
    }
    return count
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
    case .shown, .otherLength, .otherSort: break
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
  fileprivate var isOfOpen: Bool { !alsoGone && statuses?.isSubset(of: [.new, .snoozed]) ?? false }

  /// Whether it asks for the newest of whole classes of videos, so that most need not be looked at.
  fileprivate var canBeCounted: Bool {
    arrangement == .byTime && order == .published && !oldestFirst && after == nil && since == nil && until == nil
      && !savedOnly && !streamsOnly && !asksForLength
  }
}
