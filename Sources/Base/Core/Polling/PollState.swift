/// Per-machine polling state. Not logged, because other machines do not need it.
package struct PollState: Equatable, Sendable {
  package var feeds: [SubscriptionID: FeedState] = [:]
  /// Names whose lookup found no channel, by their description.
  package var names: [String: HandleState] = [:]
  /// The backoff after an outage or a block, until a run finds that it is over.
  package var pause: Backoff?

  /// Channels whose news a hub announces until a time, so that a poll a day is enough. Stored by itself.
  package var pushed: [SubscriptionID: Timestamp] = [:]
  /// When a hub requests feeds next, of those that it polls. Not stored: only this minute's response counts.
  package var hubPolls: [SubscriptionID: Timestamp] = [:]
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

  /// Records that a hub says when it read a feed, and its publishing interval; nothing that this device knows better.
  package mutating func noteRelayed(
    _ subscription: SubscriptionID, at time: Timestamp, _ habit: PublishingInterval?, now: Timestamp
  ) {
    var known = feeds[subscription] ?? FeedState()
    guard known.lastRequest(at: now).map({ $0 < time }) ?? true else { return }
    (known.relayed, known.relayedSince) = (time, known.relayedSince ?? now)
    (known.answered, known.failures, known.failingSince) = (time, 0, nil)
    known.isUnstored = false
    known.habit = habit ?? known.habit
    feeds[subscription] = known
  }

  /// Records that a hub says when it read a feed, and when it will request it next, nil if it does not say so. Leaves the
  /// feed to the hub, but for a request a day, unless the hub is late.
  package mutating func noteHub(
    _ subscription: SubscriptionID, at read: Timestamp, _ habit: PublishingInterval?, next: Timestamp?, now: Timestamp
  ) {
    // Its clock may be a little ahead.
    guard now.seconds(since: read) > -PollPlan.floor else { return }
    let time = min(read, now)
    noteRelayed(subscription, at: time, habit, now: now)
    let known = feeds[subscription] ?? FeedState()
    let usual = time.adding(seconds: known.gap(at: now))
    // One whose news is announced to the hub is due later than it usually would be.
    let due = max(usual, min(next ?? usual, time.adding(seconds: PublishingInterval.longest)))
    guard now.seconds(since: due) < PollState.hubGrace else { return }
    pushed[subscription] = now.adding(seconds: 1)
    hubPolls[subscription] = next ?? PollPlan.earliestDue(known, since: time)
  }

  /// How much later than due a hub may request a feed, in seconds: it looks every 17 minutes, and a poll takes time.
  private static let hubGrace: Int64 = 1800

  /// Records a request without a stored result, unless a later one, or its response, is known.
  package mutating func noteUnstored(_ subscription: SubscriptionID, at time: Timestamp) {
    var known = feeds[subscription] ?? FeedState()
    guard known.requested.map({ $0 <= time }) ?? true, known.answered.map({ $0 < time }) ?? true else { return }
    (known.requested, known.isUnstored) = (time, true)
    feeds[subscription] = known
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
  package var lastOutcome: String
  /// Whether the response gives no information about the name, such as a 500.
  package var isUndecided: Bool

  package init(requested: Timestamp, lastOutcome: String, isUndecided: Bool = false) {
    (self.requested, self.lastOutcome, self.isUndecided) = (requested, lastOutcome, isUndecided)
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
