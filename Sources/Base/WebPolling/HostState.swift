import Core

/// The polling state of a host group: the servers below one registrable domain.
package struct HostState: Equatable, Sendable {
  /// While nothing is requested there, and why; nil if it may be.
  package var pause: Backoff?

  package init() {}

  /// Whether nothing is to be requested yet.
  package func isPaused(at now: Timestamp) -> Bool { pause?.isActive(at: now) ?? false }

  /// Sets a pause, which doubles while the trouble lasts, up to a day; the server's Retry-After counts if it is longer.
  mutating func pause(for reason: StopReason, retryAfter: Int64?, at now: Timestamp) {
    let before = pause.flatMap { $0.reason == reason ? $0 : nil }
    let first = reason == .refused ? Backoff.refusal : reason == .tooMany ? WebPace.hour : Backoff.shortest
    let limit = reason == .outage ? Backoff.longest : WebPace.day
    let length = min(max(first, (before?.backoff ?? 0) * 2), limit)
    let wait = min(max(length, retryAfter ?? 0), WebPace.day)
    pause = Backoff(reason: reason, since: before?.since ?? now, retry: now.adding(seconds: wait), backoff: length)
  }

  /// Keeps away for as long as the server wants, at most a day.
  mutating func wait(_ seconds: Int64, at now: Timestamp) {
    let retry = now.adding(seconds: min(max(seconds, 1), WebPace.day))
    if let pause, pause.isActive(at: now), pause.retry >= retry { return }
    pause = Backoff(reason: .tooMany, since: pause?.since ?? now, retry: retry, backoff: 0)
  }
}

/// The polling state of all feeds of any site on this machine. Not logged: other machines need none of it.
package struct WebPollState: Equatable, Sendable {
  package var feeds: [PolledFeedID: WebFeedState] = [:]
  /// By registrable domain.
  package var hosts: [String: HostState] = [:]

  package init() {}

  /// Forgets all validators, so that whole feeds are sent again; returns whether there were any.
  package mutating func dropValidators() -> Bool {
    var hadAny = false
    for (id, feed) in feeds where feed.etag != nil || feed.lastModified != nil || feed.digest != nil {
      hadAny = true
      var feed = feed
      (feed.etag, feed.lastModified, feed.digest) = (nil, nil, nil)
      feeds[id] = feed
    }
    return hadAny
  }

  /// The state of these feeds, without those that are followed no longer, and without hosts of which nothing matters.
  package func following(_ ids: some Sequence<PolledFeedID>, at now: Timestamp) -> WebPollState {
    var state = self
    let ids = Set(ids)
    state.feeds = feeds.filter { ids.contains($0.key) }
    state.hosts = hosts.filter { $0.value.pause.map { now.seconds(since: $0.retry) < WebPace.week } ?? false }
    return state
  }
}
