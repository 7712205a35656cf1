/// Which feeds a run asks for, in which order, and why it leaves the others out.
package struct PollPlan: Equatable, Sendable {
  /// The feeds to ask for, shuffled.
  package var due: [FeedQuestion] = []
  /// The subscriptions left out, by reason.
  package var notDue: [SubscriptionID: Reason] = [:]

  /// Why a subscription is not asked in this run.
  package enum Reason: Equatable, Sendable {
    /// It was asked less than 15 minutes ago: YouTube would answer with the same bytes.
    case fresh
    /// Its own gap is not over: it seldom posts.
    case gap(until: Timestamp)
    /// An outage's back-off is not over.
    case outage(until: Timestamp)
  }

  /// What the person asked for.
  package struct Demand: Equatable, Sendable {
    /// Only these; nil is all that are followed.
    package var subscriptions: [SubscriptionID]?
    /// Whether the channels' own gaps are ignored.
    package var ignoresGaps: Bool
    /// Whether the 15 minutes and the back-off are ignored too.
    package var ignoresFloor: Bool

    package init(subscriptions: [SubscriptionID]?, ignoresGaps: Bool, ignoresFloor: Bool) {
      self.subscriptions = subscriptions
      self.ignoresGaps = ignoresGaps
      self.ignoresFloor = ignoresFloor
    }
  }

  /// Seconds in which a feed is not asked twice: it is cached that long at YouTube's edge.
  package static let floor: Int64 = 900

  /// The plan of a run at `now`.
  package init(
    for demand: Demand, state: State, memory: PollMemory, now: Timestamp,
    using generator: inout some RandomNumberGenerator
  ) {
    let wanted = demand.subscriptions.map { $0.compactMap { state.channels[$0] } } ?? state.followed
    for channel in wanted {
      if let reason = PollPlan.reasonToWait(for: channel.id, demand: demand, memory: memory, now: now) {
        notDue[channel.id] = reason
      } else {
        due.append(FeedQuestion(subscription: channel.id, form: channel.feed))
      }
    }
    due.shuffle(using: &generator)
  }

  private static func reasonToWait(
    for id: SubscriptionID, demand: Demand, memory: PollMemory, now: Timestamp
  ) -> Reason? {
    guard !demand.ignoresFloor else { return nil }
    if let outage = memory.outage, now < outage.retry { return .outage(until: outage.retry) }
    // A clock that was set back must not keep a feed waiting: only a past question counts.
    if let asked = memory.feeds[id]?.asked, asked <= now, now.seconds(since: asked) < floor { return .fresh }
    return nil
  }
}
