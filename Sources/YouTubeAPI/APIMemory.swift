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

  /// The videos worth a question, the newest first: of which nothing is known, or whose nature may have changed.
  package func due(in state: State, at now: Timestamp) -> [VideoID] {
    let due = state.videos.filter { video in
      guard !video.isRemoved, state.isFollowed(video), video.mayHaveNews(at: now) else { return false }
      return missing[video.id].map { now.seconds(since: $0) >= APIMemory.missingTime } ?? true
    }
    return due.sorted { ($1.published, $1.id) < ($0.published, $0.id) }.map(\.id)
  }

  /// What an answer about `asked` has to tell that the state does not know. A video that is missing in two answers a
  /// day apart was removed; one answer may be wrong.
  package mutating func events(
    _ facts: [VideoEnriched], asked: [VideoID], in state: State, at now: Timestamp
  ) -> [EventBody] {
    let answers = Dictionary(facts.map { ($0.video, $0) }, uniquingKeysWith: { first, _ in first })
    var events: [EventBody] = []
    for id in asked {
      if let fact = answers[id] {
        missing[id] = nil
        if state.videos[id]?.isRemoved == true { events.append(.videoRemoved(VideoRemoved(video: id, removed: false))) }
        if state.videos[id]?.enriched?.value != fact { events.append(.videoEnriched(fact)) }
      } else if let since = missing[id], now.seconds(since: since) >= APIMemory.missingTime {
        missing[id] = nil
        events.append(.videoRemoved(VideoRemoved(video: id, removed: true)))
      } else if missing[id] == nil {
        missing[id] = now
      }
    }
    return events
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
