import TestSupport
import Testing

@testable import Core

private let now = Sample.start
private let good = Polling.good
private let missing = Polling.missing

@Test("A failing channel among good ones is blamed, reported once, and counted from then on")
func oneFails() {
  let outcome = { (feedRequest: FeedRequest) in feedRequest.subscription == Polling.subscription(2) ? missing : good }
  let first = Polling.run(Polling.plan(1...5), memory: Polling.wellMemory(1...5), outcome: outcome)
  #expect(first.run.checked == 4 && first.run.stopped == nil)
  #expect(first.failing.map(\.subscription) == [Polling.subscription(2)])
  let second = Polling.run(Polling.plan(1...5), memory: first.run.memory, outcome: outcome)
  #expect(second.failing.isEmpty)
  #expect(second.run.memory.feeds[Polling.subscription(2)]?.failures == 2)
  #expect(second.run.memory.feeds[Polling.subscription(2)]?.failingSince == now)
  let third = Polling.run(Polling.plan(1...5), memory: second.run.memory) { _ in good }
  #expect(third.run.recovered == [Polling.subscription(2)])
}

@Test("A 404 is not retried in the same run; a server error and a lost response are retried once")
func repeats() {
  let passing: [UInt64: FeedOutcome] = [2: .status(500, retryAfter: nil), 3: .none("reset"), 4: missing]
  let result = Polling.run(Polling.plan(1...9), memory: Polling.wellMemory(1...9)) { feedRequest in
    passing.first { Polling.subscription($0.key) == feedRequest.subscription }?.value ?? good
  }
  let counts = Dictionary(grouping: result.requested, by: \.subscription).mapValues(\.count)
  #expect(counts[Polling.subscription(2)] == 2 && counts[Polling.subscription(3)] == 2)
  #expect(counts[Polling.subscription(4)] == 1 && counts[Polling.subscription(5)] == 1)
  #expect(result.run.failures.count == 3)
}

@Test("A response that is not a feed, whatever its status, is not retried in the same run")
func damaged() {
  let astray = FeedOutcome.damaged("too many redirects", status: nil)
  let result = Polling.run(Polling.plan(1...3), memory: Polling.wellMemory(1...3)) {
    $0.subscription == Polling.subscription(2) ? astray : good
  }
  #expect(
    result.requested.count == 3 && result.failing == [.init(subscription: Polling.subscription(2), outcome: astray)])
}

@Test("Validators are stored with the kind of feed they came with")
func formOfValidators() {
  let tagged = FeedOutcome.feed(nil, etag: "\"a\"", lastModified: nil)
  let result = Polling.run(Polling.plan(1...1, form: .videos), memory: PollState()) { _ in tagged }
  let known = result.run.memory.feeds[Polling.subscription(1)]
  #expect(known?.etag == "\"a\"" && known?.form == .videos)
}

@Test(
  "Only validators that can be sent are stored",
  arguments: [
    ("\u{1}abc", false), ("a\nb", false), ("\u{7f}", false), ("", false), ("W/\"ä\"", true),
    (String(repeating: "x", count: 1025), false), (String(repeating: "x", count: 1024), true),
  ])
func unsendable(text: String, isKept: Bool) {
  let result = Polling.run(Polling.plan(1...1), memory: PollState()) { _ in .feed(nil, etag: text, lastModified: text)
  }
  let known = result.run.memory.feeds[Polling.subscription(1)]
  #expect(known?.etag == (isKept ? text : nil) && known?.lastModified == (isKept ? text : nil))
}

@Test("The backoff doubles up to six hours")
func backoff() {
  var pause: Backoff?
  let seconds = (0..<6).map { _ in
    pause = Backoff.after(pause, reason: .outage, requested: nil, now: now)
    return pause?.backoff
  }
  #expect(seconds == [1800, 3600, 7200, 14_400, 21_600, 21_600])
}

@Test("A 403 or 429 stops the run at once, blames no channel and obeys Retry-After")
func refused() {
  let refused = Polling.run(Polling.plan(1...10), memory: Polling.wellMemory(1...10)) { _ in
    .status(403, retryAfter: nil)
  }
  #expect(refused.requested.count == 1 && refused.run.stopped == .refused && refused.failing.isEmpty)
  #expect(refused.run.memory.pause?.retry == now.adding(seconds: 14_400))
  let tooMany = Polling.run(Polling.plan(1...10), memory: Polling.wellMemory(1...10)) { _ in
    .status(429, retryAfter: 7000)
  }
  #expect(tooMany.requested.count == 1 && tooMany.run.stopped == .tooMany)
  #expect(tooMany.run.memory.pause?.retry == now.adding(seconds: 7000))
}

@Test("A missing kind of feed falls back to the channel feed in the same run, and is not requested for a week")
func fallback() {
  let result = Polling.run(Polling.plan(1...3, form: .videos), memory: Polling.wellMemory(1...3)) {
    $0.form == .videos ? missing : good
  }
  #expect(result.run.checked == 3 && result.run.failures.isEmpty && result.requested.count == 6)
  #expect(result.run.memory.feeds[Polling.subscription(1)]?.missing == MissingForm(form: .videos, at: now))
}

@Test("No more requests are in flight than jobs, and none starts sooner than the pace allows")
func pace() {
  var run = PollRun(Polling.plan(1...9), memory: PollState(), pace: PollRun.Pace(rate: 2, jobs: 2))
  guard case .ask(let first) = run.next(at: 0, now: now, jitter: 0.5) else { return #expect(Bool(false)) }
  #expect(run.next(at: 100, now: now, jitter: 0.5) == .wait(400))
  guard case .ask = run.next(at: 500, now: now, jitter: 0.5) else { return #expect(Bool(false)) }
  #expect(run.next(at: 5000, now: now, jitter: 0.5) == .idle)
  run.note(good, to: first, at: now)
  guard case .ask = run.next(at: 5000, now: now, jitter: 0.5) else { return #expect(Bool(false)) }
}

@Test("An interrupted run reports what is left and blames what it has reached")
func interrupted() {
  var run = PollRun(Polling.plan(1...9), memory: Polling.wellMemory(1...9), pace: PollRun.Pace(rate: 0, jobs: 1))
  guard case .ask(let feedRequest) = run.next(at: 0, now: now, jitter: 0) else { return #expect(Bool(false)) }
  run.stop(.interrupted)
  #expect(run.next(at: 0, now: now, jitter: 0) == .idle)
  run.note(good, to: feedRequest, at: now)
  #expect(run.next(at: 0, now: now, jitter: 0) == .done)
  #expect(run.unrequested == 8 && run.checked == 1)
}

@Test("A request whose response was not awaited counts as not sent, and is not a failure")
func aborted() {
  var run = PollRun(Polling.plan(1...2), memory: Polling.wellMemory(1...1), pace: PollRun.Pace(rate: 0, jobs: 2))
  guard case .ask(let feedRequest) = run.next(at: 0, now: now, jitter: 0) else { return #expect(Bool(false)) }
  run.stop(.interrupted)
  run.noteAborted(feedRequest)
  #expect(run.next(at: 0, now: now, jitter: 0) == .done)
  #expect(run.unrequested == 2 && run.finish(at: now).isEmpty)
  #expect(run.memory.feeds[Polling.subscription(1)]?.requested == now.adding(seconds: -86_400))
}

@Test("Each kind of failure has its own backoff, neither lengthened nor shortened by an earlier one")
func troubles() {
  let offline = Polling.run(Polling.plan(1...20), memory: Polling.wellMemory(1...20)) { _ in .none("no connection") }
    .run.memory
  let outage = Polling.run(Polling.plan(1...20), memory: offline) { _ in missing }.run.memory
  #expect(outage.pause?.backoff == 1800)
  let refused = Polling.run(Polling.plan(1...20), memory: outage) { _ in .status(403, retryAfter: nil) }.run.memory
  #expect(refused.pause?.backoff == 14_400)
  #expect(Backoff.after(refused.pause, reason: .outage, requested: nil, now: now).backoff == 1800)
  let lost = PollState.lost(at: now).pause
  #expect(Backoff.after(lost, reason: .outage, requested: nil, now: now).backoff == 1800)
}

@Test("A feed not requested is counted once, and not also as a failure")
func unrequested() {
  let result = Polling.run(Polling.plan(1...14), memory: Polling.wellMemory(1...14)) { _ in .none("no connection") }
  #expect(result.run.unrequested + result.run.failureCount == 14)
}
