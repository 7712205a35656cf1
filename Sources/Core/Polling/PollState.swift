/// Per-machine polling state. Not logged, because other machines do not need it.
package struct PollState: Equatable, Sendable {
  package var feeds: [SubscriptionID: FeedState] = [:]
  /// Names whose lookup found no channel, by their description.
  package var names: [String: HandleState] = [:]
  /// The backoff after an outage or a block, until a run finds that it is over.
  package var pause: Backoff?

  /// Channels whose news a hub announces until a time, so that a poll a day is enough. Stored by itself.
  package var pushed: [SubscriptionID: Timestamp] = [:]
  /// The last run in the log when this was stored.
  package var run: EventID?

  package init() {}

  /// Forgets all cache validators, so that whole feeds are sent again; returns whether there were any.
  package mutating func dropValidators() -> Bool {
    let tagged = feeds.filter { $0.value.etag != nil || $0.value.lastModified != nil }.keys
    for id in tagged {
      feeds[id]?.etag = nil
      feeds[id]?.lastModified = nil
    }
    return !tagged.isEmpty
  }

  /// The initial state when none is available: the next run is as cautious as one after an outage.
  package static func lost(at now: Timestamp) -> PollState {
    var memory = PollState()
    memory.pause = Backoff(reason: .outage, since: now, retry: now, backoff: 0)
    return memory
  }

  /// The state restricted to current subscriptions and unresolved names.
  package func following(_ state: State) -> PollState {
    var memory = self
    for id in feeds.keys where state.channels[id]?.isFollowed != true { memory.feeds[id] = nil }
    let waiting = Set(state.unresolved.map(\.handle))
    memory.names = names.filter { waiting.contains($0.key) }
    return memory
  }
}

/// The lookup state of a name that was not found.
package struct HandleState: Equatable, Sendable {
  /// When it was last looked up.
  package var requested: Timestamp
  /// The last outcome: `HTTP 404`.
  package var lastAnswer: String
  /// Whether the response said nothing about the name, as a 500.
  package var isUndecided: Bool

  package init(requested: Timestamp, lastAnswer: String, isUndecided: Bool = false) {
    (self.requested, self.lastAnswer, self.isUndecided) = (requested, lastAnswer, isUndecided)
  }

  /// Whether it may be looked up again: after a day, since the page is a megabyte, or after 15 minutes if undecided.
  package func isDue(at now: Timestamp) -> Bool {
    now.seconds(since: requested) >= (isUndecided ? PollPlan.floor : 86_400) || requested > now
  }
}

/// A backoff during which nothing is requested.
package struct Backoff: Equatable, Sendable {
  package var reason: StopReason
  /// When the trouble began.
  package var since: Timestamp
  /// When requests may resume, with a few probes first.
  package var retry: Timestamp
  /// The length of this backoff in seconds; doubled by the next failing run.
  package var backoff: Int64

  package init(reason: StopReason, since: Timestamp, retry: Timestamp, backoff: Int64) {
    (self.reason, self.since, self.retry, self.backoff) = (reason, since, retry, backoff)
  }

  /// Whether nothing is requested yet. A backoff that began in the future, or would last longer than any, comes from a
  /// clock that was ahead; it is over.
  package func isActive(at now: Timestamp) -> Bool {
    now < retry && since <= now && retry.seconds(since: now) <= Backoff.limit
  }

  /// The maximum time that the server can ask for, in seconds: a day. A Retry-After of years would amount to stopping
  /// for good.
  static let limit: Int64 = 86_400
  /// The initial backoff after an outage, in seconds: 30 minutes.
  package static let shortest: Int64 = 1800
  /// The maximum, in seconds: 6 hours.
  package static let longest: Int64 = 21_600
  /// After a 403, in seconds: reported blocks lasted about four hours.
  package static let refusal: Int64 = 14_400

  /// The backoff after a failing run; `seconds` is the server's Retry-After, if any.
  package static func after(_ previous: Backoff?, reason: StopReason, requested seconds: Int64?, now: Timestamp)
    -> Backoff
  {
    let first = reason == .refused ? refusal : shortest
    // Only a recurrence of the same trouble justifies a longer backoff.
    let before = previous.flatMap { $0.reason == reason ? $0 : nil }
    let backoff = min(max(first, (before?.backoff ?? 0) * 2), max(longest, first))
    let wait = max(seconds.map { min($0, limit) } ?? 0, backoff)
    return Backoff(
      reason: reason, since: before?.since ?? now, retry: now.adding(seconds: wait), backoff: backoff)
  }
}
