/// The polling state of one subscription's feed.
package struct FeedState: Equatable, Sendable {
  /// When it was last requested.
  package var requested: Timestamp?
  /// When a response was last understood.
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
  var answeredLast: Bool { answered.map { answered in requested.map { $0 <= answered } ?? true } ?? false }

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
  /// The seconds to wait after the last request. The interval of a failing feed doubles with each further failure,
  /// up to a day. A failure that is not counted, as in an outage, does not cost the feed a whole interval.
  package func gap(at now: Timestamp) -> Int64 {
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
