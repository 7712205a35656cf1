/// The result of checking whether a channel's page still exists.
package struct PageMemory: Equatable, Sendable {
  /// When the page was last requested.
  package var asked: Timestamp
  /// Since when the page is missing; nil if it exists.
  package var missingSince: Timestamp?

  package init(asked: Timestamp, missingSince: Timestamp?) {
    self.asked = asked
    self.missingSince = missingSince
  }
}

/// When a channel is considered dead: its feed has failed for days while others worked, and its page was missing in
/// requests at least a day apart. A feed's 404 alone proves nothing.
extension FeedMemory {
  /// How long and how often the feed must have failed before the page is requested: 3 days (in seconds), 5 runs.
  static let suspicion: (seconds: Int64, failures: Int) = (259_200, 5)
  /// How long the page must have been missing: a day, in seconds.
  static let proof: Int64 = 86_400

  /// Whether to request the channel's page now; at most once a day.
  package func needsPage(at now: Timestamp) -> Bool {
    guard let since = failingSince, failures >= FeedMemory.suspicion.failures,
      now.seconds(since: since) >= FeedMemory.suspicion.seconds
    else { return false }
    return page.map { now.seconds(since: $0.asked) >= FeedMemory.proof } ?? true
  }

  /// Records whether the page is missing.
  package mutating func notePage(isMissing: Bool, at now: Timestamp) {
    page = PageMemory(asked: now, missingSince: isMissing ? page?.missingSince ?? now : nil)
  }

  /// Whether the evidence shows that the channel is dead.
  package var isGone: Bool {
    guard let page, let missing = page.missingSince else { return false }
    return failures > 0 && page.asked.seconds(since: missing) >= FeedMemory.proof
  }
}
