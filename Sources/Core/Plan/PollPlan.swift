/// Which feeds a run asks for, in which order, and why it leaves the others out.
package struct PollPlan: Equatable, Sendable {
  /// The feeds to ask for, shuffled; in a run that begins with probes, those known to be good stand first.
  package var due: [FeedQuestion] = []
  /// The subscriptions left out, by reason.
  package var notDue: [SubscriptionID: Reason] = [:]
  /// How many of the first questions have to be answered well before the others are asked: after a pause.
  package var probes = 0

  /// Why a subscription is not asked in this run.
  package enum Reason: Hashable, Sendable {
    /// It was asked less than 15 minutes ago: YouTube would answer with the same bytes.
    case fresh
    /// Its own gap is not over: it seldom posts, or it keeps failing.
    case gap
    /// The pause after an outage or a refusal is not over.
    case pause(until: Timestamp)
  }

  /// What the person asked for.
  package struct Demand: Equatable, Sendable {
    /// Only these; nil is all that are followed.
    package var subscriptions: [SubscriptionID]?
    /// Whether the channels' own gaps are ignored.
    package var ignoresGaps: Bool
    /// Whether the 15 minutes and the pause are ignored too.
    package var ignoresFloor: Bool

    package init(subscriptions: [SubscriptionID]?, ignoresGaps: Bool, ignoresFloor: Bool) {
      self.subscriptions = subscriptions
      self.ignoresGaps = ignoresGaps
      self.ignoresFloor = ignoresFloor
    }
  }

  /// Seconds in which a feed is not asked twice: it is cached that long at YouTube's edge.
  package static let floor: Int64 = 900
  /// How many feeds are asked first after a pause.
  package static let probeCount = 3

  /// The plan of a run at `now`.
  package init(
    for demand: Demand, state: State, memory: PollMemory, now: Timestamp,
    using generator: inout some RandomNumberGenerator
  ) {
    let wanted = demand.subscriptions.map { $0.compactMap { state.channels[$0] } } ?? state.followed
    for channel in wanted {
      let known = memory.feeds[channel.id]
      if let reason = PollPlan.reasonToWait(channel.id, known, demand, memory.pause, now: now) {
        notDue[channel.id] = reason
      } else {
        due.append(FeedQuestion(subscription: channel.id, form: PollPlan.form(of: channel, known, now: now)))
      }
    }
    due.shuffle(using: &generator)
    guard memory.pause != nil, !demand.ignoresFloor, !due.isEmpty else { return }
    // A feed that failed before says nothing of YouTube; one of which nothing is known may.
    let rank = { (question: FeedQuestion) in
      guard let known = memory.feeds[question.subscription] else { return 1 }
      return known.isWell ? 0 : known.failures == 0 ? 1 : 2
    }
    due = [0, 1, 2].flatMap { wanted in due.filter { rank($0) == wanted } }
    probes = min(PollPlan.probeCount, due.count { rank($0) < 2 })
  }

  private static func reasonToWait(
    _ id: SubscriptionID, _ known: FeedMemory?, _ demand: Demand, _ pause: Pause?, now: Timestamp
  ) -> Reason? {
    guard !demand.ignoresFloor else { return nil }
    if let pause, now < pause.retry { return .pause(until: pause.retry) }
    // A clock that was set back must not keep a feed waiting: only a past question counts.
    guard let known, let asked = known.asked, asked <= now else { return nil }
    let elapsed = now.seconds(since: asked)
    if elapsed < floor { return .fresh }
    return demand.ignoresGaps || elapsed >= jittered(known.gap(at: now), id, asked) ? nil : .gap
  }

  /// A gap made up to a fifth shorter, differently for each feed and question: so that an hourly timer that comes a
  /// little early does not miss a gap of one hour, and feeds that were asked together part again.
  private static func jittered(_ gap: Int64, _ id: SubscriptionID, _ asked: Timestamp) -> Int64 {
    let mixed = Fingerprint.of("\(id) \(asked.seconds)")
    return gap - gap / 5 * Int64(mixed % 1024) / 1024
  }

  /// How long a missing form of feed is not asked for again: a week, in seconds.
  private static let missingFormMemory: Int64 = 604_800

  /// The form to ask for: the chosen one, unless it was missing of late.
  private static func form(of channel: Channel, _ known: FeedMemory?, now: Timestamp) -> FeedForm {
    guard let missing = known?.missing, missing.form == channel.feed, channel.id.channel != nil,
      now.seconds(since: missing.at) < missingFormMemory
    else { return channel.feed }
    return .channel
  }
}
