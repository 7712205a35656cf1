import Core
import SlowFold
import Testing

@testable import ReadModel

private let now = Sample.start.adding(seconds: 400 * 86_400)

/// The query of a list of what is new.
private func query(_ arrangement: VideoQuery.Arrangement, limit: Int, after: PageCursor?) -> VideoQuery {
  var query = VideoQuery(
    statuses: [.new], shorts: .hide, upcoming: .hide, subscriptions: nil, tags: [], since: nil, until: nil,
    order: .published, oldestFirst: false, limit: limit)
  query.arrangement = arrangement
  query.after = after
  return query
}

private func select(
  _ log: GeneratedLog, _ arrangement: VideoQuery.Arrangement, limit: Int, after: PageCursor? = nil
) throws -> VideoSelection {
  try log.model.select(query(arrangement, limit: limit, after: after), at: now)
}

extension GeneratedLog {
  /// The videos of a selection.
  fileprivate func videos(_ selection: VideoSelection) -> [Video] { selection.ids.compactMap { fold.videos[$0] } }
}

@Test("Catching up goes channel by channel, from the oldest on")
func catchUp() throws {
  let log = try GeneratedLog(seed: 2, videos: 400)
  let videos = log.videos(try select(log, .catchUp, limit: 0))
  let groups = Dictionary(grouping: videos, by: \.channel)
  let expected = groups.values.map { $0.sorted { ($0.published, $0.id) < ($1.published, $1.id) } }
    .sorted { ($0[0].published, $0[0].channel) < ($1[0].published, $1[0].channel) }
  #expect(videos == Array(expected.joined()) && groups.count > 10)
}

@Test("A mix takes one of each channel in turn")
func mix() throws {
  let log = try GeneratedLog(seed: 3, videos: 400)
  let videos = log.videos(try select(log, .mix, limit: 0))
  var left = Dictionary(grouping: videos, by: \.channel).mapValues {
    $0.sorted { ($1.published, $0.id) < ($0.published, $1.id) }
  }
  let channels = left.count
  #expect(Set(videos.prefix(channels).map(\.channel)).count == channels)
  var expected: [Video] = []
  while !left.isEmpty {
    let turn = left.values.map { $0[0] }.sorted { ($1.published, $0.id) < ($0.published, $1.id) }
    expected += turn
    left = left.mapValues { Array($0.dropFirst()) }.filter { !$0.value.isEmpty }
  }
  #expect(videos == expected)
}

private let arrangements = [VideoQuery.Arrangement.byTime, .catchUp, .mix]

@Test("All pages together are the whole list", arguments: arrangements, [1, 2, 17, 100])
func pages(arrangement: VideoQuery.Arrangement, limit: Int) throws {
  let log = try GeneratedLog(seed: 4, videos: 300)
  let whole = try select(log, arrangement, limit: 0)
  var (shown, cursor) = ([VideoID](), PageCursor?.none)
  repeat {
    let page = try select(log, arrangement, limit: limit, after: cursor)
    #expect(page.ids.count == limit || page.next == nil)
    #expect(page.matching == whole.matching && page.hidden == whole.hidden)
    shown += page.ids
    cursor = page.next.flatMap { PageCursor($0.description) }
    #expect(cursor == page.next)
  } while cursor != nil && shown.count < 300
  #expect(shown == whole.ids)
}

@Test(
  "Pages by time neither repeat nor skip while videos arrive and those shown are marked",
  arguments: 1...12 as ClosedRange<UInt64>)
func arrival(seed: UInt64) throws {
  let log = try GeneratedLog(seed: seed, videos: 300)
  let first = try select(log, .byTime, limit: 0).ids
  let known = Set(first)
  var shown: [VideoID] = []
  var cursor: PageCursor?
  repeat {
    let page = try select(log, .byTime, limit: 17, after: cursor)
    shown += page.ids
    cursor = page.next.flatMap { PageCursor($0.description) }
    #expect(cursor == page.next)
    for _ in 0..<25 { log.find() }
    // Of what was shown some is marked, the last one always: the next page begins after it all the same.
    for video in page.ids where log.number(below: 2) == 0 || video == page.ids.last {
      log.add(.statusSet(StatusSet(video: video, status: .watched)))
    }
    try log.commit()
  } while cursor != nil
  #expect(shown.count == Set(shown).count)
  #expect(shown.filter(known.contains) == first)
}

@Test("A page goes on after a channel of which nothing is left, though another one's oldest video is as old")
func channelGone() throws {
  let model = try ReadModel.empty()
  try model.apply(
    (1...6 as ClosedRange<UInt64>).flatMap { number in
      let channel = SubscriptionID.channel(Sample.channel(number))
      return [
        Sample.event(Int64(number), .channelFollowed(ChannelFollowed(subscription: channel, title: nil, tags: nil))),
        Sample.event(Int64(10 + number), Sample.found(number, of: number)),
      ]
    })
  let whole = try model.select(query(.catchUp, limit: 0, after: nil), at: now).ids
  for (index, video) in whole.enumerated().dropFirst().dropLast() {
    let page = try model.select(query(.catchUp, limit: index + 1, after: nil), at: now)
    try model.apply([Sample.event(Int64(100 + index), .statusSet(StatusSet(video: video, status: .watched)))])
    let next = try model.select(query(.catchUp, limit: 10, after: page.next), at: now).ids
    #expect(next == Array(whole[(index + 1)...]))
    try model.apply([Sample.event(Int64(200 + index), .statusSet(StatusSet(video: video, status: .new)))])
  }
}

@Test("A page cannot begin after a video that is not in the list")
func elsewhere() throws {
  let log = try GeneratedLog(seed: 1, videos: 50)
  let unknown = PageCursor(video: Sample.video(9999), number: nil)
  for arrangement in [VideoQuery.Arrangement.byTime, .catchUp, .mix] {
    #expect(throws: QueryError.self) { try select(log, arrangement, limit: 5, after: unknown) }
  }
}
