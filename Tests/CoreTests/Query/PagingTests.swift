import TestSupport
import Testing

@testable import Core

private let now = Sample.start.adding(seconds: 400 * 86_400)

/// The query for a list of new videos.
private func query(_ arrangement: VideoQuery.Arrangement, limit: Int, after: PageCursor?) -> VideoQuery {
  var query = VideoQuery(
    statuses: [.new], shorts: .hide, upcoming: .hide, subscriptions: nil, tags: [], since: nil, until: nil,
    order: .published, oldestFirst: false, limit: limit)
  query.arrangement = arrangement
  query.after = after
  return query
}

private func select(
  _ state: State, _ arrangement: VideoQuery.Arrangement, limit: Int, after: PageCursor? = nil
) throws -> VideoSelection {
  try state.select(query(arrangement, limit: limit, after: after), at: now, .none)
}

@Test("Catch-up goes channel by channel, oldest first")
func catchUp() throws {
  let videos = try select(GeneratedState(seed: 2, videos: 400).state, .catchUp, limit: 0).videos
  let groups = Dictionary(grouping: videos, by: \.channel)
  let expected = groups.values.map { $0.sorted { ($0.published, $0.id) < ($1.published, $1.id) } }
    .sorted { ($0[0].published, $0[0].channel) < ($1[0].published, $1[0].channel) }
  #expect(videos == Array(expected.joined()) && groups.count > 10)
}

@Test("A mix takes one video of each channel in turn")
func mix() throws {
  let videos = try select(GeneratedState(seed: 3, videos: 400).state, .mix, limit: 0).videos
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

@Test(
  "Pages neither repeat nor skip while videos arrive and shown ones are marked",
  arguments: [VideoQuery.Arrangement.byTime, .catchUp, .mix], 1...12 as ClosedRange<UInt64>)
func arrival(arrangement: VideoQuery.Arrangement, seed: UInt64) throws {
  var generated = GeneratedState(seed: seed, videos: 300)
  let first = try select(generated.state, arrangement, limit: 0).videos.map(\.id)
  let known = Set(first)
  var shown: [VideoID] = []
  var cursor: PageCursor?
  repeat {
    let page = try select(generated.state, arrangement, limit: 17, after: cursor)
    shown += page.videos.map(\.id)
    cursor = page.next.flatMap { PageCursor($0.description) }
    #expect(cursor == page.next)
    for _ in 0..<25 { generated.find() }
    // Some shown videos are marked, always including the last: the next page begins after it all the same.
    for video in page.videos where generated.number(below: 2) == 0 || video.id == page.videos.last?.id {
      generated.apply(.statusSet(StatusSet(video: video.id, status: .watched)))
    }
  } while cursor != nil
  #expect(shown.count == Set(shown).count)
  #expect(shown.filter(known.contains) == first)
}

@Test("A page cannot begin after a video that is not in the list")
func elsewhere() {
  let state = GeneratedState(seed: 1, videos: 50).state
  let unknown = PageCursor(video: Sample.video(9999), moment: nil)
  for arrangement in [VideoQuery.Arrangement.byTime, .catchUp, .mix] {
    #expect(throws: QueryError.self) { try select(state, arrangement, limit: 5, after: unknown) }
  }
}

@Test("A cursor survives a round trip, and nothing else is accepted")
func cursorText() {
  for text in [
    "dQw4w9WgXcQ", "-Qw4w9WgXcQ", "0019a1b2c3d4e-0000-k3v9x2ap.dQw4w9WgXcQ",
    "0019a1b2c3d4e-0000-k3v9x2ap.69208d4b.dQw4w9WgXcQ",
  ] {
    #expect(PageCursor(text)?.description == text)
  }
  for text in [
    "", ".", "dQw4w9WgXcQ.", ".dQw4w9WgXcQ", "x.dQw4w9WgXcQ", "a.b.dQw4w9WgXcQ",
    "0019a1b2c3d4e-0000-k3v9x2ap.x.dQw4w9WgXcQ", "dQw4w9WgXc",
  ] {
    #expect(PageCursor(text) == nil, "\(text)")
  }
}
