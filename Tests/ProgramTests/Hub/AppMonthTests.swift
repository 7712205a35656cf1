import Core
import EventLog
import JSON
import Library
import ReadModel
import SQLDrivers
import Seeded
import TestSupport
import Testing

@testable import App
@testable import HubAPI
@testable import HubCore
@testable import MeTubeDialect
@testable import metube_hub

/// A month of the MeTube app's older generation beside polls that commit at any moment. The app visits at random times,
/// with a clock up to five minutes off, and keeps for the next visit what its clock showed at some moment of this one.
@Suite("A month of the MeTube app")
final class AppMonthTests {
  private let sandbox: Sandbox
  private let time = SimulatedTime()
  private let service: HubService
  private let catalogue: any Library
  private var random: SeededGenerator
  /// When each video was published, and when the user could see it first.
  private var videos: [VideoID: (channel: ChannelID, published: Int64, found: Int64)] = [:]
  private var followed: [ChannelID: Int64] = [:]
  /// What the app keeps, by ID, how often it got each, and the time of its last visit.
  private var kept: [VideoID: Int] = [:]
  private var lastVisit: Int64?
  /// How often a page ended between two videos of one second.
  private var cutTies = 0

  /// Seconds since 1970 as the hub's clock shows them.
  private final class SimulatedTime {
    var seconds = Sample.start.seconds + 275 * 86_400
    var milliseconds: UInt64 { UInt64(seconds) * 1000 }
  }

  init() throws {
    sandbox = try Sandbox()
    try sandbox.useDatabase()
    try sandbox.addUser("ann")
    random = SeededGenerator(seed: 0)
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
  }

  // MARK: The hub

  private static let channels = (1...6).map { Sample.channel($0) }

  private func call(_ name: String, _ call: HubCall) throws -> JSONValue {
    let route = try #require(
      (HubRoute.dialects + HubRoute.all).first { $0.name == name && ($0.method == .get) == call.body.isEmpty })
    let response = service.response(of: route, to: call)
    try #require(response.status == 200, "\(name): \(String(decoding: response.body, as: UTF8.self))")
    return try #require(JSONValue(response.body))
  }

  private func found(_ channel: ChannelID, _ published: Int64) -> EventBody {
    let video = Sample.video(UInt64(videos.count + 1))
    videos[video] = (channel, published, time.seconds)
    return .videoFound(
      VideoFound(
        video: video, channel: channel, channelTitle: nil, feed: .channel, playlist: nil, title: "A title",
        link: "https://www.youtube.com/watch?v=\(video)", published: Timestamp(seconds: published), thumbnail: nil,
        zeroViews: false, status: nil, reason: nil, description: nil))
  }

  /// A poll that finds some videos: most published since the day before, some made public days later, some in advance; and
  /// now and then more videos of one second than a short page has, of one channel or of all.
  private func poll() throws {
    var bodies: [EventBody] = []
    if Int.random(in: 0..<12, using: &random) == 0 {
      let published = time.seconds - Int64.random(in: 0...43_200, using: &random)
      let isOfAll = Bool.random(using: &random)
      for number in 0..<8 { bodies.append(found(AppMonthTests.channels[isOfAll ? number % 6 : 0], published)) }
    }
    for channel in AppMonthTests.channels where Int.random(in: 0..<4, using: &random) == 0 {
      let ages = [0...60, 0...86_400, 0...86_400, 300_000...900_000, -90_000 ... -60] as [ClosedRange<Int64>]
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let age = Int64.random(in: ages[Int.random(in: 0..<5, using: &random)], using: &random)
        bodies.append(found(channel, time.seconds - age))
      }
    }
    _ = try catalogue.commit(action: nil, undoing: nil) { bodies }
  }

  /// A device sends what it found hours ago.
  private func send() throws {
    let device = SyncedDevice(sandbox)
    let sent = time.seconds
    time.seconds -= Int64.random(in: 2000...40_000, using: &random)
    try device.decide(at: time.milliseconds, found(AppMonthTests.channels[0], time.seconds - 5000))
    time.seconds = sent
    let name = try #require(device.folder.names(in: "log").first)
    let bytes = try #require(device.folder.read("log/\(name)"))
    _ = try call(
      "addLogLines",
      HubCall(
        parts: ["log": String(name.dropLast(6))], query: [("offset", "0"), ("checksum", "")], body: bytes, file: nil,
        url: ""))
  }

  // MARK: The app

  private static let app = "0B8F5A6C-7D2E-4F31-9A44-3E1B2C5D6E7F"

  private func register(_ channels: some Sequence<ChannelID>) throws {
    for channel in channels where followed[channel] == nil { followed[channel] = time.seconds }
    let list = channels.map { "\"\($0)\"" }.joined(separator: ",")
    _ = try call(
      "/api/users/{app}/channels",
      HubCall(
        parts: ["app": AppMonthTests.app], query: [], body: Array("{\"channelIds\":[\(list)]}".utf8), file: nil,
        url: ""))
  }

  /// One visit, all pages; in between time goes by, and polls commit. A visit that fails leaves nothing.
  private func visit(isLast: Bool) throws {
    let offset = Int64.random(in: -300...300, using: &random)
    let limit = [3, 7, 50, 100][Int.random(in: 0..<4, using: &random)]
    let (isGuides, since) = (
      Bool.random(using: &random), lastVisit.map { [("since", Timestamp(seconds: $0).rfc3339)] } ?? []
    )
    var (got, cursor, moments): ([VideoID], String?, [Int64]) = ([], nil, [time.seconds])
    repeat {
      var query = [(name: "limit", value: "\(limit)")]
      // As the app does it, or as its guide does: the cursor as a date that replaces the time.
      query += (isGuides ? cursor : nil).map { [("since", $0)] } ?? since
      query += (isGuides ? nil : cursor).map { [("cursor", $0)] } ?? []
      let page = try call(
        "/api/users/{app}/feed",
        HubCall(parts: ["app": AppMonthTests.app], query: query, body: [], file: nil, url: ""))
      let ids = page.texts("videos", of: "videoId").compactMap { VideoID($0) }
      let (last, first) = (got.last.flatMap { videos[$0] }, ids.first.flatMap { videos[$0] })
      if let last, let first, last.published == first.published { cutTies += 1 }
      got += ids
      cursor = page["nextCursor"]?.string
      #expect(try cursor == cursor.map { try #require(Timestamp(rfc3339: $0)).rfc3339 }, "a date")
      if !isLast {
        if Int.random(in: 0..<40, using: &random) == 0 { return }
        if Int.random(in: 0..<4, using: &random) == 0 { try poll() }
      }
      time.seconds += Int64.random(in: 0...3, using: &random)
      moments.append(time.seconds)
    } while cursor != nil
    #expect(Set(got).count == got.count, "a video twice in one visit")
    for video in got {
      if kept[video] != nil, let lastVisit { expectRecent(video, lastVisit) }
      kept[video, default: 0] += 1
    }
    lastVisit = moments[Int.random(in: 0..<moments.count, using: &random)] + offset
  }

  /// A video that the app has already comes again only if it was new about when the app visited last.
  private func expectRecent(_ video: VideoID, _ visit: Int64) {
    guard let known = videos[video] else { return }
    let isRecent = max(known.published, known.found, followed[known.channel] ?? 0) >= visit - HubService.appOverlap
    #expect(isRecent || isSent.contains(video), "\(video) again")
  }

  /// What devices sent: seen later than found.
  private var isSent: Set<VideoID> = []

  @Test("The app gets every video, whatever its clock says and whenever polls commit", arguments: [1, 2] as [UInt64])
  func month(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    try poll()
    try register(AppMonthTests.channels.prefix(3))
    let end = time.seconds + 30 * 86_400
    var days = 0
    while time.seconds < end {
      time.seconds += Int64.random(in: 60...14_400, using: &random)
      try poll()
      if Int.random(in: 0..<2, using: &random) == 0 { try visit(isLast: false) }
      guard time.seconds > end - Int64(30 - days) * 86_400 else { continue }
      days += 1
      if days % 5 == 0 {
        let before = Set(videos.keys)
        try send()
        isSent.formUnion(Set(videos.keys).subtracting(before))
      }
      // Its videos were found long ago, for somebody else.
      if days % 10 == 0 { try register(AppMonthTests.channels.prefix(3 + days / 10)) }
    }
    try visit(isLast: true)
    let wanted = videos.filter { followed[$0.value.channel] != nil }
    let missing = Set(wanted.keys).subtracting(kept.keys)
    #expect(missing.isEmpty, "\(missing.count) of \(wanted.count) are missing")
    #expect(kept.count == wanted.count && wanted.count > 200, "nothing else, each once by its ID")
    let times = kept.values.reduce(0, +)
    #expect(times < 3 * kept.count, "\(times) videos for \(kept.count)")
    #expect(cutTies > 10, "pages end within \(cutTies) ties, too few to show that none is lost")
  }
}
