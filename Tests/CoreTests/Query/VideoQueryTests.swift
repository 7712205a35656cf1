import TestSupport
import Testing

@testable import Core

private let now = Sample.start.adding(seconds: 10_000)

/// A query for everything, to be narrowed.
private func everything(_ narrow: (inout VideoQuery) -> Void = { _ in }) -> VideoQuery {
  var query = VideoQuery(
    statuses: nil, shorts: .show, upcoming: .show, subscriptions: nil, tags: [], since: nil, until: nil,
    order: .published, oldestFirst: false, limit: 0)
  narrow(&query)
  return query
}

private func ids(_ state: State, _ query: VideoQuery) throws -> [VideoID] {
  try state.select(query, at: now, .none).videos.map(\.id)
}

/// A query's expected result, found by testing the visible rows against one condition after the other.
private func slowly(_ state: State, _ isWanted: (VideoRow, Video) -> Bool) -> Set<VideoID> {
  var wanted: Set<VideoID> = []
  state.videos.forEach { video in
    if let row = VideoRow(video, in: state, at: now), isWanted(row, video) { wanted.insert(video.id) }
  }
  return wanted
}

private func isToCome(_ row: VideoRow, _ video: Video) -> Bool {
  guard row.live == .upcoming else { return false }
  return video.enriched?.value.scheduled.map { $0.seconds + 86_400 > now.seconds } ?? true
}

@Suite("Queries over an invented state")
struct VideoQueryTests {
  private static let shared = GeneratedState(seed: 5, videos: GeneratedState.usualCount).state
  private var state: State { VideoQueryTests.shared }

  private func check(
    _ name: Comment, _ narrow: (inout VideoQuery) -> Void, _ isWanted: (VideoRow, Video) -> Bool
  ) throws {
    let found = try ids(state, everything(narrow))
    let wanted = slowly(state, isWanted)
    #expect(Set(found) == wanted, name)
    #expect(found.count == wanted.count && !wanted.isEmpty && wanted.count < GeneratedState.usualCount, name)
  }

  @Test("Each status is selected among followed and available videos, and all of them together")
  func statuses() throws {
    let gone = SubscriptionID.channel(Sample.channel(3))
    for status in Status.allCases {
      try check("\(status)", { $0.statuses = [status] }) { row, video in
        row.status == status && .channel(row.channel) != gone && !video.isRemoved
      }
    }
    try check("two", { $0.statuses = [.watched, .snoozed] }) { row, video in
      [.watched, .snoozed].contains(row.status) && .channel(row.channel) != gone && !video.isRemoved
    }
    #expect(try ids(state, everything()).count == GeneratedState.usualCount)
  }

  @Test("Shorts and upcoming videos are hidden, shown, or shown alone, and hidden ones counted")
  func visibilities() throws {
    try check("no Shorts", { $0.shorts = .hide }) { row, _ in row.short != .yes }
    try check("Shorts", { $0.shorts = .only }) { row, _ in row.short == .yes }
    try check("to come", { $0.upcoming = .only }) { isToCome($0, $1) }
    try check("not to come", { $0.upcoming = .hide }) { !isToCome($0, $1) }
    let selection = try state.select(everything { ($0.shorts, $0.upcoming) = (.hide, .hide) }, at: now, .none)
    #expect(selection.hidden.upcoming == slowly(state) { isToCome($0, $1) }.count)
    #expect(selection.hidden.shorts == slowly(state) { $0.short == .yes && !isToCome($0, $1) }.count)
    for only in [everything { $0.shorts = .only }, everything { ($0.upcoming, $0.shorts) = (.only, .show) }] {
      #expect(
        try state.select(only, at: now, .none).hidden == VideoSelection.Hidden(), "what was not asked for is not hidden"
      )
    }
    let toCome = try state.select(everything { ($0.upcoming, $0.shorts) = (.only, .hide) }, at: now, .none)
    #expect(toCome.hidden.shorts == slowly(state) { $0.short == .yes && isToCome($0, $1) }.count)
    #expect(selection.matching + selection.hidden.shorts + selection.hidden.upcoming == GeneratedState.usualCount)
  }

  @Test("Channels, tags and times narrow the list")
  func narrowing() throws {
    let (one, other) = (Sample.channel(1), Sample.channel(2))
    try check("channels", { $0.subscriptions = [.channel(one), .channel(other)] }) { row, _ in
      row.channel == one || row.channel == other
    }
    try check("tag", { $0.tags = ["music"] }) { row, _ in row.tags.contains("music") }
    try check("tags", { $0.tags = ["science", "quiet"] }) { row, _ in !row.tags.isEmpty }
    let day = Sample.start.adding(seconds: 100 * 86_400)
    try check("since", { $0.since = day }) { row, _ in row.published.seconds >= day.seconds }
    try check("until", { $0.until = day }) { row, _ in row.published.seconds < day.seconds }
  }

  @Test("Saved, streams and durations narrow the list; an unknown duration never matches and is counted")
  func more() throws {
    try check("saved", { $0.savedOnly = true }) { row, _ in row.saved }
    try check("streams", { $0.streamsOnly = true }) { row, _ in [.upcoming, .live, .ended].contains(row.live) }
    try check("long", { $0.minimumLength = 3600 }) { row, _ in (row.durationSeconds ?? -1) >= 3600 }
    try check("short", { $0.maximumLength = 600 }) { row, _ in (row.durationSeconds ?? .max) <= 600 }
    try check("between", { ($0.minimumLength, $0.maximumLength) = (600, 3600) }) { row, _ in
      (600...3600).contains(row.durationSeconds ?? -1)
    }
    let selection = try state.select(everything { $0.minimumLength = 1 }, at: now, .none)
    #expect(selection.hidden.unknownLength == slowly(state) { row, _ in row.durationSeconds == nil }.count)
  }

  @Test("Filters combine, and text conditions are applied last")
  func combined() throws {
    let query = everything {
      ($0.statuses, $0.tags, $0.shorts, $0.savedOnly) = ([.new], ["science"], .hide, true)
    }
    var requested: [VideoID] = []
    let decisions = TextDecisions(
      matches: TextDecision(among: nil) { video in
        requested.append(video.id)
        return !video.title.hasSuffix("7")
      }, isBlocked: TextDecision(among: nil) { $0.title.hasSuffix("8") })
    let selection = try state.select(query, at: now, decisions)
    let wanted = slowly(state) { row, video in
      row.status == .new && row.tags == ["science"] && row.saved && !video.isRemoved
    }
    #expect(Set(requested) == wanted && !wanted.isEmpty)
    #expect(
      Set(selection.videos.map(\.id))
        == slowly(state) { row, _ in
          wanted.contains(row.video) && row.short != .yes && !row.title.hasSuffix("7") && !row.title.hasSuffix("8")
        })
    #expect(
      selection.hidden.rules
        == slowly(state) { row, _ in wanted.contains(row.video) && row.short != .yes && row.title.hasSuffix("8") }.count
    )
  }

  @Test(
    "A limit shows the first and counts all", arguments: [1, 7, 50] + (-1...1).map { GeneratedState.usualCount + $0 })
  func limits(limit: Int) throws {
    let count = GeneratedState.usualCount
    for order in VideoQuery.Order.allCases {
      let all = try ids(state, everything { $0.order = order })
      let selection = try state.select(everything { ($0.order, $0.limit) = (order, limit) }, at: now, .none)
      #expect(selection.videos.map(\.id) == Array(all.prefix(limit)))
      #expect(selection.matching == count && (selection.next == nil) == (limit >= count))
    }
  }
}

@Test("A video skipped while upcoming is new once it can be watched, a watched one is not")
func skippedAsUpcoming() {
  let (skipped, watched, late) = (Sample.video(1), Sample.video(2), Sample.video(3))
  var events = [skipped, watched, late].enumerated().flatMap { number, video in
    [
      Sample.event(Int64(number), Sample.found(UInt64(number + 1))),
      Sample.event(10 + Int64(number), .videoEnriched(VideoEnriched(video: video, duration: nil, live: .upcoming))),
    ]
  }
  events.append(Sample.event(20, .statusSet(StatusSet(video: skipped, status: .skipped))))
  events.append(Sample.event(21, .statusSet(StatusSet(video: watched, status: .watched))))
  #expect(Sample.state(events).videos[skipped]?.status(at: now) == .skipped)
  for (number, video) in [skipped, watched, late].enumerated() {
    let started = Sample.start.adding(seconds: 25)
    let live = VideoEnriched(video: video, duration: nil, live: .live, started: started)
    events.append(Sample.event(30 + Int64(number), .videoEnriched(live)))
  }
  events.append(Sample.event(40, .statusSet(StatusSet(video: late, status: .skipped))))
  for state in [Sample.state(events), Sample.state(events.reversed())] {
    #expect([skipped, watched, late].map { state.videos[$0]?.status(at: now) } == [.new, .watched, .skipped])
  }
}
