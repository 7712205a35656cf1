import Core
import Testing

@testable import WebPolling

/// Feeds that move to other addresses.
@Suite struct MoveTests {
  private let old = "https://old.example/feed"
  private let new = "https://new.example/feed"

  /// Polls daily for some days; the days of moves with their targets.
  private func moves(
    _ polls: inout Polls, days: Int64, _ respond: (WebFeedRequest, Int64) -> WebFeedResponse
  ) -> [String] {
    var moves: [String] = []
    for _ in 0..<days {
      let number = polls.now.seconds(since: start) / day
      let report = polls.poll { respond($0, number) }
      moves += report.moves.map { "\(number) \($0.to.text)" }
      polls.now = polls.now.adding(seconds: day)
    }
    return moves
  }

  @Test("A permanent redirect is followed after three days with a known entry")
  func redirect() throws {
    var polls = try Polls([old])
    let days = moves(&polls, days: 8) { request, _ in
      request.url.text == old ? .feed(at: start).redirected(to: new) : .feed(at: start)
    }
    #expect(days == ["3 \(new)"])
    #expect(polls.sent.map(\.url.text) == [new])
    #expect(polls.state(old).fallback?.url.text == old && polls.state(old).etag != nil)
  }

  @Test("A redirect that is withdrawn, changes, or leads to other entries, moves nothing", arguments: [0, 1, 2, 3, 4])
  func noMove(kind: Int) throws {
    var polls = try Polls([old])
    let days = moves(&polls, days: 20) { request, day in
      let feed = WebFeedResponse.feed(at: start)
      switch kind {
      case 0: return day % 3 == 2 ? feed : feed.redirected(to: new)
      case 1: return feed.redirected(to: "https://new.example/\(day)")
      case 2: return WebFeedResponse.feed(at: start, sharesKey: false).redirected(to: new)
      case 3: return feed.redirected(to: "http://new.example/feed")
      default: return WebFeedResponse(.page).redirected(to: new)
      }
    }
    #expect(days.isEmpty)
  }

  @Test("Many redirects of one day are no three days")
  func oneDay() throws {
    var polls = try Polls([old])
    for _ in 0..<20 {
      #expect(polls.poll { _ in .feed(at: start).redirected(to: new) }.moves.isEmpty)
      polls.now = polls.now.adding(seconds: hour)
    }
  }

  @Test("304 through redirects count, once a feed with a known entry was seen there")
  func unchanged() throws {
    var polls = try Polls([old])
    let days = moves(&polls, days: 12) { request, day in
      let isWhole = !request.isConditional || day == 5
      return (isWhole ? .feed(at: start) : WebFeedResponse(.unchanged(isWhole: false))).redirected(to: new)
    }
    #expect(days == ["3 \(new)"])
  }

  @Test("An announced address is requested before it is believed")
  func announcement() throws {
    for isThere in [true, false] {
      var polls = try Polls([old])
      var asked = 0
      let days = moves(&polls, days: 10) { request, _ in
        if request.purpose == .verification { asked += 1 }
        if request.url.text == new { return isThere ? .feed(at: start) : .status(404) }
        guard !request.isConditional else { return WebFeedResponse(.unchanged(isWhole: false)) }
        var response = WebFeedResponse.feed(at: start)
        guard case .feed(var report) = response.outcome else { return response }
        report.newURL = WebURL(new)
        response.outcome = .feed(report)
        return response
      }
      #expect(days == (isThere ? ["3 \(new)"] : []) && asked == 1)
    }
  }

  @Test("A feed whose new address fails is found at its old one, and stays there")
  func fallback() throws {
    var polls = try Polls([old])
    let days = moves(&polls, days: 30) { request, day in
      if request.url.text == new { return day < 10 ? .feed(at: start) : .status(404) }
      return day < 10 ? .feed(at: start).redirected(to: new) : .feed(at: start)
    }
    #expect(days == ["3 \(new)", "10 \(old)"])
    #expect(polls.state(old).failures == 0 && polls.state(old).rejected?.url.text == new)
    // The old address redirects again: not believed for 30 days.
    #expect(moves(&polls, days: 5) { _, _ in .feed(at: start).redirected(to: new) }.isEmpty)
  }

  @Test("An old address with other entries is not returned to, and not tried after 30 days")
  func strangers() throws {
    var polls = try Polls([old])
    var asked: [Int64] = []
    let days = moves(&polls, days: 60) { request, day in
      if request.purpose == .fallback {
        asked.append(day)
        return .feed(at: start, sharesKey: false)
      }
      if request.url.text == new { return day < 10 ? .feed(at: start) : .status(404) }
      return .feed(at: start).redirected(to: new)
    }
    #expect(days == ["3 \(new)"])
    #expect(asked.first == 10 && asked.allSatisfy { $0 < 33 })
    #expect(polls.state(old).isProbablyGone(at: polls.now))
  }

  @Test("An address that a person gives drops what is known of the old one")
  func changedByPerson() throws {
    var polls = try Polls([old])
    _ = polls.poll { _ in .feed(at: start).redirected(to: new) }
    polls.feeds = [PolledFeed(id: PolledFeedID(old), url: try #require(WebURL(new)))]
    polls.now = start.adding(seconds: 1000)
    _ = polls.poll(.due) { _ in .feed(at: start) }
    #expect(polls.sent.map(\.url.text) == [new] && polls.sent.allSatisfy { !$0.isConditional })
    #expect(polls.state(old).move == nil && polls.state(old).fallback == nil)
  }
}
