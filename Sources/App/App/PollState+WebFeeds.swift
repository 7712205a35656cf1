import Core
import WebPolling

extension PollState {
  /// Adds the state of feeds of other sites, for reports: it is kept apart from that of YouTube's.
  mutating func add(_ memory: WebPollState, of followed: [Channel], at now: Timestamp) {
    for id in followed.map(\.id) {
      if let known = memory.feeds[PolledFeedID(id.description)] { feeds[id] = FeedState(known, at: now) }
    }
  }
}

extension FeedState {
  /// The state of a feed of another site as that of a channel's feed.
  fileprivate init(_ known: WebFeedState, at now: Timestamp) {
    self.init()
    (requested, isUnstored, answered) = (known.requested, known.isUnstored, known.answered)
    (habit, failures, failingSince) = (known.habit, known.failures, known.failingSince)
    lastOutcome = known.lastOutcome
    // The publisher says that it is gone, or nobody has mended it for a month.
    if known.trouble == .gone || known.isProbablyGone(at: now) {
      page = PageProbeState(requested: now, missingSince: known.failingSince)
    }
  }
}
