/// What a channel's page said about whether the channel is there.
package struct PageMemory: Equatable, Sendable {
  /// When the page was last asked for.
  package var asked: Timestamp
  /// Since when it is missing; nil where it was there.
  package var missingSince: Timestamp?

  package init(asked: Timestamp, missingSince: Timestamp?) {
    self.asked = asked
    self.missingSince = missingSince
  }
}

/// When a channel may be called gone: its feed has failed for days while others were well, and its page, asked at
/// least a day apart, is missing too. A feed's 404 alone proves nothing.
extension FeedMemory {
  /// How long and how often the feed has to have failed before the page is asked: 3 days, 5 runs.
  static let suspicion: (seconds: Int64, failures: Int) = (259_200, 5)
  /// How long the page has to be missing: a day, in seconds.
  static let proof: Int64 = 86_400

  /// Whether the channel's page should be asked now; once a day at most.
  package func needsPage(at now: Timestamp) -> Bool {
    guard let since = failingSince, failures >= FeedMemory.suspicion.failures,
      now.seconds(since: since) >= FeedMemory.suspicion.seconds
    else { return false }
    return page.map { now.seconds(since: $0.asked) >= FeedMemory.proof } ?? true
  }

  /// Takes note of what the page said: whether it is missing.
  package mutating func notePage(isMissing: Bool, at now: Timestamp) {
    page = PageMemory(asked: now, missingSince: isMissing ? page?.missingSince ?? now : nil)
  }

  /// Whether the evidence says that the channel is gone.
  package var isGone: Bool {
    guard let page, let missing = page.missingSince else { return false }
    return failures > 0 && page.asked.seconds(since: missing) >= FeedMemory.proof
  }
}
