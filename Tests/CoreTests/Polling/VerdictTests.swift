import Seeded
import TestSupport
import Testing

@testable import Core

private let good = Polling.good
private let missing = Polling.missing

/// A person's feeds before a poll: some were never requested, the others responded at some time.
private struct Feeds {
  var memory = PollState()
  var state: State
  let count: UInt64

  /// Follows channels, the last `new` of which were never requested; the others responded `ago` seconds before.
  init(_ count: UInt64, new: UInt64, ago: Int64) {
    self.count = count
    state = Sample.state(
      (1...count).map { number in
        let followed = ChannelFollowed(subscription: Polling.subscription(number), title: nil, tags: nil)
        return Sample.event(Int64(number), .channelFollowed(followed))
      })
    for number in 1...count where number <= count - new {
      var feed = FeedState()
      feed.requested = Sample.start.adding(seconds: -ago)
      _ = feed.noteWell("200", at: Sample.start.adding(seconds: -ago))
      memory.feeds[Polling.subscription(number)] = feed
    }
  }

  /// A poll of all that is due, of which the channels in `dead` have this outcome.
  func poll(dead: Set<UInt64>, _ outcome: FeedOutcome = missing) -> (
    run: PollRun, failing: [PollRun.Failure], asked: Int
  ) {
    var generator = SeededGenerator(seed: 3)
    let demand = PollPlan.Demand(subscriptions: nil, ignoresGaps: false, ignoresFloor: false)
    let plan = PollPlan(for: demand, state: state, memory: memory, now: Sample.start, using: &generator)
    let gone = Set(dead.map(Polling.subscription))
    let result = Polling.run(plan, memory: memory) { gone.contains($0.subscription) ? outcome : good }
    return (result.run, result.failing, result.requested.count)
  }

  var all: Set<UInt64> { Set(1...count) }
}

private let minutes: Int64 = 60
private let yesterday: Int64 = 86_400

@Suite("Verdicts on feeds that fail")
struct VerdictTests {
  @Test(
    "A feed that never responded is to blame if others did in the last 15 minutes", arguments: [2, 20, 500] as [UInt64])
  func control(count: UInt64) {
    let result = Feeds(count, new: 1, ago: minutes).poll(dead: [count])
    #expect(result.run.stopped == nil && result.run.memory.pause == nil)
    #expect(result.failing.map(\.subscription) == [Polling.subscription(count)])
    #expect(result.failing.map(\.text) == ["HTTP 404"] && result.asked == 1)
  }

  @Test("Three new dead feeds after good ones are to blame, and nothing pauses", arguments: [20, 500] as [UInt64])
  func threeNew(count: UInt64) {
    let result = Feeds(count, new: 3, ago: minutes).poll(dead: [count, count - 1, count - 2])
    #expect(result.run.stopped == nil && result.run.memory.pause == nil && result.failing.count == 3)
  }

  @Test("Thirty dead feeds from an old list are no outage if others responded minutes ago")
  func oldList() {
    let result = Feeds(50, new: 30, ago: minutes).poll(dead: Set(21...50))
    #expect(result.run.stopped == nil && result.run.memory.pause == nil && result.failing.count == 30)
  }

  @Test("With nothing to compare with, no feed is blamed and none pauses", arguments: [1, 3] as [UInt64])
  func nothingToCompare(count: UInt64) {
    let feeds = Feeds(count, new: count, ago: 0)
    let result = feeds.poll(dead: feeds.all)
    #expect(result.run.hasNothingToCompare && result.run.stopped == nil && result.run.memory.pause == nil)
    #expect(result.failing.isEmpty && result.run.failures.count == Int(count))
    #expect(result.run.failures.allSatisfy { $0.text == "HTTP 404; uploads feed: HTTP 404" })
    #expect(result.run.failures.allSatisfy { $0.outcome.status == 404 })
  }

  @Test("Feeds that worked and fail together are an outage, or may be if others responded shortly before")
  func workedBefore() {
    let outage = Feeds(3, new: 0, ago: yesterday)
    let stopped = outage.poll(dead: outage.all)
    #expect(stopped.run.stopped == .outage && stopped.failing.isEmpty)

    var mixed = Feeds(20, new: 0, ago: minutes)
    for number in [1, 2] as [UInt64] {
      let long = Sample.start.adding(seconds: -yesterday)
      mixed.memory.feeds[Polling.subscription(number)]?.requested = long
      mixed.memory.feeds[Polling.subscription(number)]?.answered = long
    }
    let result = mixed.poll(dead: [1, 2])
    #expect(result.run.stopped == nil && result.run.memory.pause == nil)
    #expect(result.failing.isEmpty && result.run.failures.count == 2, "the outage may have begun since")
  }

  @Test("All failing is an outage for many feeds, also for new ones", arguments: [20, 500] as [UInt64])
  func allFailing(count: UInt64) {
    for new in [0, count] {
      let feeds = Feeds(count, new: new, ago: yesterday)
      let result = feeds.poll(dead: feeds.all)
      #expect(result.run.stopped == .outage && result.failing.isEmpty && result.asked <= 15)
    }
  }

  @Test("A request that left no trace at a server leaves the feed due", arguments: [3, 20] as [UInt64])
  func unsent(count: UInt64) {
    var feeds = Feeds(count, new: count, ago: 0)
    let result = feeds.poll(dead: feeds.all, .unsent("host name not found (DNS)"))
    #expect(result.run.stopped == .offline)
    #expect(result.run.memory.feeds.values.allSatisfy { $0.requested == nil })
    feeds.memory = result.run.memory
    #expect(feeds.poll(dead: []).run.checked == Int(count))
  }

  @Test("An unsent request keeps the time at which the feed was requested before")
  func unsentLater() {
    let feeds = Feeds(3, new: 0, ago: yesterday)
    let result = feeds.poll(dead: feeds.all, .unsent("connection refused"))
    let before = Sample.start.adding(seconds: -yesterday)
    #expect(result.run.memory.feeds.values.allSatisfy { $0.requested == before })
  }

  @Test("A feed that alone cannot be reached is to blame, and its interval counts from now")
  func unreachableAlone() {
    let result = Feeds(20, new: 0, ago: yesterday).poll(dead: [1], .unsent("no connection"))
    #expect(result.failing.map(\.subscription) == [Polling.subscription(1)])
    #expect(result.run.memory.feeds[Polling.subscription(1)]?.requested == Sample.start)
  }

  @Test("A backoff that began in the future, or is longer than a day, is over")
  func clockAhead() {
    let year = Sample.start.adding(seconds: 365 * 86_400)
    #expect(
      !Backoff(reason: .outage, since: year, retry: year.adding(seconds: 1800), backoff: 1800)
        .isActive(at: Sample.start))
    #expect(!Backoff(reason: .tooMany, since: Sample.start, retry: year, backoff: 1800).isActive(at: Sample.start))
    let short = Backoff(reason: .outage, since: Sample.start, retry: Sample.start.adding(seconds: 1800), backoff: 1800)
    #expect(short.isActive(at: Sample.start))
  }

  @Test("A run that is stopped by 429 keeps its backoff before it ends, without responses that are not logged")
  func snapshot() {
    let feeds = Feeds(5, new: 5, ago: 0)
    var run = PollRun(Polling.plan(1...5), memory: feeds.memory, pace: PollRun.Pace(rate: 0, jobs: 3))
    var requests: [FeedRequest] = []
    for _ in 0..<3 {
      guard case .ask(let request) = run.next(at: 0, now: Sample.start, jitter: 0) else { continue }
      requests.append(request)
    }
    run.note(good, to: requests[0], at: Sample.start)
    run.note(.status(429, retryAfter: 3600), to: requests[1], at: Sample.start)
    let kept = run.snapshot(at: Sample.start, without: [(requests[0].subscription, nil)])
    #expect(kept.pause?.retry == Sample.start.adding(seconds: 3600))
    #expect(kept.feeds[requests[0].subscription]?.answered == nil)
    #expect(requests.allSatisfy { kept.feeds[$0.subscription]?.requested == Sample.start })
  }
}
