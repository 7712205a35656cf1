import Core
import JSON
import Library
import SQLDrivers
import TestSupport
import Testing

@testable import App
@testable import HubCore
@testable import MeTubeDialect
@testable import metube_hub

/// The loop that the guide of the MeTube app prints: it parses `nextCursor` as a date, and sends that as `since`, with
/// nothing else of the page before.
@Suite("The loop of the MeTube app's guide")
final class AppGuideTests {
  private let sandbox: Sandbox
  private let time = SimulatedTime()
  private let service: HubService
  private let catalogue: any Library
  private var count: UInt64 = 0

  private final class SimulatedTime {
    var seconds = Sample.start.seconds + 275 * 86_400
    var milliseconds: UInt64 { UInt64(seconds) * 1000 }
  }

  init() throws {
    sandbox = try Sandbox()
    try sandbox.useDatabase()
    try sandbox.addUser("ann")
    let clock = { [time] in time.milliseconds }
    if let schema = sandbox.schema {
      let database = try schema.connect()
      let owner = try #require(try database.integer("SELECT n FROM owner WHERE name = 'ann'"))
      let settings = try Settings(environment: [:], file: sandbox.folder.path + "/none")
      service = try HubService(database, user: "ann", owner: owner, settings, clock: clock)
      catalogue = try PostgresLibrary(schema.connect(), of: nil, clock: clock)
    } else {
      let files = HubFiles.data(sandbox.hubData)
      service = try HubService(files.home(of: "ann"), clock: clock)
      catalogue = try FileLibrary(folders: files.home(of: nil).folders, device: nil, clock: clock)
    }
    _ = try call("channels", body: #"{"channelIds":["\#(Sample.channel(1))"]}"#)
  }

  private func call(
    _ name: String, query: [(name: String, value: String)] = [], body: String = ""
  ) throws -> JSONValue {
    let path = "/api/users/{app}/\(name)"
    let route = try #require(HubRoute.dialects.first { $0.name == path })
    let response = service.response(
      of: route, to: HubCall(parts: ["app": "phone"], query: query, body: Array(body.utf8), file: nil, url: ""))
    try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
    return try #require(JSONValue(response.body))
  }

  /// Finds videos now that were published at these times, in seconds ago.
  private func find(_ ages: some Sequence<Int64>) throws {
    let bodies = ages.map { age -> EventBody in
      count += 1
      let video = Sample.video(count)
      return .videoFound(
        VideoFound(
          video: video, channel: Sample.channel(1), channelTitle: nil, feed: .channel, playlist: nil, title: "A title",
          link: "https://www.youtube.com/watch?v=\(video)", published: Timestamp(seconds: time.seconds - age),
          thumbnail: nil, zeroViews: false, status: nil, reason: nil, description: nil))
    }
    _ = try catalogue.commit(action: nil, undoing: nil) { bodies }
  }

  /// Everything that the loop gets, and the sizes of its pages.
  private func fetchAll(since: String, limit: Int = 100) throws -> (videos: [JSONValue], pages: [Int]) {
    var (all, pages, since): ([JSONValue], [Int], String) = ([], [], since)
    while pages.count < 1000 {
      let feed = try call("feed", query: [("since", since), ("limit", "\(limit)")])
      let videos = try #require(feed["videos"]?.elements)
      (all, pages) = (all + videos, pages + [videos.count])
      guard let cursor = feed["nextCursor"]?.string else { break }
      // As ISO8601DateFormatter has it.
      let date = try #require(Timestamp(rfc3339: cursor))
      #expect(cursor.utf8.count == 20 && cursor.hasSuffix("Z"))
      since = date.rfc3339
    }
    return (all, pages)
  }

  private func ids(_ videos: [JSONValue]) -> [String] { videos.compactMap { $0["videoId"]?.string } }

  static let distantPast = "0001-01-01T00:00:00Z"

  @Test(
    "The app gets 300 of 300 videos, each once and newest first, also with 250 of one second",
    arguments: [AppGuideTests.distantPast, "2026-10-02T00:00:00Z"])
  func all(since: String) throws {
    let others: [Int64] = (1...25).flatMap { [60 * $0, 8000 + 3600 * $0] }
    try find(Array(repeating: 7000, count: 250) + others)
    for limit in [100, 7] {
      let (videos, pages) = try fetchAll(since: since, limit: limit)
      #expect(videos.count == 300 && Set(ids(videos)).count == 300)
      #expect(pages.dropLast().allSatisfy { $0 == limit } && pages.count == (300 + limit - 1) / limit)
      let times = videos.compactMap { $0["publishedAt"]?.string }
      #expect(times == times.sorted(by: >))
    }
  }

  @Test("Since its last visit it gets what was found since, however old, and no more while polls go on")
  func sinceVisit() throws {
    try find((1...150).map { 86_400 + $0 })
    time.seconds += 7200
    #expect(try fetchAll(since: AppGuideTests.distantPast).videos.count == 150)
    let visit = Timestamp(seconds: time.seconds).rfc3339
    time.seconds += 3600
    try find(Array(repeating: 40_000, count: 20))
    let first = try call("feed", query: [("since", visit), ("limit", "5")])
    try find([30])
    let cursor = try #require(first["nextCursor"]?.string)
    let rest = try fetchAll(since: cursor, limit: 5).videos
    let all = ids(first["videos"]?.elements ?? []) + ids(rest)
    let found = (151...170 as ClosedRange<UInt64>).map { "\(Sample.video($0))" }
    #expect(all.count == Set(all).count && Set(all) == Set(found))
  }

  @Test("A cursor that is kept for the next visit hides nothing that was found since")
  func kept() throws {
    try find((1...10).map { 86_400 + $0 })
    let cursor = try #require(
      try call("feed", query: [("since", "2026-09-01T00:00:00Z"), ("limit", "5")])["nextCursor"]?.string)
    for _ in 0..<3 {
      time.seconds += 86_400
      try find([90_000])
      #expect(try ids(fetchAll(since: cursor).videos).contains("\(Sample.video(count))"))
      // Later cursors remove what ended, and no date means another position from then on.
      _ = try call("feed", query: [("limit", "1")])
    }
  }

  @Test("The form that cursors had is still continued")
  func former() throws {
    try find((1...10).map { 86_400 + $0 })
    let cursor = AppCursor(bound: nil, after: Sample.video(4)).text
    let page = try call("feed", query: [("cursor", cursor), ("limit", "100")])
    #expect(ids(page["videos"]?.elements ?? []) == (5...10 as ClosedRange<UInt64>).map { "\(Sample.video($0))" })
  }
}
