import Core
import SQLDrivers
import SlowFold
import Testing

@testable import ReadModel

private let now = Sample.start.adding(seconds: 10_000)

/// A query for everything, to be narrowed.
private func everything(_ narrow: (inout VideoQuery) -> Void = { _ in }) -> VideoQuery {
  var query = VideoQuery(
    statuses: nil, shorts: .show, upcoming: .show, subscriptions: nil, tags: [], since: nil, until: nil,
    order: .published, oldestFirst: false, limit: 0)
  narrow(&query)
  return query
}

private func ids(_ log: GeneratedLog, _ query: VideoQuery) throws -> [VideoID] {
  try log.model.select(query, at: now).ids
}

/// What a query asks for, found by looking at the rows as a person sees them, one condition after the other.
private func slowly(_ log: GeneratedLog, _ isWanted: (VideoRow, Video) -> Bool) -> Set<VideoID> {
  var wanted: Set<VideoID> = []
  for video in log.videos {
    if let row = VideoRow(video, in: log.fold.state, at: now), isWanted(row, video) { wanted.insert(video.id) }
  }
  return wanted
}

private func isToCome(_ row: VideoRow, _ video: Video) -> Bool {
  guard row.live == .upcoming else { return false }
  return video.enriched?.value.scheduled.map { $0.seconds + 86_400 > now.seconds } ?? true
}

@Suite("Queries over a made-up state")
struct VideoQueryTests {
  private let log: GeneratedLog

  init() throws { log = try GeneratedLog(seed: 5, videos: GeneratedLog.usualCount) }

  private func check(
    _ name: Comment, _ narrow: (inout VideoQuery) -> Void, _ isWanted: (VideoRow, Video) -> Bool
  ) throws {
    let found = try ids(log, everything(narrow))
    let wanted = slowly(log, isWanted)
    #expect(Set(found) == wanted, name)
    #expect(found.count == wanted.count && !wanted.isEmpty && wanted.count < GeneratedLog.usualCount, name)
  }

  @Test("Each status is chosen, of what is followed and there, and all of them together")
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
    #expect(try ids(log, everything()).count == GeneratedLog.usualCount)
  }

  @Test("Shorts and upcoming videos are hidden, shown or shown alone, and hidden ones are counted")
  func visibilities() throws {
    try check("no Shorts", { $0.shorts = .hide }) { row, _ in row.short != .yes }
    try check("Shorts", { $0.shorts = .only }) { row, _ in row.short == .yes }
    try check("to come", { $0.upcoming = .only }) { isToCome($0, $1) }
    try check("not to come", { $0.upcoming = .hide }) { !isToCome($0, $1) }
    let selection = try log.model.select(everything { ($0.shorts, $0.upcoming) = (.hide, .hide) }, at: now)
    #expect(selection.hidden.upcoming == slowly(log) { isToCome($0, $1) }.count)
    #expect(selection.hidden.shorts == slowly(log) { $0.short == .yes && !isToCome($0, $1) }.count)
    for only in [everything { $0.shorts = .only }, everything { ($0.upcoming, $0.shorts) = (.only, .show) }] {
      #expect(
        try log.model.select(only, at: now).hidden == VideoSelection.Hidden(), "what was not asked for is not hidden"
      )
    }
    let toCome = try log.model.select(everything { ($0.upcoming, $0.shorts) = (.only, .hide) }, at: now)
    #expect(toCome.hidden.shorts == slowly(log) { $0.short == .yes && isToCome($0, $1) }.count)
    #expect(selection.matching + selection.hidden.shorts + selection.hidden.upcoming == GeneratedLog.usualCount)
  }

  @Test("Channels, tags and times narrow")
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

  @Test("Filters for saved videos, streams and lengths narrow; an unknown length never matches and is counted")
  func more() throws {
    try check("saved", { $0.savedOnly = true }) { row, _ in row.saved }
    try check("streams", { $0.streamsOnly = true }) { row, _ in [.upcoming, .live, .ended].contains(row.live) }
    try check("long", { $0.minimumLength = 3600 }) { row, _ in (row.durationSeconds ?? -1) >= 3600 }
    try check("short", { $0.maximumLength = 600 }) { row, _ in (row.durationSeconds ?? .max) <= 600 }
    try check("between", { ($0.minimumLength, $0.maximumLength) = (600, 3600) }) { row, _ in
      (600...3600).contains(row.durationSeconds ?? -1)
    }
    let selection = try log.model.select(everything { $0.minimumLength = 1 }, at: now)
    #expect(selection.hidden.unknownLength == slowly(log) { row, _ in row.durationSeconds == nil }.count)
  }

  @Test("Filters combine, among some videos alone")
  func combined() throws {
    let query = everything {
      ($0.statuses, $0.tags, $0.shorts, $0.savedOnly) = ([.new], ["science"], .hide, true)
    }
    var numbers = NumberSet()
    try log.model.read { (database) throws(DatabaseError) in
      try database.forEach("SELECT n, title FROM video WHERE title IS NOT NULL") { row in
        if !row.text(1).hasSuffix("7") { numbers.insert(row.int(0)) }
      }
    }
    let selection = try log.model.select(query, at: now, among: numbers)
    let wanted = slowly(log) { row, video in
      row.status == .new && row.tags == ["science"] && row.saved && !video.isRemoved && !row.title.hasSuffix("7")
    }
    let shorts = slowly(log) { row, _ in wanted.contains(row.video) && row.short == .yes }
    #expect(Set(selection.ids) == wanted.subtracting(shorts) && selection.hidden.shorts == shorts.count)
    #expect(selection.ids.count > 3 && !shorts.isEmpty)
  }

  @Test(
    "A limit shows the first and counts all", arguments: [1, 7, 50] + (-1...1).map { GeneratedLog.usualCount + $0 })
  func limits(limit: Int) throws {
    let count = GeneratedLog.usualCount
    for order in VideoQuery.Order.allCases {
      let all = try ids(log, everything { $0.order = order })
      let selection = try log.model.select(everything { ($0.order, $0.limit) = (order, limit) }, at: now)
      #expect(selection.ids == Array(all.prefix(limit)))
      #expect(selection.matching == count && (selection.next == nil) == (limit >= count))
    }
  }
}

@Test("What was skipped while it was still to come is new once it can be watched, what was watched is not")
func skippedAsUpcoming() throws {
  let (skipped, watched, late) = (Sample.video(1), Sample.video(2), Sample.video(3))
  var events = [skipped, watched, late].enumerated().flatMap { number, video in
    [
      Sample.event(Int64(number), Sample.found(UInt64(number + 1))),
      Sample.event(10 + Int64(number), .videoEnriched(VideoEnriched(video: video, duration: nil, live: .upcoming))),
    ]
  }
  let follow = ChannelFollowed(subscription: .channel(Sample.channel(1)), title: nil, tags: nil)
  events.append(Sample.event(5, .channelFollowed(follow)))
  events.append(Sample.event(20, .statusSet(StatusSet(video: skipped, status: .skipped))))
  events.append(Sample.event(21, .statusSet(StatusSet(video: watched, status: .watched))))
  let model = try ReadModel.empty()
  try model.apply(events)
  #expect(try model.video(skipped)?.status(at: now) == .skipped)
  #expect(try model.select(everything { $0.statuses = [.new] }, at: now).ids == [late])
  for (number, video) in [skipped, watched, late].enumerated() {
    let started = Sample.start.adding(seconds: 25)
    let live = VideoEnriched(video: video, duration: nil, live: .live, started: started)
    events.append(Sample.event(30 + Int64(number), .videoEnriched(live)))
  }
  events.append(Sample.event(40, .statusSet(StatusSet(video: late, status: .skipped))))
  for order in [events, events.reversed()] {
    let model = try ReadModel.empty()
    try model.apply(order)
    let statuses = try [skipped, watched, late].map { try model.video($0)?.status(at: now) }
    #expect(statuses == [.new, .watched, .skipped])
    #expect(try model.select(everything { $0.statuses = [.new] }, at: now).ids == [skipped])
  }
}
