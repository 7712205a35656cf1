import Testing

@testable import Core

private let now = Sample.start
private let good = FeedAnswer.feed(nil, etag: nil, lastModified: nil)
private let missing = FeedAnswer.status(404, retryAfter: nil)

private func subscription(_ number: UInt64) -> SubscriptionID { .channel(Sample.channel(number)) }

/// A plan that asks these channels in their order.
private func plan(_ numbers: some Sequence<UInt64>, probes: Int = 0, form: FeedForm = .channel) -> PollPlan {
  var generator = SeededGenerator(seed: 1)
  var plan = PollPlan(
    for: PollPlan.Demand(subscriptions: [], ignoresGaps: true, ignoresFloor: true), state: State(),
    memory: PollMemory(), now: now, using: &generator)
  plan.due = numbers.map { FeedQuestion(subscription: subscription($0), form: form) }
  plan.probes = probes
  return plan
}

/// Runs a plan to its end, one question at a time, and returns the run and what it asked.
private func run(
  _ plan: PollPlan, memory: PollMemory = PollMemory(), answer: (FeedQuestion) -> FeedAnswer
) -> (run: PollRun, asked: [FeedQuestion], failing: [PollRun.Failure]) {
  var run = PollRun(plan, memory: memory, pace: PollRun.Pace(rate: 0, jobs: 1))
  var asked: [FeedQuestion] = []
  while case .ask(let question) = run.next(at: 0, now: now, jitter: 0.5) {
    asked.append(question)
    run.note(answer(question), to: question, at: now)
  }
  let failing = run.finish(at: now)
  return (run, asked, failing)
}

/// A memory in which these channels were well a day ago.
private func wellMemory(_ numbers: some Sequence<UInt64>) -> PollMemory {
  var memory = PollMemory()
  for number in numbers {
    _ = memory.feeds[subscription(number), default: FeedMemory()].noteWell("200", at: now.adding(seconds: -86_400))
  }
  return memory
}

@Test("A failing channel among good ones is blamed, once told, and counted from then on")
func oneFails() {
  let answer = { (question: FeedQuestion) in question.subscription == subscription(2) ? missing : good }
  let first = run(plan(1...5), memory: wellMemory(1...5), answer: answer)
  #expect(first.run.checked == 4 && first.run.stopped == nil)
  #expect(first.failing.map(\.subscription) == [subscription(2)])
  let second = run(plan(1...5), memory: first.run.memory, answer: answer)
  #expect(second.failing.isEmpty)
  #expect(second.run.memory.feeds[subscription(2)]?.failures == 2)
  #expect(second.run.memory.feeds[subscription(2)]?.failingSince == now)
  let third = run(plan(1...5), memory: second.run.memory) { _ in good }
  #expect(third.run.recovered == [subscription(2)])
}

@Test("A 404 is not asked again in the same run, an error of the server and a lost answer once")
func repeats() {
  let passing: [UInt64: FeedAnswer] = [2: .status(500, retryAfter: nil), 3: .none("reset"), 4: missing]
  let result = run(plan(1...9), memory: wellMemory(1...9)) { question in
    passing.first { subscription($0.key) == question.subscription }?.value ?? good
  }
  let counts = Dictionary(grouping: result.asked, by: \.subscription).mapValues(\.count)
  #expect(counts[subscription(2)] == 2 && counts[subscription(3)] == 2)
  #expect(counts[subscription(4)] == 1 && counts[subscription(5)] == 1)
  #expect(result.run.failures.count == 3)
}

@Test(
  "When everything fails the run stops early, blames nobody and waits half an hour", arguments: [3, 100] as [UInt64])
func outage(channels: UInt64) {
  let result = run(plan(1...channels), memory: wellMemory(1...channels)) { _ in missing }
  #expect(result.run.stopped == .outage && result.run.isOutage)
  #expect(result.failing.isEmpty)
  #expect(result.asked.count <= 20)
  #expect(result.run.memory.feeds.values.allSatisfy { $0.failures == 0 })
  #expect(result.run.memory.pause?.retry == now.adding(seconds: 1800))
}

@Test("An outage that begins in the middle of a run is noticed, and what came before is kept")
func outageBegins() {
  var count = 0
  let result = run(plan(1...200), memory: wellMemory(1...200)) { _ in
    count += 1
    return count <= 50 ? good : .status(500, retryAfter: nil)
  }
  #expect(result.run.stopped == .outage && result.run.checked == 50)
  #expect(result.asked.count < 50 + 25)
  #expect(result.failing.isEmpty)
}

@Test("One channel in twenty failing for good is no outage", arguments: 0..<20 as Range<UInt64>)
func fewFail(seed: UInt64) {
  var generator = SeededGenerator(seed: seed)
  let order = (1...400 as ClosedRange<UInt64>).shuffled(using: &generator)
  let result = run(plan(order), memory: wellMemory(1...400)) { question in
    (1...20).contains { subscription($0) == question.subscription } ? .status(500, retryAfter: nil) : good
  }
  #expect(result.run.stopped == nil && result.run.checked == 380 && result.failing.count == 20)
}

@Test("An answer that is no feed, whatever its status, is not asked for again in the same run")
func damaged() {
  let astray = FeedAnswer.damaged("too many redirects", status: nil)
  let result = run(plan(1...3), memory: wellMemory(1...3)) { $0.subscription == subscription(2) ? astray : good }
  #expect(result.asked.count == 3 && result.failing == [.init(subscription: subscription(2), answer: astray)])
}

@Test("Validators are remembered with the form of feed they came with")
func formOfValidators() {
  let tagged = FeedAnswer.feed(nil, etag: "\"a\"", lastModified: nil)
  let result = run(plan(1...1, form: .videos), memory: PollMemory()) { _ in tagged }
  let known = result.run.memory.feeds[subscription(1)]
  #expect(known?.etag == "\"a\"" && known?.form == .videos)
}

@Test("Feeds that have failed for long are no sign of an outage")
func oldFailures() {
  var memory = wellMemory(1...20)
  for number in 1...15 as ClosedRange<UInt64> {
    _ = memory.feeds[subscription(number)]?.noteFailure("HTTP 404", at: now, isBlamed: true)
  }
  let result = run(plan(1...20), memory: memory) { question in
    (1...15).contains { subscription($0) == question.subscription } ? missing : good
  }
  #expect(result.run.stopped == nil && result.run.checked == 5)
  #expect(result.run.memory.feeds[subscription(1)]?.failures == 2)
}

@Test("Where the channels' feeds fail but their playlists' work, the run goes on with these")
func otherForm() {
  let result = run(plan(1...40), memory: wellMemory(1...40)) { $0.form == .uploads ? good : missing }
  #expect(result.run.usesOtherForm && result.run.stopped == nil)
  #expect(result.run.checked == 40 && result.run.failures.isEmpty)
  #expect(result.asked.count <= 40 + 20)
}

@Test("After a pause a few good channels are asked first, and the others only when these answer")
func probes() {
  var memory = wellMemory(1...30)
  memory.pause = Pause(reason: .outage, since: now, retry: now, backoff: 3600)
  let failing = run(plan(1...30, probes: 3), memory: memory) { _ in missing }
  #expect(failing.asked.count <= 6)
  #expect(failing.run.memory.pause?.backoff == 7200)
  let well = run(plan(1...30, probes: 3), memory: memory) { _ in good }
  #expect(well.run.checked == 30 && well.run.memory.pause == nil)
}

@Test("The back-off doubles to six hours and no further")
func backoff() {
  var pause: Pause?
  let seconds = (0..<6).map { _ in
    pause = Pause.after(pause, reason: .outage, asked: nil, now: now)
    return pause?.backoff
  }
  #expect(seconds == [1800, 3600, 7200, 14_400, 21_600, 21_600])
}

@Test("A 403 or 429 stops the run at once, blames nobody and keeps to Retry-After")
func refused() {
  let refused = run(plan(1...10), memory: wellMemory(1...10)) { _ in .status(403, retryAfter: nil) }
  #expect(refused.asked.count == 1 && refused.run.stopped == .refused && refused.failing.isEmpty)
  #expect(refused.run.memory.pause?.retry == now.adding(seconds: 14_400))
  let tooMany = run(plan(1...10), memory: wellMemory(1...10)) { _ in .status(429, retryAfter: 7000) }
  #expect(tooMany.asked.count == 1 && tooMany.run.stopped == .tooMany)
  #expect(tooMany.run.memory.pause?.retry == now.adding(seconds: 7000))
}

@Test("Without a network nothing is asked for long, and the next run need not wait")
func offline() {
  let result = run(plan(1...50), memory: wellMemory(1...50)) { _ in .none("no connection") }
  #expect(result.run.stopped == .offline && result.asked.count <= 12)
  #expect(result.run.memory.pause?.retry == now)
}

@Test("A missing form falls back to the channel's own feed in the same run, and is not asked for a week")
func fallback() {
  let result = run(plan(1...3, form: .videos), memory: wellMemory(1...3)) { $0.form == .videos ? missing : good }
  #expect(result.run.checked == 3 && result.run.failures.isEmpty && result.asked.count == 6)
  #expect(result.run.memory.feeds[subscription(1)]?.missing == MissingForm(form: .videos, at: now))
}

@Test("No more questions are in flight than jobs, and none sooner than the pace allows")
func pace() {
  var run = PollRun(plan(1...9), memory: PollMemory(), pace: PollRun.Pace(rate: 2, jobs: 2))
  guard case .ask(let first) = run.next(at: 0, now: now, jitter: 0.5) else { return #expect(Bool(false)) }
  #expect(run.next(at: 100, now: now, jitter: 0.5) == .wait(400))
  guard case .ask = run.next(at: 500, now: now, jitter: 0.5) else { return #expect(Bool(false)) }
  #expect(run.next(at: 5000, now: now, jitter: 0.5) == .idle)
  run.note(good, to: first, at: now)
  guard case .ask = run.next(at: 5000, now: now, jitter: 0.5) else { return #expect(Bool(false)) }
}

@Test("An interrupted run says what is left and blames as far as it came")
func interrupted() {
  var run = PollRun(plan(1...9), memory: wellMemory(1...9), pace: PollRun.Pace(rate: 0, jobs: 1))
  guard case .ask(let question) = run.next(at: 0, now: now, jitter: 0) else { return #expect(Bool(false)) }
  run.stop(.interrupted)
  #expect(run.next(at: 0, now: now, jitter: 0) == .idle)
  run.note(good, to: question, at: now)
  #expect(run.next(at: 0, now: now, jitter: 0) == .done)
  #expect(run.unasked == 8 && run.checked == 1)
}

@Test("A question whose answer was not waited for counts as not asked, and is nobody's failure")
func aborted() {
  var run = PollRun(plan(1...2), memory: wellMemory(1...1), pace: PollRun.Pace(rate: 0, jobs: 2))
  guard case .ask(let question) = run.next(at: 0, now: now, jitter: 0) else { return #expect(Bool(false)) }
  run.stop(.interrupted)
  run.noteAborted(question)
  #expect(run.next(at: 0, now: now, jitter: 0) == .done)
  #expect(run.unasked == 2 && run.finish(at: now).isEmpty)
  #expect(run.memory.feeds[subscription(1)]?.asked == now.adding(seconds: -86_400))
}

/// Questions that may fill a gap of a channel.
private func fillings(of number: UInt64) -> [FeedQuestion] {
  [.videos, .shorts, .live].map { FeedQuestion(subscription: subscription(number), form: $0) }
}

@Test("Questions that fill a gap are no part of a probe, and wait for its end", arguments: [missing, good])
func fillingsAndProbes(ofOthers answer: FeedAnswer) {
  var memory = wellMemory(1...30)
  memory.pause = Pause(reason: .outage, since: now, retry: now, backoff: 3600)
  var run = PollRun(plan(1...30, probes: 3), memory: memory, pace: PollRun.Pace(rate: 0, jobs: 2))
  var asked: [FeedQuestion] = []
  while case .ask(let question) = run.next(at: 0, now: now, jitter: 0.5) {
    asked.append(question)
    run.note(question == asked[0] ? good : answer, to: question, at: now)
    if asked.count == 1 { run.ask(alsoFor: fillings(of: 1)) }
  }
  #expect(asked.prefix(2).allSatisfy { $0.form == .channel })
  #expect(run.stopped == (answer == good ? nil : .outage))
  #expect(asked.count(where: { $0.subscription == subscription(1) && $0.form != .channel }) == (answer == good ? 3 : 0))
}

@Test("Questions that fill a gap do not decide whether the other form of feed works")
func fillingsInOutage() {
  var run = PollRun(plan(1...40), memory: wellMemory(1...40), pace: PollRun.Pace(rate: 0, jobs: 4))
  var open: [FeedQuestion] = []
  var count = 0
  while count < 500 {
    guard case .ask(let question) = run.next(at: 0, now: now, jitter: 0.5) else {
      guard !open.isEmpty else { break }
      let first = open.removeFirst()
      run.note(missing, to: first, at: now)
      continue
    }
    count += 1
    open.append(question)
    if count % 5 == 0 { run.ask(alsoFor: fillings(of: UInt64(count))) }
  }
  #expect(run.stopped == .outage && count < 60)
  #expect(run.finish(at: now).isEmpty && run.memory.feeds.values.allSatisfy { $0.failures == 0 })
}

@Test("While a probe is undecided nobody is blamed")
func undecided() {
  var memory = wellMemory(1...30)
  memory.pause = Pause(reason: .outage, since: now, retry: now, backoff: 3600)
  var run = PollRun(plan(1...30, probes: 3), memory: memory, pace: PollRun.Pace(rate: 0, jobs: 3))
  for answer in [good, missing] {
    guard case .ask(let question) = run.next(at: 0, now: now, jitter: 0.5) else { return #expect(Bool(false)) }
    run.note(answer, to: question, at: now)
  }
  run.stop(.deadline)
  #expect(run.finish(at: now).isEmpty && run.memory.feeds.values.allSatisfy { $0.failures == 0 })
}

@Test("A form of feed that is missing in an outage is asked for again after it")
func fallbackInOutage() {
  let result = run(plan(1...14, form: .videos), memory: wellMemory(1...14)) { _ in missing }
  #expect(result.run.stopped == .outage)
  #expect(result.run.memory.feeds.values.allSatisfy { $0.missing == nil })
}

@Test("Each trouble has a back-off of its own: another one before makes it no longer and no shorter")
func troubles() {
  let offline = run(plan(1...20), memory: wellMemory(1...20)) { _ in .none("no connection") }.run.memory
  let outage = run(plan(1...20), memory: offline) { _ in missing }.run.memory
  #expect(outage.pause?.backoff == 1800)
  let refused = run(plan(1...20), memory: outage) { _ in .status(403, retryAfter: nil) }.run.memory
  #expect(refused.pause?.backoff == 14_400)
  #expect(Pause.after(refused.pause, reason: .outage, asked: nil, now: now).backoff == 1800)
  let lost = PollMemory.lost(at: now).pause
  #expect(Pause.after(lost, reason: .outage, asked: nil, now: now).backoff == 1800)
}

@Test("A network that goes away in the middle of a run is no outage of YouTube's")
func offlineInTheMiddle() {
  var count = 0
  let result = run(plan(1...60), memory: wellMemory(1...60)) { _ in
    count += 1
    return count <= 14 ? good : .none("no connection")
  }
  #expect(result.run.stopped == .offline && result.run.memory.pause?.retry == now && result.failing.isEmpty)
}

@Test("What is not asked is counted once, and not where it failed")
func unasked() {
  let result = run(plan(1...14), memory: wellMemory(1...14)) { _ in .none("no connection") }
  #expect(result.run.unasked + result.run.failureCount == 14)
}
