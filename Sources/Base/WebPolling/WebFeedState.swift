import Core

/// The polling state of one feed on this machine.
package struct WebFeedState: Equatable, Sendable {
  /// A hash of the URL that all of this is about.
  package var url: UInt64?
  /// When this device last requested it.
  package var requested: Timestamp?
  /// Whether nothing is stored of that request.
  package var isUnstored = false
  /// When a response was last understood.
  package var answered: Timestamp?
  /// The validators of the last response, whole or 304, verbatim.
  package var etag: String?
  package var lastModified: String?
  /// When the feed was last received whole.
  package var whole: Timestamp?
  /// The hash and the size of its bytes then.
  package var digest: UInt64?
  package var bytes: Int?
  /// Whether its validators stayed the same while its entries did not.
  package var hasFalseValidators = false
  package var habit: PublishingInterval?
  /// For how many seconds the last response said that it is fresh.
  package var freshFor: Int64?
  /// Consecutive failures, and since when; of runs in which this machine had a network.
  package var failures = 0
  package var failingSince: Timestamp?
  package var trouble: FeedTrouble?
  /// The last outcome as text.
  package var lastOutcome: String?
  /// What indicates that the feed has another address.
  package var move: MoveEvidence?
  /// The address that it had before it moved.
  package var fallback: DatedAddress?
  /// An address that turned out not to be the feed's; it is not considered again until then.
  package var rejected: DatedAddress?

  package init() {}

  /// The same for another address of the feed: nothing that was sent from the old one.
  func moved(to url: WebURL) -> WebFeedState {
    var state = WebFeedState()
    state.url = WebFeedState.hash(of: url)
    (state.requested, state.answered, state.habit) = (requested, answered, habit)
    return state
  }

  /// A hash of a URL: URLs with secrets in them are nowhere but in the log.
  static func hash(of url: WebURL) -> UInt64 { Fingerprint.of(url.text) }

  /// Whether it is failing, of its own or with its host.
  package var isFailing: Bool { failures > 0 }

  /// Whether it has been failing for so long that nobody will mend it.
  package func isProbablyGone(at now: Timestamp) -> Bool {
    failures >= WebPace.failuresOfGone && failingSince.map { now.seconds(since: $0) >= WebPace.month } ?? false
  }
}

/// An address that matters until a time.
package struct DatedAddress: Equatable, Sendable {
  package var url: WebURL
  package var until: Timestamp

  package init(url: WebURL, until: Timestamp) { (self.url, self.until) = (url, until) }
}

/// How often feeds and hosts are requested.
package enum WebPace {
  static let hour: Int64 = 3600
  static let day: Int64 = 86_400
  static let week: Int64 = 604_800
  static let month: Int64 = 30 * day
  /// The interval of a feed whose entries have no dates.
  static let undated: Int64 = 6 * hour
  /// Larger feeds without validators are requested once a day.
  static let largeBytes = 512 << 10
  /// Entries that are missing before validators are doubted.
  static let missingEntries: Int64 = 8
  /// Failures that a feed must have had before it is probably gone.
  static let failuresOfGone = 5
  /// Milliseconds between two requests to a host.
  static let betweenRequests = 1000
  /// Hosts that slow down clients with more frequent requests, with the interval in milliseconds, since 2026-06.
  static let slowHosts = ["reddit.com": 60_000]
  /// Requests of one run to such a host; the other feeds wait for the next run.
  static let slowShare = 3
  /// Hosts that are requested at the same time.
  static let hosts = 8
}

// MARK: When it is due

extension WebFeedState {
  /// The seconds to wait after the last request, without jitter.
  package func gap(at now: Timestamp) -> Int64 {
    if isUnstored { return WebPace.hour }
    guard failures > 0 else {
      // A failure that does not count costs the feed no whole interval.
      if let requested, let answered, answered < requested { return WebPace.hour }
      return usualGap(at: now)
    }
    let length = failingSince.map { now.seconds(since: $0) } ?? 0
    switch trouble ?? .passing {
    case .gone: return WebPace.week
    case .missing, .page: return length < WebPace.week ? WebPace.day : WebPace.week
    case .passing:
      guard length < WebPace.month else { return WebPace.week }
      return min(max(usualGap(at: now), WebPace.hour << min(failures, 5)), WebPace.day)
    }
  }

  private func usualGap(at now: Timestamp) -> Int64 {
    var gap = habit?.gap(at: now) ?? (answered == nil ? WebPace.hour : WebPace.undated)
    if let freshFor { gap = max(gap, min(freshFor, WebPace.day)) }
    let isCostly = (bytes ?? 0) > WebPace.largeBytes && (hasFalseValidators || etag == nil && lastModified == nil)
    return isCostly ? max(gap, WebPace.day) : gap
  }

  /// Whether the interval has elapsed, or the feed was never requested. An interval is lengthened by up to a fifth, an hour at
  /// most, varying by feed and request, so that feeds drift apart; it is never shortened.
  package func isDue(_ id: PolledFeedID, at now: Timestamp) -> Bool {
    guard let requested else { return true }
    let (elapsed, gap) = (now.seconds(since: requested), gap(at: now))
    // Most are not due by far.
    guard elapsed >= gap else { return false }
    let jitter = Int64(Fingerprint.of("\(id) \(requested.seconds)") % 1024)
    return elapsed >= gap + min(gap / 5, WebPace.hour) * jitter / 1024
  }

  /// The request for the feed at `url`. Without validators once a week, and sooner if it should have published often by now:
  /// those of many servers stay the same although the feed changes.
  func request(for id: PolledFeedID, at url: WebURL, now: Timestamp) -> WebFeedRequest {
    var request = WebFeedRequest(feed: id, url: url, purpose: .regular)
    let interval = min(max(habit?.interval ?? WebPace.week, 0), WebPace.week)
    let limit = min(max(interval * WebPace.missingEntries, WebPace.day), WebPace.week)
    if !hasFalseValidators, let whole, (0..<limit).contains(now.seconds(since: whole)) {
      (request.etag, request.lastModified) = (etag, lastModified)
    }
    return request
  }
}

// MARK: Responses

extension WebFeedState {
  /// Records a response that was understood; returns whether the feed was failing before.
  mutating func noteGood(_ response: WebFeedResponse, conditional: Bool, at now: Timestamp) -> Bool {
    let wasFailing = failures > 0
    (answered, lastOutcome, isUnstored) = (now, response.outcome.text, false)
    (failures, failingSince, trouble) = (0, nil, nil)
    let sent = (etag: CacheValidator.sendable(response.etag), date: CacheValidator.sendable(response.lastModified))
    switch response.outcome {
    case .feed(let report):
      noteFalseValidators(sent.etag, sent.date, hasNews: report.hasNews, conditional: conditional)
      (whole, digest, bytes, habit) = (now, report.digest, report.bytes, report.habit)
      (etag, lastModified) = (sent.etag, sent.date)
    case .unchanged(isWhole: true):
      whole = now
      (etag, lastModified) = (sent.etag, sent.date)
    default:
      // A 304 need not repeat them.
      (etag, lastModified) = (sent.etag ?? etag, sent.date ?? lastModified)
    }
    freshFor = response.freshFor
    return wasFailing
  }

  /// Detects new entries under the validators of the last response, for which the server would have responded 304.
  private mutating func noteFalseValidators(_ etag: String?, _ date: String?, hasNews: Bool, conditional: Bool) {
    guard hasNews, !conditional else { return }
    if let known = self.etag {
      if known == etag { hasFalseValidators = true }
    } else if let known = lastModified, etag == nil, known == date {
      hasFalseValidators = true
    }
  }

  /// Records a failure; returns whether the feed was well until now.
  mutating func noteFailure(_ outcome: WebFeedOutcome, at now: Timestamp) -> Bool {
    let wasWell = failures == 0
    if wasWell { failingSince = now }
    failures += 1
    (trouble, lastOutcome) = (outcome.trouble, outcome.text)
    return wasWell
  }
}
