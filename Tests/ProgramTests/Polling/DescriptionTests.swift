import FixtureServer
import JSON
import TestSupport
import Testing

@Suite("Titles of videos that no feed has shown, from YouTube")
struct DescriptionTests {
  private let sandbox: Sandbox
  private let id = "9bZkp7q19f0"
  private static let channel = "UCsXVk37bltHxD1rDPwtNM8Q"

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.succeed("follow", DescriptionTests.channel)
  }

  /// Answers oEmbed requests for the video.
  private func serve(_ response: Response) { sandbox.server.route("/oembed") { _ in response } }

  private var requests: [String] { sandbox.server.requests.map(\.target).filter { $0.hasPrefix("/oembed") } }

  private static let response = """
    {"title":"A song","author_name":"A singer","author_url":"https://www.youtube.com/channel/\(channel)",
    "type":"video","version":"1.0","provider_name":"YouTube","html":"<iframe></iframe>"}
    """

  private func titles() throws -> [String] { try sandbox.list("--saved").map(\.title) }

  @Test("A poll requests each once, politely; what a feed shows later counts more")
  func poll() throws {
    serve(.json(DescriptionTests.response, status: 200))
    #expect(try sandbox.poll().failed == 0 && requests.isEmpty, "nothing was decided")
    try sandbox.succeed("save", id)
    #expect(requests.isEmpty, "a command requests nothing")
    for _ in 0..<2 { _ = try sandbox.poll("--force") }
    #expect(requests == ["/oembed?format=json&url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D\(id)"])
    let row = try #require(try sandbox.list("--saved").first)
    #expect(row.title == "A song" && row.channel == DescriptionTests.channel)
    #expect(try sandbox.list().map(\.video).contains(id) == false)
    let shown = try sandbox.succeed("show", id)
    #expect(shown.contains("described by YouTube") && shown.hasPrefix("A song\n"), "\(shown)")
    #expect(!shown.contains("metube-rss follow"), "its channel is followed")
    try sandbox.succeed("unfollow", DescriptionTests.channel)
    #expect(
      try sandbox.succeed("show", id).contains(
        "metube-rss follow https://www.youtube.com/channel/\(row.channel) follows"))
  }

  @Test(
    "What YouTube does not describe is requested once, and no failure is reported", arguments: [400, 401, 403, 404])
  func missing(_ status: Int) throws {
    serve(.status(status))
    try sandbox.succeed("save", id, "dQw4w9WgXcQ")
    for _ in 0..<3 {
      let polled = try sandbox.poll("--force")
      #expect(polled.exit == 0 && polled.reported == "")
    }
    #expect(requests.count == 2 && Set(requests).count == 2)
    #expect(try titles() == ["", ""])
  }

  @Test("A failing server is left alone for hours", arguments: [429, 500, 503])
  func failing(_ status: Int) throws {
    serve(.status(status))
    try sandbox.succeed("save", id, "dQw4w9WgXcQ")
    for _ in 0..<3 { #expect(try sandbox.poll("--force").reported == "") }
    #expect(requests.count == 1)
    #expect(try sandbox.succeed("enrich").hasPrefix("0 titles looked up"))
  }

  @Test(
    "Hostile and useless responses are refused",
    arguments: [
      "", "null", "[]", "{", #"{"type":"video"}"#, #"{"type":"video","title":"\u200b"}"#,
      #"{"type":"video","title":7}"#,
      #"{"type":"rich","title":"x"}"#, "<html></html>",
      #"{"type":"video","title":"\#(String(repeating: "a", count: 5000))"}"#,
      #"{"type":"video","title":"x","padding":"\#(String(repeating: "a", count: 100_000))"}"#,
    ])
  func hostile(_ body: String) throws {
    serve(.json(body, status: 200))
    try sandbox.succeed("save", id)
    for _ in 0..<2 { #expect(try sandbox.poll("--force").exit == 0) }
    #expect(requests.count == 1 && sandbox.events("videoDescribed").isEmpty)
  }

  @Test("A setting forbids the requests, and enrich names what else it needs")
  func forbidden() throws {
    serve(.json(DescriptionTests.response, status: 200))
    try sandbox.succeed("save", id)
    sandbox.environment["METUBE_RSS_OEMBED"] = "no"
    _ = try sandbox.poll("--force")
    let outcome = try sandbox.run("enrich")
    #expect(outcome.status == 64 && outcome.errors.contains("METUBE_RSS_API_KEY") && requests.isEmpty)
    sandbox.environment["METUBE_RSS_OEMBED"] = "perhaps"
    #expect(try sandbox.run("enrich").errors.contains("METUBE_RSS_OEMBED is “perhaps”; use yes or no"))
    sandbox.environment["METUBE_RSS_OEMBED"] = "yes"
    #expect(
      try sandbox.succeed("enrich") == "1 title looked up, 1 found; lengths need METUBE_RSS_API_KEY or --with yt-dlp\n"
    )
    #expect(try titles() == ["A song"])
  }

  @Test("With a key the Data API says title, channel and length, in one unit for fifty, instead of oEmbed")
  func api() throws {
    serve(.json(DescriptionTests.response, status: 200))
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    var video = DataAPI.Video(duration: "PT4M13S")
    video.snippet = [
      "title": "A song", "channelId": DescriptionTests.channel, "channelTitle": "A singer",
      "publishedAt": "2012-07-15T07:46:32Z",
    ]
    let known = video
    sandbox.server.serve(DataAPI(key: EnrichTests.key) { [id] in $0 == id ? known : nil })
    try sandbox.succeed("collection", "add", "To hear", id)
    try sandbox.succeed("save", "dQw4w9WgXcQ")
    #expect(try sandbox.succeed("enrich").hasPrefix("2 videos looked up, 1 updated"))
    let row = try sandbox.succeed("collection", "show", "To hear", "--format", "jsonl")
    for text in [
      #""title":"A song""#, #""durationSeconds":253"#, #""published":"2012-07-15T07:46:32Z""#, #""found":null"#,
      #""thumbnail":"https://i.ytimg.com/vi/\#(id)/hqdefault.jpg""#,
    ] { #expect(row.contains(text), "\(text)\n\(row)") }
    let units = sandbox.server.unitsRequested
    #expect(try sandbox.succeed("enrich").hasPrefix("0 videos looked up"))
    #expect(sandbox.server.unitsRequested == units && requests.isEmpty)
    #expect(sandbox.events("videoEnriched").isEmpty && sandbox.events("videoDescribed").count == 1)
  }

  @Test("What oEmbed described is looked up once with a key, for what it did not say", arguments: ["P0D", "PT4M13S"])
  func both(_ duration: String) throws {
    serve(
      .json(DescriptionTests.response.replacing("channel/\(DescriptionTests.channel)", with: "@asinger"), status: 200))
    try sandbox.succeed("save", id)
    #expect(try sandbox.succeed("enrich").hasPrefix("1 title looked up, 1 found"))
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    var video = DataAPI.Video(duration: duration)
    video.snippet = [
      "title": "A song", "channelId": DescriptionTests.channel, "channelTitle": "A singer",
      "publishedAt": "2012-07-15T07:46:32Z",
    ]
    let known = video
    sandbox.server.serve(DataAPI(key: EnrichTests.key) { [id] in $0 == id ? known : nil })
    #expect(try sandbox.succeed("enrich").hasPrefix("1 video looked up, 1 updated"))
    let row = try #require(try sandbox.list("--saved").first)
    #expect(row.title == "A song" && row.channel == DescriptionTests.channel)
    #expect(try sandbox.succeed("list", "--saved", "--format", "jsonl").contains("2012-07-15T07:46:32Z"))
    #expect(try sandbox.succeed("enrich").hasPrefix("0 videos looked up"))
    #expect(requests.count == 1)
  }

  @Test("Who set oEmbed explicitly needs no key if nothing is due")
  func nothingDue() throws {
    #expect(try sandbox.run("enrich").errors.contains("needs a YouTube Data API key"))
    sandbox.environment["METUBE_RSS_OEMBED"] = "yes"
    #expect(try sandbox.succeed("enrich").hasPrefix("0 titles looked up, 0 found; lengths need METUBE_RSS_API_KEY"))
  }

  @Test("What an imported history says of watched videos is never requested")
  func history() throws {
    serve(.json(DescriptionTests.response, status: 200))
    let text = #"{"subscriptions":[],"watch_history":["AAAAAAAAAAA"],"playlists":[]}"#
    try sandbox.succeed("import", "--all-history", "-", input: text)
    _ = try sandbox.poll("--force")
    #expect(requests.isEmpty)
  }

  @Test("A hub does it for its users, each in their own log")
  func hub() throws {
    let users = try TwoUsers()
    users.sandbox.server.route("/oembed") { _ in .json(DescriptionTests.response, status: 200) }
    let saved = try users.mark(id, #""saved":true"#, by: users.ann)
    #expect(saved.status == 200)
    try users.lookUpNames()
    try wait {
      try users.hub.get("/api/v1/videos/\(id)", users.ann).json["title"]?.string == "A song"
    }
    #expect(try users.hub.get("/api/v1/videos/\(id)", users.bob).status == 404)
    #expect(users.sandbox.server.requests.count { $0.target.hasPrefix("/oembed") } == 1)
    #expect(try users.sandbox.hubLines("ann").count { $0.contains("videoDescribed") } == 1)
    #expect(try users.sandbox.hubLines(nil).allSatisfy { !$0.contains("A song") })
  }
}
