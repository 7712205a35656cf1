import App
import Core
import FeedParser
import HTTPClient
import Messages
import Platform
import ReadModel

/// One poll from the plan to the report: fetch, parse, detect, append. `PollRun` decides what to request and when to
/// stop.
///
/// libcurl pulls the next request and delivers each response (fetch), which is parsed at once (parse). Feeds are
/// collected and compared with the state in batches; those with news once more under the writer lock (detect), and each
/// batch is one write (append). The caller persists the polling state after the events are safe.
package struct PollSession {
  let session: Session
  let feedsURL: String
  let interrupt = Interrupt()
  private let began = Clock.steady()
  /// When to stop sending requests, on the monotonic clock.
  let deadline: Int?
  /// When to abort the requests in flight, once the run is stopping.
  private var givenUp: Int?
  let store: any PollStore
  /// The pace that other processes share; nil if the run keeps its own.
  let sharedPace: PollTurns?
  package private(set) var run: PollRun
  /// When the polling state was last kept, on the monotonic clock, and why the run had stopped by then.
  private var kept: (at: Int, stopped: StopReason?) = (Clock.steady(), nil)
  /// The requests sent, indexed by tag.
  private var feedRequests: [FeedRequest] = []
  /// Parsed feeds not yet compared with the state, with their polling state before the response.
  private var pending: [(feedRequest: FeedRequest, feed: Feed, before: FeedState?)] = []
  /// The action of the run's events, set by the first append.
  private(set) var action: EventID?
  /// The gaps that this poll found, and the requests that may fill them.
  private var gaps: [SubscriptionID: GapBackfill] = [:]
  private var progress: ProgressLine
  /// The number of due feeds.
  private let total: Int
  /// A failure of the log or of libcurl as a whole, which ends the poll.
  private var problem: (any Error)?
  package private(set) var report = PollReport()
  /// The videos that the run found.
  private var found: Set<VideoID> = []

  /// A poll of a plan's feeds; `deadline` is on the monotonic clock.
  package init(
    _ session: Session, _ plan: PollPlan, _ memory: PollState, _ store: any PollStore, _ pace: PollRun.Pace,
    sharedPace: PollTurns? = nil, deadline: Int?, progress: ProgressLine
  ) throws {
    self.progress = progress
    self.session = session
    (self.store, self.sharedPace) = (store, sharedPace)
    feedsURL = try session.settings.feedsURL()
    self.deadline = deadline
    run = PollRun(plan, memory: memory, pace: pace)
    total = plan.due.count
    report.run.notDue = plan.notDue.count
  }

  /// Stops the poll before its first request because name lookup was stopped.
  mutating func stop(_ reason: StopReason, namesLeft: Int) {
    run.stop(reason)
    report.namesLeft = namesLeft
  }

  /// Records in the report why nothing is requested.
  mutating func skip(_ reason: StopReason) { report.run.stopped = reason }

  /// Polls the feeds, then the pages of suspicious ones; returns the new polling state. If the log fails, the state is
  /// still written, so that the next poll does not repeat every request or hit a server that refused.
  package mutating func poll(with fetcher: any FeedTransport) throws -> PollState {
    try fetch(with: fetcher)
    return try finish(with: fetcher)
  }

  /// The first part of a poll: polls the feeds.
  mutating func fetch(with fetcher: any FeedTransport) throws {
    do { try fetchAll(with: fetcher) } catch {
      keepUnstored()
      throw error
    }
  }

  /// Adds the results for feeds of other sites, which belong to the same run.
  mutating func add(_ web: WebPollReport, action: EventID?) {
    report.add(web)
    self.action = action
  }

  /// The second part: logs the run, and polls the pages of suspicious feeds; returns the new polling state.
  mutating func finish(with fetcher: any FeedTransport) throws -> PollState {
    do { try appendRun() } catch {
      keepUnstored()
      throw error
    }
    return try checkPages(with: fetcher)
  }

  /// Keeps the state after the log could not be written, and reports what is stored and what is not.
  private func keepUnstored() {
    let lost = requested.count { run.memory.feeds[$0]?.isUnstored == true }
    var isKept = true
    do { try store.write(run.memory) } catch {
      isKept = false
      StandardError.report(error.message)
    }
    guard lost > 0 else { return }
    let saved = report.run.new > 0 ? "; \(UserMessages.count(report.run.new, "new video")) of other feeds are" : ""
    StandardError.report(
      "the videos of \(UserMessages.count(lost, "feed")) are not saved\(saved)"
        + (isKept ? "; what is not saved is due again 15 minutes after its request" : ""))
  }

  /// Requests all due feeds. Throws if the log or libcurl as a whole fails; earlier appends stay, and `run` records
  /// what was requested and whether to pause.
  private mutating func fetchAll(with fetcher: any FeedTransport) throws {
    // The last responses may reveal a gap, which adds a request.
    repeat {
      do {
        try fetcher.run(
          wakeDescriptor: interrupt.descriptor, isAborted: { isOver() }, next: { nextStep() }, finished: { take($0) })
      } catch { problem = problem ?? UserMessages.failure(error) }
      if problem == nil { appendNews() }
    } while problem == nil && run.stopped == nil && run.hasRequests
    progress.clear()
    // Feeds whose news were not logged must be fetched again; if even reading fails, so must all.
    if problem != nil { try? dropKnown() }
    for feed in pending { run.forgetResponse(of: feed.feedRequest.subscription, before: feed.before) }
    report.take(run.finish(at: store.now()), of: run)
    if let problem { throw problem }
  }

  /// Whether to abort: the log failed, or the run is stopping and its grace period is over.
  private mutating func isOver() -> Bool {
    let now = Clock.steady()
    if interrupt.isSignalled() { stop(.interrupted, at: now) }
    // A deadline that passes after the last response stops nothing.
    if let deadline, now >= deadline, !run.isComplete { stop(.deadline, at: now) }
    if sharedPace?.isOver() == true, !run.isComplete { stopAtOnce(at: now) }
    return problem != nil || givenUp.map { now >= $0 } ?? false
  }

  /// Whether the user or the deadline ends the poll; for requests other than feeds.
  var isToEnd: Bool { interrupt.isSignalled() || deadline.map { Clock.steady() >= $0 } ?? false }

  /// Sends no more requests, and gives those in flight one more second.
  private mutating func stop(_ reason: StopReason, at now: Int) {
    run.stop(reason)
    givenUp = givenUp ?? now + 1000
  }

  /// Aborts the requests in flight too: one that has not left yet must not leave any more.
  private mutating func stopAtOnce(at now: Int) {
    run.stop(.deadline)
    givenUp = now
  }

  /// The feeds whose requests may have been sent.
  package var requested: Set<SubscriptionID> { Set(feedRequests.map(\.subscription)) }

  // MARK: Fetch

  private mutating func nextStep() -> HTTPStep {
    let now = Clock.steady()
    keepState(at: now)
    showProgress()  // Also while no response arrives.
    switch run.next(at: now, now: store.now(), jitter: .random(in: 0...1)) {
    case .ask(let feedRequest):
      // Requests that fill gaps are not kept.
      if let known = run.memory.feeds[feedRequest.subscription], known.isUnstored, let time = known.requested {
        store.noteRequest(for: feedRequest.subscription, at: time)
      }
      return .request(request(for: feedRequest))
    case .permission: return waitForPermission(at: now)
    case .wait(let milliseconds): return .wait(.milliseconds(milliseconds))
    case .idle: return .idle
    case .done: return .done
    }
  }

  /// Sends the next request once its moment at the shared pace has come.
  private mutating func waitForPermission(at now: Int) -> HTTPStep {
    do {
      switch try sharedPace?.next() {
      case nil, .now:
        run.permit()
        return nextStep()
      case .wait(let milliseconds): return .wait(.milliseconds(milliseconds))
      case .paused(let reason): run.stop(reason)
      case .over: stopAtOnce(at: now)
      }
    } catch { problem = error }
    return .idle
  }

  private mutating func request(for feedRequest: FeedRequest) -> HTTPRequest {
    feedRequests.append(feedRequest)
    let path = feedRequest.form.path(of: feedRequest.subscription) ?? ""
    var request = HTTPRequest(tag: feedRequests.count - 1, url: feedsURL + path, maxBodyBytes: PollSession.bodyLimit)
    if let known = validators(of: feedRequest) {
      (request.etag, request.lastModified) = (known.etag, known.lastModified)
    }
    return request
  }

  /// The polling state of the requested feed if it has validators; nil if they belong to another form of the feed,
  /// whose 304 would leave this one unread.
  private func validators(of feedRequest: FeedRequest) -> FeedState? {
    guard let known = run.memory.feeds[feedRequest.subscription], known.form == feedRequest.form else { return nil }
    return known.etag != nil || known.lastModified != nil ? known : nil
  }

  private mutating func showProgress() {
    guard total > 0 else { return }
    let failures = run.failureCount > 0 ? ", \(run.failureCount) failed" : ""
    let (done, total, new) = (run.checked + run.failureCount, total, report.run.new)
    progress.show("\(done) of \(total) feeds, \(new) new\(failures)")
  }

  /// The milliseconds after which what was fetched is appended and the polling state written.
  private static let keepInterval = 2000

  /// The maximum feed size in bytes; real feeds have 25 to 78 KB.
  private static let bodyLimit = 1 << 20

  // MARK: Parse

  private mutating func take(_ outcome: HTTPOutcome) {
    let feedRequest = feedRequests[outcome.tag]
    report.run.bytes += outcome.bytes
    if case .failure(.aborted) = outcome.result { return run.noteAborted(feedRequest) }
    let now = store.now()
    let reading = FeedReading(outcome, to: feedRequest, isTagged: validators(of: feedRequest) != nil, at: now)
    if let feed = reading.feed { pending.append((feedRequest, feed, run.memory.feeds[feedRequest.subscription])) }
    if reading.feed != nil || reading.outcome.status == 404 {
      gaps[feedRequest.subscription]?.note(reading.feed?.entries, of: feedRequest.form)
    }
    run.note(reading.outcome, to: feedRequest, at: now)
    if reading.feed != nil, feedRequest.form == .channel { run.note(reading.push, of: feedRequest) }
    showProgress()
    if pending.count >= PollSession.batch { appendNews() }
    keepState(at: Clock.steady())
  }

  /// Writes the polling state every two seconds, after what the feeds brought: if the poll is killed, no feed counts as
  /// requested whose videos were not logged. When the run stops, a backoff is written first: an append may wait for the
  /// lock. A failure is reported by the last write.
  private mutating func keepState(at now: Int) {
    let stops = run.stopped != kept.stopped
    guard stops || now - kept.at >= PollSession.keepInterval else { return }
    if !stops { appendNews() }
    kept = (now, run.stopped)
    let unsaved = pending.map { ($0.feedRequest.subscription, $0.before) }
    try? store.write(run.snapshot(at: store.now(), without: unsaved))
  }

  // MARK: Detect and append

  /// The number of feeds that are compared at once, and whose news are appended together.
  private static let batch = 32

  private mutating func appendNews() {
    guard problem == nil else { return }
    do {
      try dropKnown()
      try detectAndAppend()
    } catch { problem = error }
  }

  /// Drops the feeds without news, as most are: they need not wait for the lock.
  private mutating func dropKnown() throws {
    guard !pending.isEmpty else { return }
    let feeds = pending
    let known = try session.query { model in
      try model.known(of: feeds.map { ($0.feed.entries.map(\.video), $0.feedRequest) })
    }
    pending = zip(feeds, known).filter { !$0.feed.isKnown(requested: $0.feedRequest, to: $1) }.map(\.0)
  }

  private mutating func detectAndAppend() throws {
    guard !pending.isEmpty else { return }
    let feeds = pending
    var detections: [Detection] = []
    let events = try session.commit(action: action) {
      detections = try session.detect(feeds.map { ($0.feed, $0.feedRequest, $0.before?.answered) })
      return detections.flatMap(\.events)
    }
    pending = []
    // A new video of two feeds counts once.
    found.formUnion(events.compactMap { if case .videoFound(let new) = $0.body { new.video } else { nil } })
    report.run.new = found.count
    action = action ?? events.first?.action
    for detection in detections {
      report.run.changed += detection.changed
      report.run.gaps += detection.hasGap ? 1 : 0
    }
    for event in events {
      guard case .gapFound(let gap) = event.body else { continue }
      let filling = GapBackfill(event.id, gap)
      gaps[gap.subscription] = filling
      run.ask(alsoFor: filling.feedRequests)
    }
  }

  // MARK: The run's own event

  private mutating func appendRun() throws {
    report.run.milliseconds = Clock.steady() - began
    let closed = gaps.values.compactMap(\.closing)
    report.run.gaps -= closed.count
    guard report.run.checked + report.run.failed > 0 else { return }
    try session.commit(action: action) { closed + (store.sumsUpRuns ? [] : [.runFinished(report.run)]) }
  }
}

extension Session {
  /// Compares a feed with what is known; see `Detection`.
  func detect(_ feed: Feed, _ feedRequest: FeedRequest, answered: Timestamp?) throws -> Detection {
    try detect([(feed, feedRequest, answered)])[0]
  }

  /// Compares feeds with what is known.
  func detect(
    _ feeds: [(feed: Feed, feedRequest: FeedRequest, answered: Timestamp?)]
  ) throws -> [Detection] {
    try query { model in
      let known = try model.known(of: feeds.map { ($0.feed.entries.map(\.video), $0.feedRequest) })
      let complete = try model.completed(known, of: feeds.map(\.feedRequest.subscription))
      return zip(feeds, complete).map { feed, known in
        Detection(of: feed.feed, requested: feed.feedRequest, answered: feed.answered, known: known)
      }
    }
  }
}

/// A parsed response: its outcome for the run, and the feed, if it is one.
struct FeedReading {
  /// The outcome for the run.
  let outcome: FeedOutcome
  /// The parsed feed.
  let feed: Feed?
  /// The hub and the topic that the response names.
  var push: PushSource?

  /// Reads the outcome that libcurl delivered at `now`; `isTagged` is whether the request carried validators, without
  /// which a 304 is invalid.
  init(_ transfer: HTTPOutcome, to feedRequest: FeedRequest, isTagged: Bool, at now: Timestamp) {
    switch transfer.result {
    case .failure(let failure):
      let reason = UserMessages.fetch(failure)
      (outcome, feed) = (failure.outcome(reason, after: transfer.bytes), nil)
    case .success(let found) where found.status == 304 && isTagged: (outcome, feed) = (.notModified, nil)
    case .success(let found) where found.status == 200:
      (outcome, feed) = FeedReading.read(found, to: feedRequest)
      push = PushLinks.source(headers: found.links, body: found.body, url: found.effectiveURL)
    // Only proxies send it: YouTube knows nothing of the request.
    case .success(let found) where found.status == 407:
      (outcome, feed) = (.unsent("the proxy wants a user name and a password (HTTP 407)"), nil)
    case .success(let found):
      (outcome, feed) = (.status(found.status, retryAfter: found.retryAfter.map { $0.seconds(at: now) }), nil)
    }
  }

  private static func read(_ response: HTTPResponse, to feedRequest: FeedRequest) -> (FeedOutcome, Feed?) {
    do {
      let feed = try Feed(xml: response.body)
      if let other = feed.foreignChannel(requested: feedRequest) {
        return (.damaged("the feed of another channel (\(other))", status: 200), nil)
      }
      return (.feed(PublishingInterval(of: feed), etag: response.etag, lastModified: response.lastModified), feed)
    } catch { return (.damaged(UserMessages.feed(error), status: 200), nil) }
  }
}

extension HTTPFailure {
  /// Whether a response was received that is unusable and would be so on retry: too large, or a forbidden redirect.
  var hasResponse: Bool {
    switch self {
    case .tooLarge, .headersTooLarge, .tooManyRedirects, .forbiddenScheme, .forbiddenAddress, .forbiddenHost: true
    default: false
    }
  }

  /// The outcome of a feed request that failed after this many bytes, for this reason. After a redirect YouTube knows
  /// of the request, though its target cannot be reached.
  fileprivate func outcome(_ reason: String, after bytes: Int) -> FeedOutcome {
    let isRedirected = if case .proxy = self { false } else { bytes > 0 }
    return hasResponse ? .damaged(reason, status: nil) : mayBeSent || isRedirected ? .none(reason) : .unsent(reason)
  }
}
