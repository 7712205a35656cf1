import Core
import Testing

@testable import WebPolling

/// Runs over feeds of any site.
@Suite struct WebRunTests {
  private let three = ["https://a.example/f", "https://b.example/f", "https://c.example/f"]

  @Test("Each feed is requested once; those that responded are not due")
  func simple() throws {
    var polls = try Polls(three)
    let report = polls.poll { _ in .feed(at: start) }
    #expect(polls.sent.count == 3 && report.failed.isEmpty && !report.isOffline)
    polls.now = start.adding(seconds: hour / 2)
    _ = polls.poll(.due) { _ in .feed(at: start) }
    #expect(polls.sent.isEmpty)
    polls.now = start.adding(seconds: 600)
    _ = polls.poll(.all) { _ in .feed(at: start) }
    #expect(polls.sent.isEmpty)
    polls.now = start.adding(seconds: 3 * hour)
    _ = polls.poll(.due) { _ in .feed(at: start) }
    #expect(polls.sent.count == 3 && polls.sent.allSatisfy(\.isConditional))
  }

  @Test("One request at a time and a second apart for each host, eight hosts at once")
  func pace() throws {
    var feeds = try (0..<3).map { try feed("https://big.example/\($0)") }
    feeds += try (0..<20).map { try feed("https://www\($0).host\($0).example/") }
    var run = WebRun(
      WebPlan(feeds, for: .all, memory: WebPollState(), now: start), memory: WebPollState(), isOnline: false, now: start
    )
    var (steady, flying, ends): (Int, [(WebFeedRequest, Int)], [String: Int]) = (0, [], [:])
    var (most, count) = (0, 0)
    loop: while true {
      let step = run.next(at: steady, now: start)
      switch step {
      case .ask(let request):
        #expect(!flying.contains { $0.0.host == request.host })
        if let end = ends[request.host] { #expect(steady >= end + 1000) }
        flying.append((request, steady + 300))
        most = max(most, flying.count)
      case .wait, .idle:
        let wake = if case .wait(let milliseconds) = step { steady + milliseconds } else { Int.max }
        if let first = flying.min(by: { $0.1 < $1.1 }), first.1 <= wake {
          steady = max(steady, first.1)
          flying.removeAll { $0.0 == first.0 }
          ends[first.0.host] = steady
          count += 1
          run.note(.feed(at: start), to: first.0, at: start, steady: steady)
        } else {
          steady = wake
        }
      case .done: break loop
      }
    }
    #expect(count == 23 && most == 8)
  }

  @Test("Reddit is requested once a minute, three times a run; the others come next")
  func slowHost() throws {
    let names = (0..<5).map { "https://www.reddit.com/r/\($0)/.rss" }
    let feeds = try names.map { try feed($0) }
    let plan = WebPlan(feeds, for: .all, memory: WebPollState(), now: start)
    #expect(plan.count == 3 && plan.notDue.values.count { $0 == .turn } == 2)
    var run = WebRun(plan, memory: WebPollState(), isOnline: false, now: start)
    guard case .ask(let first) = run.next(at: 0, now: start) else { return #expect(Bool(false)) }
    run.note(.feed(at: start), to: first, at: start, steady: 500)
    #expect(run.next(at: 500, now: start) == .wait(60_000))
    var polls = try Polls(names)
    _ = polls.poll { _ in .feed(at: start) }
    let before = Set(polls.sent.map(\.feed))
    polls.now = start.adding(seconds: 1000)
    _ = polls.poll { _ in .feed(at: start) }
    #expect(polls.sent.count == 3 && before.isDisjoint(with: polls.sent.prefix(2).map(\.feed)))
  }

  @Test("Three hosts out of reach and no response: this machine has no network, and nothing counts")
  func offline() throws {
    var polls = try Polls(three + ["https://d.example/f"])
    let report = polls.poll { _ in WebFeedResponse(.unsent("no address")) }
    #expect(report.isOffline && polls.sent.count == 3)
    #expect(polls.memory.feeds.values.allSatisfy { $0.failures == 0 && $0.requested == nil && !$0.isUnstored })
    // The next run need not wait.
    _ = polls.poll(.due) { _ in .feed(at: start) }
    #expect(polls.sent.count == 4)
  }

  @Test("Fewer hosts out of reach decide nothing without a response from elsewhere")
  func undecided() throws {
    var polls = try Polls(Array(three.prefix(2)))
    let report = polls.poll { _ in WebFeedResponse(.unsent("no address")) }
    #expect(!report.isOffline && report.failed.count == 2)
    #expect(polls.memory.feeds.values.allSatisfy { $0.failures == 0 })
    _ = polls.poll(isOnline: true) { _ in WebFeedResponse(.unsent("no address")) }
    #expect(polls.memory.feeds.values.allSatisfy { $0.failures == 1 && $0.requested == start })
  }

  @Test("A host out of reach while another responds fails, and is in doubt itself")
  func deadHost() throws {
    var polls = try Polls(three)
    let report = polls.poll { $0.host == "a.example" ? WebFeedResponse(.unsent("no address")) : .feed(at: start) }
    #expect(report.failed.count == 1 && report.doubted == ["a.example"] && report.failing.isEmpty && !report.isOffline)
    #expect(polls.state(three[0]).failures == 1)
  }

  @Test("A feed that fails while its host works is to blame; a host whose few feeds all fail is in doubt")
  func blame() throws {
    var polls = try Polls(["https://a.example/1", "https://a.example/2", "https://b.example/1", "https://b.example/2"])
    _ = polls.poll { _ in .feed(at: start) }
    polls.now = start.adding(seconds: day)
    let report = polls.poll {
      $0.host == "b.example" || $0.url.path == "/1" ? .status(404) : .feed(at: start)
    }
    #expect(report.failing == [PolledFeedID("https://a.example/1")])
    #expect(report.doubted == ["b.example"] && report.failed.count == 3)
    polls.now = start.adding(seconds: 2 * day)
    let recovery = polls.poll { _ in .feed(at: start) }
    #expect(recovery.recovered.count == 3)
  }

  @Test("A host of many feeds that mostly fail is left alone, and its feeds are not blamed")
  func hostOutage() throws {
    var polls = try Polls((0..<30).map { "https://a.example/\($0)" } + ["https://b.example/"])
    _ = polls.poll { _ in .feed(at: start) }
    polls.now = start.adding(seconds: day)
    let report = polls.poll { $0.host == "a.example" ? .status(500) : .feed(at: start) }
    #expect(polls.sent.count == 11)
    #expect(report.paused.map(\.host) == ["a.example"] && report.failing.isEmpty)
    #expect(polls.memory.feeds.values.allSatisfy { $0.failures == 0 })
    polls.now = polls.now.adding(seconds: 1700)
    _ = polls.poll { _ in .feed(at: start) }
    #expect(polls.sent.allSatisfy { $0.host == "b.example" })
    polls.now = polls.now.adding(seconds: 2000)
    _ = polls.poll(.due) { _ in .feed(at: start) }
    #expect(polls.sent.count >= 20)
  }

  @Test(
    "Retry-After holds for the host, up to a day",
    arguments: [(7200, 7200), (100 * 86_400, 86_400)] as [(Int64, Int64)])
  func retryAfter(sent: Int64, kept: Int64) throws {
    var polls = try Polls(["https://a.example/1", "https://a.example/2", "https://b.example/1"])
    let report = polls.poll { $0.host == "a.example" ? .status(503, retryAfter: sent) : .feed(at: start) }
    #expect(polls.sent.count == 2 && report.paused.map(\.host) == ["a.example"])
    #expect(polls.memory.hosts["a.example"]?.pause?.retry == start.adding(seconds: kept))
    polls.now = start.adding(seconds: kept - 1)
    #expect(WebPlan(polls.feeds, for: .all, memory: polls.memory, now: polls.now).due["a.example"] == nil)
    polls.now = start.adding(seconds: kept)
    #expect(WebPlan(polls.feeds, for: .all, memory: polls.memory, now: polls.now).due["a.example"]?.count == 2)
  }

  @Test("429 stops requests to the host, for an hour, then two")
  func tooMany() throws {
    var polls = try Polls(["https://a.example/1", "https://a.example/2"])
    _ = polls.poll { _ in .status(429) }
    #expect(polls.sent.count == 1)
    #expect(polls.memory.hosts["a.example"]?.pause?.retry == start.adding(seconds: hour))
    polls.now = start.adding(seconds: hour)
    _ = polls.poll { _ in .status(429) }
    #expect(polls.memory.hosts["a.example"]?.pause?.retry == polls.now.adding(seconds: 2 * hour))
  }

  @Test("A challenge stops requests to the host for hours; a 403 too, unless other feeds of it work")
  func refused() throws {
    for outcome in [WebFeedOutcome.challenge(403), .status(403)] {
      var polls = try Polls(["https://a.example/1", "https://a.example/2", "https://b.example/1"])
      let report = polls.poll { $0.host == "a.example" ? WebFeedResponse(outcome) : .feed(at: start) }
      #expect(polls.sent.count == 2 && report.paused.map(\.pause.reason) == [.refused])
      #expect(report.failing.isEmpty)
    }
    var polls = try Polls(["https://a.example/1", "https://a.example/2", "https://a.example/3"])
    let report = polls.poll { $0.url.path == "/2" ? .status(403) : .feed(at: start) }
    #expect(polls.sent.count == 3 && report.paused.isEmpty)
    #expect(polls.state("https://a.example/2").trouble == .missing)
  }

  @Test("A feed that is gone is reported at once, one that fails for 30 days once")
  func gone() throws {
    var polls = try Polls(["https://a.example/1", "https://a.example/2", "https://a.example/3"])
    var (gone, probably): ([Int64], [Int64]) = ([], [])
    for days in 0..<60 as Range<Int64> {
      let now = start.adding(seconds: days * day)
      polls.now = now
      let report = polls.poll { request in
        switch request.url.path {
        case "/1": .status(410)
        case "/2": .status(404)
        default: .feed(at: now)
        }
      }
      if !report.gone.isEmpty { gone.append(days) }
      if report.probablyGone.contains(PolledFeedID("https://a.example/2")) { probably.append(days) }
    }
    #expect(gone == [0] && probably == [30])
  }

  @Test("A response that was not stored, and an aborted request")
  func unstored() throws {
    let plan = WebPlan(try three.map { try feed($0) }, for: .all, memory: WebPollState(), now: start)
    var run = WebRun(plan, memory: WebPollState(), isOnline: false, now: start)
    guard case .ask(let first) = run.next(at: 0, now: start), case .ask(let second) = run.next(at: 0, now: start) else {
      return #expect(Bool(false))
    }
    #expect(run.memory.feeds[first.feed]?.isUnstored == true)
    run.note(.feed(at: start), to: first, at: start, steady: 0)
    run.forgetResponse(of: first.feed)
    let known = run.memory.feeds[first.feed]
    #expect(known?.requested == start && known?.isUnstored == true && known?.etag == nil && known?.answered == nil)
    #expect(known?.gap(at: start) == hour)
    run.noteAborted(second, at: 0)
    #expect(run.memory.feeds[second.feed]?.requested == nil)
    run.stop()
    #expect(run.next(at: 0, now: start) == .done && run.finish(at: start).failed.isEmpty)
  }

  @Test("A 304 to a request without validators is no response")
  func falseUnchanged() throws {
    var polls = try Polls(Array(three.prefix(1)))
    let report = polls.poll { _ in WebFeedResponse(.unchanged(isWhole: false)) }
    #expect(report.failed.map(\.text) == ["HTTP 304 without a condition"])
  }

  @Test("A time in the future, of a clock that was set back, does not count")
  func clock() throws {
    var polls = try Polls(three)
    _ = polls.poll { _ in .feed(at: start) }
    polls.now = start.adding(seconds: -10 * day)
    _ = polls.poll(.due) { _ in .feed(at: start) }
    #expect(polls.sent.count == 3)
  }

  @Test("The state of feeds that are followed no longer is dropped, and dropped validators are requested whole")
  func following() throws {
    var polls = try Polls(three)
    _ = polls.poll { $0.host == "a.example" ? .status(429) : .feed(at: start) }
    let kept = polls.memory.following([PolledFeedID(three[1])], at: start)
    #expect(kept.feeds.count == 1 && kept.hosts.count == 1)
    #expect(polls.memory.following([], at: start.adding(seconds: 30 * day)).hosts.isEmpty)
    #expect(polls.memory.dropValidators() && !polls.memory.dropValidators())
    polls.now = start.adding(seconds: day)
    _ = polls.poll { _ in .feed(at: start) }
    #expect(polls.sent.allSatisfy { !$0.isConditional })
  }
}
