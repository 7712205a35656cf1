import Core
import Testing

@testable import WebPolling

/// When feeds are due.
@Suite struct IntervalTests {
  private func state(_ response: WebFeedResponse, at now: Timestamp = start) -> WebFeedState {
    var state = WebFeedState()
    state.requested = now
    _ = state.noteGood(response, conditional: false, at: now)
    return state
  }

  private func failing(_ outcome: WebFeedOutcome, for length: Int64, times: Int = 3) -> WebFeedState {
    var state = state(.feed(at: start))
    for _ in 0..<times { _ = state.noteFailure(outcome, at: start) }
    state.requested = start.adding(seconds: length)
    return state
  }

  @Test("The interval follows the habit, from an hour to a day")
  func habit() {
    func gap(_ newest: Int64, _ interval: Int64?) -> Int64 {
      var response = WebFeedResponse.feed(at: start)
      guard case .feed(var report) = response.outcome else { return 0 }
      report.habit = PublishingInterval(newest: start.adding(seconds: -newest), interval: interval)
      response.outcome = .feed(report)
      return state(response).gap(at: start)
    }
    #expect(gap(60, 600) == hour)
    #expect(gap(-day, 600) == hour)
    #expect(gap(2 * day, 2 * day) == 4 * hour)
    #expect(gap(400 * day, 30 * day) == day)
  }

  @Test("A feed without dates is requested every six hours, a new one after an hour")
  func undated() {
    var response = WebFeedResponse.feed(at: start)
    response.outcome = .feed(WebFeedReport(habit: nil, digest: 1, bytes: 10, hasNews: true, sharesKey: false))
    #expect(state(response).gap(at: start) == 6 * hour)
    #expect(WebFeedState().gap(at: start) == hour)
  }

  @Test("Large feeds without validators are requested once a day, also if their validators are false")
  func large() {
    #expect(state(.feed(at: start, bytes: 600_000, etag: nil)).gap(at: start) == day)
    #expect(state(.feed(at: start, bytes: 600_000)).gap(at: start) < day)
    #expect(state(.feed(at: start, bytes: 500_000, etag: nil)).gap(at: start) < day)
    var lying = state(.feed(at: start, bytes: 600_000))
    lying.hasFalseValidators = true
    #expect(lying.gap(at: start) == day)
  }

  @Test("What the server and the feed say raises the interval, up to a day")
  func freshness() {
    var response = WebFeedResponse.feed(at: start)
    response.freshFor = 10 * hour
    #expect(state(response).gap(at: start) == 10 * hour)
    response.freshFor = 60
    #expect(state(response).gap(at: start) == 2 * hour)
    response.freshFor = 100 * day
    #expect(state(response).gap(at: start) == day)
  }

  @Test("max-age counts before Expires, the longest of these and ttl")
  func freshnessOfHeaders() {
    func seconds(_ control: String?, _ expires: Int64? = nil, date: Int64? = nil, _ minutes: Int? = nil) -> Int64? {
      Freshness.seconds(cacheControl: control, expires: expires, date: date, minutes: minutes)
    }
    #expect(seconds("public, max-age=7200, must-revalidate") == 7200)
    #expect(seconds("Max-Age=\"60\"") == 60)
    #expect(seconds("max-age=60", 10_000, date: 0, nil) == 60)
    #expect(seconds(nil, 10_000, date: 1000, nil) == 9000)
    #expect(seconds(nil, 10_000, date: nil, nil) == nil)
    #expect(seconds("max-age=0", nil, date: nil, 90) == 5400)
    #expect(seconds("max-age=99999999999999999999") == day)
    #expect(seconds(nil, .max, date: .min, .max) == day)
    for text in ["", "no-cache", "max-age", "max-age=", "max-age=-1", "max-age=x", "s-maxage=60", "x=max-age=60"] {
      #expect(seconds(text) == nil, "\(text)")
    }
    #expect(seconds(nil, 0, date: 100, -5) == nil)
  }

  @Test("A missing feed is requested daily, after a week weekly; one that is gone weekly")
  func missing() {
    for outcome in [WebFeedOutcome.status(404), .status(403), .page] {
      #expect(failing(outcome, for: day).gap(at: start.adding(seconds: day)) == day)
      #expect(failing(outcome, for: 8 * day).gap(at: start.adding(seconds: 8 * day)) == 7 * day)
    }
    #expect(failing(.status(410), for: 0).gap(at: start) == 7 * day)
  }

  @Test("The interval of what may pass doubles up to a day")
  func passing() {
    let gaps = (1...8).map { failing(.status(503), for: 0, times: $0).gap(at: start) / hour }
    #expect(gaps == [2, 4, 8, 16, 24, 24, 24, 24])
    #expect(failing(.silence("x"), for: 40 * day).gap(at: start.adding(seconds: 40 * day)) == 7 * day)
  }

  @Test("A feed is probably gone after 30 days and five failures")
  func gone() {
    #expect(!failing(.status(404), for: 0, times: 9).isProbablyGone(at: start.adding(seconds: 29 * day)))
    #expect(failing(.status(404), for: 0, times: 9).isProbablyGone(at: start.adding(seconds: 30 * day)))
    #expect(!failing(.status(404), for: 0, times: 4).isProbablyGone(at: start.adding(seconds: 90 * day)))
  }

  @Test("Intervals are never shortened, and lengthened by a fifth or an hour at most, differently for each feed")
  func jitter() throws {
    var known = state(.feed(at: start))
    known.habit = PublishingInterval(newest: start, interval: 60)
    let gap = known.gap(at: start)
    let delays = try (0..<100).map { number in
      let isDue = { known.isDue(PolledFeedID("feed\(number)"), at: start.adding(seconds: $0)) }
      return try #require((gap - 1...gap + gap / 5).first(where: isDue))
    }
    #expect(delays.allSatisfy { $0 >= gap })
    #expect(Set(delays).count > 50)
  }

  @Test("Validators of each good response are kept, those of failures are not")
  func validators() {
    var known = state(.feed(at: start))
    #expect(known.etag == "\"a\"")
    var same = WebFeedResponse(.unchanged(isWhole: false))
    _ = known.noteGood(same, conditional: true, at: start)
    #expect(known.etag == "\"a\"" && known.whole == start)
    (same.etag, same.lastModified) = ("\"b\"", "Wed, 01 Jul 2026 14:00:35 GMT")
    _ = known.noteGood(same, conditional: true, at: start.adding(seconds: 1))
    #expect(known.etag == "\"b\"" && known.lastModified == "Wed, 01 Jul 2026 14:00:35 GMT" && known.whole == start)
    same = WebFeedResponse(.unchanged(isWhole: true))
    _ = known.noteGood(same, conditional: true, at: start.adding(seconds: 2))
    #expect(known.etag == nil && known.lastModified == nil && known.whole == start.adding(seconds: 2))
    _ = known.noteGood(.feed(at: start, etag: "a\nb"), conditional: true, at: start)
    #expect(known.etag == nil)
  }

  @Test("Once a week a feed is requested whole; one whose validators hide news, always")
  func wholeRequests() throws {
    let feed = try feed("https://a.example/feed")
    var known = state(.feed(at: start))
    func isConditional(_ days: Int64) -> Bool {
      known.request(for: feed.id, at: feed.url, now: start.adding(seconds: days * day)).isConditional
    }
    #expect(isConditional(0) && isConditional(6) && !isConditional(7) && !isConditional(-1))
    known.habit = PublishingInterval(newest: start, interval: 6 * hour)
    #expect(isConditional(1) && !isConditional(2))
    known.habit = PublishingInterval(newest: start, interval: 60)
    #expect(isConditional(0) && !isConditional(1))
    known.habit = PublishingInterval(newest: start, interval: .max)
    #expect(isConditional(6) && !isConditional(7))
    known.habit = nil
    // News under the same ETag, unconditionally.
    _ = known.noteGood(.feed(at: start, hasNews: true), conditional: true, at: start)
    #expect(!known.hasFalseValidators)
    _ = known.noteGood(.feed(at: start, hasNews: true, etag: "\"b\""), conditional: false, at: start)
    #expect(!known.hasFalseValidators)
    _ = known.noteGood(.feed(at: start, hasNews: true, etag: "\"b\""), conditional: false, at: start)
    #expect(known.hasFalseValidators && !isConditional(1))
  }
}
