import Core

/// What a run over feeds of any site found about the feeds themselves.
package struct WebRunReport: Sendable {
  /// A feed that has another address now.
  package struct Move: Equatable, Sendable {
    package let feed: PolledFeedID
    package let from: WebURL
    package let to: WebURL

    package init(feed: PolledFeedID, from: WebURL, to: WebURL) { (self.feed, self.from, self.to) = (feed, from, to) }
  }

  /// The feeds that failed, with the outcome as text.
  package var failed: [(feed: PolledFeedID, text: String)] = []
  /// Those of them that worked before, while other feeds of their host work.
  package var failing: [PolledFeedID] = []
  /// Feeds that work again.
  package var recovered: [PolledFeedID] = []
  package var moves: [Move] = []
  /// Feeds of which the publisher says for the first time that they are gone (410): the user decides.
  package var gone: [PolledFeedID] = []
  /// Feeds that have been failing for 30 days now.
  package var probablyGone: [PolledFeedID] = []
  /// Hosts of which all few feeds failed, so that nobody is blamed.
  package var doubted: Set<String> = []
  /// Hosts that are left alone for a while.
  package var paused: [(host: String, pause: Backoff)] = []
  /// Whether this machine had no network: nothing counts. Only then has the run failed; feeds alone never fail it.
  package var isOffline = false

  package init() {}

  /// Forgets what was found about a feed.
  mutating func forget(_ id: PolledFeedID) {
    failed.removeAll { $0.feed == id }
    recovered.removeAll { $0 == id }
    moves.removeAll { $0.feed == id }
  }
}
