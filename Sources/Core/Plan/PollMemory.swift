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
