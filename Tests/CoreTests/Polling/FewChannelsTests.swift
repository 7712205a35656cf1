import Seeded
import TestSupport
import Testing

@testable import Core

private let hour: Int64 = 3600
private let day: Int64 = 24 * hour
private let missing = Polling.missing

/// The conditions for a user who follows a handful of channels, some of them dead.
private struct Following: CustomTestStringConvertible {
  /// The number of followed channels.
  let count: UInt64
  /// How many of them are dead: the last ones.
  let dead: UInt64
  /// When these die; a channel dead from the start never had a good feed.
  let end: Int64
  /// Whether all feeds fail for five hours of each day, and at the start.
  let hasOutages: Bool

  var testDescription: String {
    "\(dead) of \(count) gone \(end == 0 ? "from the start" : "later")\(hasOutages ? ", with outages" : "")"
  }

  static let all = ([2, 3, 6] as [UInt64]).flatMap { count in
    (0..<count).flatMap { dead in
      [0, 2 * day].flatMap { end in
        [false, true].map { Following(count: count, dead: dead, end: end, hasOutages: $0) }
      }
    }
  }

  /// Whether all feeds fail at this many seconds after the start.
  func isFailing(at seconds: Int64) -> Bool { hasOutages && seconds % day < 5 * hour }

  /// Whether a channel is dead at this many seconds after the start.
  func isGone(_ number: UInt64, at seconds: Int64) -> Bool { number > count - dead && seconds >= end }
}

/// Ten days of hourly runs over a few channels.
private struct Days {
  private(set) var memory = PollState()
  private(set) var requests = 0
  /// Runs that stopped for an outage when there was none.
  private(set) var falseOutages: [Int64] = []
  /// Runs in which a live channel was blamed.
  private(set) var wronged: [Int64] = []
  /// When each dead channel was first blamed.
  private(set) var blamed: [UInt64: Int64] = [:]

  private let following: Following
  private let state: State
  private var generator: SeededGenerator

  init(_ following: Following, seed: UInt64) {
    self.following = following
    generator = SeededGenerator(seed: seed)
    state = Sample.state(
      (1...following.count).map { number in
        let subscription = Polling.subscription(number)
        return Sample.event(
          Int64(number), .channelFollowed(ChannelFollowed(subscription: subscription, title: nil, tags: nil)))
      })
    for run in 0..<(10 * 24) { poll(Int64(run) * hour + .random(in: 0...300, using: &generator)) }
  }

  private mutating func poll(_ seconds: Int64) {
    let now = Sample.start.adding(seconds: seconds)
    let demand = PollPlan.Demand(subscriptions: nil, ignoresGaps: false, ignoresFloor: false)
    let plan = PollPlan(for: demand, state: state, memory: memory, now: now, using: &generator)
    var run = PollRun(plan, memory: memory, pace: PollRun.Pace(rate: 0, jobs: 1))
    while case .ask(let feedRequest) = run.next(at: 0, now: now, jitter: 0) {
      requests += 1
      run.note(outcome(feedRequest, seconds), to: feedRequest, at: now)
    }
    _ = run.finish(at: now)
    memory = run.memory
    if run.isOutage, !following.isFailing(at: seconds) { falseOutages.append(seconds) }
    for number in 1...following.count where memory.feeds[Polling.subscription(number)]?.failures ?? 0 > 0 {
      if following.isGone(number, at: seconds) {
        blamed[number] = blamed[number] ?? seconds
      } else {
        wronged.append(seconds)
      }
    }
  }

  private func outcome(_ feedRequest: FeedRequest, _ seconds: Int64) -> FeedOutcome {
    let number = (1...following.count).first { Polling.subscription($0) == feedRequest.subscription } ?? 0
    if following.isFailing(at: seconds) || following.isGone(number, at: seconds) { return missing }
    // The channels publish every day, or every few weeks.
    let interval = Int64(number) * Int64(number) * day
    let newest = Sample.start.adding(seconds: (seconds / interval) * interval - hour)
    return .feed(PublishingInterval(newest: newest, interval: interval), etag: nil, lastModified: nil)
  }
}

@Test("Of a few channels, the dead ones are blamed in time, no others are, and they cause no false outage")
private func fewChannels() {
  for following in Following.all {
    for seed in 0..<2 as Range<UInt64> {
      let days = Days(following, seed: seed)
      #expect(days.wronged.isEmpty, "\(following.testDescription), seed \(seed)")
      // Every run that stopped wrongly had no feed left to compare with.
      #expect(days.falseOutages.count <= 3, "\(following.testDescription), seed \(seed): \(days.falseOutages.count)")
      #expect(days.falseOutages.allSatisfy { $0 < following.end + day }, "\(following.testDescription), \(seed)")
      let gone = Array((1...following.count).suffix(Int(following.dead)))
      #expect(days.blamed.keys.sorted() == gone, "\(following.testDescription), seed \(seed)")
      // A channel that publishes rarely is polled once a day, which may fall into an outage for some days.
      #expect(
        days.blamed.values.allSatisfy { $0 <= following.end + 5 * day }, "\(following.testDescription), seed \(seed)")
      #expect(days.requests < 10 * 24 * Int(following.count), "\(following.testDescription): \(days.requests)")
    }
  }
}

@Test("A feed that never worked is no sign of an outage if another one responds after it")
func neverWell() {
  var memory = PollState.lost(at: Sample.start)
  memory.feeds[Polling.subscription(2)] = FeedState()
  let result = Polling.run(Polling.plan(1...3, probes: 3), memory: memory) {
    $0.subscription == Polling.subscription(1) ? Polling.good : missing
  }
  #expect(result.run.stopped == nil && result.run.memory.pause == nil)
  #expect(result.failing.map(\.subscription) == [Polling.subscription(2), Polling.subscription(3)])
}

@Test("Before a small run declares an outage, it requests one feed that used to work")
func canary() {
  var plan = Polling.plan(1...1)
  plan.canaries = [FeedRequest(subscription: Polling.subscription(2), form: .channel)]
  let isBlamed = Polling.run(plan, memory: Polling.wellMemory(1...2)) {
    $0.subscription == Polling.subscription(2) ? Polling.good : missing
  }
  #expect(isBlamed.requested.count == 2 && isBlamed.run.stopped == nil && isBlamed.run.checked == 1)
  #expect(isBlamed.failing.map(\.subscription) == [Polling.subscription(1)])

  let outage = Polling.run(plan, memory: Polling.wellMemory(1...2)) { _ in missing }
  #expect(outage.run.stopped == .outage && outage.failing.isEmpty && outage.requested.count <= 4)
}

@Test("If only unknown feeds fail, one that used to work decides, and the failing ones are blamed")
func manyUnknown() {
  var plan = Polling.plan(1...14)
  plan.canaries = [FeedRequest(subscription: Polling.subscription(20), form: .channel)]
  let result = Polling.run(plan, memory: Polling.wellMemory(20...20)) {
    $0.subscription == Polling.subscription(20) ? Polling.good : missing
  }
  #expect(result.run.stopped == nil && result.failing.count == 14)
}

@Test("After a backoff, the most recently working feed is requested first, even if it is not due")
func controlAfterPause() {
  var state: [Event] = []
  for number in 1...3 as ClosedRange<UInt64> {
    let followed = ChannelFollowed(subscription: Polling.subscription(number), title: nil, tags: nil)
    state.append(Sample.event(Int64(number), .channelFollowed(followed)))
  }
  var memory = PollState()
  for (number, ago) in [(2, 1200), (3, 1800)] as [(UInt64, Int64)] {
    var feed = FeedState()
    feed.requested = Sample.start.adding(seconds: -ago)
    feed.answered = feed.requested
    feed.habit = PublishingInterval(newest: Sample.start, interval: 60)
    memory.feeds[Polling.subscription(number)] = feed
  }
  memory.pause = Backoff(reason: .outage, since: Sample.start, retry: Sample.start, backoff: 1800)
  var generator = SeededGenerator(seed: 1)
  let demand = PollPlan.Demand(subscriptions: nil, ignoresGaps: false, ignoresFloor: false)
  let plan = PollPlan(
    for: demand, state: Sample.state(state), memory: memory, now: Sample.start, using: &generator)
  #expect(plan.due.map(\.subscription) == [Polling.subscription(2), Polling.subscription(1)] && plan.probes == 1)
  #expect(plan.canaries.map(\.subscription) == [Polling.subscription(3)])
  #expect(plan.notDue == [Polling.subscription(3): .gap])
}
