import Seeded
import TestSupport
import Testing

@testable import Core

private let now = Sample.start
private let good = Polling.good
private let missing = Polling.missing

@Test(
  "If everything fails, the run stops early, blames no channel and waits half an hour", arguments: [3, 100] as [UInt64])
func outage(channels: UInt64) {
  let result = Polling.run(Polling.plan(1...channels), memory: Polling.wellMemory(1...channels)) { _ in missing }
  #expect(result.run.stopped == .outage && result.run.isOutage)
  #expect(result.failing.isEmpty)
  #expect(result.requested.count <= 20)
  #expect(result.run.memory.feeds.values.allSatisfy { $0.failures == 0 })
  #expect(result.run.memory.pause?.retry == now.adding(seconds: 1800))
}

@Test("An outage that begins in the middle of a run is noticed, and earlier results are kept")
func outageBegins() {
  var count = 0
  let result = Polling.run(Polling.plan(1...200), memory: Polling.wellMemory(1...200)) { _ in
    count += 1
    return count <= 50 ? good : .status(500, retryAfter: nil)
  }
  #expect(result.run.stopped == .outage && result.run.checked == 50)
  #expect(result.requested.count < 50 + 25)
  #expect(result.failing.isEmpty)
}

@Test("One channel in twenty failing permanently is not an outage", arguments: 0..<20 as Range<UInt64>)
func fewFail(seed: UInt64) {
  var generator = SeededGenerator(seed: seed)
  let order = (1...400 as ClosedRange<UInt64>).shuffled(using: &generator)
  let result = Polling.run(Polling.plan(order), memory: Polling.wellMemory(1...400)) { feedRequest in
    (1...20).contains { Polling.subscription($0) == feedRequest.subscription } ? .status(500, retryAfter: nil) : good
  }
  #expect(result.run.stopped == nil && result.run.checked == 380 && result.failing.count == 20)
}

@Test("Feeds that have long been failing are no sign of an outage")
func oldFailures() {
  var memory = Polling.wellMemory(1...20)
  for number in 1...15 as ClosedRange<UInt64> {
    _ = memory.feeds[Polling.subscription(number)]?.noteFailure("HTTP 404", at: now, isBlamed: true)
  }
  let result = Polling.run(Polling.plan(1...20), memory: memory) { feedRequest in
    (1...15).contains { Polling.subscription($0) == feedRequest.subscription } ? missing : good
  }
  #expect(result.run.stopped == nil && result.run.checked == 5)
  #expect(result.run.memory.feeds[Polling.subscription(1)]?.failures == 2)
}

@Test("If channel feeds fail but their playlist feeds work, the run continues with those")
func otherForm() {
  let result = Polling.run(Polling.plan(1...40), memory: Polling.wellMemory(1...40)) {
    $0.form == .uploads ? good : missing
  }
  #expect(result.run.usesOtherForm && result.run.stopped == nil)
  #expect(result.run.checked == 40 && result.run.failures.isEmpty)
  #expect(result.requested.count <= 40 + 20)
}

@Test("After a backoff a few good channels are requested first, and the others only if these respond")
func probes() {
  var memory = Polling.wellMemory(1...30)
  memory.pause = Backoff(reason: .outage, since: now, retry: now, backoff: 3600)
  let failing = Polling.run(Polling.plan(1...30, probes: 3), memory: memory) { _ in missing }
  #expect(failing.requested.count <= 7)
  #expect(failing.run.memory.pause?.backoff == 7200)
  let well = Polling.run(Polling.plan(1...30, probes: 3), memory: memory) { _ in good }
  #expect(well.run.checked == 30 && well.run.memory.pause == nil)
}

@Test("Without a network, nothing is requested for long, and the next run need not wait")
func offline() {
  let result = Polling.run(Polling.plan(1...50), memory: Polling.wellMemory(1...50)) { _ in .none("no connection") }
  #expect(result.run.stopped == .offline && result.requested.count <= 12)
  #expect(result.run.memory.pause?.retry == now)
}

/// Requests that may fill a gap of a channel.
private func fillings(of number: UInt64) -> [FeedRequest] {
  [.videos, .shorts, .live].map { FeedRequest(subscription: Polling.subscription(number), form: $0) }
}

@Test("Requests that fill a gap are not part of a probe, and wait for its end", arguments: [missing, good])
func fillingsAndProbes(ofOthers outcome: FeedOutcome) {
  var memory = Polling.wellMemory(1...30)
  memory.pause = Backoff(reason: .outage, since: now, retry: now, backoff: 3600)
  var run = PollRun(Polling.plan(1...30, probes: 3), memory: memory, pace: PollRun.Pace(rate: 0, jobs: 2))
  var requested: [FeedRequest] = []
  while case .ask(let feedRequest) = run.next(at: 0, now: now, jitter: 0.5) {
    requested.append(feedRequest)
    run.note(feedRequest == requested[0] ? good : outcome, to: feedRequest, at: now)
    if requested.count == 1 { run.ask(alsoFor: fillings(of: 1)) }
  }
  #expect(requested.prefix(2).allSatisfy { $0.form == .channel })
  #expect(run.stopped == (outcome == good ? nil : .outage))
  #expect(
    requested.count(where: { $0.subscription == Polling.subscription(1) && $0.form != .channel })
      == (outcome == good ? 3 : 0))
}

@Test("Requests that fill a gap do not decide whether the other kind of feed works")
func fillingsInOutage() {
  var run = PollRun(Polling.plan(1...40), memory: Polling.wellMemory(1...40), pace: PollRun.Pace(rate: 0, jobs: 4))
  var open: [FeedRequest] = []
  var count = 0
  while count < 500 {
    guard case .ask(let feedRequest) = run.next(at: 0, now: now, jitter: 0.5) else {
      guard !open.isEmpty else { break }
      let first = open.removeFirst()
      run.note(missing, to: first, at: now)
      continue
    }
    count += 1
    open.append(feedRequest)
    if count % 5 == 0 { run.ask(alsoFor: fillings(of: UInt64(count))) }
  }
  #expect(run.stopped == .outage && count < 60)
  #expect(run.finish(at: now).isEmpty && run.memory.feeds.values.allSatisfy { $0.failures == 0 })
}

@Test("While a probe is undecided no channel is blamed")
func undecided() {
  var memory = Polling.wellMemory(1...30)
  memory.pause = Backoff(reason: .outage, since: now, retry: now, backoff: 3600)
  var run = PollRun(Polling.plan(1...30, probes: 3), memory: memory, pace: PollRun.Pace(rate: 0, jobs: 3))
  for outcome in [good, missing] {
    guard case .ask(let feedRequest) = run.next(at: 0, now: now, jitter: 0.5) else { return #expect(Bool(false)) }
    run.note(outcome, to: feedRequest, at: now)
  }
  run.stop(.deadline)
  #expect(run.finish(at: now).isEmpty && run.memory.feeds.values.allSatisfy { $0.failures == 0 })
}

@Test("A kind of feed that is missing in an outage is requested again after it")
func fallbackInOutage() {
  let result = Polling.run(Polling.plan(1...14, form: .videos), memory: Polling.wellMemory(1...14)) { _ in missing }
  #expect(result.run.stopped == .outage)
  #expect(result.run.memory.feeds.values.allSatisfy { $0.missing == nil })
}

@Test("A network failure in the middle of a run is not an outage of YouTube")
func offlineInTheMiddle() {
  var count = 0
  let result = Polling.run(Polling.plan(1...60), memory: Polling.wellMemory(1...60)) { _ in
    count += 1
    return count <= 14 ? good : .none("no connection")
  }
  #expect(result.run.stopped == .offline && result.run.memory.pause?.retry == now && result.failing.isEmpty)
}

@Test("A 503 with Retry-After is not retried, nor requested as another kind of feed, and the backoff is that long")
func retryAfter() {
  for (seconds, pause) in [(7200, 7200), (60, 1800), (999_999, 86_400)] as [(Int64, Int64)] {
    let result = Polling.run(Polling.plan(1...1), memory: Polling.wellMemory(1...1)) { _ in
      .status(503, retryAfter: seconds)
    }
    #expect(result.requested.count == 1 && result.run.stopped == .outage)
    #expect(result.run.memory.pause?.retry == now.adding(seconds: pause))
  }
}
