/// What one machine learnt by asking; no event, for it says nothing of the subscriptions themselves.
package struct PollMemory: Equatable, Sendable {
  package var feeds: [SubscriptionID: FeedMemory] = [:]
  /// The outage that is going on, as far as this machine knows.
  package var outage: OutageMemory?

  package init() {}
}

/// What a machine remembers of one subscription's feed.
package struct FeedMemory: Equatable, Sendable {
  /// When it was last asked for.
  package var asked: Timestamp?
  /// When an answer was last understood.
  package var answered: Timestamp?
  /// The validators of that answer; YouTube sends none today.
  package var etag: String?
  package var lastModified: String?
  /// Failures one after the other, counted only in runs that were no outage.
  package var failures: Int = 0
  /// Since when it fails; nil while it is well.
  package var failingSince: Timestamp?
  /// What the last answer was: `200`, `404`, `timed out`.
  package var lastAnswer: String?

  package init() {}

  /// Takes note of an answer that was understood; returns whether the feed was failing before.
  package mutating func noteWell(_ answer: String, at now: Timestamp) -> Bool {
    let wasFailing = failures > 0
    answered = now
    lastAnswer = answer
    failures = 0
    failingSince = nil
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

/// What a machine remembers of an outage that is going on.
package struct OutageMemory: Equatable, Sendable {
  package var since: Timestamp
  /// When the feeds may be asked again.
  package var retry: Timestamp
  /// The back-off that led there, in seconds.
  package var backoff: Int64

  package init(since: Timestamp, retry: Timestamp, backoff: Int64) {
    self.since = since
    self.retry = retry
    self.backoff = backoff
  }
}
