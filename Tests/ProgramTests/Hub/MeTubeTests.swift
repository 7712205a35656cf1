import Core
import FixtureServer
import Glibc
import JSON
import TestSupport
import Testing

@testable import App
@testable import HubCore
@testable import HubWeb
@testable import MeTubeDialect
@testable import metube_hub

/// The hub as the MeTube app sees it, in both generations; with what was wrong in the server that it had before.
@Suite("The MeTube app")
struct MeTubeTests {
  private let sandbox: Sandbox
  private let hub: RunningHub
  private static let channels = ["UCsXVk37bltHxD1rDPwtNM8Q", "UCHnyfMqiRRG1u-2MsSQLbXA", "UC3I2GFN_F8WudD_2jUZbojA"]
  private static let app = "/api/users/0B8F5A6C-7D2E-4F31-9A44-3E1B2C5D6E7F"

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    hub = try RunningHub(sandbox, "--listen", "127.0.0.1:0", "--metube")
  }

  private static func list(_ channels: some Sequence<String>) -> String {
    #"{"channelIds":[\#(channels.map { "\"\($0)\"" }.joined(separator: ","))]}"#
  }

  /// Registers channels as the newer generation does, and polls them.
  private func register(_ channels: [String] = MeTubeTests.channels) throws {
    #expect(try hub.send("POST", "/api/channels/register", [], body: MeTubeTests.list(channels).utf8).status == 200)
    try poll()
  }

  private func poll() throws {
    // The hub polls too, after a registration.
    var status: Int32?
    try wait {
      status = try sandbox.run("poll", "--rate", "0", "--quiet", "--force").status
      return status != 75
    }
    #expect(status == 0)
  }

  private func query(_ after: Int, limit: Int = 500, channels: String = "") throws -> (videos: [JSONValue], last: Int) {
    let response = try hub.send(
      "POST", "/api/videos/query", [], body: #"{"afterSeq":\#(after),"limit":\#(limit)\#(channels)}"#.utf8
    ).json
    return (response["videos"]?.elements ?? [], Int(try #require(response["maxSeqReturned"]?.number)))
  }

  /// All videos by the newer generation's paging.
  private func queried(limit: Int) throws -> [JSONValue] {
    var (all, after): ([JSONValue], Int) = ([], 0)
    for _ in 0..<1000 {
      let (videos, last) = try query(after, limit: limit)
      all += videos
      guard videos.count == limit else { break }
      after = last
    }
    return all
  }

  private func feed(_ query: String = "") throws -> JSONValue {
    let response = try hub.get("\(MeTubeTests.app)/feed?\(query)")
    #expect(response.status == 200, "\(response.text)")
    return try response.json
  }

  /// All videos by the older generation's paging, with the cursor as a parameter of this name.
  private func fed(limit: Int, cursor: String) throws -> [JSONValue] {
    var (all, next): ([JSONValue], String?) = ([], nil)
    for _ in 0..<1000 {
      let page = try feed("limit=\(limit)\(next.map { "&\(cursor)=\($0)" } ?? "")")
      all += page["videos"]?.elements ?? []
      next = page["nextCursor"]?.string
      guard let next else { break }
      #expect(!next.contains { "+/=".contains($0) })
    }
    return all
  }

  private func ids(_ videos: [JSONValue]) -> [String] { videos.compactMap { $0["videoId"]?.string } }

  private func seen() throws -> Set<String> { Set(try sandbox.everything().map(\.video)) }

  @Test("The newer generation: register, channels once each, and every video once in ascending order")
  func newer() throws {
    let response = try hub.send(
      "POST", "/api/channels/register", [],
      body: MeTubeTests.list([" \(MeTubeTests.channels[0]) ", MeTubeTests.channels[0], "x", "UCno"]).utf8)
    #expect(response.headers["content-type"] == "application/json; charset=utf-8")
    #expect(
      try response.json == ["requested": 1, "inserted": 1, "alreadyPresent": 0, "totalChannels": 1], "\(response.text)")
    try register()
    let channels = try hub.send("POST", "/api/channels").json.texts("channels", of: "channelId")
    #expect(channels.sorted() == MeTubeTests.channels.sorted())
    for limit in [500, 7, 1] {
      let videos = try queried(limit: limit)
      #expect(try videos.count == Set(ids(videos)).count && Set(ids(videos)) == seen() && !videos.isEmpty)
      let numbers = videos.compactMap { $0["seq"]?.number }
      #expect(numbers == numbers.sorted())
    }
    let own = try query(0, channels: #","channelIds":["\#(MeTubeTests.channels[1])"]"#).videos
    #expect(!own.isEmpty && own.allSatisfy { $0["channelId"]?.string == MeTubeTests.channels[1] })
    #expect(own.allSatisfy { $0["publishedAt"]?.string?.utf8.count == 20 })
    let last = try query(0).last
    #expect(try query(last).last == last && query(last).videos.isEmpty, "an integer also when nothing came")
  }

  @Test("The newer generation's numbers go up, also after the cache is deleted and the hub starts again")
  func sequence() throws {
    try register([MeTubeTests.channels[0]])
    let (first, last) = try query(0)
    hub.kill()
    for name in sandbox.folder.names(in: "cache") { unlink("\(sandbox.folder.path)/cache/\(name)") }
    let again = try RunningHub(sandbox, "--listen", "127.0.0.1:0", "--metube")
    try sandbox.succeed("follow", MeTubeTests.channels[1])
    try poll()
    func videos(_ after: Int) throws -> [JSONValue] {
      try again.send("POST", "/api/videos/query", [], body: #"{"afterSeq":\#(after),"limit":500}"#.utf8).json["videos"]?
        .elements ?? []
    }
    let rest = try videos(last)
    #expect(try Set(ids(first) + ids(rest)) == seen() && Set(ids(first)).isDisjoint(with: ids(rest)))
    #expect(try videos(0) == first + rest)
    // Followed again: those videos were numbered before.
    try sandbox.succeed("unfollow", MeTubeTests.channels[0])
    #expect(try videos(0) == rest)
  }

  @Test("The older generation: register, reconcile, and pages that reach the end by either name of the cursor")
  func older() throws {
    #expect(try hub.get("\(MeTubeTests.app)/feed").status == 404)
    #expect(try hub.send("POST", "\(MeTubeTests.app)/reconcile").json["message"]?.string == "User not found")
    let registered = try hub.send(
      "POST", "\(MeTubeTests.app)/channels", [], body: MeTubeTests.list(MeTubeTests.channels).utf8)
    #expect(registered.status == 200 && registered.text == #"{"message":"Channels registered successfully"}"#)
    try poll()
    #expect(try hub.send("POST", "\(MeTubeTests.app)/reconcile").json["newVideosCount"] != nil)
    for (limit, cursor) in [(100, "cursor"), (7, "cursor"), (7, "since"), (1, "since")] {
      let videos = try fed(limit: limit, cursor: cursor)
      #expect(try videos.count == Set(ids(videos)).count && Set(ids(videos)) == seen(), "\(limit) \(cursor)")
      let times = videos.compactMap { $0["publishedAt"]?.string }
      #expect(times == times.sorted(by: >))
    }
    #expect(try feed("limit=40")["nextPageToken"] == .null && feed("limit=40")["videos"]?.elements?.count == 40)
    #expect(try feed("limit=1000")["videos"]?.elements?.count ?? 0 <= 100, "a page, not the whole history")
    let names = try feed("limit=1")["videos"]?.elements?.first
    guard case .object(let members)? = names else { throw Missing() }
    #expect(
      members.map(\.name)
        == ["videoId", "channelId", "publishedAt", "title", "description", "thumbnailUrl", "duration"])
  }

  private struct Missing: Error {}

  @Test("Videos found since a time are listed, however old they are, and pages lose and repeat nothing")
  func bound() throws {
    _ = try hub.send("POST", "\(MeTubeTests.app)/channels", [], body: MeTubeTests.list(MeTubeTests.channels).utf8)
    try poll()
    let all = ids(try fed(limit: 100, cursor: "cursor"))
    let newest = try #require(try sandbox.everything().map(\.published).max())
    var (paged, next): ([String], String?) = ([], newest)
    while let cursor = next, paged.count < 1000 {
      let page = try feed("limit=3&since=\(cursor)")
      paged += ids(page["videos"]?.elements ?? [])
      next = page["nextCursor"]?.string
    }
    #expect(paged == all && !all.isEmpty)
  }

  @Test("Entries of other sites' feeds are left out of both generations, and counted by the older one")
  func entries() throws {
    try register()
    _ = try hub.send("POST", "\(MeTubeTests.app)/channels", [], body: MeTubeTests.list(MeTubeTests.channels).utf8)
    let before = try ids(feed("limit=5")["videos"]?.elements ?? [])
    let all = try seen()
    let url = "https://show.example/feed"
    let found = Sample.entryFound("https://show.example/1", of: url, title: "An episode")
    try Session(Home(folder: sandbox.folder.path, environment: [:]), reports: false).commit {
      [.feedFollowed(Sample.followed(url)), .entryFound(found)]
    }
    let page = try feed("limit=5")
    #expect(ids(page["videos"]?.elements ?? []) == before && page["leftOut"]?.number == 1)
    #expect(try Set(ids(queried(limit: 100))).isSubset(of: all))
    let listed = try hub.get("/api/v1/videos?platform=web").json["videos"]?.elements ?? []
    #expect(listed.map { $0["entry"]?.string } == ["\(found.entry)"] && listed.first?["video"] == .null)
  }

  @Test("What a device found long ago comes once it was sent, whatever the app's clock says")
  func sentLater() throws {
    let device = SyncedDevice(sandbox)
    let video = Sample.video(1)
    let channel = try #require(ChannelID(MeTubeTests.channels[0]))
    try device.decide(
      at: UInt64((Timestamp(rfc3339: "2026-09-01T08:00:00Z")?.seconds ?? 0) * 1000),
      .videoFound(
        VideoFound(
          video: video, channel: channel, channelTitle: nil, feed: .channel, playlist: nil, title: "Found in September",
          link: "https://www.youtube.com/watch?v=\(video)", published: Sample.start, thumbnail: nil, zeroViews: false,
          status: nil, reason: nil, description: nil)))
    _ = try hub.send("POST", "\(MeTubeTests.app)/channels", [], body: MeTubeTests.list(MeTubeTests.channels).utf8)
    let ahead = "since=2030-01-01T00:00:00Z"
    #expect(try feed()["videos"]?.elements?.isEmpty == true && feed(ahead)["videos"]?.elements?.isEmpty == true)
    try device.sync(hub.port)
    #expect(ids(try feed(ahead)["videos"]?.elements ?? []) == [video.description])
  }

  @Test(
    "1,200 channels in one call; what is left out is unfollowed, never by an empty list nor what another program follows"
  )
  func wholeList() throws {
    let other = "UC4eYXhJI4-7wSWc8UNRwD4A"
    try sandbox.succeed("follow", other)
    let many = (0..<1200).map { number in
      let digits = String(number)
      return "UC" + String(repeating: "0", count: 21 - digits.count) + digits + "A"
    }
    func set(_ channels: [String]) throws {
      let response = try hub.send("POST", "\(MeTubeTests.app)/channels", [], body: MeTubeTests.list(channels).utf8)
      #expect(response.status == 200)
    }
    func followed() throws -> Int { try sandbox.succeed("channels", "--format", "ids").split(separator: "\n").count }
    try set(many)
    #expect(try followed() == 1201)
    try set([])
    #expect(try followed() == 1201)
    try set(Array(many[..<1000]) + ["no channel"])
    #expect(try followed() == 1001)
    try sandbox.succeed("undo", "--yes")
    #expect(try followed() == 1201)
    try set(many)
    try set([many[0]])
    #expect(
      try sandbox.succeed("channels", "--format", "ids").split(separator: "\n").map(String.init).sorted()
        == [many[0], other].sorted())
  }

  @Test("A video that was found late, older than others, comes in both generations")
  func late() throws {
    try register([MeTubeTests.channels[0]])
    _ = try hub.send("POST", "\(MeTubeTests.app)/channels", [], body: MeTubeTests.list(MeTubeTests.channels).utf8)
    let last = try query(0).last
    try poll()
    let newest = try sandbox.everything().filter { $0.channel == MeTubeTests.channels[0] }.map(\.published).max() ?? ""
    let late = try Set(
      sandbox.everything().filter { $0.channel != MeTubeTests.channels[0] && $0.published < newest }.map(\.video))
    #expect(!late.isEmpty)
    #expect(try late.isSubset(of: ids(query(last).videos)))
    #expect(try late.isSubset(of: ids(fed(limit: 100, cursor: "cursor"))))
  }

  @Test("Lengths have as many hours as there are")
  func lengths() {
    #expect(HubService.appDuration(93_784) == "26:03:04" && HubService.appDuration(59) == "00:00:59")
  }

  @Test("Nothing takes pushes at a guessable address, and a GET clears no lease")
  func pushes() throws {
    for path in ["/webhook", "/api/webhook", "/webhook?hub.mode=unsubscribe&hub.challenge=x", "/api/pubsub"] {
      #expect(try hub.get(path).status == 404)
      #expect(try hub.send("POST", path, [], body: "<feed/>".utf8).status == 404)
    }
  }

  @Test(
    "Invalid requests are refused in the app's form",
    arguments: [
      ("/api/channels/register", "", 400), ("/api/channels/register", #"{"channelIds":[]}"#, 400),
      ("/api/channels/register", #"{"channelIds":["x"]}"#, 400), ("/api/channels/register", #"{"channelIds":5}"#, 400),
      ("/api/videos/query", #"{"limit":501}"#, 400), ("/api/videos/query", #"{"limit":0}"#, 400),
      ("/api/videos/query", #"{"afterSeq":-1}"#, 400), ("/api/videos/query", #"{"afterSeq":1.5}"#, 400),
      ("/api/users/-x/channels", #"{"channelIds":[]}"#, 404), ("/api/users/a%20b/channels", #"{"channelIds":[]}"#, 404),
      ("/api/users/x/channels", "[]", 400), ("/api/users/x/channels", "{}", 400), ("/api/nothing", "", 404),
    ])
  func refused(_ path: String, _ body: String, _ status: Int) throws {
    let response = try hub.send("POST", path, [], body: body.utf8)
    #expect(response.status == status, "\(response.text)")
    #expect(try response.json["error"]?.string?.isEmpty == false && response.json["message"]?.string?.isEmpty == false)
    #expect(sandbox.events("channelFollowed").isEmpty)
  }

  @Test("OPTIONS is answered for the app's paths alone")
  func preflight() throws {
    let response = try hub.send("OPTIONS", "/api/videos/query")
    #expect(response.status == 204 && response.headers["access-control-allow-origin"] == "*" && response.body.isEmpty)
    #expect(try hub.send("OPTIONS", "/api/v1/videos").status == 405)
    let foreign = try hub.send("POST", "/api/channels", ["Origin: https://evil.example"])
    #expect(foreign.status == 403)
  }

  @Test("Off unless it is asked for; with users only below a token's path, which is the user's")
  func secret() throws {
    let off = try RunningHub(sandbox)
    for route in HubRoute.meTube {
      let path = route.path.split(separator: "/").map { $0.hasPrefix("{") ? "/x" : "/\($0)" }.joined()
      #expect(try off.send(route.method.rawValue.uppercased(), path).status == 404, "\(path)")
    }
    func program(_ arguments: [String], input: String = "") throws -> String {
      let program = Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
      return String(try program.run(arguments, input: Array(input.utf8)).lines.first ?? "")
    }
    _ = try program(["user", "add", "ann"], input: "correct horse\n")
    let (read, write) = (
      try program(["token", "add", "ann", "app", "--scope", "read"]),
      try program(["token", "add", "ann", "app", "--scope", "write"])
    )
    for route in HubRoute.meTube {
      func status(_ secret: String, _ headers: [String] = []) throws -> Int {
        let parts = route.path.split(separator: "/").map { part in
          part == "{secret}" ? "/\(secret)" : part.hasPrefix("{") ? "/x" : "/\(part)"
        }
        let path = parts.joined()
        return try hub.send(route.method.rawValue.uppercased(), path, headers).status
      }
      let isSecret = route.path.hasPrefix("/k/")
      #expect(try status("x") == 404 && status("x", ["Authorization: Bearer \(write)"]) == 404, "\(route.path)")
      #expect(try status("mth_" + read.dropFirst(4).reversed()) == 404)
      guard isSecret else { continue }
      #expect(try (status(read) == 403) == (route.access == .write), "\(route.path)")
      #expect(try ![401, 403].contains(status(write)), "\(route.path)")
    }
    let registered = try hub.send(
      "POST", "/k/\(write)/api/channels/register", [], body: MeTubeTests.list(MeTubeTests.channels).utf8)
    #expect(try registered.json["inserted"] == 3)
    #expect(try hub.get("/k/\(write)/health").json["status"]?.string == "healthy")
    #expect(try hub.send("POST", "/k/\(write)/v1/me").status == 404)
  }
}
