import Core
import Seeded
import TestSupport
import Testing

@Test("A feed is due at the first moment at which a plan includes it")
func dueMoment() {
  var generator = SeededGenerator(seed: 3)
  let id = Polling.subscription(1)
  var channel = Channel(id: id)
  channel.follows = LWWRegister(true, by: Sample.id(1))
  var state = State()
  state.channels[id] = channel
  var later = 0
  for _ in 0..<300 {
    let known = FeedState.random(using: &generator)
    var memory = PollState()
    memory.feeds[id] = known
    if Bool.random(using: &generator) {
      memory.pushed[id] = Sample.start.adding(seconds: .random(in: 0...250_000, using: &generator))
    }
    func isDue(at time: Timestamp) -> Bool {
      let demand = PollPlan.Demand(subscriptions: nil, ignoresGaps: false, ignoresFloor: false)
      return !PollPlan(for: demand, state: state, memory: memory, now: time, using: &generator).due.isEmpty
    }
    guard let due = PollPlan.due(id, known, pushed: memory.pushed[id]), let requested = known.requested else {
      Issue.record("never due")
      continue
    }
    #expect(isDue(at: due), "\(known)")
    #expect(!isDue(at: due.adding(seconds: -1)), "\(known)")
    let wait = due.seconds(since: requested)
    #expect((900...86_400).contains(wait))
    if wait > 7200 { later += 1 }
  }
  #expect(later > 50)
  #expect(PollPlan.due(id, FeedState(), pushed: nil) == nil)
}

extension FeedState {
  /// The state of a feed that was requested once.
  fileprivate static func random(using generator: inout SeededGenerator) -> FeedState {
    var state = FeedState()
    let requested = Sample.start.adding(seconds: .random(in: 0...100_000, using: &generator))
    state.requested = requested
    if Bool.random(using: &generator) {
      state.answered = requested.adding(seconds: .random(in: -4000...4, using: &generator))
    }
    if Bool.random(using: &generator) { state.failures = .random(in: 0...7, using: &generator) }
    if Bool.random(using: &generator) {
      state.habit = PublishingInterval(
        newest: requested.adding(seconds: -.random(in: 0...2_000_000, using: &generator)),
        interval: Bool.random(using: &generator) ? .random(in: 0...3_000_000, using: &generator) : nil)
    }
    return state
  }
}

@Test("At a shared pace each request waits for its permission")
func sharedPace() {
  var run = PollRun(
    Polling.plan(1...3), memory: PollState(), pace: PollRun.Pace(rate: 2, jobs: 2, isShared: true))
  func next() -> PollRun.Step { run.next(at: 0, now: Sample.start, jitter: 0) }
  #expect(next() == .permission && next() == .permission)
  run.permit()
  guard case .ask(let first) = next() else {
    Issue.record("no request")
    return
  }
  #expect(next() == .permission)
  run.permit()
  guard case .ask = next() else {
    Issue.record("no request")
    return
  }
  #expect(next() == .idle, "as many as may be at once")
  run.note(Polling.good, to: first, at: Sample.start)
  #expect(next() == .permission)
}
