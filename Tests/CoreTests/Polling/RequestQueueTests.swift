import Testing

@testable import Core

private func queue(_ numbers: some Sequence<UInt64>, jobs: Int = 1) -> RequestQueue {
  RequestQueue(Polling.plan(numbers).due, pace: PollRun.Pace(rate: 0, jobs: jobs))
}

extension RequestQueue {
  /// Sends and completes every request, and returns the channel numbers; 0 for a request that fills a gap.
  fileprivate mutating func drain(isProbing: Bool = false) -> [UInt64] {
    var requested: [UInt64] = []
    while case .ask(let feedRequest) = next(at: 0, jitter: 0.5, isProbing: isProbing) {
      noteCompleted()
      requested.append(
        (1...9).first { feedRequest == FeedRequest(subscription: Polling.subscription($0), form: .channel) } ?? 0)
    }
    return requested
  }
}

@Test("A plan's feeds go out in order, after requests that may fill a gap, and retries come last")
func order() {
  var queue = queue(1...3)
  queue.repeatAtEnd(FeedRequest(subscription: Polling.subscription(4), form: .channel))
  queue.ask(toFill: [FeedRequest(subscription: Polling.subscription(5), form: .shorts)])
  #expect(queue.drain() == [0, 1, 2, 3, 4] && queue.isEmpty)
}

@Test("A probe spends no request on a gap")
func probing() {
  var queue = queue(1...2)
  queue.ask(toFill: [FeedRequest(subscription: Polling.subscription(5), form: .shorts)])
  #expect(queue.drain(isProbing: true) == [1, 2] && !queue.hasFeeds && !queue.isEmpty)
}

@Test("A feed is retried once, and only after every other response")
func repeated() {
  var queue = queue(1...1, jobs: 2)
  guard case .ask(let feedRequest) = queue.next(at: 0, jitter: 0, isProbing: false) else { return #expect(Bool(false)) }
  queue.repeatAtEnd(FeedRequest(subscription: Polling.subscription(2), form: .channel))
  #expect(queue.next(at: 0, jitter: 0, isProbing: false) == .idle)
  queue.noteCompleted()
  #expect(queue.drain() == [2])
  queue.repeatAtEnd(FeedRequest(subscription: Polling.subscription(2), form: .channel))
  #expect(queue.drain() == [] && feedRequest.subscription == Polling.subscription(1))
}

@Test("A request put back goes out next")
func putBack() {
  var queue = queue(1...3)
  guard case .ask(let feedRequest) = queue.next(at: 0, jitter: 0, isProbing: false) else { return #expect(Bool(false)) }
  queue.putBack(feedRequest)
  #expect(queue.inFlight == 0 && queue.drain() == [1, 2, 3])
}
