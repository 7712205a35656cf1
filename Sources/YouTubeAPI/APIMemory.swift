import Core

/// What a machine remembers of the Data API: the units of the day, and the videos that were missing in an answer.
package struct APIMemory: Equatable, Sendable {
  /// The day the units were used on.
  package var day: CivilDate?
  /// The units used that day.
  package var units = 0
  /// Whether the API said that day that its quota is used up.
  package var isExhausted = false
  /// Since when each video is missing.
  package var missing: [VideoID: Timestamp] = [:]

  /// What is remembered before the first question.
  package init() {}

  /// The units of a day that are used unless the person says otherwise: half of what a key has.
  package static let usualBudget = 5000

  /// Takes one unit of a day's `budget`; false where none is left.
  package mutating func takeUnit(of budget: Int, at now: Timestamp) -> Bool {
    guard left(of: budget, at: now) > 0 else { return false }
    if day != PacificDay.of(now) { (day, units, isExhausted) = (PacificDay.of(now), 0, false) }
    units += 1
    return true
  }

  /// The units used on the day of a moment.
  package func used(at now: Timestamp) -> Int { day == PacificDay.of(now) ? units : 0 }

  /// The units of a day's `budget` that are left.
  package func left(of budget: Int, at now: Timestamp) -> Int {
    guard day == PacificDay.of(now) else { return budget }
    return isExhausted ? 0 : max(0, budget - units)
  }

  /// Takes note that the API has no units left for today.
  package mutating func noteExhausted(at now: Timestamp) {
    if day != PacificDay.of(now) { (day, units) = (PacificDay.of(now), 0) }
    isExhausted = true
  }
}

extension APIMemory {
  /// How long a video has to be missing before it counts as removed: a day, in seconds.
  static let missingTime: Int64 = 86_400
  /// How long a removed video is left alone before it is asked about again: 30 days, in seconds.
  static let removedTime: Int64 = 30 * 86_400
  /// The fewest videos of which an answer that has none of them is doubtful.
  static let doubtfulCount = 10

  /// The videos worth a question, the newest first: of which nothing is known, whose nature may have changed, or which
  /// were removed long ago, for even two answers may be wrong.
  package func due(in state: State, at now: Timestamp) -> [VideoID] {
    let due = state.videos.filter { video in
      guard state.isFollowed(video), video.isRemoved || video.mayHaveNews(at: now) else { return false }
      guard let since = lastMissing(video) else { return true }
      return now.seconds(since: since) >= (video.isRemoved ? APIMemory.removedTime : APIMemory.missingTime)
    }
    return due.sorted { ($1.published, $1.id) < ($0.published, $0.id) }.map(\.id)
  }

  /// Since when a video is missing, as far as that counts: what was so before it was said to be gone, or to be back, is
  /// over.
  private func lastMissing(_ video: Video) -> Timestamp? {
    guard let changed = video.removalChanged?.timestamp else { return missing[video.id] }
    let since = missing[video.id].flatMap { $0 > changed ? $0 : nil }
    return video.isRemoved ? since ?? changed : since
  }

  /// What an answer about `asked` has to tell that the state does not know. A video that is missing in two answers a
  /// day apart was removed; one answer may be wrong, and one that has nothing of many says nothing at all.
  package mutating func events(
    _ facts: [VideoEnriched], asked: [VideoID], in state: State, at now: Timestamp
  ) -> [EventBody] {
    if facts.isEmpty, asked.count >= APIMemory.doubtfulCount { return [] }
    let answers = Dictionary(facts.map { ($0.video, $0) }, uniquingKeysWith: { first, _ in first })
    var events: [EventBody] = []
    for id in asked {
      let video = state.videos[id]
      if let fact = answers[id] {
        missing[id] = nil
        if video?.isRemoved == true { events.append(.videoRemoved(VideoRemoved(video: id, removed: false))) }
        if video?.enriched?.value != fact { events.append(.videoEnriched(fact)) }
      } else if noteMissing(id, video, at: now) {
        events.append(.videoRemoved(VideoRemoved(video: id, removed: true)))
      }
    }
    return events
  }

  /// Takes note that an answer did not have a video; returns whether it thereby is removed.
  private mutating func noteMissing(_ id: VideoID, _ video: Video?, at now: Timestamp) -> Bool {
    guard video?.isRemoved != true else {
      missing[id] = now
      return false
    }
    guard let since = video.map(lastMissing) ?? missing[id] else {
      missing[id] = now
      return false
    }
    guard now.seconds(since: since) >= APIMemory.missingTime else { return false }
    missing[id] = nil
    return true
  }
}

extension Video {
  /// Days after which nothing more is expected of a start that was missed, and of a length that never came.
  private static let patience: Int64 = 7 * 86_400

  /// Whether an answer may say more than is known: nothing is, or it is upcoming, live, or has no length yet.
  fileprivate func mayHaveNews(at now: Timestamp) -> Bool {
    guard let known = enriched else { return true }
    func isLately(_ time: Timestamp) -> Bool { now.seconds(since: time) < Video.patience }
    switch live {
    case .upcoming: return isLately(known.value.scheduled ?? known.timestamp)
    case .live: return true
    case .ended: return duration == nil && isLately(known.value.ended ?? known.timestamp)
    case .none, .unknown: return duration == nil && isLately(published)
    }
  }
}

extension Register {
  /// When it was written.
  fileprivate var timestamp: Timestamp { id.timestamp }
}
