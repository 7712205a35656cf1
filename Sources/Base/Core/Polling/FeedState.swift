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
  package var lastOutcome: String?
  /// The configured kind of feed, if it was missing.
  package var missing: MissingForm?
  /// The state of the channel's page, checked after the feed had failed for days.
  package var page: PageProbeState?

  package init() {}

  /// Whether it has responded and is not failing.
  package var isWell: Bool { answered != nil && failures == 0 }

  /// Whether the most recent request succeeded.
  package var respondedLast: Bool { answered.map { answered in requested.map { $0 <= answered } ?? true } ?? false }

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
  package mutating func noteWell(_ outcome: String, at now: Timestamp) -> Bool {
    let wasFailing = failures > 0
    answered = now
    lastOutcome = outcome
    failures = 0
    failingSince = nil
    page = nil
    return wasFailing
  }

  /// Records a failure, counted only if the feed is to blame; returns whether the feed was healthy until now.
  package mutating func noteFailure(_ outcome: String, at now: Timestamp, isBlamed: Bool) -> Bool {
    lastOutcome = outcome
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
    if failures == 0, answered != nil, !respondedLast { return PublishingInterval.shortest }
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
