import Seeded
import TestSupport
import Testing

@testable import Core

private let now = Sample.start

/// Feeds of whose last response nothing is stored.
@Suite("Requests of which nothing is stored")
struct UnstoredTests {
  private let id = Polling.subscription(1)

  private func plan(_ memory: PollState, at time: Timestamp) -> PollPlan {
    var generator = SeededGenerator(seed: 1)
    let followed = ChannelFollowed(subscription: id, title: nil, tags: nil)
    let demand = PollPlan.Demand(subscriptions: nil, ignoresGaps: false, ignoresFloor: false)
    return PollPlan(
      for: demand, state: Sample.state([Sample.event(1, .channelFollowed(followed))]), memory: memory, now: time,
      using: &generator)
  }

  /// The state after a poll whose response, which had validators, could not be stored.
  private func lost(before: FeedState?) -> PollState {
    var memory = PollState()
    memory.feeds[id] = before
    var run = PollRun(Polling.plan(1...1), memory: memory, pace: PollRun.Pace(rate: 0, jobs: 1))
    guard case .ask(let request) = run.next(at: 0, now: now, jitter: 0) else { return memory }
    let under = run.memory.feeds[id]
    #expect(under?.isUnstored == true, "while it is under way")
    let habit = PublishingInterval(newest: now, interval: 864_000)
    run.note(.feed(habit, etag: "new", lastModified: nil), to: request, at: now)
    #expect(run.memory.feeds[id]?.isUnstored == false)
    run.forgetResponse(of: id, before: under)
    return run.memory
  }

  @Test("are due again after 15 minutes, with the validators of the last stored response")
  func due() {
    var before = FeedState()
    (before.requested, before.etag) = (now.adding(seconds: -86_400), "old")
    _ = before.noteWell("200", at: now.adding(seconds: -86_400))
    for known in [nil, before] {
      let memory = lost(before: known)
      #expect(memory.feeds[id]?.etag == known?.etag && memory.feeds[id]?.requested == now)
      #expect(plan(memory, at: now.adding(seconds: 899)).notDue == [id: .unstored])
      #expect(plan(memory, at: now.adding(seconds: 900)).due.count == 1)
      #expect(PollPlan.due(id, memory.feeds[id] ?? FeedState(), pushed: nil) == now.adding(seconds: 900))
    }
  }

  @Test("are added to an older state, and not to one that knows the response")
  func added() {
    var memory = PollState()
    memory.noteUnstored(id, at: now)
    #expect(memory.feeds[id]?.requested == now && memory.feeds[id]?.isUnstored == true)
    var answered = FeedState()
    answered.requested = now
    _ = answered.noteWell("200", at: now)
    memory.feeds[id] = answered
    memory.noteUnstored(id, at: now)
    memory.noteUnstored(id, at: now.adding(seconds: -5))
    #expect(memory.feeds[id] == answered)
  }

  @Test("A request that was aborted leaves the state as it was")
  func aborted() {
    var before = FeedState()
    (before.requested, before.isUnstored) = (now.adding(seconds: -1000), true)
    var memory = PollState()
    memory.feeds[id] = before
    var run = PollRun(Polling.plan(1...1), memory: memory, pace: PollRun.Pace(rate: 0, jobs: 1))
    guard case .ask(let request) = run.next(at: 0, now: now, jitter: 0) else { return #expect(Bool(false)) }
    run.noteAborted(request)
    #expect(run.memory == memory)
  }
}
