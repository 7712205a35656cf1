import Core

/// What indicates that a feed has moved to another address.
///
/// A permanent redirect is not believed at once: portals of hotels, and servers under maintenance, send them for everything.
/// Nor is an announcement in the feed. Both must be repeated over days, and lead to a feed that has a known entry.
package struct MoveEvidence: Equatable, Sendable {
  /// Who says that it moved.
  package enum Source: String, Sendable {
    /// The server, by permanent redirects, which were followed.
    case redirect
    /// The feed (`itunes:new-feed-url`); nothing was requested there yet.
    case announcement
  }

  package var target: WebURL
  package var source: Source
  /// Responses that said so, one after the other; the first and the last of them.
  package var count: Int
  package var first: Timestamp
  package var last: Timestamp
  /// Whether a feed with a known entry was seen there.
  package var isSame: Bool

  package init(target: WebURL, source: Source, count: Int, first: Timestamp, last: Timestamp, isSame: Bool) {
    (self.target, self.source, self.count) = (target, source, count)
    (self.first, self.last, self.isSame) = (first, last, isSame)
  }

  /// How many responses must say so, and over how many seconds: three days.
  private static let proof: (count: Int, seconds: Int64) = (3, 3 * 86_400)

  /// Whether it was said often and long enough.
  var isLasting: Bool { count >= MoveEvidence.proof.count && last.seconds(since: first) >= MoveEvidence.proof.seconds }

  /// Whether the feed has moved.
  var isProven: Bool { isLasting && isSame }
}

extension WebFeedState {
  /// Takes from a response that was understood whether the feed has moved.
  ///
  /// - Parameter url: where it was requested.
  mutating func noteMove(_ response: WebFeedResponse, from url: WebURL, at now: Timestamp) {
    if let rejected, rejected.until <= now { self.rejected = nil }
    guard let (target, source) = claim(response, from: url) else { return move = nil }
    let isSame =
      switch (source, response.outcome) {
      case (.redirect, .feed(let report)): report.sharesKey
      default: false
      }
    if var known = move, known.target == target, known.source == source {
      known.count += 1
      known.last = now
      known.isSame = known.isSame || isSame
      move = known
    } else {
      move = MoveEvidence(target: target, source: source, count: 1, first: now, last: now, isSame: isSame)
    }
  }

  /// Where a response says that the feed is now; nil if it says nothing that may be followed.
  private func claim(_ response: WebFeedResponse, from url: WebURL) -> (WebURL, MoveEvidence.Source)? {
    if let target = response.permanentURL { return isAcceptable(target, from: url) ? (target, .redirect) : nil }
    switch response.outcome {
    case .feed(let report):
      return report.newURL.flatMap { isAcceptable($0, from: url) ? ($0, .announcement) : nil }
    case .unchanged:
      // The same document still says what it said.
      return move.flatMap { $0.source == .announcement ? ($0.target, .announcement) : nil }
    default: return nil
    }
  }

  private func isAcceptable(_ target: WebURL, from url: WebURL) -> Bool {
    target != url && (target.isSecure || !url.isSecure) && rejected?.url != target
  }

  /// The state after the feed moved from one address to another; the old one stays for 30 days.
  func following(from old: WebURL, to new: WebURL, at now: Timestamp) -> WebFeedState {
    var state = self
    state.url = WebFeedState.hash(of: new)
    state.move = nil
    state.fallback = DatedAddress(url: old, until: now.adding(seconds: WebPace.month))
    return state
  }

  /// The state after the feed turned out to be at its old address still.
  func returning(to old: WebURL, from new: WebURL, at now: Timestamp) -> WebFeedState {
    var state = moved(to: old)
    state.rejected = DatedAddress(url: new, until: now.adding(seconds: WebPace.month))
    return state
  }
}
