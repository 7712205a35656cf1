import App
import Core
import Entries
import EventLog
import HTTPClient
import Messages
import Platform
import ReadModel
import WebFeed
import WebFetch
import WebPolling

/// One poll of the followed feeds of other sites, from the plan to the report: fetch, parse, detect, append. `WebRun`
/// decides what to request and judges hosts, as `PollRun` does for YouTube.
///
/// Each document is compared with what is known at once, because the run wants to know whether it is the feed's; those with
/// news are compared once more under the writer lock, and each batch is one write. The polling state is written after the
/// events.
struct WebPollSession {
  private let session: Session
  private let interrupt: Interrupt
  /// When to stop sending requests, on the monotonic clock.
  private let deadline: Int?
  private let rules: AddressRules
  private var store: WebPollStore
  private var run: WebRun
  private var fetches = WebFetches()
  /// The requests sent, indexed by tag.
  private var requests: [WebFeedRequest] = []
  /// Documents with news that are not in the log yet.
  private var pending: [WebNews] = []
  /// The action of the run's events.
  private(set) var action: EventID?
  private var progress: ProgressLine
  /// The number of due feeds.
  private let total: Int
  /// When to abort the requests in flight, once the run is stopping.
  private var givenUp: Int?
  /// When the polling state was last written, on the monotonic clock.
  private var keptAt = Clock.steady()
  /// A failure of the log or of libcurl as a whole, which ends the poll.
  private var problem: (any Error)?
  private(set) var report: WebPollReport

  /// A poll of a plan's feeds; `deadline` is on the monotonic clock, `isOnline` whether other servers responded just now.
  init(
    _ session: Session, _ work: WebPollWork, isOnline: Bool, action: EventID?, interrupt: Interrupt, deadline: Int?,
    progress: ProgressLine
  ) throws {
    (self.session, store, self.action, self.interrupt) = (session, work.store, action, interrupt)
    (self.deadline, self.progress, total) = (deadline, progress, work.plan.count)
    rules = AddressRules(allowsPrivateNetworks: try session.settings.allowsPrivateNetworks())
    run = WebRun(work.plan, memory: store.memory, isOnline: isOnline, now: Clock.now())
    report = WebPollReport(work.plan)
  }

  /// The number of simultaneous requests: one for each host.
  static let jobs = 8

  /// Requests all due feeds, and logs their news and moves. Throws if the log or libcurl as a whole fails; earlier appends
  /// stay, and the state is written all the same, so that the next poll does not repeat every request.
  mutating func poll(with fetcher: HTTPSession) throws {
    do {
      try fetcher.run(
        wakeDescriptor: interrupt.descriptor, isAborted: { isOver() }, next: { nextStep() }, finished: { take($0) })
    } catch { problem = problem ?? UserMessages.failure(error) }
    progress.clear()
    for outcome in fetches.abandon() { run.noteAborted(requests[outcome.tag], at: Clock.steady()) }
    appendNews()
    for news in pending { run.forgetResponse(of: PolledFeedID(news.feed)) }
    report.take(run.finish(at: Clock.now()), checked: run.checked, of: total)
    store.memory = run.memory
    if problem == nil { appendMoves() }
    if let problem {
      // What is not in the log is due again.
      StandardError.reportFailure { try store.write() }
      throw problem
    }
  }

  /// Writes the polling state, once the run is in the log.
  mutating func keep() throws(Failure) { try store.write() }

  /// Whether to abort: the log failed, or the run is stopping and its grace period is over.
  private mutating func isOver() -> Bool {
    let now = Clock.steady()
    if interrupt.isSignalled() {
      stop(.interrupted, at: now)
    } else if let deadline, now >= deadline, run.waiting + fetches.count > 0 {
      stop(.deadline, at: now)
    }
    return problem != nil || givenUp.map { now >= $0 } ?? false
  }

  /// Sends no more requests, and gives those in flight one more second.
  private mutating func stop(_ reason: StopReason, at now: Int) {
    guard report.stopped == nil else { return }
    report.stopped = reason
    run.stop()
    givenUp = now + 1000
  }
}

// MARK: Fetch

extension WebPollSession {
  private mutating func nextStep() -> HTTPStep {
    let now = Clock.steady()
    keepState(at: now)
    showProgress()
    while problem == nil {
      if let transfer = fetches.next() { return .request(transfer) }
      switch run.next(at: now, now: Clock.now()) {
      case .ask(let request):
        requests.append(request)
        if let outcome = fetches.start(fetch(request)) { take(outcome) }
      case .wait(let milliseconds): return .wait(.milliseconds(milliseconds))
      case .idle: return .idle
      case .done: return fetches.count > 0 ? .idle : .done
      }
    }
    return .done
  }

  /// The request for the last one of `requests`.
  private func fetch(_ request: WebFeedRequest) -> WebRequest {
    var fetch = WebRequest(tag: requests.count - 1, url: request.url, rules: rules)
    (fetch.etag, fetch.lastModified) = (request.etag, request.lastModified)
    fetch.accept = WebFeedReading.accepted
    return fetch
  }

  private mutating func showProgress() {
    let failures = run.failureCount > 0 ? ", \(run.failureCount) failed" : ""
    let (done, total, new) = (run.checked + run.failureCount, total, report.new)
    progress.show("\(done) of \(total) feeds of other sites, \(new) new\(failures)")
  }

  /// The milliseconds after which what was fetched is appended and the polling state written.
  private static let keepInterval = 2000

  /// Writes the polling state every two seconds, after what the feeds brought: if the poll is killed, no feed counts as
  /// requested whose entries were not logged. A failure is reported by the last write.
  private mutating func keepState(at now: Int) {
    guard now - keptAt >= WebPollSession.keepInterval else { return }
    appendNews()
    keptAt = Clock.steady()
    var run = run
    for news in pending { run.forgetResponse(of: PolledFeedID(news.feed)) }
    store.memory = run.memory
    try? store.write()
  }
}

// MARK: Parse

extension WebPollSession {
  private mutating func take(_ outcome: HTTPOutcome) {
    if let outcome = fetches.take(outcome) { take(outcome) }
  }

  private mutating func take(_ outcome: WebOutcome) {
    let request = requests[outcome.tag]
    report.bytes += outcome.bytes
    if case .failure(.transfer(.aborted, _)) = outcome.result {
      return run.noteAborted(request, at: Clock.steady())
    }
    do { try read(outcome, request) } catch { problem = problem ?? error }
    showProgress()
    keepState(at: Clock.steady())
  }

  private mutating func read(_ outcome: WebOutcome, _ request: WebFeedRequest) throws {
    let now = Clock.now()
    let known = run.memory.feeds[request.feed]
    // What is at another address is not what was last received.
    let digest = request.purpose == .regular ? known?.digest : nil
    var reading = WebFeedReading(outcome, digest: digest, at: now)
    if let document = reading.document, let feed = FeedID(request.feed.text) {
      let news = WebNews(feed: feed, document: document, answered: known?.answered)
      let comparison = try news.compare(in: session, now: now)
      reading.note(comparison)
      // At an address that is only announced, the feed is read by the next poll.
      let isFeed = request.purpose == .regular || request.purpose == .fallback && comparison.sharesKey
      if isFeed, !comparison.detection.events.isEmpty { pending.append(news) }
    }
    run.note(reading.response, to: request, at: now, steady: Clock.steady())
    if pending.reduce(0, { $0 + $1.document.entries.count }) >= WebPollSession.batch { appendNews() }
  }

  /// The number of entries from which on documents are appended, so that large ones are not kept for long.
  private static let batch = 2000
}

// MARK: Detect and append

extension WebPollSession {
  private mutating func appendNews() {
    guard problem == nil, !pending.isEmpty else { return }
    do {
      let news = pending
      var comparisons: [WebNews.Comparison] = []
      let events = try session.commit(action: action) {
        let now = Clock.now()
        comparisons = try news.map { try $0.compare(in: session, now: now) }
        return comparisons.flatMap(\.detection.events)
      }
      pending = []
      action = action ?? events.first?.action
      for (news, comparison) in zip(news, comparisons) { report.note(comparison.detection, of: news.feed) }
    } catch { problem = error }
  }

  /// Logs where feeds are now.
  private mutating func appendMoves() {
    guard !report.run.moves.isEmpty else { return }
    do {
      let events = try session.commit(action: action) {
        report.run.moves.compactMap { move in
          FeedID(move.feed.text).map { feed in
            var change = FeedChanged(feed: feed)
            change.url = move.to.text
            return .feedChanged(change)
          }
        }
      }
      action = action ?? events.first?.action
    } catch { problem = error }
  }
}

extension PolledFeedID {
  /// The ID of a feed in the log.
  init(_ feed: FeedID) { self.init(feed.description) }
}
