import Seeded
import TestSupport
import Testing

@testable import Core

private let good = Polling.good
private let missing = Polling.missing

@Suite("Turns of users")
struct TurnsTests {
  @Test("One element of each user comes first, then the next one of each")
  func turns() {
    let users = [Array(1...6), [7, 8], [9]]
    #expect(Array(1...9).inTurns(of: users) { $0 } == [1, 7, 9, 2, 8, 3, 4, 5, 6])
  }

  @Test("What users share comes in the first of their turns, and what no user follows at the end")
  func shared() {
    #expect([1, 2, 3, 4, 5].inTurns(of: [[2, 3, 4], [4, 5]]) { $0 } == [2, 4, 3, 5, 1])
  }

  @Test("A single user's order stays", arguments: [[], [[3, 2, 1]]] as [[[Int]]])
  func single(users: [[Int]]) {
    #expect([1, 2, 3].inTurns(of: users) { $0 } == [1, 2, 3])
  }

  @Test("After a pause a user's invented IDs are not the only probes")
  func probes() {
    let plan = Invented(known: 0).plan(pausedSince: Sample.start.adding(seconds: -1800))
    #expect(plan.probes == 3)
    #expect(plan.due.prefix(3).contains { Invented.isReal($0.subscription) })
  }
}

/// A hub of two users: Ann follows 1,000 channels that do not exist, Bob five that do.
private struct Invented {
  private static let real: ClosedRange<UInt64> = 1...5
  private static let invented: ClosedRange<UInt64> = 101...1100
  private var memory = PollState()
  private var state = State()

  /// The first `known` of Bob's channels responded 20 minutes ago and publish every hour.
  init(known: UInt64) {
    state = Sample.state(
      ([Invented.real, Invented.invented].flatMap { Array($0) }).enumerated().map { position, number in
        let followed = ChannelFollowed(subscription: Polling.subscription(number), title: nil, tags: nil)
        return Sample.event(Int64(position), .channelFollowed(followed))
      })
    for number in Invented.real where number <= known {
      let before = Sample.start.adding(seconds: -4000)
      var feed = FeedState()
      feed.requested = before
      _ = feed.noteWell("200", at: before)
      memory.feeds[Polling.subscription(number)] = feed
    }
  }

  static func isReal(_ subscription: SubscriptionID) -> Bool {
    real.contains { Polling.subscription($0) == subscription }
  }

  func plan(pausedSince: Timestamp? = nil, seed: UInt64 = 1) -> PollPlan {
    var memory = memory
    memory.pause = pausedSince.map { Backoff(reason: .outage, since: $0, retry: Sample.start, backoff: 1800) }
    var demand = PollPlan.Demand(subscriptions: nil, ignoresGaps: false, ignoresFloor: false)
    demand.users = [Invented.invented, Invented.real].map { $0.map(Polling.subscription) }
    var generator = SeededGenerator(seed: seed)
    return PollPlan(for: demand, state: state, memory: memory, now: Sample.start, using: &generator)
  }

  /// Polls all that is due; `fails` is whether Bob's feeds fail too.
  func poll(seed: UInt64 = 1, fails: Bool = false) -> (
    run: PollRun, requested: [FeedRequest], failing: [PollRun.Failure]
  ) {
    Polling.run(plan(seed: seed), memory: memory) { !fails && Invented.isReal($0.subscription) ? good : missing }
  }
}

@Suite("Invented IDs of one user")
struct InventedTests {
  @Test(
    "Invented IDs are no outage, pause nothing and keep no other user's new feeds waiting",
    arguments: 1...20 as ClosedRange)
  func invented(seed: UInt64) {
    let result = Invented(known: 0).poll(seed: seed)
    #expect(result.run.stopped == nil && result.run.memory.pause == nil)
    #expect(result.run.checked == 5 && result.requested.prefix(10).count { Invented.isReal($0.subscription) } == 5)
    #expect(result.failing.count == 1000 && result.failing.allSatisfy { !Invented.isReal($0.subscription) })
  }

  @Test("Invented IDs are to blame also if only known feeds respond beside them", arguments: [1, 3, 5] as [UInt64])
  func known(count: UInt64) {
    let result = Invented(known: count).poll()
    #expect(result.run.stopped == nil && result.run.memory.pause == nil && result.failing.count == 1000)
  }

  @Test("If the feeds fail that worked before, it is an outage as ever, and no feed is blamed", arguments: [1, 3, 5])
  func outage(count: Int) {
    let result = Invented(known: UInt64(count)).poll(fails: true)
    #expect(result.run.stopped == .outage && result.failing.isEmpty && result.requested.count < 60)
    #expect(result.run.memory.pause?.retry == Sample.start.adding(seconds: 1800))
  }

  @Test("If nothing ever responded, nothing shows that feeds work at all")
  func nothing() {
    let result = Invented(known: 0).poll(fails: true)
    #expect(result.run.stopped == .outage && result.failing.isEmpty && result.requested.count < 60)
  }
}
