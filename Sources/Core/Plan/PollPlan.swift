/// Which feeds a run asks for, in which order, and why it leaves the others out.
package struct PollPlan: Equatable, Sendable {
  /// The feeds to ask for, shuffled; in a run that begins with probes, those known to be good stand first.
  package var due: [FeedQuestion] = []
  /// The subscriptions left out, by reason.
  package var notDue: [SubscriptionID: Reason] = [:]
  /// How many of the first questions have to be answered well before the others are asked: after a pause.
  package var probes = 0
  /// Feeds that were well and are not due, the likeliest to be well still first: where all fails that is due, one of these
  /// tells an outage from feeds that are gone.
  package var controls: [FeedQuestion] = []

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
    guard !due.isEmpty else { return }
    due.shuffle(using: &generator)
    controls = PollPlan.controls(besides: due, of: state.followed, memory, now: now)
    if memory.pause != nil, !demand.ignoresFloor { beginWithProbes(memory) }
  }

  /// Takes note that feeds were asked though they were not due, to be compared with.
  package mutating func noteAsked(_ controls: [SubscriptionID]) {
    for subscription in controls { notDue[subscription] = nil }
  }

  /// Puts those first whose answers say whether the trouble is over.
  private mutating func beginWithProbes(_ memory: PollMemory) {
    // A feed that failed before says nothing of YouTube; one of which nothing is known may, where nothing better is there.
    let rank = { (question: FeedQuestion) in
      guard let known = memory.feeds[question.subscription] else { return 1 }
      return known.isWell ? 0 : known.failures == 0 ? 1 : 2
    }
    var ranked = [0, 1, 2].map { wanted in due.filter { rank($0) == wanted } }
    let isLatest = { (question: FeedQuestion) in memory.feeds[question.subscription]?.answeredLast == true }
    ranked[0] = ranked[0].filter(isLatest) + ranked[0].filter { !isLatest($0) }
    due = ranked.flatMap { $0 }
    if ranked[0].isEmpty, let control = controls.first {
      controls.removeFirst()
      notDue[control.subscription] = nil
      due.insert(control, at: 0)
      probes = 1
    } else {
      probes = min(PollPlan.probeCount, ranked[0].isEmpty ? ranked[1].count : ranked[0].count)
    }
  }

  /// The feeds beside those due that were well: first those that answered when they were asked last, the latest of them
  /// first, then the others in turn. None that was asked in the last 15 minutes.
  private static func controls(
    besides due: [FeedQuestion], of followed: [Channel], _ memory: PollMemory, now: Timestamp
  ) -> [FeedQuestion] {
    guard due.count < followed.count else { return [] }
    let isDue = Set(due.map(\.subscription))
    var known: [(turn: Int, wait: Int64, question: FeedQuestion)] = []
    for channel in followed {
      guard let feed = memory.feeds[channel.id], feed.isWell, let asked = feed.asked, !isDue.contains(channel.id) else {
        continue
      }
      // One that lies ahead was asked before the clock was set back.
      let since = now.seconds(since: asked)
      guard since >= floor || since < 0 else { continue }
      let question = FeedQuestion(subscription: channel.id, form: form(of: channel, feed, now: now))
      known.append((feed.answeredLast ? 0 : 1, feed.answeredLast ? since : -since, question))
    }
    known.sort { ($0.turn, $0.wait, $0.question.subscription) < ($1.turn, $1.wait, $1.question.subscription) }
    return known.map(\.question)
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
