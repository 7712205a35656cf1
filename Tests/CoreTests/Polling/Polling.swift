import Seeded
import TestSupport

@testable import Core

/// Poll runs without a network.
enum Polling {
  /// The outcome of a feed that was read.
  static let good = FeedOutcome.feed(nil, etag: nil, lastModified: nil)
  /// The outcome of a feed that does not exist.
  static let missing = FeedOutcome.status(404, retryAfter: nil)

  /// The subscription to an invented channel.
  static func subscription(_ number: UInt64) -> SubscriptionID { .channel(Sample.channel(number)) }

  /// A plan that requests these channels in this order.
  static func plan(_ numbers: some Sequence<UInt64>, probes: Int = 0, form: FeedForm = .channel) -> PollPlan {
    var generator = SeededGenerator(seed: 1)
    var plan = PollPlan(
      for: PollPlan.Demand(subscriptions: [], ignoresGaps: true, ignoresFloor: true), state: State(),
      memory: PollState(), now: Sample.start, using: &generator)
    plan.due = numbers.map { FeedRequest(subscription: subscription($0), form: form) }
    plan.probes = probes
    return plan
  }

  /// Runs a plan to its end, one request at a time, and returns the run and its requests.
  static func run(
    _ plan: PollPlan, memory: PollState = PollState(), outcome: (FeedRequest) -> FeedOutcome
  ) -> (run: PollRun, requested: [FeedRequest], failing: [PollRun.Failure]) {
    var run = PollRun(plan, memory: memory, pace: PollRun.Pace(rate: 0, jobs: 1))
    var requested: [FeedRequest] = []
    while case .ask(let feedRequest) = run.next(at: 0, now: Sample.start, jitter: 0.5) {
      requested.append(feedRequest)
      run.note(outcome(feedRequest), to: feedRequest, at: Sample.start)
    }
    let failing = run.finish(at: Sample.start)
    return (run, requested, failing)
  }

  /// A polling state in which these channels worked a day ago.
  static func wellMemory(_ numbers: some Sequence<UInt64>) -> PollState {
    var memory = PollState()
    let yesterday = Sample.start.adding(seconds: -86_400)
    for number in numbers {
      _ = memory.feeds[subscription(number), default: FeedState()].noteWell("200", at: yesterday)
    }
    return memory
  }
}
