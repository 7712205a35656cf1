import Core
import FixtureServer
import Testing

@Suite("Videos added from the Data API's playlists")
struct OlderVideosTests {
  private let sandbox: Sandbox
  private let channel = SyntheticChannel(number: 0)
  private static let newest = 1_793_404_800

  init() throws {
    sandbox = try Sandbox()
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    sandbox.server.serve(api)
  }

  private var api: DataAPI { DataAPI(key: EnrichTests.key) { _ in DataAPI.Video(duration: "PT1M") } }

  /// The IDs of 200 videos, newest first, a day apart.
  private let ids = (0..<200).map { "list-" + String(repeating: "0", count: 5 - String($0).count) + "\($0)A" }

  private func entry(_ number: Int) -> DataAPI.Entry {
    DataAPI.Entry(video: ids[number], title: "Number \(number)", published: OlderVideosTests.date(number))
  }

  private static func date(_ number: Int) -> String {
    Timestamp(seconds: Int64(newest - number * 86_400)).rfc3339
  }

  private func serveFeed(from first: Int) {
    let videos = (first..<first + 15).map { (id: ids[$0], title: "Number \($0)") }
    let feed = FixtureFeed.of(channel, videos, newest: OlderVideosTests.newest - first * 86_400)
    sandbox.server.serve(channel.id, .feed(feed.xml))
  }

  private func serveLists(uploads: [Int]?, shorts: [Int]?) {
    var api = api
    api.lists["UU" + channel.id.dropFirst(2)] = uploads?.map(entry)
    api.lists["UUSH" + channel.id.dropFirst(2)] = shorts?.map(entry)
    sandbox.server.serve(api)
  }

  @Test("A gap is filled with new videos, Shorts as Shorts, and closed")
  func gap() throws {
    serveFeed(from: 60)
    try sandbox.succeed("follow", channel.id)
    _ = try sandbox.poll()
    serveFeed(from: 0)
    #expect(try sandbox.poll("--force").gaps == 1)
    serveLists(uploads: Array(0..<200), shorts: [20, 30, 90])
    #expect(try sandbox.succeed("enrich", "--gaps").hasPrefix("1 of 1 gap filled, 45 new; 3 units used"))
    let all = try sandbox.everything()
    #expect(all.count == 75 && all.allSatisfy { $0.status == "new" })
    #expect(all.filter { $0.short == "yes" }.map(\.video) == [ids[20], ids[30]])
    #expect(try !sandbox.succeed("status").contains("gap:"))
  }

  @Test(
    "A gap stays open if the uploads are missing, empty, or contain nothing known",
    arguments: [nil, [], Array(20..<30)])
  func unread(uploads: [Int]?) throws {
    serveFeed(from: 60)
    try sandbox.succeed("follow", channel.id)
    _ = try sandbox.poll()
    serveFeed(from: 0)
    #expect(try sandbox.poll("--force").gaps == 1)
    serveLists(uploads: uploads, shorts: nil)
    let outcome = try sandbox.run("enrich", "--gaps")
    #expect(outcome.status == 1 && outcome.text.hasPrefix("0 of 1 gap filled, 0 new"), "\(outcome.text)")
    #expect(try sandbox.succeed("status").contains("gap:"))
  }

  @Test("A gap is closed even if the uploads end before its far end, because the videos there were deleted")
  func deleted() throws {
    serveFeed(from: 60)
    try sandbox.succeed("follow", channel.id)
    _ = try sandbox.poll()
    serveFeed(from: 0)
    #expect(try sandbox.poll("--force").gaps == 1)
    serveLists(uploads: Array(0..<40), shorts: nil)
    #expect(try sandbox.succeed("enrich", "--gaps").hasPrefix("1 of 1 gap filled, 25 new"))
  }

  @Test("Older videos are added as skipped, up to the requested number, and not twice")
  func backfill() throws {
    serveFeed(from: 0)
    try sandbox.succeed("follow", channel.id)
    _ = try sandbox.poll()
    serveLists(uploads: Array(0..<200), shorts: nil)
    #expect(try sandbox.succeed("enrich", "--backfill", channel.id, "70").hasPrefix("70 older videos added"))
    #expect(try sandbox.list().count == 15)
    #expect(Set(try sandbox.list("--skipped").map(\.video)) == Set(ids[15..<85]))
    #expect(sandbox.events("videoFound").filter { $0.contains("\"reason\":\"backfill\"") }.count == 70)
    #expect(try sandbox.succeed("enrich", "--backfill", channel.id, "500").hasPrefix("115 older videos"))
    #expect(try sandbox.everything().count == 200)
  }

  @Test("Pages that overlap add each video once, and count it once")
  func overlap() throws {
    serveFeed(from: 0)
    try sandbox.succeed("follow", channel.id)
    _ = try sandbox.poll()
    serveLists(uploads: Array(0..<50) + [49] + Array(50..<60), shorts: nil)
    #expect(try sandbox.succeed("enrich", "--backfill", channel.id, "100").hasPrefix("45 older videos added"))
    #expect(sandbox.events("videoFound").count == 60)
  }

  @Test("A playlist whose pages form a loop is read once round")
  func circle() throws {
    try sandbox.succeed("follow", channel.id)
    let items = (0..<19).map { number in
      """
      {"snippet":{"title":"Number \(number)","channelId":"\(channel.id)","videoOwnerChannelId":"\(channel.id)"},\
      "contentDetails":{"videoId":"\(ids[number])","videoPublishedAt":"\(OlderVideosTests.date(number))"}}
      """
    }
    let kind = #"{"kind":"youtube#playlistItemListResponse","#
    let page = kind + "\"nextPageToken\":\"round\",\"items\":[\(items.joined(separator: ","))]}"
    sandbox.server.route("/youtube/v3/playlistItems") { request in
      .json(request.query["playlistId"]?.hasPrefix("UUSH") == true ? kind + "\"items\":[]}" : page, status: 200)
    }
    #expect(try sandbox.run("enrich", "--backfill", channel.id, "100").text.hasPrefix("19 older videos added"))
    #expect(sandbox.events("videoFound").count == 19 && sandbox.server.unitsRequested <= 4)
  }

  @Test("During an outage the Data API is used, if enabled, and no more often than a feed")
  func fallback() throws {
    serveFeed(from: 20)
    try sandbox.succeed("follow", channel.id)
    sandbox.server.fail(.status(500), on: .key(channel.id), times: .always)
    sandbox.server.fail(.status(500), on: .key("UU" + channel.id.dropFirst(2)), times: .always)
    serveLists(uploads: Array(0..<200), shorts: nil)
    #expect(try sandbox.poll().exit == 1, "the only feed fails, and nothing shows why")
    #expect(try sandbox.everything().isEmpty)
    let polled = try sandbox.poll("--force", "--api-fallback")
    #expect(polled.exit == 1 && polled.reported?.contains("in place of 1 feed: 15 new") == true, "\(polled)")
    #expect(try sandbox.list().map(\.video) == Array(ids[..<15]))
    #expect(try sandbox.poll("--api-fallback").reported?.contains("in place of") == false)
  }
}
