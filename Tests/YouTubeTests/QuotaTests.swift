import Core
import SlowFold
import Testing

@testable import YouTube

@Suite("The quota day")
struct PacificDayTests {
  private func day(_ time: String) throws -> [Int] {
    let date = PacificDay.of(try #require(Timestamp(rfc3339: time)))
    return [date.year, date.month, date.day]
  }

  @Test(
    "A day begins at midnight in California, in winter and in summer",
    arguments: [
      ("2026-01-15T07:59:59Z", [2026, 1, 14]), ("2026-01-15T08:00:00Z", [2026, 1, 15]),
      ("2026-07-15T06:59:59Z", [2026, 7, 14]), ("2026-07-15T07:00:00Z", [2026, 7, 15]),
      ("2026-01-01T07:59:59Z", [2025, 12, 31]),
    ])
  func midnight(time: String, wanted: [Int]) throws {
    #expect(try day(time) == wanted)
  }

  @Test(
    "Clocks change on the second Sunday of March and the first of November",
    arguments: [
      // 2026: 8 March and 1 November; 2027: 14 March and 7 November.
      ("2026-03-08T07:59:59Z", [2026, 3, 7]), ("2026-03-08T08:00:00Z", [2026, 3, 8]),
      ("2026-03-09T06:59:59Z", [2026, 3, 8]), ("2026-03-09T07:00:00Z", [2026, 3, 9]),
      ("2026-11-01T07:00:00Z", [2026, 11, 1]), ("2026-11-02T07:59:59Z", [2026, 11, 1]),
      ("2026-11-02T08:00:00Z", [2026, 11, 2]), ("2027-03-14T07:59:59Z", [2027, 3, 13]),
      ("2027-03-15T07:00:00Z", [2027, 3, 15]), ("2027-11-08T07:59:59Z", [2027, 11, 7]),
    ])
  func changes(time: String, wanted: [Int]) throws {
    #expect(try day(time) == wanted)
  }

  @Test("The end of a day is the first second of the next, all through two years")
  func ends() throws {
    var time = try #require(Timestamp(rfc3339: "2026-01-01T00:00:00Z"))
    for _ in 0..<(730 * 4) {
      let end = PacificDay.end(of: time)
      let (today, tomorrow) = (PacificDay.of(time).daysSinceEpoch, PacificDay.of(end).daysSinceEpoch)
      #expect(tomorrow == today + 1 && PacificDay.of(end.adding(seconds: -1)).daysSinceEpoch == today)
      time = time.adding(seconds: 6 * 3600)
    }
  }
}

@Suite("Persisted Data API state")
struct APIStateTests {
  private let now = Timestamp(seconds: 1_793_404_800)
  private let id = VideoID(bits: 42)

  @Test("A budget is used up, and renews the next day")
  func budget() {
    var memory = APIState()
    #expect((0..<3).map { _ in memory.takeUnits(1, of: 2, at: now) } == [true, true, false])
    #expect(memory.left(of: 2, at: now) == 0)
    #expect(memory.takeUnits(1, of: 2, at: PacificDay.end(of: now)) && memory.units == 1)
  }

  @Test("A search takes all of its units or none, and gives all of them back")
  func costly() throws {
    var memory = APIState()
    let text = try #require(SearchText("x"))
    #expect(APIRequest.search(text, .channels).cost == 100 && APIRequest.subscriptions(page: nil).cost == 1)
    #expect(memory.takeUnits(100, of: 199, at: now) && memory.left(of: 199, at: now) == 99)
    #expect(!memory.takeUnits(100, of: 199, at: now) && memory.units == 100)
    memory.returnUnits(100, at: now)
    #expect(memory.units == 0 && memory.left(of: 199, at: now) == 199)
  }

  @Test("A quota that the API reports as used up is left alone until the next day")
  func exhausted() {
    var memory = APIState()
    memory.noteExhausted(at: now)
    #expect(!memory.takeUnits(1, of: 5000, at: now) && memory.takeUnits(1, of: 5000, at: PacificDay.end(of: now)))
  }

  @Test("A video is removed only after two responses a day apart")
  func missing() {
    var memory = APIState()
    func events(after hours: Int64) -> [EventBody] {
      memory.events([], requested: [id], known: [:], at: now.adding(seconds: hours * 3600))
    }
    #expect(events(after: 0).isEmpty && events(after: 23).isEmpty)
    #expect(events(after: 24) == [.videoRemoved(VideoRemoved(video: id, removed: true))])
    #expect(memory.missing.isEmpty)
  }

  @Test("A video that is back in time was never removed")
  func back() {
    var memory = APIState()
    _ = memory.events([], requested: [id], known: [:], at: now)
    let fact = VideoEnriched(video: id, duration: 60, live: Live.none)
    #expect(
      memory.events([fact], requested: [id], known: [:], at: now.adding(seconds: 90_000)) == [.videoEnriched(fact)])
    #expect(memory.missing.isEmpty)
  }

  /// A followed channel's video, reported as gone or not by these values, a second apart.
  private func fold(removed: Bool...) -> SlowFold {
    let channel = ChannelID(high: 1, low: 2)
    let found = VideoFound(
      video: id, channel: channel, channelTitle: nil, feed: .channel, playlist: nil, title: "A title",
      link: "https://www.youtube.com/watch?v=\(id)", published: now, thumbnail: nil, zeroViews: false, status: nil,
      reason: nil, description: nil)
    let followed = ChannelFollowed(subscription: .channel(channel), title: "A channel", tags: [], seenBefore: nil)
    var bodies: [EventBody] = [.channelFollowed(followed), .videoFound(found)]
    bodies += removed.map { .videoRemoved(VideoRemoved(video: id, removed: $0)) }
    var fold = SlowFold()
    for (second, body) in bodies.enumerated() {
      let reading = UInt64(now.seconds + Int64(second)) * 1000 << 16
      let event = EventID(reading: reading, device: DeviceID(letters: 0x6161_6161_6161_6161))
      fold.apply(Event(id: event, action: event, body: body))
    }
    return fold
  }

  @Test("A removed video is looked up again after 30 days, and then 30 days after each response without it")
  func removed() {
    var memory = APIState()
    let fold = fold(removed: true)
    func isDue(after days: Int64) -> Bool {
      memory.due(Array(fold.videos.values), in: fold.state, at: now.adding(seconds: days * 86_401)) == [id]
    }
    #expect(!isDue(after: 29) && isDue(after: 30))
    #expect(memory.events([], requested: [id], known: fold.videos, at: now.adding(seconds: 31 * 86_400)).isEmpty)
    #expect(!isDue(after: 32) && isDue(after: 61))
  }

  @Test("A video that came back is removed again only after two more responses")
  func backAndGone() {
    var memory = APIState()
    memory.missing[id] = now
    let fold = fold(removed: true, false)
    func events(after hours: Int64) -> [EventBody] {
      memory.events([], requested: [id], known: fold.videos, at: now.adding(seconds: hours * 3600))
    }
    #expect(events(after: 48).isEmpty && events(after: 71).isEmpty && !events(after: 72).isEmpty)
  }

  @Test("A response that lacks all of ten videos removes none")
  func doubtful() {
    var memory = APIState()
    let ids = (0..<10).map { VideoID(bits: $0) }
    for hours: Int64 in [0, 48] {
      #expect(memory.events([], requested: ids, known: [:], at: now.adding(seconds: hours * 3600)).isEmpty)
    }
    #expect(memory.missing.isEmpty)
    _ = memory.events([], requested: Array(ids.dropLast()), known: [:], at: now)
    #expect(memory.missing.count == 9)
  }

  /// The seconds from `now` until the video is looked up again; nil for never.
  private func wait(_ memory: APIState, _ fact: VideoEnriched, removed: Bool...) -> Int64? {
    var fold = removed.isEmpty ? fold() : fold(removed: removed[0])
    let event = EventID(reading: UInt64(now.seconds + 9) * 1000 << 16, device: DeviceID(letters: 0x6161_6161_6161_6161))
    fold.apply(Event(id: event, action: event, body: .videoEnriched(fact)))
    return fold.videos[id].flatMap { memory.next(for: $0, at: now) }?.seconds(since: now)
  }

  @Test("Videos are looked up again after an hour, half the time until a start, a day if missing, 30 days if removed")
  func next() {
    func stream(in seconds: Int64) -> VideoEnriched {
      VideoEnriched(video: id, duration: nil, live: .upcoming, scheduled: now.adding(seconds: seconds))
    }
    let known = VideoEnriched(video: id, duration: 60, live: Live.none)
    var memory = APIState()
    #expect(wait(memory, known) == nil)
    #expect(wait(memory, VideoEnriched(video: id, duration: nil, live: .live)) == 3600)
    #expect(wait(memory, VideoEnriched(video: id, duration: nil, live: Live.none)) == 3600, "without a length")
    #expect([100, 36_000, 9_000_000].map { wait(memory, stream(in: $0)) } == [3600, 18_000, 86_400])
    memory.missing[id] = now.adding(seconds: -7200)
    #expect(wait(memory, VideoEnriched(video: id, duration: nil, live: .live)) == 79_200)
    #expect(wait(APIState(), known, removed: true) == 2_592_002)
    // After a response that lacked all, which says nothing.
    memory.missing[id] = now.adding(seconds: -86_400)
    #expect(wait(memory, VideoEnriched(video: id, duration: nil, live: .live)) == 3600)
    let later = now.adding(seconds: 40 * 86_400)
    let removed = fold(removed: true).videos[id]
    #expect(removed.flatMap { APIState().next(for: $0, at: later) }?.seconds(since: later) == 3600)
  }

  @Test("A refusal of the key is known by its name, and the others concern one request alone")
  func refusals() {
    let ofKey = [
      APIFailure.quotaExceeded, .tooMany, .badKey(reason: "API_KEY_INVALID"), .badKey(reason: "accessNotConfigured"),
    ]
    #expect(ofKey.map { $0.ofKey.map { APIFailure(ofKey: $0) } } == ofKey)
    #expect(
      ofKey.map { $0.pauseEnd(at: now) } == [
        PacificDay.end(of: now), now.adding(seconds: 300), now.adding(seconds: 3600), now.adding(seconds: 3600),
      ])
    for other in [APIFailure.missing, .malformed, .failing(status: 500), .refused(status: 400, reason: "badRequest")] {
      #expect(other.ofKey == nil && other.pauseEnd(at: now) == nil)
    }
  }
}
