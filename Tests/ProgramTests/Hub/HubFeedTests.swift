import FixtureServer
import JSON
import Testing

/// Feeds and exports over HTTP.
@Suite("The hub's feeds")
struct HubFeedTests {
  private let sandbox: Sandbox
  private let hub: RunningHub

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.succeed("import", Files.packageRoot + "/feeds.opml")
    try sandbox.succeed("poll", "--rate", "0")
    hub = try RunningHub(sandbox)
  }

  @Test("The feed is that of export atom, at its own address")
  func atom() throws {
    let path = "/feeds/atom?limit=20&shorts=show"
    let feed = try hub.get(path)
    #expect(feed.headers["content-type"] == "application/atom+xml; charset=utf-8")
    let exported = try sandbox.succeed(
      "export", "atom", "--limit", "20", "--shorts", "show", "--url", "http://\(hub.host)\(path)")
    #expect(feed.text == exported)
  }

  @Test("A feed that did not change gets 304, one that did does not")
  func conditional() throws {
    let feed = try hub.get("/feeds/atom")
    let tag = try #require(feed.headers["etag"])
    let again = try hub.get("/feeds/atom", "If-None-Match: \(tag)")
    #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == tag)
    #expect(try hub.get("/feeds/atom", "If-None-Match: \"other\", \(tag)").status == 304)
    #expect(try hub.get("/feeds/atom", "If-None-Match: \"other\"").status == 200)
    // A mark changes no feed.
    try sandbox.succeed("watched", try sandbox.list()[0].video)
    #expect(try hub.get("/feeds/atom", "If-None-Match: \(tag)").status == 304)
    try sandbox.succeed("unfollow", try sandbox.list()[0].channel)
    #expect(try hub.get("/feeds/atom", "If-None-Match: \(tag)").status == 200)
  }

  @Test("A feed does not name its token", arguments: ["atom", "json"])
  func withoutToken(_ format: String) throws {
    for query in ["token=secret&limit=5", "limit=5&token=secret", "limit=5&%74oken=secret"] {
      let feed = try hub.get("/feeds/\(format)?\(query)")
      #expect(feed.status == 200 && !feed.text.contains("secret"), "\(query)")
      #expect(feed.text.contains("http://\(hub.host)/feeds/\(format)?limit=5\""), "\(query)")
    }
    #expect(try hub.get("/feeds/\(format)?token=secret").text.contains("/feeds/\(format)\""))
  }

  @Test("With a WebSub hub a feed names it, and its own URL with the token that the hub needs")
  func webSub() throws {
    let hub = try RunningHub(sandbox, "--websub-hub", "https://push.example/?a=1&b")
    let atom = try hub.get("/feeds/atom?token=secret").text
    #expect(atom.contains(#"<link rel="hub" href="https://push.example/?a=1&amp;b"/>"#))
    #expect(atom.contains("/feeds/atom?token=secret\"") && !atom.contains("hub.example"))
    let json = try hub.get("/feeds/json").json
    #expect(json["hubs"]?.elements?.first?["url"]?.string == "https://push.example/?a=1&b")
    #expect(try !self.hub.get("/feeds/atom").text.contains("rel=\"hub\""))
  }

  @Test("gzip for those who take it")
  func packed() throws {
    let plain = try hub.get("/feeds/json")
    let packed = try hub.get("/feeds/json", "Accept-Encoding: br, gzip;q=0.5")
    #expect(plain.headers["content-encoding"] == nil && packed.headers["content-encoding"] == "gzip")
    #expect(packed.body.starts(with: [0x1f, 0x8b]) && packed.body.count * 2 < plain.body.count)
    #expect(packed.headers["vary"]?.contains("Accept-Encoding") == true)
    #expect(try hub.get("/feeds/json", "Accept-Encoding: gzip;q=0").headers["content-encoding"] == nil)
  }

  @Test("A collection and a channel have feeds of their own")
  func narrow() throws {
    let video = try sandbox.list()[3]
    try sandbox.succeed("collection", "add", "To cook", video.video)
    let collection = try hub.get("/feeds/json?collection=To%20cook").json
    #expect(collection.texts("items", of: "url") == [video.url] && collection["title"]?.string == "To cook")
    let channel = try hub.get("/feeds/json?channel=\(video.channel)&shorts=show").json
    #expect(channel["items"]?.elements?.count == 15)
  }

  @Test("Exports are those of the terminal", arguments: ["opml", "takeout-csv", "newpipe", "freetube", "csv", "jsonl"])
  func exports(_ format: String) throws {
    let exported = try hub.get("/api/v1/export/\(format)")
    #expect(exported.status == 200)
    #expect(try exported.text == sandbox.run("export", format).text)
  }
}
