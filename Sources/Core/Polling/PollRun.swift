/// One poll run as a state machine: it receives outcomes and returns the next step. It performs no I/O and reads no
/// clock, so a simulated month drives the same code as the program.
///
/// Sends the plan's requests in order and at the configured pace. Stops at once on a 403 or 429. Retries transient
/// failures once, at the end. On an outage, tries the other kind of feed with a few channels, and switches to it or
/// stops. Failures count against channels only at the end, when it is known that other feeds worked.
package struct PollRun: Sendable {
  /// The next step.
  package enum Step: Equatable, Sendable {
    case ask(FeedRequest)
    /// Send nothing for this many milliseconds.
    case wait(Int)
    /// Send nothing until a response arrives.
    case idle
    case done
  }

  /// The request rate and concurrency.
  package struct Pace: Equatable, Sendable {
    /// Requests per second; 0 for no limit.
    package var rate: Double
    /// The maximum number of concurrent requests.
    package var jobs: Int

    package init(rate: Double, jobs: Int) {
      self.rate = rate
      self.jobs = jobs
    }
  }

  /// A failure that remains at the end of the run.
  package struct Failure: Equatable, Sendable {
    package var subscription: SubscriptionID
    package var answer: FeedOutcome
  }

  package internal(set) var memory: PollState
  /// Why the run sends no more requests; nil while it does.
  package private(set) var stopped: StopReason?
  /// The number of responses that were understood.
  package private(set) var checked = 0
  /// Feeds that recovered in this run.
  package private(set) var recovered: [SubscriptionID] = []
  /// Whether the other kind of feed is requested because the usual one is failing.
  package internal(set) var usesOtherForm = false

  /// The pending requests.
  var queue: RequestQueue
  /// The failures so far, with the requests that failed.
  var failed: [SubscriptionID: (feedRequest: FeedRequest, answer: FeedOutcome)] = [:]
  /// Detects an outage from the recent outcomes.
  var watch = OutageDetector()
  /// The current probe.
  var probe: Probe?
  /// Canary feeds: healthy feeds that are not due. One is requested before weak evidence counts as an outage.
  var canaries: [FeedRequest]
  /// The canary feeds that were requested.
  package internal(set) var canariesRequested: [SubscriptionID] = []
  /// Whether a canary feed failed.
  var hasFailedCanary = false
  /// Feeds that failed while a canary feed worked: to blame, whatever the result of the run.
  var confirmed: Set<SubscriptionID> = []
  /// Kinds of feed that were missing and replaced by the main feed; in `missing` those whose main feed then worked.
  private var suspected: [SubscriptionID: FeedForm] = [:]
  private var missing: [SubscriptionID: MissingForm] = [:]
  /// The longest Retry-After the server sent, in seconds; nil if none.
  private(set) var retryAfter: Int64?

  /// Starts a run of a plan.
  package init(_ plan: PollPlan, memory: PollState, pace: Pace) {
    self.memory = memory
    canaries = plan.canaries
    queue = RequestQueue(plan.due, pace: pace)
    if plan.probes > 0 { probe = Probe(.pauseOver, count: plan.probes) }
  }

  /// The number of planned feeds with neither a response nor a failure.
  package var unrequested: Int { Set(queue.feeds.map(\.subscription)).count { failed[$0] == nil } }

  /// Whether requests remain, if nothing stops the run.
  package var hasRequests: Bool { !queue.isEmpty }

  /// Whether every request was sent and has completed.
  package var isAnswered: Bool { queue.inFlight == 0 && !hasRequests }

  /// The failures so far, by subscription.
  package var failures: [Failure] {
    failed.sorted { $0.key < $1.key }.map { Failure(subscription: $0.key, answer: $0.value.answer) }
  }

  /// The number of failures so far.
  package var failureCount: Int { failed.count }
}

// MARK: Requests

extension PollRun {
  /// The next step; `steady` is milliseconds of any monotonic clock. `jitter`, from 0 to 1, spreads the requests: each
  /// waits for 0.5 to 1.5 times the interval.
  package mutating func next(at steady: Int, now: Timestamp, jitter: Double) -> Step {
    if queue.inFlight == 0 {
      judgeProbe()
      judgeSmallRun()
    }
    guard stopped == nil else { return queue.inFlight > 0 ? .idle : .done }
    // The outcomes of the probe decide what is requested next.
    if let probe, probe.isRequested, queue.inFlight > 0 { return .idle }
    let step = queue.next(at: steady, jitter: jitter, isProbing: probe != nil)
    guard case .ask(let feedRequest) = step, !queue.isFilling(feedRequest) else { return step }
    return .ask(noteRequested(feedRequest, at: now))
  }

  /// Records a request; returns it with the kind of feed to use.
  private mutating func noteRequested(_ feedRequest: FeedRequest, at now: Timestamp) -> FeedRequest {
    var feedRequest = feedRequest
    if usesOtherForm || probe?.purpose == .otherForm, feedRequest.form == .channel { feedRequest.form = .uploads }
    probe?.noteRequested()
    memory.feeds[feedRequest.subscription, default: FeedState()].requested = now
    return feedRequest
  }

  /// Adds requests that may fill a gap, to be sent next.
  package mutating func ask(alsoFor feedRequests: [FeedRequest]) {
    queue.ask(toFill: feedRequests)
  }

  /// Sends no more requests.
  package mutating func stop(_ reason: StopReason) {
    if stopped == nil { stopped = reason }
  }
}

// MARK: Responses

extension PollRun {
  /// Records the outcome of a request.
  package mutating func note(_ answer: FeedOutcome, to feedRequest: FeedRequest, at now: Timestamp) {
    queue.noteAnswered()
    if queue.isFilling(feedRequest), ![403, 429].contains(answer.status) { return }
    if case .status(403, let seconds) = answer { return stop(.refused, feedRequest, answer, seconds) }
    if case .status(429, let seconds) = answer { return stop(.tooMany, feedRequest, answer, seconds) }
    if answer.isGood { noteGood(answer, feedRequest, at: now) } else { noteBad(answer, feedRequest, at: now) }
    judgeProbe()
    if stopped == nil, probe == nil, watch.isOutage { meetOutage() }
  }

  /// Records an aborted request; it counts as never sent.
  package mutating func noteAborted(_ feedRequest: FeedRequest) {
    queue.putBack(feedRequest)
    guard !queue.isFilling(feedRequest) else { return }
    let answered = memory.feeds[feedRequest.subscription]?.answered
    memory.feeds[feedRequest.subscription]?.requested = answered
  }

  /// Discards a response that could not be stored, but not the fact that the feed was requested.
  package mutating func forgetAnswer(of subscription: SubscriptionID, before: FeedState?) {
    var known = before ?? FeedState()
    known.requested = memory.feeds[subscription]?.requested
    memory.feeds[subscription] = known
  }

  private mutating func stop(
    _ reason: StopReason, _ feedRequest: FeedRequest, _ answer: FeedOutcome, _ seconds: Int64?
  ) {
    failed[feedRequest.subscription] = (feedRequest, answer)
    retryAfter = seconds
    stop(reason)
  }

  private mutating func noteGood(_ answer: FeedOutcome, _ feedRequest: FeedRequest, at now: Timestamp) {
    let id = feedRequest.subscription
    checked += 1
    failed[id] = nil
    watch.note(.good, wasWell: wasWell(id))
    probe?.noteAnswer(to: feedRequest, isGood: true)
    if feedRequest.form == .channel, let form = suspected[id] { missing[id] = MissingForm(form: form, at: now) }
    var known = memory.feeds[id] ?? FeedState()
    known.form = feedRequest.form
    if case .feed(let habit, let etag, let lastModified) = answer {
      known.habit = habit
      (known.etag, known.lastModified) = (CacheValidator.sendable(etag), CacheValidator.sendable(lastModified))
    }
    if known.noteWell(answer.words, at: now) { recovered.append(id) }
    memory.feeds[id] = known
  }

  private mutating func noteBad(_ answer: FeedOutcome, _ feedRequest: FeedRequest, at now: Timestamp) {
    let id = feedRequest.subscription
    if fallsBack(from: feedRequest, answer) {
      suspected[id] = feedRequest.form
      return queue.requestNext([FeedRequest(subscription: id, form: .channel)])
    }
    // A feed that was failing already, or a retry, adds no evidence.
    if memory.feeds[id]?.failures ?? 0 == 0, !queue.isRepeated(id) {
      watch.note(answer.isSilence ? .silence : .bad, wasWell: wasWell(id))
    }
    if let seconds = answer.retryAfter { retryAfter = max(retryAfter ?? 0, seconds) }
    probe?.noteAnswer(to: feedRequest, isGood: false)
    if probe == nil, answer.isPassing { queue.repeatAtEnd(feedRequest) }
    failed[id] = (feedRequest, answer)
  }

  private func wasWell(_ id: SubscriptionID) -> Bool { memory.feeds[id]?.isWell == true }

  /// Whether the configured kind of feed is missing, so that the main feed is requested instead: a channel without long
  /// videos has no `UULF…`.
  private func fallsBack(from feedRequest: FeedRequest, _ answer: FeedOutcome) -> Bool {
    guard case .status(404, _) = answer, feedRequest.subscription.channel != nil, !usesOtherForm, probe == nil else {
      return false
    }
    return feedRequest.form != .channel && feedRequest.form != .playlist
  }
}

// MARK: The end

extension PollRun {
  /// Whether the run stopped because the feeds as a whole were failing.
  package var isOutage: Bool { stopped == .outage || stopped == .offline }

  /// Ends the run: counts failures against channels if other feeds worked, and sets or lifts the backoff. Returns the
  /// feeds that were healthy before and are failing now.
  package mutating func finish(at now: Timestamp) -> [Failure] {
    // While a probe is undecided nobody knows whether the channels are at fault.
    let isBlamed = !isOutage && stopped != .refused && stopped != .tooMany && checked > 0 && probe == nil
    setPause(at: now)
    if isBlamed { for (id, form) in missing { memory.feeds[id]?.missing = form } }
    var failing: [Failure] = []
    for failure in failures {
      let wasWell = memory.feeds[failure.subscription, default: FeedState()].noteFailure(
        failure.answer.words, at: now, isBlamed: isBlamed || confirmed.contains(failure.subscription))
      if wasWell { failing.append(failure) }
    }
    return failing
  }

  private mutating func setPause(at now: Timestamp) {
    switch stopped {
    case .outage, .refused, .tooMany:
      memory.pause = Backoff.after(memory.pause, reason: stopped ?? .outage, requested: retryAfter, now: now)
    case .offline:
      // The network may return at any time: the next run need not wait, but starts with a few probes.
      let since = memory.pause.flatMap { $0.reason == .offline ? $0.since : nil } ?? now
      memory.pause = Backoff(reason: .offline, since: since, retry: now, backoff: 0)
    case .deadline, .interrupted, nil:
      if checked > 0 { memory.pause = nil }
    }
  }
}
