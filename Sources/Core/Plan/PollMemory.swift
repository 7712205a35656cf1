/// What one machine learnt by asking; no event, for it says nothing that another machine would have to know.
package struct PollMemory: Equatable, Sendable {
  package var feeds: [SubscriptionID: FeedMemory] = [:]
  /// Names that were looked up and led to no channel, by their description.
  package var names: [String: NameMemory] = [:]
  /// The pause that YouTube's failing or refusal imposes on this machine, until a run finds that it is over.
  package var pause: Pause?

  package init() {}

  /// What a machine remembers when it remembers nothing: the next run is as careful as one after an outage.
  package static func lost(at now: Timestamp) -> PollMemory {
    var memory = PollMemory()
    memory.pause = Pause(reason: .outage, since: now, retry: now, backoff: 0)
    return memory
  }

  /// What is remembered of what is followed now.
  package func following(_ state: State) -> PollMemory {
    var memory = self
    for id in feeds.keys where state.channels[id]?.isFollowed != true { memory.feeds[id] = nil }
    let waiting = Set(state.unresolved.map(\.handle))
    memory.names = names.filter { waiting.contains($0.key) }
    return memory
  }
}

/// What a machine remembers of one subscription's feed.
package struct FeedMemory: Equatable, Sendable {
  /// When it was last asked for.
  package var asked: Timestamp?
  /// When an answer was last understood.
  package var answered: Timestamp?
  /// The form of feed that it was.
  package var form: FeedForm?
  /// The validators of that answer; YouTube sends none today.
  package var etag: String?
  package var lastModified: String?
  /// How often and how lately it publishes, as that answer said.
  package var habit: PostingHabit?
  /// Failures one after the other, counted only in runs in which others were well.
  package var failures = 0
  /// Since when it fails; nil while it is well.
  package var failingSince: Timestamp?
  /// What the last answer was: `200`, `HTTP 404`, `timed out`.
  package var lastAnswer: String?
  /// A form of feed chosen for it that was missing.
  package var missing: MissingForm?
  /// What the channel's page said when the feed had failed for days.
  package var page: PageMemory?

  package init() {}

  /// Whether its last answer was understood.
  package var isWell: Bool { answered != nil && failures == 0 }

  /// Whether it answered when it was asked last.
  var answeredLast: Bool { answered.map { answered in asked.map { $0 <= answered } ?? true } ?? false }

  /// Takes note of an answer that was understood; returns whether the feed was failing before.
  package mutating func noteWell(_ answer: String, at now: Timestamp) -> Bool {
    let wasFailing = failures > 0
    answered = now
    lastAnswer = answer
    failures = 0
    failingSince = nil
    page = nil
    return wasFailing
  }

  /// Takes note of a failure, which counts only where the feed is to blame; returns whether it was well before and is
  /// not now.
  package mutating func noteFailure(_ answer: String, at now: Timestamp, isBlamed: Bool) -> Bool {
    lastAnswer = answer
    guard isBlamed else { return false }
    let wasWell = failures == 0
    if wasWell { failingSince = now }
    failures += 1
    return wasWell
  }
}

/// What a machine remembers of a name that led to no channel.
package struct NameMemory: Equatable, Sendable {
  /// When it was last looked up.
  package var asked: Timestamp
  /// What the last answer was: `HTTP 404`.
  package var lastAnswer: String

  package init(asked: Timestamp, lastAnswer: String) {
    self.asked = asked
    self.lastAnswer = lastAnswer
  }

  /// Whether it may be looked up again: a page of a megabyte is asked for once a day at most.
  package func isDue(at now: Timestamp) -> Bool { now.seconds(since: asked) >= 86_400 || asked > now }
}

/// A form of feed that was missing (404), so that the channel's own feed was asked for instead.
package struct MissingForm: Equatable, Sendable {
  package var form: FeedForm
  package var at: Timestamp

  package init(form: FeedForm, at: Timestamp) {
    self.form = form
    self.at = at
  }
}

/// A time in which nothing is asked.
package struct Pause: Equatable, Sendable {
  package var reason: StopReason
  /// When the trouble began.
  package var since: Timestamp
  /// When the feeds may be asked again, a few of them first.
  package var retry: Timestamp
  /// The seconds that led there; doubled by the next failing run.
  package var backoff: Int64

  package init(reason: StopReason, since: Timestamp, retry: Timestamp, backoff: Int64) {
    self.reason = reason
    self.since = since
    self.retry = retry
    self.backoff = backoff
  }

  /// The first back-off after an outage: 30 minutes.
  package static let shortest: Int64 = 1800
  /// The longest: 6 hours.
  package static let longest: Int64 = 21_600
  /// After a 403: the blocks that were reported lasted about four hours.
  package static let refusal: Int64 = 14_400

  /// The pause that a failing run leads to; `seconds` is what the server asked for, if it did.
  package static func after(_ previous: Pause?, reason: StopReason, asked seconds: Int64?, now: Timestamp) -> Pause {
    let first = reason == .refused ? refusal : shortest
    // Only the same trouble again is reason to wait longer than the first time.
    let before = previous.flatMap { $0.reason == reason ? $0 : nil }
    let backoff = min(max(first, (before?.backoff ?? 0) * 2), max(longest, first))
    // A Retry-After of years would be as good as an end.
    let wait = max(seconds.map { min($0, 86_400) } ?? 0, backoff)
    return Pause(
      reason: reason, since: before?.since ?? now, retry: now.adding(seconds: wait), backoff: backoff)
  }
}
