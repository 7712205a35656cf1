import FixtureServer
import Glibc
import TestSupport
import Testing

@Suite("Enrichment with the Data API")
struct EnrichTests {
  private let sandbox: Sandbox
  static let key = "AIza-the-key-of-nobody-0123456789"

  init() throws {
    sandbox = try Sandbox()
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    var api = DataAPI(key: EnrichTests.key) { _ in DataAPI.Video(duration: "PT4M13S") }
    api.channel = { _ in DataAPI.Channel(avatar: "https://yt3.ggpht.com/a", subscribers: 1, videos: 1) }
    sandbox.server.serve(api)
  }

  private func setKey() { sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key }

  @Test("5,000 new videos cost exactly 100 units, their 334 channels 7; a second run costs none")
  func callCounting() throws {
    var left = 5000
    let channels = SyntheticChannel.first(334)
    for (number, channel) in channels.enumerated() {
      let count = min(left, 15)
      left -= count
      let videos = (0..<count).map { position in
        let digits = String(number * 15 + position)
        return (id: "v" + String(repeating: "0", count: 9 - digits.count) + digits + "A", title: "Video \(digits)")
      }
      sandbox.server.serve(channel.id, .feed(FixtureFeed.of(channel, videos).xml))
    }
    try sandbox.succeed("import", "-", input: channels.map { $0.id + "\n" }.joined())
    #expect(try sandbox.poll("--jobs", "16").new == 5000)
    setKey()
    let reported = try sandbox.succeed("enrich")
    #expect(
      reported == "5000 videos looked up, 5000 updated; 334 channels looked up; 107 units used, 4893 left today\n")
    #expect(sandbox.server.unitsRequested == 107)
    #expect(try sandbox.succeed("enrich").contains("0 units used, 4893 left"))
    #expect(sandbox.server.unitsRequested == 107)
    #expect(try sandbox.everything().allSatisfy { $0.durationSeconds == 253 && $0.live == "none" })
  }

  @Test("A poll enriches what it found, and the key appears in no file and no output")
  func poll() throws {
    setKey()
    try sandbox.follow(threeVideos)
    #expect(sandbox.server.unitsRequested == 2)
    #expect(try sandbox.everything().map(\.durationSeconds) == [253, 253, 253])
    let files = ["log", "state"].flatMap { folder in sandbox.folder.names(in: folder).map { "\(folder)/\($0)" } }
    for file in files {
      #expect(!String(decoding: sandbox.folder.read(file) ?? [], as: UTF8.self).contains("AIza"), "\(file)")
    }
    #expect(sandbox.server.requests.allSatisfy { !$0.target.contains("AIza") })
  }

  @Test("Upcoming and live videos are looked up again until they have ended, and no others")
  func natures() throws {
    try sandbox.follow(threeVideos)
    setKey()
    func serve(_ video: DataAPI.Video) {
      sandbox.server.serve(
        DataAPI(key: EnrichTests.key) { $0 == "bbbbbbbbbbE" ? video : DataAPI.Video(duration: "PT1M") })
    }
    serve(DataAPI.Video(duration: "P0D", live: "upcoming", stream: ["scheduledStartTime": "2099-01-01T00:00:00Z"]))
    try sandbox.succeed("enrich")
    #expect(try sandbox.list().map(\.video).contains("bbbbbbbbbbE") == false)
    for (video, live) in [
      (DataAPI.Video(duration: "P0D", live: "live", stream: ["actualStartTime": "2026-11-01T00:00:00Z"]), "live"),
      (DataAPI.Video(duration: "PT1H", stream: ["actualEndTime": "2026-11-01T01:00:00Z"]), "ended"),
    ] {
      serve(video)
      sandbox.server.forgetRequests()
      try sandbox.succeed("enrich")
      #expect(sandbox.server.requests.map { $0.query["id"] } == ["bbbbbbbbbbE"])
      #expect(try sandbox.everything().first { $0.video == "bbbbbbbbbbE" }?.live == live)
    }
    sandbox.server.forgetRequests()
    try sandbox.succeed("enrich")
    #expect(sandbox.server.unitsRequested == 0)
  }

  @Test("A video missing once stays, and is not looked up again that day")
  func missing() throws {
    try sandbox.follow(threeVideos)
    setKey()
    sandbox.server.serve(DataAPI(key: EnrichTests.key) { $0 == "bbbbbbbbbbE" ? nil : DataAPI.Video(duration: "PT1M") })
    try sandbox.succeed("enrich")
    try sandbox.succeed("enrich")
    #expect(sandbox.server.unitsRequested == 2 && sandbox.events("videoRemoved").isEmpty)
    #expect(try sandbox.list().count == 3)
  }

  @Test("The budget is kept across runs, and exhausting it says when it renews")
  func budget() throws {
    try sandbox.follow(8)
    _ = try sandbox.poll()
    setKey()
    sandbox.environment["METUBE_RSS_API_BUDGET"] = "2"
    for _ in 0..<2 {
      let outcome = try sandbox.run("enrich")
      let text = "today's budget of 2 units is used up"
      #expect(outcome.status == 75 && outcome.errors.contains(text), "\(outcome.errors)")
    }
    #expect(sandbox.server.unitsRequested == 2)
    #expect(sandbox.events("videoEnriched").count == 100)
  }

  @Test(
    "Each failure has its own message and status, keeps earlier results, and harms no poll",
    arguments: [
      (Fault.response(DataAPI.quotaExceeded), Int32(75), "today's quota of the key is used up"),
      (.response(DataAPI.badKey), 69, "API_KEY_INVALID"), (.response(DataAPI.rateLimited), 75, "too many requests"),
      (.response(.json("{\"kind\":", status: 200)), 75, "sent an invalid response"), (.status(500), 75, "HTTP 500"),
      (.reset, 75, "no response from the Data API"),
      (.response(.redirect(to: "https://elsewhere.example/")), 69, "HTTP 302"),
    ])
  func failures(fault: Fault, status: Int32, text: String) throws {
    try sandbox.follow(threeVideos)
    setKey()
    sandbox.server.fail(
      fault,
      on: .key(
        "/youtube/v3/videos?part=snippet,contentDetails,liveStreamingDetails,statistics&maxResults=50"
          + "&fields=kind,items(id,snippet/liveBroadcastContent,contentDetails/duration,liveStreamingDetails,statistics/viewCount)"
          + "&id=-bcdefghijA,bbbbbbbbbbE,ccccccccccI"), times: .always)
    let outcome = try sandbox.run("enrich")
    #expect(outcome.status == status && outcome.errors.contains(text), "\(outcome.errors)")
    #expect(!outcome.errors.contains("AIza") && !outcome.text.contains("AIza"))
    let polled = try sandbox.poll("--force")
    #expect(polled.exit == 0 && polled.checked == 1)
    #expect(try sandbox.list().count == 3)
  }

  @Test("An interrupt does not wait for a response")
  func interrupt() throws {
    try sandbox.follow(threeVideos)
    setKey()
    sandbox.server.fail(.hangBeforeResponse, on: .all, times: .always)
    let running = try sandbox.program.start(["enrich"])
    wait { sandbox.server.unitsRequested > 0 }
    running.signal(SIGINT)
    let outcome = try running.finish()
    #expect(outcome.status == 1 && outcome.errors.contains("stopped before all requests were sent"))
  }

  @Test("After a used-up quota nothing is requested for the rest of the day")
  func quota() throws {
    try sandbox.follow(threeVideos)
    setKey()
    sandbox.server.fail(.response(DataAPI.quotaExceeded), on: .all, times: .first(1))
    #expect(try sandbox.run("enrich").status == 75)
    #expect(try sandbox.succeed("status").contains("\nData API: 1 of 5000 units used today; resets at 2"))
    sandbox.server.forgetRequests()
    #expect(try sandbox.run("enrich").status == 75)
    #expect(sandbox.server.unitsRequested == 0)
  }

  @Test("A request that reached no server costs no unit", arguments: [["enrich"], ["enrich", "--backfill"]])
  func unsent(command: [String]) throws {
    let channel = try sandbox.follow(threeVideos)
    setKey()
    sandbox.environment["METUBE_RSS_API_URL"] = "http://127.0.0.1:1"
    let outcome = try sandbox.program.run(command + (command.count > 1 ? [channel.id, "20"] : []))
    #expect(outcome.status == 75 && outcome.errors.contains("no response from the Data API"), "\(outcome.errors)")
    #expect(!outcome.text.contains("1 unit used"), "\(outcome.text)")
    #expect(try sandbox.succeed("status").contains("\nData API: 0 of 5000 units used today"))
  }

  @Test("status shows the units used of the day's budget, unless there is no key")
  func standing() throws {
    try sandbox.follow(threeVideos)
    let json = try sandbox.succeed("status", "--format", "json")
    #expect(json.contains(",\"apiUnitsUsed\":null,\"apiUnitsLeft\":null,\"apiBudget\":null,"))
    #expect(try !sandbox.succeed("status").contains("Data API"))
    setKey()
    sandbox.environment["METUBE_RSS_API_BUDGET"] = "40"
    try sandbox.succeed("enrich")
    #expect(try sandbox.succeed("status").contains("\nData API: 2 of 40 units used today\n"))
    let counted = try sandbox.succeed("status", "--format", "json")
    #expect(counted.contains(",\"apiUnitsUsed\":2,\"apiUnitsLeft\":38,\"apiBudget\":40,"))
  }

  @Test("Without a key it says where to set one; a bad setting is also a usage error")
  func noKey() throws {
    let outcome = try sandbox.run("enrich")
    #expect(outcome.status == 64 && outcome.errors.contains("METUBE_RSS_API_KEY"))
    sandbox.environment["METUBE_RSS_API_KEY"] = "a\u{1}b"
    #expect(try sandbox.run("enrich").status == 64)
    setKey()
    sandbox.environment["METUBE_RSS_API_BUDGET"] = "many"
    #expect(try sandbox.run("enrich").status == 64)
  }
}
