import Core

/// Per-machine state of Data API use: the units used today, and the videos and channels missing from a response.
package struct APIState: Equatable, Sendable {
  /// The day the units were used.
  package var day: CivilDate?
  /// The units used that day.
  package var units = 0
  /// Whether the API reported that day that its quota is used up.
  package var isExhausted = false
  /// When each missing video was first missing.
  package var missing: [VideoID: Timestamp] = [:]
  /// When each channel was last missing.
  package var missingChannels: [ChannelID: Timestamp] = [:]
  /// The playlists whose entries were all read once, on request; polls keep them complete.
  package var playlists: [PlaylistID: PlaylistListing] = [:]

  /// The state before the first request.
  package init() {}

  /// The default daily budget in units: half of a key's quota.
  package static let usualBudget = 5000

  /// Takes `count` units of the day's `budget`; false, with none taken, if fewer are left.
  package mutating func takeUnits(_ count: Int, of budget: Int, at now: Timestamp) -> Bool {
    guard left(of: budget, at: now) >= count else { return false }
    if day != PacificDay.of(now) { (day, units, isExhausted) = (PacificDay.of(now), 0, false) }
    units += count
    return true
  }

  /// Gives back units that were taken on the day of `now`, because their request was not sent.
  package mutating func returnUnits(_ count: Int, at now: Timestamp) {
    if day == PacificDay.of(now) { units = max(0, units - count) }
  }

  /// The units used on the day of `now`.
  package func used(at now: Timestamp) -> Int { day == PacificDay.of(now) ? units : 0 }

  /// The units left of the day's `budget`.
  package func left(of budget: Int, at now: Timestamp) -> Int {
    guard day == PacificDay.of(now) else { return budget }
    return isExhausted ? 0 : max(0, budget - units)
  }

  /// Records that the API's quota for today is used up.
  package mutating func noteExhausted(at now: Timestamp) {
    if day != PacificDay.of(now) { (day, units) = (PacificDay.of(now), 0) }
    isExhausted = true
  }
}

/// When a whole playlist was read last.
package struct PlaylistListing: Equatable, Sendable {
  /// How many entries it had, with private and deleted ones.
  package var total: Int
  /// When all of it was read.
  package var listed: Timestamp
  /// When its first page was.
  package var checked: Timestamp

  package init(total: Int, listed: Timestamp, checked: Timestamp) {
    (self.total, self.listed, self.checked) = (total, listed, checked)
  }

  /// The minimum time between two reads of the first page, and the time after which all pages are read whatever the
  /// first one says, in seconds.
  private static let (interval, longest): (Int64, Int64) = (3600, 86_400)

  /// Whether its first page is worth a unit.
  package func isDue(at now: Timestamp) -> Bool { now.seconds(since: checked) >= PlaylistListing.interval }

  /// Whether all of it is to be read again, by what the first page says: entries are added at either end.
  package func isOutdated(by page: PlaylistPage, areAllKnown: Bool, at now: Timestamp) -> Bool {
    !areAllKnown || page.total != total || now.seconds(since: listed) >= PlaylistListing.longest
  }
}

extension APIState {
  /// How long a video must be missing before it counts as removed: a day, in seconds.
  static let missingTime: Int64 = 86_400
  /// How long until a removed video, or a channel, is looked up again: 30 days, in seconds.
  static let removedTime: Int64 = 30 * 86_400
  /// A response that lacks every one of at least this many videos is doubtful.
  static let doubtfulCount = 10

  /// The videos worth looking up, newest first: unknown ones, those whose kind may have changed, and those removed long
  /// ago, because even two responses may be wrong.
  package func due(_ videos: [Video], in state: State, at now: Timestamp) -> [VideoID] {
    let due = videos.filter { video in
      guard !video.id.isEntry, state.isFollowed(video) else { return false }
      guard video.isRemoved || video.mayHaveNews(at: now) else { return false }
      guard let since = lastMissing(video) else { return true }
      return now.seconds(since: since) >= (video.isRemoved ? APIState.removedTime : APIState.missingTime)
    }
    return due.sorted { ($1.published, $1.id) < ($0.published, $0.id) }.map(\.id)
  }

  /// When a video is worth another request, as far as is known right after one; nil if never.
  package func next(for video: Video, at now: Timestamp) -> Timestamp? {
    // A doubtful response leaves the time since when it has been missing as it was.
    guard let wait = video.isRemoved ? Video.intervals.lowerBound : video.lookupInterval(at: now) else { return nil }
    let again = now.adding(seconds: wait)
    let missingTime = video.isRemoved ? APIState.removedTime : APIState.missingTime
    return max(again, lastMissing(video)?.adding(seconds: missingTime) ?? again)
  }

  /// When a followed channel is looked up again.
  package func next(for channel: ChannelID, in state: State) -> Timestamp {
    let known = state.channels[.channel(channel)]?.enriched?.id.timestamp ?? .never
    return max(known, missingChannels[channel] ?? .never).adding(seconds: APIState.removedTime)
  }

  /// Since when a video has been missing. A time before the last change of the video's availability no longer counts.
  private func lastMissing(_ video: Video) -> Timestamp? {
    guard let changed = video.removalChanged?.timestamp else { return missing[video.id] }
    let since = missing[video.id].flatMap { $0 > changed ? $0 : nil }
    return video.isRemoved ? since ?? changed : since
  }

  /// The events that a response about the `requested` videos adds to the state. A video missing from two responses a day
  /// apart was removed. A single response may be wrong, and one that lacks all of many videos proves nothing.
  package mutating func events(
    _ facts: [VideoEnriched], requested: [VideoID], known videos: [VideoID: Video], at now: Timestamp
  ) -> [EventBody] {
    if facts.isEmpty, requested.count >= APIState.doubtfulCount { return [] }
    let found = Dictionary(facts.map { ($0.video, $0) }, uniquingKeysWith: { first, _ in first })
    var events: [EventBody] = []
    for id in requested {
      let video = videos[id]
      if let fact = found[id] {
        missing[id] = nil
        if video?.isRemoved == true { events.append(.videoRemoved(VideoRemoved(video: id, removed: false))) }
        if video?.enriched?.value != fact { events.append(.videoEnriched(fact)) }
      } else if noteMissing(id, video, at: now) {
        events.append(.videoRemoved(VideoRemoved(video: id, removed: true)))
      }
    }
    return events
  }

  /// Whether a video that no feed has shown may be looked up: one that a response lacked, after 30 days; never an entry.
  package func isDescriptionDue(of video: VideoID, at now: Timestamp) -> Bool {
    guard !video.isEntry else { return false }
    return missing[video].map { now.seconds(since: $0) >= APIState.removedTime } ?? true
  }

  /// The followed channels to look up: those never looked up, then those longest ago.
  package func dueChannels(in state: State, at now: Timestamp) -> [ChannelID] {
    let known = state.followed.compactMap { channel in
      channel.id.channel.map { id in
        (id, max(channel.enriched?.id.timestamp ?? .never, missingChannels[id] ?? .never))
      }
    }
    let due = known.filter { now.seconds(since: $0.1) >= APIState.removedTime }
    return due.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
  }

  /// The events that a response about the `requested` channels adds to the state. What is known of a channel that it
  /// lacks stays.
  package mutating func events(
    _ facts: [ChannelEnriched], requested: [ChannelID], at now: Timestamp
  ) -> [EventBody] {
    if facts.isEmpty, requested.count >= APIState.doubtfulCount { return [] }
    let found = Dictionary(facts.map { ($0.channel, $0) }, uniquingKeysWith: { first, _ in first })
    for id in requested { missingChannels[id] = found[id] == nil ? now : nil }
    // Also what did not change: the event tells other devices when it was looked up.
    return requested.compactMap { found[$0].map { .channelEnriched($0) } }
  }

  /// Records that a response lacked a video; returns whether the video now counts as removed.
  private mutating func noteMissing(_ id: VideoID, _ video: Video?, at now: Timestamp) -> Bool {
    guard video?.isRemoved != true else {
      missing[id] = now
      return false
    }
    guard let since = video.map(lastMissing) ?? missing[id] else {
      missing[id] = now
      return false
    }
    guard now.seconds(since: since) >= APIState.missingTime else { return false }
    missing[id] = nil
    return true
  }
}

extension Video {
  /// Days after which a missed start, or a duration that never came, is no longer expected.
  private static let timeout: Int64 = 7 * 86_400

  /// Whether a new response may add facts: nothing is known, or the video is upcoming, live or without a duration.
  package func mayHaveNews(at now: Timestamp) -> Bool {
    guard !id.isEntry else { return false }
    guard let known = enriched else { return true }
    func isLately(_ time: Timestamp) -> Bool { now.seconds(since: time) < Video.timeout }
    switch live {
    case .upcoming: return isLately(known.value.scheduled ?? known.timestamp)
    case .live: return true
    case .ended: return duration == nil && isLately(known.value.ended ?? known.timestamp)
    case .none, .unknown: return duration == nil && isLately(published)
    }
  }
}

extension Video {
  /// The shortest and the longest time between two requests for a video that is not over, seconds.
  fileprivate static let intervals: ClosedRange<Int64> = 3600...86_400

  /// How long until another response may add facts, in seconds: half of the time until a scheduled start, and else an
  /// hour; nil if none will.
  fileprivate func lookupInterval(at now: Timestamp) -> Int64? {
    guard mayHaveNews(at: now) else { return nil }
    guard live == .upcoming, let start = enriched?.value.scheduled else { return Video.intervals.lowerBound }
    return min(max(start.seconds(since: now) / 2, Video.intervals.lowerBound), Video.intervals.upperBound)
  }
}

extension Timestamp {
  /// Before every time.
  fileprivate static let never = Timestamp(seconds: -(1 << 60))
}

extension LWWRegister {
  /// The time the event was written.
  fileprivate var timestamp: Timestamp { id.timestamp }
}
