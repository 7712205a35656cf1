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
    /// A request is ready, but the pace is shared: `permit` it once its moment has come.
    case permission
    case done
  }

  /// The request rate and concurrency.
  package struct Pace: Equatable, Sendable {
    /// Requests per second; 0 for no limit.
    package var rate: Double
    /// The maximum number of concurrent requests.
    package var jobs: Int
    /// Whether a shared pace decides when each request may be sent, because other processes send some too.
    package var isShared: Bool

    package init(rate: Double, jobs: Int, isShared: Bool = false) {
      (self.rate, self.jobs, self.isShared) = (rate, jobs, isShared)
    }
  }

  /// A failure that remains at the end of the run.
  package struct Failure: Equatable, Sendable {
    package var subscription: SubscriptionID
    /// The outcome of the kind of feed that was requested first.
    package var outcome: FeedOutcome
    /// The outcome of the feed requested in its place; nil if none was.
    package var substitute: FormOutcome?

    /// The outcomes as text for the user: `HTTP 404`, `HTTP 404; uploads feed: HTTP 500`.
    package var text: String {
      substitute.map { "\(outcome.text); \($0.form.rawValue) feed: \($0.outcome.text)" } ?? outcome.text
    }
  }

  /// The outcome of one kind of feed.
  package struct FormOutcome: Equatable, Sendable {
    package var form: FeedForm
    package var outcome: FeedOutcome
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
  /// Whether everything failed and no feed is known to have worked: it is unknown whether YouTube or the feeds are at
  /// fault.
  package internal(set) var hasNothingToCompare = false

  /// The pending requests.
  var queue: RequestQueue
  /// The failures so far, with the requests that failed.
  var failed: [SubscriptionID: (feedRequest: FeedRequest, outcome: FeedOutcome)] = [:]
  /// The failures of feeds in whose place another kind was requested.
  private var substituted: [SubscriptionID: FormOutcome] = [:]
  /// When each feed of this run was requested before the last time, and whether nothing was stored of that.
  private var requestedBefore: [SubscriptionID: (time: Timestamp?, isUnstored: Bool)] = [:]
  /// Detects an outage from the recent outcomes.
  var watch = OutageDetector()
  /// How the feeds that are known to exist respond.
  var existing = ExistingFeeds()
  /// The current probe.
  var probe: Probe?
  /// Canary feeds: healthy feeds that are not due. One is requested before weak evidence counts as an outage.
  var canaries: [FeedRequest]
  /// The canary feeds that were requested.
  package internal(set) var canariesRequested: [SubscriptionID] = []
  /// Whether a canary feed failed.
  var hasFailedCanary = false
  /// Whether feeds responded shortly before this run.
  let hasControl: Bool
  /// Feeds that failed while others worked: to blame, whatever the result of the run.
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
    hasControl = plan.hasControl
    queue = RequestQueue(plan.due, pace: pace)
    if plan.probes > 0 { probe = Probe(.pauseOver, count: plan.probes) }
  }

  /// The number of planned feeds with neither a response nor a failure.
  package var unrequested: Int { Set(queue.feeds.map(\.subscription)).count { failed[$0] == nil } }

  /// Whether requests remain, if nothing stops the run.
  package var hasRequests: Bool { !queue.isEmpty }

  /// Whether every request was sent and has completed.
  package var isComplete: Bool { queue.inFlight == 0 && !hasRequests }

  /// The failures so far, by subscription.
  package var failures: [Failure] {
    failed.sorted { $0.key < $1.key }.map { id, failure in
      let last = FormOutcome(form: failure.feedRequest.form, outcome: failure.outcome)
      guard let first = substituted[id], first.form != last.form else {
        return Failure(subscription: id, outcome: last.outcome)
      }
      return Failure(subscription: id, outcome: first.outcome, substitute: last)
    }
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
      judgeProbe(at: now)
      judgeSmallRun(at: now)
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
    var known = memory.feeds[feedRequest.subscription] ?? FeedState()
    requestedBefore[feedRequest.subscription] = (known.requested, known.isUnstored)
    (known.requested, known.isUnstored) = (now, true)
    memory.feeds[feedRequest.subscription] = known
    return feedRequest
  }

  /// Permits one request at a shared pace.
  package mutating func permit() { queue.isPermitted = true }

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
  package mutating func note(_ outcome: FeedOutcome, to feedRequest: FeedRequest, at now: Timestamp) {
    queue.noteCompleted()
    if queue.isFilling(feedRequest), ![403, 429].contains(outcome.status) { return }
    if case .status(403, let seconds) = outcome { return stop(.refused, feedRequest, outcome, seconds) }
    if case .status(429, let seconds) = outcome { return stop(.tooMany, feedRequest, outcome, seconds) }
    if outcome.isGood { noteGood(outcome, feedRequest, at: now) } else { noteBad(outcome, feedRequest, at: now) }
    judgeProbe(at: now)
    if stopped == nil, probe == nil, watch.isOutage { meetOutage(at: now) }
  }

  /// Keeps the hub and the topic that a whole response named.
  package mutating func note(_ push: PushSource?, of feedRequest: FeedRequest) {
    memory.feeds[feedRequest.subscription]?.push = push
  }

  /// Records an aborted request; it counts as never sent.
  package mutating func noteAborted(_ feedRequest: FeedRequest) {
    queue.putBack(feedRequest)
    if !queue.isFilling(feedRequest) { forgetRequest(of: feedRequest.subscription) }
  }

  private mutating func forgetRequest(of subscription: SubscriptionID) {
    let known = memory.feeds[subscription]
    // What a hub read was not requested here.
    let answered = known?.relayed == nil ? known?.answered : nil
    let before = requestedBefore[subscription]
    memory.feeds[subscription]?.requested = before?.time ?? answered
    memory.feeds[subscription]?.isUnstored = before?.isUnstored ?? false
  }

  /// Discards a response that could not be stored, with its validators, but not the fact that the feed was requested.
  package mutating func forgetResponse(of subscription: SubscriptionID, before: FeedState?) {
    var known = before ?? FeedState()
    (known.requested, known.isUnstored) = (memory.feeds[subscription]?.requested, true)
    memory.feeds[subscription] = known
  }

  private mutating func stop(
    _ reason: StopReason, _ feedRequest: FeedRequest, _ outcome: FeedOutcome, _ seconds: Int64?
  ) {
    failed[feedRequest.subscription] = (feedRequest, outcome)
    memory.feeds[feedRequest.subscription]?.isUnstored = false
    retryAfter = seconds
    stop(reason)
  }

  private mutating func noteGood(_ outcome: FeedOutcome, _ feedRequest: FeedRequest, at now: Timestamp) {
    let id = feedRequest.subscription
    checked += 1
    failed[id] = nil
    watch.note(.good, wasWell: wasWell(id))
    existing.note(isGood: true, at: now)
    probe?.noteResponse(to: feedRequest, isGood: true)
    if feedRequest.form == .channel, let form = suspected[id] { missing[id] = MissingForm(form: form, at: now) }
    var known = memory.feeds[id] ?? FeedState()
    (known.form, known.isUnstored) = (feedRequest.form, false)
    if case .feed(let habit, let etag, let lastModified) = outcome {
      known.habit = habit
      (known.etag, known.lastModified) = (CacheValidator.sendable(etag), CacheValidator.sendable(lastModified))
    }
    if known.noteWell(outcome.text, at: now) { recovered.append(id) }
    memory.feeds[id] = known
  }

  private mutating func noteBad(_ outcome: FeedOutcome, _ feedRequest: FeedRequest, at now: Timestamp) {
    let id = feedRequest.subscription
    memory.feeds[id]?.isUnstored = false
    if fallsBack(from: feedRequest, outcome) {
      suspected[id] = feedRequest.form
      failed[id] = (feedRequest, outcome)
      noteSubstituted(id)
      return queue.requestNext([FeedRequest(subscription: id, form: .channel)])
    }
    // A feed that was failing already, or a retry, adds no evidence.
    if memory.feeds[id]?.failures ?? 0 == 0, !queue.isRepeated(id) {
      watch.note(outcome.isSilence ? .silence : .bad, wasWell: wasWell(id))
      if wasWell(id) { existing.note(isGood: false, at: now) }
    }
    if outcome.isUnsent { forgetRequest(of: id) }
    if let seconds = outcome.retryAfter { retryAfter = max(retryAfter ?? 0, seconds) }
    probe?.noteResponse(to: feedRequest, isGood: false)
    if probe == nil, outcome.isPassing { queue.repeatAtEnd(feedRequest) }
    failed[id] = (feedRequest, outcome)
  }

  /// Sets a failure aside because another kind of feed is requested in its place.
  mutating func noteSubstituted(_ id: SubscriptionID) {
    guard let failure = failed.removeValue(forKey: id), substituted[id] == nil else { return }
    substituted[id] = FormOutcome(form: failure.feedRequest.form, outcome: failure.outcome)
  }

  func wasWell(_ id: SubscriptionID) -> Bool { memory.feeds[id]?.isWell == true }

  /// Whether the configured kind of feed is missing, so that the main feed is requested instead: a channel without long
  /// videos has no `UULF…`.
  private func fallsBack(from feedRequest: FeedRequest, _ outcome: FeedOutcome) -> Bool {
    guard case .status(404, _) = outcome, feedRequest.subscription.channel != nil, !usesOtherForm, probe == nil else {
      return false
    }
    return feedRequest.form != .channel && feedRequest.form != .playlist
  }
}

// MARK: The end

extension PollRun {
  /// The state to keep while the run goes on, so that a killed run repeats few requests and a refusal holds. Without the
  /// responses of the feeds in `unsaved`, given with their state before.
  package func snapshot(at now: Timestamp, without unsaved: [(SubscriptionID, FeedState?)]) -> PollState {
    var copy = self
    for (subscription, before) in unsaved { copy.forgetResponse(of: subscription, before: before) }
    if [.outage, .refused, .tooMany].contains(stopped) { copy.setPause(at: now) }
    return copy.memory
  }

  /// Whether the run stopped because the feeds as a whole were failing.
  package var isOutage: Bool { stopped == .outage || stopped == .offline }

  /// Ends the run: counts failures against channels if other feeds worked, and sets or lifts the backoff. Returns the
  /// feeds that were healthy before and are failing now.
  package mutating func finish(at now: Timestamp) -> [Failure] {
    // While a probe is undecided it is unknown whether the channels are at fault.
    let isBlamed = !isOutage && stopped != .refused && stopped != .tooMany && checked > 0 && probe == nil
    setPause(at: now)
    if isBlamed { for (id, form) in missing { memory.feeds[id]?.missing = form } }
    var failing: [Failure] = []
    for failure in failures {
      let wasWell = memory.feeds[failure.subscription, default: FeedState()].noteFailure(
        failure.text, at: now, isBlamed: isBlamed || confirmed.contains(failure.subscription))
      if wasWell { failing.append(failure) }
      // Others were reached, so it is this feed that cannot be: its growing interval counts from now.
      if isBlamed, failure.outcome.isUnsent { memory.feeds[failure.subscription]?.requested = now }
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
