import App
import Core
import Platform

/// The polling state of one batch of claimed feeds.
final class SharedPollStore: PollStore {
  private let tables: PollTables
  private let claimed: [SubscriptionID: FeedState]
  /// The pause as the tables have it.
  private var pause: Backoff?

  /// The state of claimed feeds, `pause` being the one whose end this poller finds out.
  init(_ tables: PollTables, _ claimed: [SubscriptionID: FeedState], _ pause: Backoff?) {
    (self.tables, self.claimed, self.pause) = (tables, claimed, pause)
  }

  func now() -> Timestamp { tables.now }

  var sumsUpRuns: Bool { true }

  // Its claim says as much.
  func noteRequest(for _: SubscriptionID, at _: Timestamp) {}

  /// Lets a pause begin or end for all whom it concerns. What became of the feeds is kept by `finish`.
  func write(_ memory: PollState) throws(Failure) {
    guard memory.pause != pause else { return }
    do {
      if let pause = memory.pause { try tables.begin(pause) } else { try tables.resume() }
      pause = memory.pause
    } catch let failure as Failure { throw failure } catch { throw Failure(.disk, "\(error)") }
  }

  /// Stores the results of the feeds, and releases those that were not requested.
  func finish(_ memory: PollState, requested: Set<SubscriptionID>) throws {
    let (done, rest) = claimed.keys.partitioned { memory.feeds[$0] != claimed[$0] || requested.contains($0) }
    let pushed = try tables.pushed(done)
    let results = done.sorted().map { id in
      let state = memory.feeds[id] ?? FeedState()
      // One that was aborted may have left all the same, and one that could not leave is not repeated at once either.
      let isNoted = state.requested != claimed[id]?.requested
      let due = isNoted ? PollPlan.due(id, state, pushed: pushed[id]) : nil
      return (id, state, due ?? tables.now.adding(seconds: PollPlan.floor))
    }
    try tables.finish(results)
    try tables.release(rest)
  }
}

extension Sequence {
  /// The elements that fulfil a condition, and the others.
  fileprivate func partitioned(by isFirst: (Element) -> Bool) -> ([Element], [Element]) {
    reduce(into: ([], [])) { parts, element in
      if isFirst(element) { parts.0.append(element) } else { parts.1.append(element) }
    }
  }
}
