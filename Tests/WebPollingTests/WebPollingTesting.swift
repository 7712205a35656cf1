import Core
import Testing

@testable import WebPolling

/// A feed at a URL, with the URL as its ID.
func feed(_ text: String) throws -> PolledFeed {
  PolledFeed(id: PolledFeedID(text), url: try #require(WebURL(text)))
}

/// The start of tests: 2026-07-01T00:00:00Z.
let start = Timestamp(seconds: 1_782_864_000)

/// Seconds of an hour and a day.
let hour: Int64 = 3600
let day: Int64 = 86_400

extension WebFeedResponse {
  /// A feed that publishes daily.
  static func feed(
    at now: Timestamp, bytes: Int = 10_000, hasNews: Bool = false, sharesKey: Bool = true, etag: String? = "\"a\""
  ) -> WebFeedResponse {
    let habit = PublishingInterval(newest: now.adding(seconds: -day), interval: day)
    var response = WebFeedResponse(
      .feed(WebFeedReport(habit: habit, digest: 1, bytes: bytes, hasNews: hasNews, sharesKey: sharesKey)))
    response.etag = etag
    return response
  }

  /// An outcome with Retry-After.
  static func status(_ status: Int, retryAfter: Int64? = nil) -> WebFeedResponse {
    var response = WebFeedResponse(.status(status))
    response.retryAfter = retryAfter
    return response
  }

  /// A response through permanent redirects.
  func redirected(to text: String) -> WebFeedResponse {
    var response = self
    response.permanentURL = WebURL(text)
    return response
  }
}

extension WebPlan.Demand {
  /// All feeds that are due.
  static let due = WebPlan.Demand(feeds: nil, ignoresGaps: false, ignoresFloor: false)
  /// All feeds, but for the 15 minutes.
  static let all = WebPlan.Demand(feeds: nil, ignoresGaps: true, ignoresFloor: false)
}

/// Polls some feeds again and again.
struct Polls {
  var feeds: [PolledFeed]
  var memory = WebPollState()
  var now = start
  /// The requests of the last run.
  private(set) var sent: [WebFeedRequest] = []

  init(_ texts: [String]) throws { feeds = try texts.map { try feed($0) } }

  /// One run, of which each request takes no time; moves are obeyed.
  mutating func poll(
    _ demand: WebPlan.Demand = .all, isOnline: Bool = false, _ respond: (WebFeedRequest) -> WebFeedResponse
  ) -> WebRunReport {
    var run = WebRun(
      WebPlan(feeds, for: demand, memory: memory, now: now), memory: memory, isOnline: isOnline, now: now)
    var steady = 0
    sent = []
    while true {
      switch run.next(at: steady, now: now) {
      case .ask(let request):
        sent.append(request)
        run.note(respond(request), to: request, at: now, steady: steady)
      case .wait(let milliseconds): steady += milliseconds
      case .idle, .done:
        let report = run.finish(at: now)
        memory = run.memory
        for move in report.moves { feeds = feeds.map { $0.id == move.feed ? PolledFeed(id: $0.id, url: move.to) : $0 } }
        return report
      }
    }
  }

  /// The state of the feed with this ID.
  func state(_ id: String) -> WebFeedState { memory.feeds[PolledFeedID(id)] ?? WebFeedState() }
}
