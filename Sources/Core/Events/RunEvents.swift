/// A poll ended; written once a run, with only *changes* of channels' health.
package struct RunFinished: Equatable, Sendable {
  /// Answers received and understood.
  package var checked: Int
  /// Subscriptions whose time had not come.
  package var notDue: Int
  package var failed: Int
  package var new: Int
  package var changed: Int
  package var gaps: Int
  /// Whether the feeds as a whole were failing, so that no channel is to blame.
  package var outage: Bool
  /// Why the run ended before everything due was asked.
  package var stopped: StopReason?
  package var milliseconds: Int
  /// Bytes received.
  package var bytes: Int
  /// Subscriptions that were well before and failed now, each as `UC… REASON`.
  package var failing: [String]
  /// Subscriptions that failed before and are well now.
  package var recovered: [String]

  package init(
    checked: Int, notDue: Int, failed: Int, new: Int, changed: Int, gaps: Int, outage: Bool, stopped: StopReason?,
    milliseconds: Int, bytes: Int, failing: [String], recovered: [String]
  ) {
    self.checked = checked
    self.notDue = notDue
    self.failed = failed
    self.new = new
    self.changed = changed
    self.gaps = gaps
    self.outage = outage
    self.stopped = stopped
    self.milliseconds = milliseconds
    self.bytes = bytes
    self.failing = failing
    self.recovered = recovered
  }
}

/// Why a run ended before everything due was asked.
package enum StopReason: String, CaseIterable, Sendable {
  /// The feeds as a whole fail.
  case outage
  /// No feed could be reached at all: the network, the proxy or the name service.
  case offline
  /// 403: the address is blocked.
  case refused
  /// 429: too many requests.
  case tooMany
  case deadline
  /// Ctrl-C or SIGTERM.
  case interrupted
}

/// A full feed shared no video with what was known: there may have been more in between.
package struct GapFound: Equatable, Sendable {
  package var subscription: SubscriptionID
  /// The newest `published` known before.
  package var after: Timestamp
  /// The oldest `published` in the feed.
  package var before: Timestamp

  package init(subscription: SubscriptionID, after: Timestamp, before: Timestamp) {
    self.subscription = subscription
    self.after = after
    self.before = before
  }
}

/// What was missed in a gap has been looked up.
package struct GapClosed: Equatable, Sendable {
  package var subscription: SubscriptionID
  /// The id of the `gapFound`.
  package var gap: EventID

  package init(subscription: SubscriptionID, gap: EventID) {
    self.subscription = subscription
    self.gap = gap
  }
}
