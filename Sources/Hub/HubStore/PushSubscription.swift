/// A subscription at a WebSub hub to the news of a channel, and its next step.
package struct PushSubscription: Equatable, Sendable {
  /// A request whose verification is awaited.
  package enum Request: String, Sendable { case subscribe, unsubscribe }

  /// What to do next.
  package enum Step: Equatable, Sendable {
    case send(Request)
    /// Delete the subscription: it has ended.
    case remove
  }

  package let channel: String
  /// The last part of the callback's path, which cannot be guessed.
  package let callback: String
  /// The key of the signatures, below the 200 bytes of WebSub §5.1.
  package let secret: String
  package let hub: String
  package let topic: String
  package var pending: Request?
  /// When the last request was sent; 0 if none was.
  package var sent: Int64 = 0
  /// When the next one may be sent.
  package var retry: Int64 = 0
  /// Consecutive requests without success.
  package var failures = 0
  /// When the lease ends, and its length; nil without a lease.
  package var lease: (end: Int64, length: Int64)? {
    get { leaseEnd.map { ($0, leaseLength) } }
    set { (leaseEnd, leaseLength) = (newValue?.end, newValue?.length ?? 0) }
  }
  private var leaseEnd: Int64?
  private var leaseLength: Int64 = 0
  /// When news was announced that no poll has fetched yet; nil if none was.
  package var pushed: Int64?

  package init(channel: String, callback: String, secret: String, hub: String, topic: String) {
    (self.channel, self.callback, self.secret, self.hub, self.topic) = (channel, callback, secret, hub, topic)
  }

  /// Whether the hub announces news at a time.
  package func isActive(at now: Int64) -> Bool { leaseEnd.map { $0 > now } ?? false }

  /// How long a verification is awaited before a request counts as failed, and accepted again if it is repeated.
  package static let timeout: Int64 = 3600
  /// The accepted lengths of a lease, seconds: a minute to 30 days.
  private static let leases: ClosedRange<Int64> = 60...2_592_000
  /// The lease to request, as YouTube's hub grants it: five days.
  package static let wantedLease: Int64 = 432_000

  /// What to do at a time; nil if nothing. `isWanted` is whether the channel is followed and has this hub and topic.
  package func next(at now: Int64, isWanted: Bool) -> Step? {
    let isWaiting = pending != nil && now < sent + PushSubscription.timeout
    guard isWanted else {
      guard isActive(at: now), failures < PushSubscription.maxFarewells else { return isWaiting ? nil : .remove }
      if pending == .unsubscribe, isWaiting { return nil }
      // What was granted last does not delay its end.
      return now >= retry || failures == 0 || pending == .subscribe ? .send(.unsubscribe) : nil
    }
    if let lease, now < lease.end - min(86_400, lease.length / 4) { return nil }
    return isWaiting || now < retry ? nil : .send(.subscribe)
  }

  /// The number of failed requests to unsubscribe after which the lease is left to expire.
  private static let maxFarewells = 3

  // MARK: What happens

  /// Records that a request is being sent.
  package mutating func noteSent(_ request: Request, at now: Int64) {
    if pending != request { failures = 0 }
    // Without a verification this is a failure; what verifies it sets both back.
    failures += 1
    (pending, sent, retry) = (request, now, now + PushSubscription.wait(after: failures))
  }

  /// Records that the hub accepted no request, so that no verification will follow.
  package mutating func noteRefused(at now: Int64) {
    pending = nil
    retry = now + PushSubscription.wait(after: failures)
  }

  /// The seconds after a number of failures: 15 minutes, doubled up to a day.
  package static func wait(after failures: Int) -> Int64 { min(86_400, 900 << Int64(min(failures, 10) - 1)) }

  /// Whether to confirm a request to the hub: it was sent, and its verification is awaited; also a second time, if the
  /// hub did not receive the response.
  package func confirms(_ request: Request, topic: String, at now: Int64) -> Bool {
    guard topic == self.topic, now < sent + PushSubscription.timeout else { return false }
    return pending == request || pending == nil && request == .subscribe && isActive(at: now)
  }

  /// Records a verification of a subscription for this many seconds.
  package mutating func noteSubscribed(for seconds: Int64?, at now: Int64) {
    let length = min(
      max(seconds ?? PushSubscription.wantedLease, PushSubscription.leases.lowerBound),
      PushSubscription.leases.upperBound)
    (lease, pending, failures, retry) = ((now + length, length), nil, 0, now + PushSubscription.timeout)
  }

  /// Records the end of announcements: the hub verified the request to unsubscribe, or denies the subscription.
  package mutating func noteEnded(at now: Int64) {
    (lease, pending, retry) = (nil, nil, now + 86_400)
  }
}
