import Core

/// Which feeds of any site a run requests, by host, and why it leaves out the others.
package struct WebPlan: Equatable, Sendable {
  /// The feeds to request, by host group: those that waited longest come first.
  package private(set) var due: [String: [PolledFeed]] = [:]
  /// The feeds left out, by reason.
  package private(set) var notDue: [PolledFeedID: Reason] = [:]

  /// Why a run leaves out a feed.
  package enum Reason: Hashable, Sendable {
    /// It was requested less than 15 minutes ago.
    case fresh
    /// Its interval has not elapsed.
    case gap
    /// Its host is left alone until a time.
    case pause(until: Timestamp)
    /// Other feeds of a host that must not be requested often go first.
    case turn
  }

  /// What the user wants requested.
  package struct Demand: Equatable, Sendable {
    /// Only these feeds; nil for all.
    package var feeds: Set<PolledFeedID>?
    /// Whether feeds are requested before their intervals have elapsed.
    package var ignoresGaps: Bool
    /// Whether the 15 minutes and the pauses of hosts are ignored too.
    package var ignoresFloor: Bool

    package init(feeds: Set<PolledFeedID>?, ignoresGaps: Bool, ignoresFloor: Bool) {
      (self.feeds, self.ignoresGaps, self.ignoresFloor) = (feeds, ignoresGaps, ignoresFloor)
    }
  }

  /// Plans a run over the followed feeds.
  package init(_ feeds: [PolledFeed], for demand: Demand, memory: WebPollState, now: Timestamp) {
    for feed in feeds where demand.feeds?.contains(feed.id) ?? true {
      if let reason = WebPlan.reasonToWait(feed, demand, memory, now: now) {
        notDue[feed.id] = reason
      } else {
        due[feed.url.site, default: []].append(feed)
      }
    }
    for host in due.keys { order(host, memory, demand) }
  }

  /// The number of feeds to request.
  package var count: Int { due.values.reduce(0) { $0 + $1.count } }

  private mutating func order(_ host: String, _ memory: WebPollState, _ demand: Demand) {
    var feeds = due[host] ?? []
    feeds.sort { left, right in
      let times = [left, right].map { memory.feeds[$0.id]?.requested ?? Timestamp(seconds: .min) }
      return times[0] == times[1] ? left.id < right.id : times[0] < times[1]
    }
    if WebPace.slowHosts[host] != nil, !demand.ignoresFloor {
      for feed in feeds.dropFirst(WebPace.slowShare) { notDue[feed.id] = .turn }
      feeds = Array(feeds.prefix(WebPace.slowShare))
    }
    due[host] = feeds
  }

  private static func reasonToWait(
    _ feed: PolledFeed, _ demand: Demand, _ memory: WebPollState, now: Timestamp
  ) -> Reason? {
    if demand.ignoresFloor { return nil }
    if !memory.hosts.isEmpty, let host = memory.hosts[feed.url.site], host.isPaused(at: now), let pause = host.pause {
      return .pause(until: pause.retry)
    }
    // A time in the future is of a clock that was set back.
    guard let known = memory.feeds[feed.id], let requested = known.requested, requested <= now else { return nil }
    if now.seconds(since: requested) < PollPlan.floor { return .fresh }
    if demand.ignoresGaps || known.isDue(feed.id, at: now) { return nil }
    // A person gave it another address.
    if let url = known.url, url != WebFeedState.hash(of: feed.url) { return nil }
    return .gap
  }
}
