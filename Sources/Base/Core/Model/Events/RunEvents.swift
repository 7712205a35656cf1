/// A poll ended; written once per run, with only *changes* in channels' health.
package struct RunFinished: Equatable, Sendable {
  /// Responses received and understood.
  package var checked: Int
  /// Subscriptions that were not due.
  package var notDue: Int
  package var failed: Int
  /// Subscriptions that were due but not requested, because the run ended early.
  package var unrequested: Int
  package var new: Int
  package var changed: Int
  package var gaps: Int
  /// Whether the feeds as a whole were failing, so that no channel is to blame.
  package var outage: Bool
  /// Why the run ended early; nil if it requested everything that was due.
  package var stopped: StopReason?
  package var milliseconds: Int
  /// Bytes received.
  package var bytes: Int
  /// Subscriptions that began to fail in this run, each as `UC… REASON`.
  package var failing: [String]
  /// Subscriptions that recovered in this run.
  package var recovered: [String]

  package init(
    checked: Int, notDue: Int, failed: Int, new: Int, changed: Int, gaps: Int, outage: Bool, stopped: StopReason?,
    milliseconds: Int, bytes: Int, failing: [String], recovered: [String], unrequested: Int = 0
  ) {
    (self.checked, self.notDue, self.failed, self.unrequested) = (checked, notDue, failed, unrequested)
    (self.new, self.changed, self.gaps, self.outage) = (new, changed, gaps, outage)
    (self.stopped, self.milliseconds, self.bytes, self.failing) = (stopped, milliseconds, bytes, failing)
    self.recovered = recovered
  }
}

/// Why a run ended before requesting everything that was due.
package enum StopReason: String, CaseIterable, Sendable {
  /// The feeds as a whole are failing.
  case outage
  /// No feed could be reached: a network, proxy or DNS failure.
  case offline
  /// HTTP 403: the IP address is blocked.
  case refused
  /// HTTP 429: too many requests.
  case tooMany
  case deadline
  /// Ctrl-C or SIGTERM.
  case interrupted
}

/// A full feed contained no known video, so videos in between may have been missed.
package struct GapFound: Equatable, Sendable {
  package var subscription: SubscriptionID
  /// The newest `published` known before.
  package var after: Timestamp
  /// The oldest `published` in the feed.
  package var before: Timestamp

  package init(subscription: SubscriptionID, after: Timestamp, before: Timestamp) {
    (self.subscription, self.after, self.before) = (subscription, after, before)
  }
}

/// The videos missed in a gap were looked up.
package struct GapClosed: Equatable, Sendable {
  package var subscription: SubscriptionID
  /// The ID of the `gapFound` event.
  package var gap: EventID

  package init(subscription: SubscriptionID, gap: EventID) {
    (self.subscription, self.gap) = (subscription, gap)
  }
}
