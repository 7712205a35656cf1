import Core
import SlowFold
import Testing

@testable import ReadModel

/// The list that is shown by default, without rules.
private var query: VideoQuery {
  var query = VideoQuery(
    statuses: [.new], shorts: nil, upcoming: nil, subscriptions: nil, tags: [], since: nil, until: nil,
    order: .published, oldestFirst: false, limit: 0)
  query.ignoresRules = true
  return query
}

/// The moments at which something may change by itself, those around them, and a few others.
private func moments(_ fold: SlowFold) -> [Timestamp] {
  let turns = fold.videos.values.flatMap { video in
    [video.snoozedUntil, video.enriched?.value.scheduled?.adding(seconds: 86_400)].compactMap(\.self)
  }
  let others = [.min, 0, 1_750_000_000, .max].map { Timestamp(seconds: $0) }
  return others + turns.flatMap { turn in (-1...1).map { turn.adding(seconds: $0) } }
}

@Test("At any moment the list has what nothing hides, in any order of events", arguments: 1...40 as ClosedRange<UInt64>)
func anyMoment(seed: UInt64) throws {
  var maker = EventMaker(seed: seed, videos: 30)
  let follows = (0..<4 as Range<UInt64>).map { number in
    let channel = SubscriptionID.channel(ChannelID(high: 7, low: number))
    let followed = ChannelFollowed(subscription: channel, title: nil, tags: nil)
    return Sample.event(Int64(number), .channelFollowed(followed))
  }
  let events = StoredEvent.all(maker.events(400) + follows)
  let (model, fold) = (try ReadModel.built(events.reversed()), SlowFold(events.map(\.event)))
  var listed = 0
  for now in moments(fold) {
    let selection = try model.select(query, at: now)
    let wanted = fold.videos.values.filter { video in
      video.found != nil && fold.state.reasonsHidden(video, at: now, rules: []).isEmpty
    }
    #expect(Set(selection.ids) == Set(wanted.map(\.id)) && selection.ids.count == wanted.count, "seed \(seed), \(now)")
    var limited = query
    limited.limit = 2
    let page = try model.select(limited, at: now)
    #expect(page.ids == Array(selection.ids.prefix(2)) && page.matching == wanted.count, "seed \(seed), \(now)")
    #expect(page.hidden == selection.hidden)
    listed += wanted.count
  }
  #expect(listed > 0)
}

@Test("Numbers at the ends of their range are valid", arguments: [VideoQuery.Arrangement.byTime, .catchUp, .mix])
func ends(arrangement: VideoQuery.Arrangement) throws {
  let log = try GeneratedLog(seed: 1, videos: 100)
  let all = try log.model.select(query, at: Sample.start).ids
  for limit in [1, Int.max] {
    for time in [Int64.min, .max] {
      var query = query
      (query.arrangement, query.limit, query.since) = (arrangement, limit, Timestamp(seconds: .min))
      query.until = Timestamp(seconds: time)
      #expect(try log.model.select(query, at: Timestamp(seconds: time)).ids.isEmpty == (time == .min))
    }
    for number in [Int64.min, -1, 0, 1000, .max] {
      var query = query
      (query.arrangement, query.limit) = (arrangement, limit)
      query.after = PageCursor(video: all[0], number: number)
      _ = try log.model.select(query, at: Sample.start)
    }
  }
}
