import Seeded
import TestSupport
import Testing

@testable import Core

private let now = Sample.start
private let day: Int64 = 86_400
private let normal = PollPlan.Demand(subscriptions: nil, ignoresGaps: false, ignoresFloor: false)

private func subscription(_ number: UInt64) -> SubscriptionID { .channel(Sample.channel(number)) }

/// A state that follows some channels.
private func following(_ numbers: ClosedRange<UInt64>) -> State {
  Sample.state(
    numbers.map { number in
      Sample.event(
        Int64(number), .channelFollowed(ChannelFollowed(subscription: subscription(number), title: nil, tags: nil)))
    })
}

/// The polling state of one channel, requested this many seconds ago.
private func memory(requestedBefore seconds: Int64, habit: PublishingInterval? = nil, failures: Int = 0) -> PollState {
  var memory = PollState()
  var feed = FeedState()
  feed.requested = now.adding(seconds: -seconds)
  feed.answered = feed.requested
  feed.habit = habit
  feed.failures = failures
  memory.feeds[subscription(1)] = feed
  return memory
}

private func plan(_ memory: PollState, _ demand: PollPlan.Demand = normal, of state: State = following(1...1))
  -> PollPlan
{
  var generator = SeededGenerator(seed: 7)
  return PollPlan(for: demand, state: state, memory: memory, now: now, using: &generator)
}

@Test("A feed requested before the clock was set back is a canary feed, the last in order")
func controlsAhead() {
  var memory = memory(requestedBefore: 3600)
  memory.feeds[subscription(2)] = memory.feeds[subscription(1)]
  memory.feeds[subscription(2)]?.requested = now.adding(seconds: 7200)
  memory.feeds[subscription(3)] = memory.feeds[subscription(1)]
  memory.feeds[subscription(3)]?.requested = now.adding(seconds: -600)
  memory.feeds[subscription(3)]?.answered = now.adding(seconds: -600)
  let one = PollPlan.Demand(subscriptions: [subscription(4)], ignoresGaps: true, ignoresFloor: true)
  let canaries = plan(memory, one, of: following(1...4)).canaries.map(\.subscription)
  #expect(canaries == [subscription(1), subscription(2)], "and none that was requested ten minutes ago")
}

@Test("A channel never requested is due")
func neverAsked() { #expect(plan(PollState()).due.map(\.subscription) == [subscription(1)]) }

@Test("Nothing is requested twice within 15 minutes, except by force")
func floor() {
  let habit = PublishingInterval(newest: now, interval: 60)
  let named = PollPlan.Demand(subscriptions: [subscription(1)], ignoresGaps: true, ignoresFloor: false)
  let force = PollPlan.Demand(subscriptions: nil, ignoresGaps: true, ignoresFloor: true)
  #expect(plan(memory(requestedBefore: 899, habit: habit), named).notDue == [subscription(1): .fresh])
  #expect(plan(memory(requestedBefore: 901, habit: habit), named).due.count == 1)
  #expect(plan(memory(requestedBefore: 1, habit: habit), force).due.count == 1)
}

@Test("The interval follows the publishing interval, from one hour to one day")
func gaps() {
  #expect(PublishingInterval(newest: now.adding(seconds: -day), interval: day).gap(at: now) == 7200)
  #expect(PublishingInterval(newest: now.adding(seconds: -day), interval: 600).gap(at: now) == 7200)
  #expect(PublishingInterval(newest: now, interval: 7 * day).gap(at: now) == 3600)
  #expect(PublishingInterval(newest: now.adding(seconds: -6 * day), interval: 7 * day).gap(at: now) == 50_400)
  #expect(PublishingInterval(newest: now.adding(seconds: -900 * day), interval: 7 * day).gap(at: now) == day)
}

@Test("A channel whose news are announced is polled once a day while they are, and at once on demand")
func pushed() {
  let often = PublishingInterval(newest: now, interval: 3600)
  func count(
    requestedBefore seconds: Int64, until: Int64, responds: Bool = true, _ demand: PollPlan.Demand = normal
  ) -> Int {
    var memory = memory(requestedBefore: seconds, habit: often)
    if !responds { memory.feeds[subscription(1)]?.answered = now.adding(seconds: -seconds - 1) }
    memory.pushed[subscription(1)] = now.adding(seconds: until)
    return plan(memory, demand).due.count
  }
  #expect(count(requestedBefore: day / 2, until: 60) == 0 && count(requestedBefore: day, until: 60) == 1)
  #expect(count(requestedBefore: day / 2, until: -60) == 1, "the lease is over")
  #expect(count(requestedBefore: 3600, until: 60, responds: false) == 1, "what failed is tried again soon")
  let pushed = PollPlan.Demand(subscriptions: [subscription(1)], ignoresGaps: true, ignoresFloor: false)
  #expect(count(requestedBefore: 900, until: 60, pushed) == 1 && count(requestedBefore: 899, until: 60, pushed) == 0)
}

/// The seconds at which a device that polls each hour, for four days, requests a feed that its hub read `claim` seconds
/// before each of these polls.
private func requests(hubReadBefore claim: (_ at: Int64) -> Int64) -> [Int64] {
  var (memory, requests) = (PollState(), [Int64]())
  var generator = SeededGenerator(seed: 7)
  for at in stride(from: 0, through: 4 * day, by: 3600) {
    let now = now.adding(seconds: at)
    memory.noteRelayed(
      subscription(1), at: now.adding(seconds: -claim(at)), PublishingInterval(newest: now, interval: 3600), now: now)
    memory.pushed[subscription(1)] = now.adding(seconds: 1)
    let plan = PollPlan(for: normal, state: following(1...1), memory: memory, now: now, using: &generator)
    guard !plan.due.isEmpty else { continue }
    requests.append(at)
    memory.feeds[subscription(1)]?.requested = now
    memory.feeds[subscription(1)]?.answered = now
  }
  return requests
}

@Test(
  "Whatever a hub says that it read, a device requests each feed itself once a day",
  arguments: [0, 60, 899, 901, 1800, 3599] as [Int64])
func relayed(claim: Int64) {
  let requests = requests { _ in claim }
  let gaps = zip(requests, [0] + requests).map { $0 - $1 }
  #expect(gaps.count >= 4 && gaps.allSatisfy { (day * 2 / 3...day).contains($0) }, "\(gaps)")
}

@Test("A device requests no feed within 15 minutes of its hub, if another of its polls that day is not")
func relayedManners() {
  // The hub's polls and the device's are within 15 minutes of each other for up to five hours at a time.
  func claim(_ at: Int64) -> Int64 { at % (6 * 3600) < 5 * 3600 ? 300 : 1200 }
  let requests = requests(hubReadBefore: claim)
  #expect(requests.count >= 3 && requests.allSatisfy { claim($0) >= PollPlan.floor }, "\(requests)")
}

@Test("What a hub read is kept apart from this device's own requests")
func relayedApart() {
  var known = memory(requestedBefore: 7200, failures: 2)
  known.noteRelayed(subscription(1), at: now.adding(seconds: -9000), nil, now: now)
  #expect(known.feeds[subscription(1)]?.failures == 2, "it was requested here since")
  known.noteRelayed(subscription(1), at: now.adding(seconds: -60), nil, now: now)
  #expect(known.feeds[subscription(1)]?.requested == now.adding(seconds: -7200))
  #expect(known.feeds[subscription(1)]?.isWell == true && plan(known).notDue == [subscription(1): .fresh])
  // After the clock was set back it is unknown when this device requested it.
  known.feeds[subscription(1)]?.requested = now.adding(seconds: 3600)
  #expect(plan(known).due.count == 1)
}

@Test("The interval is shortened by at most a fifth")
func jitter() {
  let weekly = PublishingInterval(newest: now.adding(seconds: -6 * day), interval: 7 * day)
  #expect(plan(memory(requestedBefore: 50_400 * 4 / 5 - 1, habit: weekly)).notDue == [subscription(1): .gap])
  #expect(plan(memory(requestedBefore: 50_400, habit: weekly)).due.count == 1)
}

@Test("A feed that keeps failing is requested less and less often, but at least once a day")
func failing() {
  let habit = PublishingInterval(newest: now, interval: 60)
  #expect(plan(memory(requestedBefore: 3601, habit: habit, failures: 1)).due.count == 1)
  #expect(plan(memory(requestedBefore: 3601, habit: habit, failures: 4)).notDue == [subscription(1): .gap])
  #expect(plan(memory(requestedBefore: day, habit: habit, failures: 400)).due.count == 1)
}

@Test("Setting the clock back delays nothing")
func clockSetBack() { #expect(plan(memory(requestedBefore: -3600)).due.count == 1) }

@Test("During a backoff nothing is requested; after it, the good feeds come first")
func pause() {
  var known = memory(requestedBefore: day)
  known.pause = Backoff(reason: .outage, since: now, retry: now.adding(seconds: 1), backoff: 1800)
  #expect(plan(known).notDue == [subscription(1): .pause(until: now.adding(seconds: 1))])
  known.pause?.retry = now
  let later = plan(known, of: following(1...9))
  #expect(later.due.first?.subscription == subscription(1) && later.due.count == 9 && later.probes == 1)
  let force = PollPlan.Demand(subscriptions: nil, ignoresGaps: true, ignoresFloor: true)
  #expect(plan(known, force).probes == 0)
}

@Test("The order differs from run to run")
func shuffled() {
  var generator = SeededGenerator(seed: 1)
  let state = following(1...50)
  let plans = (0..<2).map { _ in
    PollPlan(for: normal, state: state, memory: PollState(), now: now, using: &generator)
  }
  #expect(plans[0].due != plans[1].due)
  #expect(Set(plans[0].due.map(\.subscription)).count == 50)
}

@Test("A channel is reported as dead only if its page was missing for a day after its feed had failed for three")
func gone() {
  var feed = FeedState()
  for run in 0..<6 { _ = feed.noteFailure("HTTP 404", at: now.adding(seconds: Int64(run) * day), isBlamed: true) }
  #expect(!feed.needsPage(at: now.adding(seconds: 2 * day)))
  #expect(feed.needsPage(at: now.adding(seconds: 5 * day)) && !feed.isGone)
  feed.notePage(isMissing: true, at: now.adding(seconds: 5 * day))
  #expect(!feed.isGone && !feed.needsPage(at: now.adding(seconds: 5 * day + 60)))
  feed.notePage(isMissing: true, at: now.adding(seconds: 6 * day))
  #expect(feed.isGone)
  feed.notePage(isMissing: false, at: now.adding(seconds: 7 * day))
  #expect(!feed.isGone)
}

@Test("After a backoff, a channel that failed before is not used as a probe")
func failingProbes() {
  var known = memory(requestedBefore: 2 * day, failures: 2)
  known.pause = Backoff(reason: .offline, since: now, retry: now, backoff: 0)
  #expect(plan(known).probes == 0)
  #expect(plan(known, of: following(1...3)).probes == 2)
  #expect(plan(known, of: following(1...3)).due.last?.subscription == subscription(1))
}
