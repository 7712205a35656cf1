import Core
import FixtureServer
import Glibc
import JSON
import TestSupport
import Testing

@testable import Platform
@testable import PollEngine
@testable import metube_hub

/// `metube-hub demo`: the page on sample feeds.
@Suite("The demo")
struct DemoTests {
  private let sandbox: Sandbox
  private var temporary: String { sandbox.folder.path + "/tmp" }

  init() throws {
    sandbox = try Sandbox()
    mkdir(sandbox.folder.path + "/tmp", 0o700)
    sandbox.environment["TMPDIR"] = sandbox.folder.path + "/tmp"
  }

  /// A demo that runs, on any port unless the options name one.
  private func start(_ options: String..., environment: [String: String] = [:]) throws -> RunningHub {
    let environment = sandbox.environment.merging(environment) { $1 }
    let address = options.contains("--listen") ? [] : ["--listen", "127.0.0.1:0"]
    return try RunningHub(sandbox, command: ["demo"] + options + address, environment: environment)
  }

  @Test("The demo shows the videos of all sample feeds, the newest of today, without a request")
  func shown() throws {
    let hub = try start()
    let page = try hub.get("/api/v1/videos?all=true&shorts=show&upcoming=show&limit=500").json
    let videos = try #require(page["videos"]?.elements)
    #expect(videos.count == 300)
    let newest = try #require(videos.first?["published"]?.string.flatMap { Timestamp(rfc3339: $0) })
    #expect((0..<86_400).contains(Clock.now().seconds(since: newest)))
    #expect(try hub.get("/api/v1/channels").json["channels"]?.elements?.count == 20)
    let document = try hub.get("/").text
    #expect(document.contains("Sample data.") && document.contains("src=\"data:image/svg+xml,"))
    #expect(!document.contains("i.ytimg.com/vi/"))
    #expect(sandbox.server.requests.isEmpty)
    #expect(try hub.end().status == 0)
    #expect(TemporaryFolder.names(in: temporary).isEmpty)
  }

  @Test("Marks, undo and polls work, and a poll finds nothing new")
  func marks() throws {
    let hub = try start()
    let video = try #require(try hub.get("/api/v1/videos?limit=1").json["videos"]?.elements?.first?["video"]?.string)
    let mark = try hub.send(
      "POST", "/api/v1/marks", json: "{\"marks\":[{\"video\":\"\(video)\",\"status\":\"watched\"}]}")
    #expect(mark.status == 200)
    #expect(try hub.get("/api/v1/videos/\(video)").json["status"]?.string == "watched")
    #expect(try hub.send("POST", "/api/v1/undo", json: "{}").status == 200)
    #expect(try hub.send("POST", "/api/v1/poll", json: "{}").status == 202)
    #expect(
      try hub.get("/api/v1/videos?all=true&shorts=show&upcoming=show&limit=500").json["videos"]?.elements?.count == 300)
    let outcome = try hub.end()
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(sandbox.server.requests.isEmpty)
  }

  @Test("Nothing of the person is read or written, whatever the environment says")
  func untouched() throws {
    try sandbox.succeed("follow", "UCsXVk37bltHxD1rDPwtNM8Q")
    let before = sandbox.folder.names(in: "log").map { sandbox.folder.read("log/\($0)") }
    let hub = try start(environment: [
      "METUBE_HUB_DATA": "/nonexistent", "METUBE_HUB_LISTEN": "bad", "METUBE_HUB_PUBLIC_URL": "https://hub.example",
      "METUBE_RSS_API_KEY": "key", "METUBE_RSS_ON_NEW": "/nonexistent", "METUBE_RSS_HUB": "http://127.0.0.1:1",
    ])
    #expect(try hub.get("/api/v1/channels").json["channels"]?.elements?.count == 20)
    let outcome = try hub.end()
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(sandbox.folder.names(in: "log").map { sandbox.folder.read("log/\($0)") } == before)
    #expect(sandbox.folder.names() == sandbox.folder.names().filter { !$0.hasPrefix("hub.db") })
    #expect(sandbox.server.requests.isEmpty)
  }

  @Test("The demo may listen on all addresses without users, because it has no personal data")
  func everywhere() throws {
    let hub = try start("--listen", "0.0.0.0:0")
    #expect(try hub.get("/").status == 200)
    #expect(try hub.send("GET", "/", ["Host: 192.0.2.1:5057"]).status == 200)
    #expect(try hub.send("GET", "/", ["Host: other.example"]).status == 421)
    #expect(try hub.end().status == 0)
  }

  @Test("The demo works from a folder that cannot be written, and with feeds that --feeds or METUBE_RSS_DEMO name")
  func chosen() throws {
    let feeds = try samples(["UCsXVk37bltHxD1rDPwtNM8Q"])
    chmod(feeds, 0o500)
    defer { chmod(feeds, 0o700) }
    for (options, environment) in [(["--feeds", feeds], [:]), ([], ["METUBE_RSS_DEMO": feeds])] {
      let hub = try RunningHub(
        sandbox, command: ["demo", "--listen", "127.0.0.1:0"] + options,
        environment: sandbox.environment.merging(environment) { $1 })
      #expect(try hub.get("/api/v1/channels").json["channels"]?.elements?.count == 1)
      #expect(try hub.end().status == 0)
    }
  }

  @Test("A folder without feeds, a file that is no feed, and a taken port are named", arguments: [0, 1, 2])
  func refused(number: Int) throws {
    let feeds = try samples(["UCsXVk37bltHxD1rDPwtNM8Q"])
    let other = try LoopbackListener()
    defer { other.stop() }
    sandbox.folder.write("<feed".utf8, to: "broken/channels/UCsXVk37bltHxD1rDPwtNM8Q.xml")
    sandbox.folder.write("<opml/>".utf8, to: "broken/feeds.opml")
    let cases: [(arguments: [String], status: Int32, message: String)] = [
      (["--feeds", "/nonexistent"], 64, "/nonexistent: no sample feeds there; give a folder with feeds.opml and"),
      (["--feeds", sandbox.folder.path + "/broken"], 65, "UCsXVk37bltHxD1rDPwtNM8Q.xml: not a feed"),
      (["--feeds", feeds, "--listen", "127.0.0.1:\(other.port)"], 75, "cannot listen on 127.0.0.1:\(other.port)"),
    ]
    let (arguments, status, message) = cases[number]
    let outcome = try sandbox.hub(["demo"] + arguments)
    #expect(outcome.status == status && outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    #expect(TemporaryFolder.names(in: temporary).isEmpty)
  }

  @Test("Without a screen, --open says where the page is")
  func browser() throws {
    let hub = try start("--open")
    let outcome = try hub.end()
    #expect(outcome.status == 0)
    #expect(outcome.errors == "metube-hub: no browser was found; open http://127.0.0.1:\(hub.port)/ yourself\n")
  }

  @Test("A port on which something listens is not free")
  func ports() throws {
    let other = try LoopbackListener()
    #expect(!LoopbackPort.isFree(other.port))
    other.stop()
  }

  @Test("The times of a feed are moved together, and nothing else")
  func moved() throws {
    let folder = sandbox.folder.path + "/feeds"
    let text = "<feed><title>t</title><published>2026-11-15T00:00:00+00:00</published>"
    let entry = """
      <entry><id>yt:video:dQw4w9WgXcQ</id><yt:videoId>dQw4w9WgXcQ</yt:videoId>\
      <yt:channelId>UCsXVk37bltHxD1rDPwtNM8Q</yt:channelId><title>a</title>\
      <link rel="alternate" href="https://www.youtube.com/watch?v=dQw4w9WgXcQ"/>\
      <author><name>n</name></author>\
      <published>2026-11-16T00:00:00+00:00</published><updated>2026-11-17T12:00:00+00:00</updated></entry></feed>
      """
    let root = "<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:yt=\"http://www.youtube.com/xml/schemas/2015\">"
    let document = root + (text + entry).dropFirst("<feed>".count)
    sandbox.folder.write(document.utf8, to: "feeds/UCsXVk37bltHxD1rDPwtNM8Q.xml")
    let now = try #require(Timestamp(rfc3339: "2027-01-16T00:05:00Z"))
    let samples = try SampleFeeds(folder: folder, at: now)
    let shown = String(decoding: samples.moved(Array(document.utf8)), as: UTF8.self)
    #expect(shown.contains("<published>2027-01-15T00:00:00Z</published>"))
    #expect(shown.contains("<published>2027-01-16T00:00:00Z</published><updated>2027-01-17T12:00:00Z</updated>"))
    #expect(
      samples.moved(Array("<published>soon</published> < 1".utf8)) == Array("<published>soon</published> < 1".utf8))
  }

  /// A folder with the feeds of some channels and a list of them.
  private func samples(_ channels: [String]) throws -> String {
    let folder = sandbox.folder.path + "/samples"
    let outlines = channels.map {
      "<outline text=\"x\" type=\"rss\" xmlUrl=\"https://www.youtube.com/feeds/videos.xml?channel_id=\($0)\"/>"
    }
    sandbox.folder.write("<opml><body>\(outlines.joined())</body></opml>".utf8, to: "samples/feeds.opml")
    for channel in channels {
      let bytes = try #require(Files.read("\(Files.packageRoot)/Fixtures/feeds/channels/\(channel).xml"))
      sandbox.folder.write(bytes, to: "samples/channels/\(channel).xml")
    }
    return folder
  }
}
