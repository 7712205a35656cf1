/// Per-machine polling state. Not logged, because other machines do not need it.
package struct PollState: Equatable, Sendable {
  package var feeds: [SubscriptionID: FeedState] = [:]
  /// Names whose lookup found no channel, by their description.
  package var names: [String: HandleState] = [:]
  /// The backoff after an outage or a block, until a run finds that it is over.
  package var pause: Backoff?

  /// Channels whose news a hub announces until a time, so that a poll a day is enough. Stored by itself.
  package var pushed: [SubscriptionID: Timestamp] = [:]
  /// When a hub requests feeds next, of those that it polls. Not stored: only this minute's answer counts.
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

  /// Records a request of which nothing is stored, unless a later one, or its response, is known.
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
  package var lastAnswer: String
  /// Whether the response gives no information about the name, such as a 500.
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

/// The polling state of one subscription's feed.
package struct FeedState: Equatable, Sendable {
  /// When this device last requested it.
  package var requested: Timestamp?
  /// Whether nothing is stored of that request: it is under way, or the poll was killed, or could not write the log.
  package var isUnstored = false
  /// When a hub last read it, as the hub says, and since when that has been heard.
  package var relayed: Timestamp?
  package var relayedSince: Timestamp?
  /// When a response was last understood, here or by the hub.
  package var answered: Timestamp?
  /// The kind of feed of that response.
  package var form: FeedForm?
  /// The cache validators of that response; YouTube currently sends none.
  package var etag: String?
  package var lastModified: String?
  /// The publishing interval according to that response.
  package var habit: PublishingInterval?
  /// The hub and the topic that the last whole response named.
  package var push: PushSource?
  /// Consecutive failures, counted only in runs in which other feeds worked.
  package var failures = 0
  /// Since when it has been failing; nil while healthy.
  package var failingSince: Timestamp?
  /// The last outcome: `200`, `HTTP 404`, `timed out`.
  package var lastAnswer: String?
  /// The configured kind of feed, if it was missing.
  package var missing: MissingForm?
  /// The state of the channel's page, checked after the feed had failed for days.
  package var page: PageProbeState?

  package init() {}

  /// Whether it has responded and is not failing.
  package var isWell: Bool { answered != nil && failures == 0 }

  /// Whether the most recent request succeeded.
  package var answeredLast: Bool { answered.map { answered in requested.map { $0 <= answered } ?? true } ?? false }

  /// When it was last requested by this device or a hub; nil if never. A time in the future is from before a clock was
  /// set back, and does not count.
  package func lastRequest(at now: Timestamp) -> Timestamp? {
    [requested, relayed].compactMap(\.self).filter { $0 <= now }.max()
  }

  /// How long this device has not requested it itself, in seconds; nil if that is unknown.
  func ownSilence(at now: Timestamp) -> Int64? {
    (requested ?? relayedSince).flatMap { $0 <= now ? now.seconds(since: $0) : nil }
  }

  /// Records a response that was understood; returns whether the feed was failing before.
  package mutating func noteWell(_ answer: String, at now: Timestamp) -> Bool {
    let wasFailing = failures > 0
    answered = now
    lastAnswer = answer
    failures = 0
    failingSince = nil
    page = nil
    return wasFailing
  }

  /// Records a failure, counted only if the feed is to blame; returns whether the feed was healthy until now.
  package mutating func noteFailure(_ answer: String, at now: Timestamp, isBlamed: Bool) -> Bool {
    lastAnswer = answer
    guard isBlamed else { return false }
    let wasWell = failures == 0
    if wasWell { failingSince = now }
    failures += 1
    return wasWell
  }
}

/// A kind of feed that was missing (404), so that the channel's main feed was requested instead.
package struct MissingForm: Equatable, Sendable {
  package var form: FeedForm
  package var at: Timestamp

  package init(form: FeedForm, at: Timestamp) {
    (self.form, self.at) = (form, at)
  }
}

/// A feed's publishing interval, from the dates in its last response.
package struct PublishingInterval: Equatable, Sendable {
  /// The newest `published`.
  package var newest: Timestamp
  /// The median interval between consecutive videos, in seconds; nil if there is only one video.
  package var interval: Int64?

  package init(newest: Timestamp, interval: Int64?) {
    (self.newest, self.interval) = (newest, interval)
  }

  /// Computes the interval of a feed; nil if it has no entries.
  package init?(of feed: Feed) {
    let dates = feed.entries.map(\.published).sorted(by: >)
    guard let newest = dates.first else { return nil }
    let intervals = zip(dates, dates.dropFirst()).map { $0.seconds(since: $1) }.sorted()
    self.init(newest: newest, interval: intervals.isEmpty ? nil : intervals[intervals.count / 2])
  }

  /// The minimum polling interval: one hour, in seconds.
  package static let shortest: Int64 = 3600
  /// The maximum polling interval: one day, in seconds.
  package static let longest: Int64 = 86_400
  /// Requests per expected video: fewer requests find it later.
  static let questionsPerVideo: Int64 = 12

  /// The polling interval at `now`, in seconds, from one hour to one day.
  ///
  /// A twelfth of the usual publishing interval, which grows with an unusually long silence; but at most a quarter of
  /// the time since the newest video, because a channel that has just published often publishes again.
  package func gap(at now: Timestamp) -> Int64 {
    let silence = max(0, now.seconds(since: newest))
    let usual = max(interval ?? silence, silence) / PublishingInterval.questionsPerVideo
    return min(max(min(usual, silence / 4), PublishingInterval.shortest), PublishingInterval.longest)
  }
}

extension FeedState {
  /// The seconds to wait after the last request: 15 minutes if nothing of it is stored. The interval of a failing feed doubles with each further failure,
  /// up to a day. A failure that is not counted, as in an outage, does not cost the feed a whole interval.
  package func gap(at now: Timestamp) -> Int64 {
    if isUnstored { return PollPlan.floor }
    if failures == 0, answered != nil, !answeredLast { return PublishingInterval.shortest }
    let usual = habit?.gap(at: now) ?? (answered == nil ? PublishingInterval.shortest : PublishingInterval.longest)
    guard failures > 1 else { return usual }
    return min(usual << min(failures - 1, 5), PublishingInterval.longest)
  }
}

/// The result of checking whether a channel's page still exists.
package struct PageProbeState: Equatable, Sendable {
  /// When the page was last requested.
  package var requested: Timestamp
  /// Since when the page is missing; nil if it exists.
  package var missingSince: Timestamp?

  package init(requested: Timestamp, missingSince: Timestamp?) {
    (self.requested, self.missingSince) = (requested, missingSince)
  }
}

/// When a channel is considered dead: its feed has failed for days while others worked, and its page was missing in
/// requests at least a day apart. A feed's 404 alone proves nothing.
extension FeedState {
  /// How long and how often the feed must have failed before the page is requested: 3 days (in seconds), 5 runs.
  static let suspicion: (seconds: Int64, failures: Int) = (259_200, 5)
  /// How long the page must have been missing: a day, in seconds.
  static let proof: Int64 = 86_400

  /// Whether to request the channel's page now; at most once a day.
  package func needsPage(at now: Timestamp) -> Bool {
    guard let since = failingSince, failures >= FeedState.suspicion.failures,
      now.seconds(since: since) >= FeedState.suspicion.seconds
    else { return false }
    return page.map { now.seconds(since: $0.requested) >= FeedState.proof } ?? true
  }

  /// Records whether the page is missing.
  package mutating func notePage(isMissing: Bool, at now: Timestamp) {
    page = PageProbeState(requested: now, missingSince: isMissing ? page?.missingSince ?? now : nil)
  }

  /// Whether the evidence shows that the channel is dead.
  package var isGone: Bool {
    guard let page, let missing = page.missingSince else { return false }
    return failures > 0 && page.requested.seconds(since: missing) >= FeedState.proof
  }
}

/// A cache validator (ETag or Last-Modified), kept only if it can be sent back as a header value.
package enum CacheValidator {
  /// The maximum length in bytes; real ones have a few dozen.
  static let limit = 1024

  /// The text if it is a legal HTTP header value (RFC 9110 §5.5) of at most `limit` bytes, else nil.
  package static func sendable(_ text: String?) -> String? {
    guard let text, (1...limit).contains(text.utf8.count) else { return nil }
    return text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 } ? text : nil
  }
}

/// The outcome of a feed request, as far as the poll needs it.
package enum FeedOutcome: Equatable, Sendable {
  /// A feed was parsed; with its cache validators.
  case feed(PublishingInterval?, etag: String?, lastModified: String?)
  /// 304: unchanged.
  case notModified
  /// Any other HTTP status; with the seconds of Retry-After.
  case status(Int, retryAfter: Int64?)
  /// No response, or an incomplete one; with the reason in words for the user.
  case none(String)
  /// The request never left this machine, or reached no server; with the reason in words for the user.
  case unsent(String)
  /// A response that is not the requested channel's feed, with the reason in words for the user, and with the HTTP
  /// status if a complete response was received.
  case damaged(String, status: Int?)
}

extension FeedOutcome {
  /// The outcome in words for the user: `HTTP 404`, `timed out`.
  package var words: String {
    switch self {
    case .feed: "200"
    case .notModified: "304"
    case .status(let status, _): "HTTP \(status)"
    case .none(let words), .unsent(let words), .damaged(let words, _): words
    }
  }

  /// The HTTP status; nil if no response was received.
  package var status: Int? {
    switch self {
    case .feed: 200
    case .notModified: 304
    case .status(let status, _): status
    case .damaged(_, let status): status
    case .none, .unsent: nil
    }
  }

  /// Whether the response was understood.
  var isGood: Bool {
    switch self {
    case .feed, .notModified: true
    case .status, .none, .unsent, .damaged: false
    }
  }

  /// Whether no response was received.
  var isSilence: Bool {
    switch self {
    case .none, .unsent: true
    case .feed, .notModified, .status, .damaged: false
    }
  }

  /// Whether the server cannot know of the request, so that the feed counts as not requested.
  var isUnsent: Bool { if case .unsent = self { true } else { false } }

  /// The server's Retry-After in seconds; nil if absent.
  var retryAfter: Int64? { if case .status(_, let seconds) = self { seconds } else { nil } }

  /// Whether retrying within the run may help: never after a 404, nor if the server sent Retry-After.
  var isPassing: Bool {
    switch self {
    case .status(let status, let seconds): (500..<600).contains(status) && seconds == nil
    case .none, .unsent: true
    case .feed, .notModified, .damaged: false
    }
  }
}
