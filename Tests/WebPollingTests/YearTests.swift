import Core
import Seeded
import Testing

@testable import WebPolling

/// A year of polls of a simulated web, with the program's own plan and run, without waiting.
private struct Year {
  let web: SimulatedWeb
  private(set) var memory = WebPollState()
  private(set) var feeds: [PolledFeed]
  /// How many entries of each feed were found, and those that left the document before.
  private(set) var known: [Int]
  private(set) var lost: [Int]
  private(set) var requests: [String: Int] = [:]
  private(set) var moves: [PolledFeedID: [WebURL]] = [:]
  private(set) var gone: Set<PolledFeedID> = []
  /// When each was first reported as probably gone.
  private(set) var probablyGone: [PolledFeedID: Timestamp] = [:]
  private(set) var offlineRuns = 0
  /// Violations of what hosts may expect.
  private(set) var problems: [String] = []
  private var lastRequests: [WebURL: Timestamp] = [:]
  private var paused: [String: Timestamp] = [:]
  private let indices: [PolledFeedID: Int]

  /// Seconds between two polls.
  static let interval: Int64 = 2 * 3600

  init(feeds count: Int, days: Int64, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    web = SimulatedWeb(feeds: count, days: days, from: start, using: &generator)
    feeds = web.sources.map(\.feed)
    (known, lost) = (Array(repeating: 0, count: feeds.count), Array(repeating: 0, count: feeds.count))
    indices = Dictionary(uniqueKeysWithValues: zip(feeds.map(\.id), feeds.indices))
    for number in 0..<(days * 86_400 / Year.interval) {
      poll(at: start.adding(seconds: number * Year.interval + .random(in: 0...300, using: &generator)))
    }
  }

  private mutating func poll(at begin: Timestamp) {
    let plan = WebPlan(feeds, for: .due, memory: memory, now: begin)
    var run = WebRun(plan, memory: memory, isOnline: false, now: begin)
    var (steady, flying): (Int, [(request: WebFeedRequest, end: Int)]) = (0, [])
    loop: while true {
      let now = begin.adding(seconds: Int64(steady / 1000))
      let step = run.next(at: steady, now: now)
      switch step {
      case .ask(let request):
        if flying.contains(where: { $0.request.host == request.host }) { problems.append("two at \(request.host)") }
        noteRequest(request, at: now)
        flying.append((request, steady + 200))
      case .wait, .idle:
        let wake = if case .wait(let milliseconds) = step { steady + milliseconds } else { Int.max }
        guard let first = flying.first, first.end <= wake else {
          steady = wake
          continue
        }
        flying.removeFirst()
        steady = max(steady, first.end)
        respond(to: first.request, &run, at: begin.adding(seconds: Int64(steady / 1000)), steady)
      case .done: break loop
      }
    }
    finish(&run, at: begin.adding(seconds: Int64(steady / 1000)))
  }

  private mutating func noteRequest(_ request: WebFeedRequest, at now: Timestamp) {
    requests[request.host, default: 0] += 1
    if let until = paused[request.host], until > now { problems.append("\(request.host) in its pause") }
    if request.purpose == .regular {
      if let last = lastRequests[request.url], now.seconds(since: last) < hour, !web.isOffline(at: last) {
        problems.append("\(request.url.text) after \(now.seconds(since: last)) s")
      }
      lastRequests[request.url] = now
    }
  }

  private mutating func respond(
    to request: WebFeedRequest, _ run: inout WebRun, at now: Timestamp, _ steady: Int
  ) {
    guard let index = indices[request.feed] else { return }
    let (response, shown) = web.response(to: request, known: known[index], at: now)
    if let seconds = response.retryAfter { paused[request.host] = now.adding(seconds: seconds) }
    // What another feed shows is found as news of this one only if it was requested as itself.
    if let shown, request.purpose != .verification {
      if known[index] > 0 { lost[index] += max(0, shown.lowerBound - known[index]) }
      known[index] = max(known[index], shown.upperBound)
    }
    run.note(response, to: request, at: now, steady: steady)
  }

  private mutating func finish(_ run: inout WebRun, at now: Timestamp) {
    let report = run.finish(at: now)
    memory = run.memory
    if report.isOffline { offlineRuns += 1 }
    for move in report.moves {
      moves[move.feed, default: []].append(move.to)
      if let index = indices[move.feed] { feeds[index] = PolledFeed(id: move.feed, url: move.to) }
    }
    gone.formUnion(report.gone)
    for id in report.probablyGone where probablyGone[id] == nil { probablyGone[id] = now }
  }
}

/// The simulated year, computed once for all its tests.
@Suite struct YearTests {
  private static let days: Int64 = 365
  private static let year = Year(feeds: 300, days: days, seed: 2026)
  private var year: Year { YearTests.year }
  private var end: Timestamp { start.adding(seconds: YearTests.days * day) }

  @Test("Hosts get one request at a time, none in a pause that they want, and an hour between two for one feed")
  func manners() { #expect(year.problems.isEmpty, "\(year.problems.prefix(5))") }

  @Test("Every entry of every feed that can be reached is found")
  func nothingLost() {
    for (index, source) in year.web.sources.enumerated() {
      #expect(year.lost[index] == 0, "\(source.feed.id) \(source.quirk)")
      // The last weeks may not be read yet, by intervals of a week.
      var due = end.adding(seconds: -9 * day)
      switch source.quirk {
      case .missing(let from, .max), .gone(let from, .max): due = start.adding(seconds: (from - 9) * day)
      default: break
      }
      let published = year.web.publishedCount(of: index, at: due)
      #expect(year.known[index] >= published, "\(source.feed.id) \(source.quirk)")
    }
  }

  @Test("Feeds that move are followed, and no others move")
  func moves() {
    for source in year.web.sources {
      let moves = year.moves[source.feed.id] ?? []
      switch source.quirk {
      case .mover, .announcer: #expect(moves == [source.moved], "\(source.feed.id) \(source.quirk)")
      case .returner: #expect(moves == [source.moved, source.feed.url], "\(source.feed.id) \(source.quirk)")
      default: #expect(moves.isEmpty, "\(source.feed.id) \(source.quirk) \(moves.map(\.text))")
      }
    }
  }

  @Test("Exactly the feeds that are gone are reported so, after a month")
  func gone() {
    for source in year.web.sources {
      let reported = year.probablyGone[source.feed.id].map { year.web.day($0) }
      switch source.quirk {
      case .missing(let from, .max), .gone(let from, .max):
        #expect(reported.map { (from + 30...from + 40).contains($0) } ?? false, "\(source.feed.id) \(reported ?? -1)")
      default: #expect(reported == nil, "\(source.feed.id) \(source.quirk)")
      }
      if case .gone = source.quirk {
        #expect(year.gone.contains(source.feed.id))
      } else {
        #expect(!year.gone.contains(source.feed.id))
      }
    }
  }

  @Test("Feeds that came back are well, and the machine's own outages counted against nobody")
  func recovered() {
    #expect(year.offlineRuns > 30)
    for source in year.web.sources {
      switch source.quirk {
      case .missing(_, .max), .gone(_, .max): continue
      default: break
      }
      // A host may be in trouble at the very end.
      guard !year.web.wasInTrouble(source.feed.url.site, before: end, within: 8 * day) else { continue }
      #expect(year.memory.feeds[source.feed.id]?.failures == 0, "\(source.feed.id) \(source.quirk)")
    }
  }

  @Test("Requests by host stay within bounds")
  func requests() {
    let feeds = Dictionary(grouping: year.web.sources, by: \.feed.url.site)
    var total = 0
    for (host, sources) in feeds {
      let count = year.requests[host] ?? 0
      total += count
      // Polls every two hours; four a day and feed on the average, with those that say that all is new.
      #expect(count <= sources.count * 12 * Int(YearTests.days), "\(host)")
    }
    #expect((year.requests["reddit.com"] ?? 0) <= 3 * 12 * Int(YearTests.days))
    for source in year.web.sources where source.quirk == .large && feeds[source.feed.url.site]?.count == 1 {
      #expect((year.requests[source.feed.url.site] ?? 0) <= Int(YearTests.days) + 1)
    }
    for case let source in year.web.sources {
      guard case .missing(let from, .max) = source.quirk, feeds[source.feed.url.site]?.count == 1 else { continue }
      // Until it is missing, then 8 daily and the others weekly.
      let most = Int(from) * 12 + 8 + Int(YearTests.days - from) / 7 + 2
      #expect((year.requests[source.feed.url.site] ?? 0) <= most)
    }
    print(
      "year: \(total / Int(YearTests.days)) requests a day for 300 feeds,",
      "\(year.known.reduce(0, +)) entries, \(year.moves.count) feeds moved, \(year.probablyGone.count) gone")
  }

  @Test("The same seed gives the same year")
  func repeatable() {
    let years = (0..<2).map { _ in Year(feeds: 60, days: 40, seed: 7) }
    #expect(years[0].requests == years[1].requests && years[0].memory == years[1].memory)
  }
}
