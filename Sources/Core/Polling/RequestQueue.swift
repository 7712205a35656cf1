/// A run's pending requests: their order, their pace, and the number in flight.
///
/// Order: requests that may fill a gap, then the plan's feeds, then, when all of these have completed, one retry of
/// transient failures.
struct RequestQueue: Equatable, Sendable {
  private let pace: PollRun.Pace
  /// When the next request may be sent, in milliseconds of a monotonic clock.
  private var nextAt = 0
  /// The number of requests in flight.
  private(set) var inFlight = 0
  /// The feeds not requested yet, next one last.
  private(set) var feeds: [FeedRequest]
  /// Transient failures, to be retried at the end.
  private var again: [FeedRequest] = []
  private var repeated: Set<SubscriptionID> = []
  /// Requests that may fill a gap, in addition to the plan's feeds; and those of them not sent yet.
  private var fillings: Set<FeedRequest> = []
  private var waitingFillings: [FeedRequest] = []

  /// A queue of a plan's requests, in order.
  init(_ feedRequests: [FeedRequest], pace: PollRun.Pace) {
    self.pace = pace
    feeds = feedRequests.reversed()
  }

  /// Whether no requests are left.
  var isEmpty: Bool { !hasFeeds && waitingFillings.isEmpty }

  /// Whether any of the plan's feeds is left, including retries.
  var hasFeeds: Bool { !feeds.isEmpty || !again.isEmpty }

  /// Whether a request is to fill a gap; its failure counts against no channel.
  func isFilling(_ feedRequest: FeedRequest) -> Bool { fillings.contains(feedRequest) }

  /// Whether a feed failed transiently and was, or will be, retried.
  func isRepeated(_ subscription: SubscriptionID) -> Bool { repeated.contains(subscription) }

  // MARK: Out

  /// The next step; see `PollRun.next`. Requests that fill gaps wait during a probe.
  mutating func next(at steady: Int, jitter: Double, isProbing: Bool) -> PollRun.Step {
    if feeds.isEmpty, waitingFillings.isEmpty, inFlight == 0, !again.isEmpty {
      feeds = again.reversed()
      again = []
    }
    let isFilling = !isProbing && !waitingFillings.isEmpty
    guard isFilling || !feeds.isEmpty else { return inFlight > 0 ? .idle : .done }
    guard inFlight < pace.jobs else { return .idle }
    guard steady >= nextAt else { return .wait(nextAt - steady) }
    if pace.rate > 0 { nextAt = steady + Int(1000 / pace.rate * (0.5 + jitter)) }
    inFlight += 1
    return .ask(isFilling ? waitingFillings.removeLast() : feeds.removeLast())
  }

  /// Records that a request has completed.
  mutating func noteAnswered() { inFlight -= 1 }

  // MARK: In

  /// Returns an aborted request to the queue.
  mutating func putBack(_ feedRequest: FeedRequest) {
    inFlight -= 1
    if isFilling(feedRequest) { waitingFillings.append(feedRequest) } else { feeds.append(feedRequest) }
  }

  /// Puts feeds at the front of the queue, the last of them first.
  mutating func requestNext(_ feedRequests: [FeedRequest]) { feeds += feedRequests }

  /// Moves the next matching feed to the front of the queue; returns it, or nil if none matches.
  mutating func requestNext(where isWanted: (FeedRequest) -> Bool) -> FeedRequest? {
    guard let place = feeds.lastIndex(where: isWanted) else { return nil }
    let feedRequest = feeds.remove(at: place)
    feeds.append(feedRequest)
    return feedRequest
  }

  /// Adds requests that may fill a gap.
  mutating func ask(toFill feedRequests: [FeedRequest]) {
    fillings.formUnion(feedRequests)
    waitingFillings += feedRequests
  }

  /// Schedules a retry at the end, unless the feed already had one.
  mutating func repeatAtEnd(_ feedRequest: FeedRequest) {
    if repeated.insert(feedRequest.subscription).inserted { again.append(feedRequest) }
  }

  /// Cancels the retries by this kind of feed.
  mutating func forgetRepeats(of form: FeedForm) { again.removeAll { $0.form == form } }
}

/// A request for one feed.
package struct FeedRequest: Hashable, Sendable {
  package var subscription: SubscriptionID
  package var form: FeedForm

  package init(subscription: SubscriptionID, form: FeedForm) {
    (self.subscription, self.form) = (subscription, form)
  }
}
