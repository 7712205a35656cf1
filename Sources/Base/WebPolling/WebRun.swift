import Core

/// One run over feeds of any site, as a state machine: the caller sends what it says, and tells it what came of that. It has
/// no I/O and no clock, so that a simulated year drives the same code as the program.
///
/// Hosts are judged apart: one that refuses or fails stops its own requests, and no others. Failures count against feeds at the
/// end only, when it is known whether this machine had a network.
package struct WebRun: Sendable {
  /// The next step.
  package enum Step: Equatable, Sendable {
    case ask(WebFeedRequest)
    /// Send nothing for this many milliseconds.
    case wait(Int)
    /// Send nothing until a response arrives.
    case idle
    case done
  }

  package private(set) var memory: WebPollState
  /// The number of feeds that responded.
  package private(set) var checked = 0
  /// Whether the run ended because this machine has no network.
  package private(set) var isOffline = false

  private let feeds: [PolledFeedID: PolledFeed]
  private var queue = HostQueue()
  private var records: [String: HostRecord] = [:]
  /// The failures, with the host that counts.
  private var failed: [PolledFeedID: (outcome: WebFeedOutcome, host: String)] = [:]
  /// The state of each requested feed before this run.
  private var before: [PolledFeedID: WebFeedState] = [:]
  private var report = WebRunReport()
  /// Hosts that could not be reached, by names or routes.
  private var unreached: Set<String> = []
  /// Whether anything responded, here or in a run for other feeds.
  private var isOnline: Bool

  /// Hosts that cannot be reached, while nothing responds, that mean that this machine has no network.
  private static let unreachedOfOffline = 3

  /// Starts a run of a plan; `isOnline` is whether other servers responded just now.
  package init(_ plan: WebPlan, memory: WebPollState, isOnline: Bool, now: Timestamp) {
    (self.memory, self.isOnline) = (memory, isOnline)
    let due = plan.due.values.joined()
    feeds = Dictionary(due.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for (_, feeds) in plan.due.sorted(by: { $0.key < $1.key }) {
      for feed in feeds {
        var known = memory.feeds[feed.id] ?? WebFeedState()
        if known.url != WebFeedState.hash(of: feed.url) {
          known = known.moved(to: feed.url)
          self.memory.feeds[feed.id] = known
        }
        queue.add(known.request(for: feed.id, at: feed.url, now: now), urgent: false)
      }
    }
  }

  /// The number of feeds that wait.
  package var waiting: Int { queue.waiting }

  /// The number of feeds that failed so far.
  package var failureCount: Int { failed.count }
}

// MARK: Requests

extension WebRun {
  /// The next step; `steady` is milliseconds of any monotonic clock.
  package mutating func next(at steady: Int, now: Timestamp) -> Step {
    switch queue.next(at: steady) {
    case .send(let request):
      noteRequested(request.feed, at: now)
      return .ask(request)
    case .wait(let milliseconds): return .wait(milliseconds)
    case .idle: return .idle
    case .done: return .done
    }
  }

  private mutating func noteRequested(_ id: PolledFeedID, at now: Timestamp) {
    var known = memory.feeds[id] ?? WebFeedState()
    if before[id] == nil { before[id] = known }
    (known.requested, known.isUnstored) = (now, true)
    memory.feeds[id] = known
  }

  /// Records a request that was aborted; it counts as never sent.
  package mutating func noteAborted(_ request: WebFeedRequest, at steady: Int) {
    queue.noteEnded(request, at: steady)
    forgetRequest(of: request.feed)
  }

  /// Sends no more requests: the run was interrupted, or its time is over.
  package mutating func stop() { queue.dropAll() }

  private mutating func forgetRequest(of id: PolledFeedID) {
    memory.feeds[id]?.requested = before[id]?.requested
    memory.feeds[id]?.isUnstored = before[id]?.isUnstored ?? false
  }

  /// Discards a response that could not be stored, but not the fact that the feed was requested.
  package mutating func forgetResponse(of id: PolledFeedID) {
    guard var known = before[id] else { return }
    (known.requested, known.isUnstored) = (memory.feeds[id]?.requested, true)
    memory.feeds[id] = known
    report.forget(id)
    failed[id] = nil
  }
}

// MARK: Responses

extension WebRun {
  /// Records what came of a request.
  package mutating func note(_ response: WebFeedResponse, to request: WebFeedRequest, at now: Timestamp, steady: Int) {
    queue.noteEnded(request, at: steady)
    memory.feeds[request.feed]?.isUnstored = false
    var response = response
    if response.outcome == .unchanged(isWhole: false), !request.isConditional {
      response.outcome = .damaged("HTTP 304 without a condition")
    }
    if response.outcome.isResponse { isOnline = true }
    switch request.purpose {
    case .verification: noteVerification(response, request, at: now)
    case .regular where response.outcome.isGood: noteGood(response, request, at: now)
    case .regular: noteBad(response, request, at: now)
    case .fallback: noteFallback(response, request, at: now)
    }
  }

  private mutating func noteGood(_ response: WebFeedResponse, _ request: WebFeedRequest, at now: Timestamp) {
    noteHostGood(request.host, at: now)
    var known = memory.feeds[request.feed] ?? WebFeedState()
    if known.noteGood(response, conditional: request.isConditional, at: now) { report.recovered.append(request.feed) }
    known.noteMove(response, from: request.url, at: now)
    checked += 1
    if let move = known.move, move.isProven {
      known = known.following(from: request.url, to: move.target, at: now)
      report.moves.append(WebRunReport.Move(feed: request.feed, from: request.url, to: move.target))
    } else if let move = known.move, move.isLasting, move.source == .announcement {
      queue.add(WebFeedRequest(feed: request.feed, url: move.target, purpose: .verification), urgent: true)
    }
    memory.feeds[request.feed] = known
  }

  /// Whether the feed is where it says: a feed with a known entry is.
  private mutating func noteVerification(
    _ response: WebFeedResponse, _ request: WebFeedRequest, at now: Timestamp
  ) {
    guard var known = memory.feeds[request.feed], let from = feeds[request.feed]?.url else { return }
    switch response.outcome {
    case .feed(let report) where report.sharesKey:
      known = known.following(from: from, to: request.url, at: now)
      // The validators are of the old address.
      (known.etag, known.lastModified, known.digest) = (nil, nil, nil)
      self.report.moves.append(WebRunReport.Move(feed: request.feed, from: from, to: request.url))
    case .feed, .page, .damaged, .unchanged, .status(400..<500):
      known.rejected = DatedAddress(url: request.url, until: now.adding(seconds: WebPace.month))
      known.move = nil
    default: break  // It may work the next time.
    }
    memory.feeds[request.feed] = known
  }

  private mutating func noteFallback(_ response: WebFeedResponse, _ request: WebFeedRequest, at now: Timestamp) {
    guard case .feed(let found) = response.outcome, found.sharesKey, var known = memory.feeds[request.feed],
      let feed = feeds[request.feed]
    else {
      // The failure of the feed's own address stands. What is a feed at the old one may be a stranger's by now.
      return judge(failed[request.feed]?.host ?? request.host, isGood: false, at: now)
    }
    noteHostGood(request.host, at: now)
    checked += 1
    failed[request.feed] = nil
    if response.permanentURL == nil {
      known = known.returning(to: request.url, from: feed.url, at: now)
      report.moves.append(WebRunReport.Move(feed: request.feed, from: feed.url, to: request.url))
    }
    if known.noteGood(response, conditional: false, at: now) { report.recovered.append(request.feed) }
    memory.feeds[request.feed] = known
  }

  private mutating func noteBad(_ response: WebFeedResponse, _ request: WebFeedRequest, at now: Timestamp) {
    let (id, outcome) = (request.feed, response.outcome)
    failed[id] = (outcome, request.host)
    if case .unsent = outcome {
      forgetRequest(of: id)
      unreached.insert(request.host)
      if !isOnline, unreached.count >= WebRun.unreachedOfOffline { return stopOffline() }
    }
    if let fallback = memory.feeds[id]?.fallback, fallback.until > now, outcome.mayHaveMoved {
      // The fallback shows whether the host or the feed fails.
      queue.add(WebFeedRequest(feed: id, url: fallback.url, purpose: .fallback), urgent: true)
      return
    }
    if refuses(outcome, request.host) {
      pause(request.host, for: .refused, response.retryAfter, at: now)
    } else if outcome == .status(429) {
      pause(request.host, for: .tooMany, response.retryAfter, at: now)
    } else if let seconds = response.retryAfter {
      memory.hosts[request.host, default: HostState()].wait(seconds, at: now)
      _ = queue.drop(request.host)
    }
    judge(request.host, isGood: false, at: now)
  }

  /// Whether the host wants nothing of this machine: a challenge, or a 403 while no other feed of it works.
  private func refuses(_ outcome: WebFeedOutcome, _ host: String) -> Bool {
    switch outcome {
    case .challenge: true
    case .status(403): records[host]?.good ?? 0 == 0
    default: false
    }
  }

  private mutating func stopOffline() {
    isOffline = true
    queue.dropAll()
  }
}

extension WebFeedOutcome {
  /// Whether the feed may be elsewhere: not if its host only refuses this machine for now.
  fileprivate var mayHaveMoved: Bool {
    switch self {
    case .challenge, .status(403), .status(429), .feed, .unchanged: false
    case .page, .damaged, .status, .silence, .unsent: true
    }
  }
}

// MARK: Hosts

extension WebRun {
  private mutating func noteHostGood(_ host: String, at now: Timestamp) {
    memory.hosts[host] = nil
    judge(host, isGood: true, at: now)
  }

  private mutating func judge(_ host: String, isGood: Bool, at now: Timestamp) {
    records[host, default: HostRecord()].note(isGood: isGood)
    guard records[host]?.isOutage == true, !isOffline else { return }
    pause(host, for: .outage, nil, at: now)
  }

  private mutating func pause(_ host: String, for reason: StopReason, _ retryAfter: Int64?, at now: Timestamp) {
    if memory.hosts[host]?.isPaused(at: now) != true {
      memory.hosts[host, default: HostState()].pause(for: reason, retryAfter: retryAfter, at: now)
    }
    _ = queue.drop(host)
  }
}

// MARK: The end

extension WebRun {
  /// Ends the run: counts failures against feeds, unless this machine had no network.
  package mutating func finish(at now: Timestamp) -> WebRunReport {
    report.isOffline = isOffline
    for (id, failure) in failed.sorted(by: { $0.key < $1.key }) { count(failure.outcome, failure.host, id, at: now) }
    for (host, state) in memory.hosts.sorted(by: { $0.key < $1.key }) where records[host] != nil {
      if state.isPaused(at: now), let pause = state.pause { report.paused.append((host, pause)) }
    }
    return report
  }

  private mutating func count(_ outcome: WebFeedOutcome, _ host: String, _ id: PolledFeedID, at now: Timestamp) {
    report.failed.append((id, outcome.text))
    // Without any response it is unknown whether this machine has a network.
    guard !isOffline, isOnline, var known = memory.feeds[id] else { return }
    let record = records[host] ?? HostRecord()
    guard !record.isOutage else {
      memory.feeds[id]?.lastOutcome = outcome.text
      return
    }
    // As of the last failure that counted.
    let wasProbablyGone = before[id].map { $0.isProbablyGone(at: $0.requested ?? now) } ?? false
    if case .unsent = outcome { known.requested = now }
    let wasWell = known.noteFailure(outcome, at: now)
    if record.isInDoubt {
      report.doubted.insert(host)
    } else if wasWell {
      report.failing.append(id)
    }
    if outcome.trouble == .gone, before[id]?.trouble != .gone { report.gone.append(id) }
    if !wasProbablyGone, known.isProbablyGone(at: now) { report.probablyGone.append(id) }
    memory.feeds[id] = known
  }
}
