import Core
import Seeded

@testable import WebPolling

/// Servers with feeds over a year, and how they misbehave.
struct SimulatedWeb {
  /// What is wrong with a feed.
  enum Quirk: Equatable {
    case none
    /// Sends no validators and half a megabyte.
    case large
    /// Keeps its ETag for ever, and says 304 to whoever sends it.
    case liar
    /// Says of all entries that they are new.
    case rewriter
    /// Moves with a permanent redirect on a day; a month later nothing is at the old address.
    case mover(day: Int64)
    /// Announces the new address in the feed for days, then is gone.
    case announcer(day: Int64)
    /// Redirects permanently, and is back at the old address after days: the new one is gone.
    case returner(day: Int64, back: Int64)
    /// Is missing for good from a day on, or between two.
    case missing(from: Int64, to: Int64)
    /// Says 410 between two days.
    case gone(from: Int64, to: Int64)
    /// Redirects permanently to another feed for some hours a month.
    case misled
  }

  /// One feed: what it published, at its address and the one that it moves to.
  struct Source {
    let feed: PolledFeed
    let moved: WebURL
    let quirk: Quirk
    /// When each entry was published, in order.
    let published: [Timestamp]
  }

  private(set) var sources: [Source] = []
  /// The feed and whether it is its second address, by URL.
  private var positions: [WebURL: (index: Int, isMoved: Bool)] = [:]
  let start: Timestamp
  private let days: Int64

  init(feeds count: Int, days: Int64, from start: Timestamp, using generator: inout SeededGenerator) {
    (self.start, self.days) = (start, days)
    for number in 0..<count {
      guard let url = WebURL("https://\(SimulatedWeb.host(of: number))/feed\(number)"),
        let moved = WebURL("https://new\(number % 10)-site.example/feed\(number)")
      else { continue }
      positions[url] = (sources.count, false)
      positions[moved] = (sources.count, true)
      let quirk = SimulatedWeb.quirk(of: number, using: &generator)
      let interval = Int64.random(in: 6...(14 * 24), using: &generator) * 3600
      let dates = SimulatedWeb.dates(every: interval, from: start, days: days, using: &generator)
      sources.append(
        Source(
          feed: PolledFeed(id: PolledFeedID("f\(number)"), url: url), moved: moved, quirk: quirk,
          published: dates.filter { !SimulatedWeb.isSilent(quirk, day: $0.seconds(since: start) / 86_400) }))
    }
  }

  /// A tenth of the feeds is on one host, some on Reddit; others share hosts by two or three, or have their own.
  private static func host(of number: Int) -> String {
    switch number % 20 {
    case 0, 1: "www.big-site.example"
    case 2 where number < 200: "www.reddit.com"
    case 3...8: "site\(number / 2)-shared.example"
    default: "blog\(number)-own.example"
    }
  }

  private static func quirk(of number: Int, using generator: inout SeededGenerator) -> Quirk {
    // Nothing else is wrong on the hosts that fail as a whole.
    guard number % 20 > 2 else { return .none }
    let day = Int64.random(in: 20...250, using: &generator)
    switch number % 17 {
    case 0: return .large
    case 1: return .liar
    case 2: return .rewriter
    case 3: return .mover(day: day)
    case 4: return .announcer(day: day)
    case 5: return .returner(day: day, back: day + 25)
    case 6: return .missing(from: day, to: .max)
    case 7: return .missing(from: day, to: day + 12)
    case 8: return .gone(from: day, to: number % 2 == 0 ? .max : day + 20)
    case 9: return .misled
    default: return .none
    }
  }

  /// Whether a feed publishes nothing: while it is missing, until polls have noticed that it is back.
  private static func isSilent(_ quirk: Quirk, day: Int64) -> Bool {
    switch quirk {
    case .missing(let from, let to) where to < .max, .gone(let from, let to) where to < .max:
      (from..<to + 9).contains(day)
    default: false
    }
  }

  private static func dates(
    every interval: Int64, from start: Timestamp, days: Int64, using generator: inout SeededGenerator
  ) -> [Timestamp] {
    var dates: [Timestamp] = []
    var time = start.adding(seconds: -20 * interval)
    let end = start.adding(seconds: days * 86_400)
    while time < end {
      dates.append(time)
      time = time.adding(seconds: interval * .random(in: 50...150, using: &generator) / 100)
    }
    return dates
  }

  /// How many entries of a feed were published by a time.
  func publishedCount(of index: Int, at now: Timestamp) -> Int {
    let dates = sources[index].published
    var (low, high) = (0, dates.count)
    while low < high {
      let middle = (low + high) / 2
      if dates[middle] <= now { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The feed that a URL is of.
  func index(of url: WebURL) -> (index: Int, isMoved: Bool)? { positions[url] }
}

// MARK: What is wrong with hosts

extension SimulatedWeb {
  /// The day since the start.
  func day(_ now: Timestamp) -> Int64 { now.seconds(since: start) / 86_400 }

  /// The hour of the day.
  private func hour(_ now: Timestamp) -> Int64 { now.seconds(since: start) / 3600 % 24 }

  /// Whether this machine has no network: five hours of each tenth day.
  func isOffline(at now: Timestamp) -> Bool { day(now) % 10 == 4 && (3..<8).contains(hour(now)) }

  /// What a host says to everything at a time; nil if it works.
  func trouble(of host: String, at now: Timestamp) -> WebFeedResponse? {
    let (day, hour) = (day(now), hour(now))
    switch host {
    case "big-site.example" where day % 30 == 12 && (6..<20).contains(hour): return WebFeedResponse(.status(502))
    case "reddit.com" where day % 9 == 3 && hour < 12:
      var response = WebFeedResponse(.status(429))
      response.retryAfter = 3 * 3600
      return response
    // A gatekeeper for a week, a page for a day, maintenance with a permanent redirect, a host out of reach for days.
    case "site2-shared.example" where (100..<107).contains(day): return WebFeedResponse(.challenge(403))
    case "site12-shared.example" where day % 50 == 20: return WebFeedResponse(.page)
    case "site22-shared.example" where day % 40 == 30:
      var response = WebFeedResponse(.page)
      response.permanentURL = WebURL("https://maintenance.example/")
      return response
    case "site32-shared.example" where (60..<64).contains(day): return WebFeedResponse(.unsent("no address"))
    default: return nil
    }
  }

  /// Whether a host was in trouble within some seconds before a time.
  func wasInTrouble(_ host: String, before now: Timestamp, within seconds: Int64) -> Bool {
    stride(from: 0, through: seconds, by: 3600).contains { trouble(of: host, at: now.adding(seconds: -$0)) != nil }
  }
}

// MARK: What a feed says

extension SimulatedWeb {
  /// Where a request leads, and whether permanently: an address of the same feed, or of another; nil if nothing is there.
  private func target(of url: WebURL, at now: Timestamp) -> (index: Int, url: WebURL, isPermanent: Bool)? {
    guard let (index, isMoved) = positions[url] else { return nil }
    let (source, day) = (sources[index], day(now))
    let here = (index, url, false)
    switch source.quirk {
    case .mover(let start):
      if isMoved { return day >= start ? here : nil }
      return day < start ? here : day < start + 30 ? (index, source.moved, true) : nil
    case .announcer(let start):
      if isMoved { return day >= start - 15 ? here : nil }
      return day < start ? here : nil
    case .returner(let start, let back):
      if isMoved { return (start..<back).contains(day) ? here : nil }
      return (start..<back).contains(day) ? (index, source.moved, true) : here
    case .missing(let from, let to): return isMoved || (from..<to).contains(day) ? nil : here
    case .misled where day % 30 == 7 && hour(now) < 20:
      let other = (index + 1) % sources.count
      return (other, sources[other].feed.url, true)
    default: return isMoved ? nil : here
    }
  }

  /// The response to a request of a feed of which `known` entries are known.
  func response(to request: WebFeedRequest, known: Int, at now: Timestamp) -> (WebFeedResponse, shown: Range<Int>?) {
    if isOffline(at: now) { return (WebFeedResponse(.unsent("no network")), nil) }
    if let trouble = trouble(of: request.url.site, at: now) { return (trouble, nil) }
    if let (index, isMoved) = positions[request.url], !isMoved, case .gone(let from, let to) = sources[index].quirk,
      (from..<to).contains(day(now))
    {
      return (WebFeedResponse(.status(410)), nil)
    }
    guard let (index, url, isPermanent) = target(of: request.url, at: now) else {
      return (WebFeedResponse(.status(404)), nil)
    }
    let isOwn = positions[request.url]?.index == index
    var (response, shown) = feed(index, request, known: isOwn ? known : 0, isOwn: isOwn, at: now)
    if isPermanent { response.permanentURL = url }
    return (response, isOwn ? shown : nil)
  }

  private func feed(
    _ index: Int, _ request: WebFeedRequest, known: Int, isOwn: Bool, at now: Timestamp
  ) -> (WebFeedResponse, Range<Int>?) {
    let source = sources[index]
    let count = publishedCount(of: index, at: now)
    let etag: String? =
      switch source.quirk {
      case .large: nil
      case .liar: "\"always\""
      default: "\"\(index)-\(count)\""
      }
    if let etag, request.etag == etag {
      var response = WebFeedResponse(.unchanged(isWhole: false))
      response.etag = etag
      return (response, nil)
    }
    let shown = max(0, count - 20)..<count
    let dates = source.quirk == .rewriter ? shown.map { _ in now } : shown.map { source.published[$0] }
    var report = WebFeedReport(
      habit: PublishingInterval(published: dates), digest: UInt64(count),
      bytes: source.quirk == .large ? 900_000 : 20_000, hasNews: count > known,
      sharesKey: isOwn && known > shown.lowerBound)
    if case .announcer(let day) = source.quirk, self.day(now) >= day - 15, request.url == source.feed.url {
      report.newURL = source.moved
    }
    var response = WebFeedResponse(.feed(report))
    response.etag = etag
    return (response, shown)
  }
}
