import App
import Core
import FixtureServer
import TestSupport
import Testing

@Suite("Following feeds of other sites")
struct FollowFeedTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    sandbox.environment["METUBE_RSS_PRIVATE_NETWORKS"] = "yes"
    sandbox.serve(FixtureBlog(entries: ["Two", "One"]), at: "/feed")
  }

  private var base: String { sandbox.server.baseURL }
  private func id(_ path: String) throws -> String { "\(FeedID(of: try #require(FeedAddress(base + path))))" }
  private func followed() throws -> [String] { try sandbox.run("channels", "--format", "ids").lines }

  /// A page that links feeds.
  private func servePage(_ links: [(path: String, title: String)], at path: String) {
    let head = links.map { link in
      "<link rel=\"alternate\" type=\"application/rss+xml\" title=\"\(link.title)\" href=\"\(link.path)\">"
    }
    sandbox.server.serve(
      path, .html("<!DOCTYPE html><html><head>\(head.joined())</head><body>Quay</body></html>", status: 200))
  }

  @Test("A feed is followed by its address, with its title, and read by the next poll")
  func address() throws {
    let text = try sandbox.succeed("follow", "\(base)/feed", "--tag", "sea")
    let id = try id("/feed")
    #expect(text == "following Notes from the Quay  \(id)\nRun `metube-rss poll` to fetch their entries.\n")
    #expect(try followed() == [id])
    #expect(try sandbox.run("channels", "--tag", "sea", "--format", "ids").lines.count == 1)
    #expect(try sandbox.poll().new == 2)
    sandbox.server.forgetRequests()
    let again = try sandbox.succeed("follow", "\(base)/feed/")
    #expect(sandbox.server.requests.isEmpty)
    #expect(again == "already following Notes from the Quay  \(id)\n")
    #expect(sandbox.events("feedFollowed").count == 1)
    #expect(try sandbox.succeed("undo", "--yes").hasPrefix("undone: 1 follow"))
    #expect(try followed().isEmpty)
  }

  @Test("A page that links one feed stands for it")
  func page() throws {
    servePage([("/feed", "Notes")], at: "/")
    #expect(try sandbox.succeed("follow", "\(base)/").hasPrefix("following Notes from the Quay  "))
    #expect(try followed() == [id("/feed")])
  }

  @Test("A page that links several is a question; without a terminal they are listed, and none is followed")
  func several() throws {
    servePage([("/feed", "Notes"), ("/other", "Other")], at: "/")
    sandbox.serve(FixtureBlog(title: "Other notes", entries: ["Three"]), at: "/other")
    for format in [[], ["--format", "json"]] {
      let outcome = try sandbox.program.run(["follow", "\(base)/"] + format)
      #expect(outcome.status == 1)
      #expect(
        outcome.errors == """
          metube-rss: \(base)/: 2 feeds found; follow one by its address:
            Notes: \(base)/feed
            Other: \(base)/other

          """)
    }
    #expect(try followed().isEmpty)
    let chosen = try terminal(["\(base)/"], input: "3\n2\n")
    #expect(chosen.contains("2  Other  \(base)/other") && chosen.contains("“3” is not one of these"))
    #expect(chosen.contains("following Other notes"))
    #expect(try followed() == [id("/other")])
    _ = try terminal(["\(base)/"], input: "\n")
    #expect(try followed() == [id("/other")])
  }

  @Test("A channel of PeerTube is found by its page's address, though the page links no feed")
  func peerTube() throws {
    servePage([], at: "/c/tide_pools/videos")
    try sandbox.serveWebFeed("peertube.xml", at: "/feeds/videos.xml?videoChannelName=tide_pools")
    #expect(try sandbox.succeed("follow", "\(base)/c/tide_pools/videos").hasPrefix("following Tide Pools  "))
    #expect(try sandbox.poll().new == 1)
  }

  @Test("A date marks the entries before it as watched")
  func seenBefore() throws {
    try sandbox.succeed("follow", "--seen-before", "2026-07-20", "\(base)/feed")
    #expect(try sandbox.poll().new == 2)
    let rows = try sandbox.run("list", "--format", "jsonl").text
    #expect(rows.contains("\"Two\"") && !rows.contains("\"One\""))
  }

  @Test("Where no feed is, the message says why, and the status is 1")
  func nothing() throws {
    servePage([], at: "/empty")
    sandbox.server.serve("/text", .feed("Hello"))
    let paths = ["/empty", "/missing", "/text"]
    let outcome = try sandbox.program.run(["follow"] + paths.map { base + $0 })
    #expect(outcome.status == 1 && outcome.text.isEmpty)
    #expect(outcome.errors.contains("\(base)/empty: no feed is there, and the page links none\n"))
    #expect(outcome.errors.contains("\(base)/missing: HTTP 404\n"))
    #expect(outcome.errors.contains("\(base)/text: "))
    let known = try sandbox.run("follow", "https://open.spotify.com/show/1", "https://rumble.com/c/Harbour")
    #expect(known.status == 1 && known.errors.contains("Spotify has no feeds"))
    #expect(known.errors.contains("with an instance of RSS-Bridge of your own, follow https://INSTANCE/?"))
    #expect(try followed().isEmpty)
  }

  @Test("A password in an address is used, kept in the log alone, and not shown")
  func password() throws {
    let address = base.replacing("http://", with: "http://ann:secret@")
    let outcome = try sandbox.run("follow", "\(address)/feed", "\(address)/missing")
    #expect(!outcome.errors.contains("secret") && !outcome.text.contains("secret"))
    #expect(sandbox.server.requests.first?.headers["authorization"]?.hasPrefix("Basic ") == true)
    #expect(sandbox.events("feedFollowed").count == 1)
    #expect(try sandbox.session().state.channels.values.contains { $0.isPrivate })
  }

  @Test("An address in a private network is refused unless a setting allows it")
  func privateNetworks() throws {
    sandbox.environment["METUBE_RSS_PRIVATE_NETWORKS"] = nil
    let outcome = try sandbox.run("follow", "\(base)/feed")
    #expect(outcome.status == 1 && outcome.errors.contains("METUBE_RSS_PRIVATE_NETWORKS=yes"))
    #expect(sandbox.server.requests.isEmpty)
  }

  /// What a terminal shows of `follow` if a person types this.
  private func terminal(_ arguments: [String], input: String) throws -> String {
    let running = try sandbox.program.start(
      ["follow"] + arguments, output: .terminal(columns: 100), isInteractive: true)
    try running.sink.type(input)
    let outcome = try running.finish()
    return outcome.text + outcome.errors
  }
}
