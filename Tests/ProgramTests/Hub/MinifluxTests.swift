import FixtureServer
import Glibc
import JSON
import TestSupport
import Testing

/// The hub as clients of Miniflux see it.
@Suite("Readers that speak Miniflux")
struct MinifluxTests {
  private let sandbox: Sandbox
  private let hub: TestHub

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.succeed("follow", "--tag", "science", "UCsXVk37bltHxD1rDPwtNM8Q")
    try sandbox.succeed("follow", "UCHnyfMqiRRG1u-2MsSQLbXA")
    try sandbox.succeed("poll", "--rate", "0")
    hub = TestHub(sandbox)
  }

  private func entries(_ query: String = "") throws -> [JSONValue] {
    try hub.get("/v1/entries?limit=1000&direction=desc\(query)").json["entries"]?.elements ?? []
  }

  private func numbers(_ entries: [JSONValue]) -> [Int] { entries.compactMap { $0["id"]?.number.map { Int($0) } } }

  private func put(_ path: String, _ body: String = "") throws -> HubResponse {
    try hub.send("PUT", path, [], body: body.utf8)
  }

  @Test("Entries are what list shows, with what clients decode, and categories are tags")
  func lists() throws {
    let unread = try entries("&status=unread")
    #expect(try unread.compactMap { $0["hash"]?.string } == sandbox.list().map(\.video))
    #expect(unread.allSatisfy { $0["status"]?.string == "unread" && $0["published_at"]?.string != nil })
    let feeds = try #require(try hub.get("/v1/feeds").json.elements)
    #expect(Set(feeds.compactMap { $0["category"]?["title"]?.string }) == ["science", "All"])
    for feed in feeds {
      let number = Int(feed["id"]?.number ?? 0)
      let own = try hub.get("/v1/feeds/\(number)/entries?order=published_at&direction=desc").json
      #expect(own["total"]?.number == Double(own["entries"]?.elements?.count ?? -1), "fewer than 100")
      #expect(own["entries"]?.elements?.allSatisfy { $0["feed_id"]?.number == feed["id"]?.number } == true)
    }
    let categories = try #require(try hub.get("/v1/categories").json.elements)
    #expect(categories.compactMap { $0["title"]?.string } == ["All", "science"])
    for category in categories {
      let number = Int(category["id"]?.number ?? 0)
      #expect(try hub.get("/v1/categories/\(number)/feeds").json.elements?.count == 1)
      let own = try hub.get("/v1/categories/\(number)/entries?limit=1000").json["entries"]?.elements ?? []
      #expect(try own == entries("&category_id=\(number)").reversed() && !own.isEmpty)
    }
    #expect(try hub.get("/v1/me").json["username"]?.string == "owner")
    #expect(try hub.get("/v1/me").headers["content-type"] == "application/json")
  }

  @Test("Pages by offset, and the numbers before and after one, make the whole list")
  func pages() throws {
    let all = numbers(try entries())
    var paged: [Int] = []
    for offset in stride(from: 0, to: all.count, by: 7) {
      let page = try hub.get("/v1/entries?limit=7&direction=desc&offset=\(offset)").json
      #expect(page["total"]?.number == Double(all.count))
      paged += numbers(page["entries"]?.elements ?? [])
    }
    #expect(paged == all && Set(all).count == all.count)
    let middle = all.sorted()[all.count / 2]
    #expect(numbers(try entries("&order=id&after_entry_id=\(middle)")) == all.filter { $0 > middle }.sorted(by: >))
    #expect(numbers(try entries("&before_entry_id=\(middle)")) == all.filter { $0 < middle })
    #expect(all.allSatisfy { $0 > 0 && $0 < 1 << 31 })
  }

  @Test("Read is watched, unread new, starred saved; one request is one action that undo takes back")
  func marks() throws {
    let videos = try sandbox.list().map(\.video)
    let all = numbers(try entries())
    let marked = try put("/v1/entries", #"{"entry_ids":[\#(all[0]),\#(all[1])],"status":"read"}"#)
    #expect(marked.status == 204 && marked.body.isEmpty)
    #expect(try sandbox.list("--watched").map(\.video) == Array(videos[..<2]))
    #expect(numbers(try entries("&status=read")) == Array(all[..<2]))
    #expect(numbers(try entries("&status=read&order=changed_at")).sorted() == all[..<2].sorted())
    #expect(try put("/v1/entries", #"{"entry_ids":[\#(all[0])],"status":"unread"}"#).status == 204)
    #expect(try sandbox.list("--watched").map(\.video) == [videos[1]])
    #expect(try put("/v1/entries/\(all[2])/bookmark").status == 204)
    #expect(try hub.send("POST", "/v1/entries/\(all[3])/save").status == 202)
    #expect(try sandbox.list("--saved").map(\.video) == Array(videos[2...3]))
    #expect(numbers(try entries("&starred=true")) == Array(all[2...3]))
    #expect(numbers(try entries("&starred=false")) == all.filter { !all[2...3].contains($0) })
    #expect(try put("/v1/entries/\(all[2])/bookmark").status == 204)
    #expect(try sandbox.list("--saved").map(\.video) == [videos[3]])
    // What is read already stays as it is.
    try sandbox.succeed("skip", videos[5])
    #expect(try put("/v1/entries", #"{"entry_ids":[\#(all[5])],"status":"read"}"#).status == 204)
    #expect(try sandbox.list("--skipped").map(\.video) == [videos[5]])
    let feed = Int(try #require(try entries().first?["feed_id"]?.number))
    #expect(try put("/v1/feeds/\(feed)/mark-all-as-read").status == 204)
    #expect(try hub.get("/v1/feeds/\(feed)/entries?status=unread").json["total"] == 0)
    try sandbox.succeed("undo", "--yes")
    #expect(try hub.get("/v1/feeds/\(feed)/entries?status=unread").json["total"] != 0)
    #expect(try put("/v1/users/1/mark-all-as-read").status == 204)
    #expect(try sandbox.list().isEmpty)
  }

  @Test("Read is skipped where the setting says so")
  func skipped() throws {
    var environment = sandbox.environment
    environment["METUBE_RSS_READ_MEANS"] = "skipped"
    sandbox.environment = environment
    let hub = try RunningHub(sandbox)
    let number = try #require(numbers(try entries()).first)
    let body = #"{"entry_ids":[\#(number)],"status":"read"}"#
    #expect(try hub.send("PUT", "/v1/entries", [], body: body.utf8).status == 204)
    #expect(try sandbox.list("--skipped").count == 1)
  }

  @Test("What was marked since a time")
  func changed() throws {
    let all = numbers(try entries())
    _ = try put("/v1/entries", #"{"entry_ids":[\#(all[4])],"status":"read"}"#)
    #expect(numbers(try entries("&changed_after=1")) == all)
    #expect(numbers(try entries("&changed_after=99999999999")).isEmpty)
    #expect(numbers(try entries("&published_after=1")) == all)
    #expect(numbers(try entries("&before=1")).isEmpty)
    #expect(numbers(try entries("&search=zzzzqqqq")).isEmpty)
  }

  @Test("Following, moving, renaming and unfollowing")
  func subscriptions() throws {
    let made = try hub.send("POST", "/v1/categories", [], body: #"{"title":"Cooking"}"#.utf8)
    #expect(made.status == 201)
    let category = Int(try #require(try made.json["id"]?.number))
    let body =
      #"{"feed_url":"https://www.youtube.com/feeds/videos.xml?channel_id=UC3I2GFN_F8WudD_2jUZbojA","category_id":\#(category)}"#
    let added = try hub.send("POST", "/v1/feeds", [], body: body.utf8)
    #expect(added.status == 201)
    let feed = Int(try #require(try added.json["feed_id"]?.number))
    #expect(try sandbox.succeed("channels", "--tag", "Cooking", "--format", "ids") == "UC3I2GFN_F8WudD_2jUZbojA\n")
    #expect(try put("/v1/feeds/\(feed)", #"{"title":"Mine","category_id":null}"#).status == 201)
    #expect(try hub.get("/v1/feeds/\(feed)").json["title"]?.string == "Mine")
    #expect(try put("/v1/categories/\(category)", #"{"title":"Kitchen"}"#).json["title"]?.string == "Kitchen")
    let kitchen = try #require(
      try hub.get("/v1/categories").json.elements?.first { $0["title"]?.string == "Kitchen" }?["id"]?.number)
    #expect(try hub.send("DELETE", "/v1/categories/\(Int(kitchen))").status == 204)
    #expect(try hub.get("/v1/feeds/\(feed)").json["category"]?["title"]?.string == "All")
    #expect(try hub.send("DELETE", "/v1/feeds/\(feed)").status == 204)
    #expect(try hub.get("/v1/feeds/\(feed)").status == 404)
    #expect(sandbox.events("channelUnfollowed").count == 1)
    let file = try #require(Files.read(Files.packageRoot + "/feeds.opml"))
    #expect(try hub.send("POST", "/v1/import", [], body: file).status == 201)
    #expect(try hub.get("/v1/feeds").json.elements?.count == 20)
    #expect(try hub.get("/v1/export").text.contains("UCsXVk37bltHxD1rDPwtNM8Q"))
    let counters = try hub.get("/v1/feeds/counters").json
    guard case .object(let unreads)? = counters["unreads"] else { throw Missing() }
    #expect(try unreads.compactMap(\.value.number).reduce(0, +) == Double(sandbox.list().count))
  }

  private struct Missing: Error {}

  @Test("Numbers stay when the cache is deleted and the hub starts again")
  func numbersStay() throws {
    let before = try entries().map { [$0["id"], $0["feed_id"]] }
    hub.kill()
    for name in sandbox.folder.names(in: "cache") { unlink("\(sandbox.folder.path)/cache/\(name)") }
    let again = try RunningHub(sandbox)
    let after = try again.get("/v1/entries?limit=1000&direction=desc").json["entries"]?.elements ?? []
    #expect(after.map { [$0["id"], $0["feed_id"]] } == before)
  }

  @Test(
    "Invalid requests are refused in Miniflux's form",
    arguments: [
      ("GET", "/v1/entries?status=seen", "", 400), ("GET", "/v1/entries?limit=x", "", 400),
      ("GET", "/v1/entries?direction=up", "", 400), ("GET", "/v1/entries?after=9999999999999999999", "", 400),
      ("GET", "/v1/entries?offset=-1", "", 400), ("GET", "/v1/entries/0", "", 404), ("GET", "/v1/entries/x", "", 404),
      ("GET", "/v1/entries/2147483648", "", 404), ("GET", "/v1/feeds/999", "", 404),
      ("GET", "/v1/categories/999/entries", "", 404), ("GET", "/v1/nothing", "", 404),
      ("PUT", "/v1/entries", "", 400), ("PUT", "/v1/entries", #"{"entry_ids":[],"status":"read"}"#, 400),
      ("PUT", "/v1/entries", #"{"entry_ids":[1.5],"status":"read"}"#, 400),
      ("PUT", "/v1/entries", #"{"entry_ids":[1],"status":"gone"}"#, 400),
      ("POST", "/v1/feeds", #"{"feed_url":"https://example.org/feed"}"#, 400),
      ("POST", "/v1/feeds", #"{"feed_url":"UCsXVk37bltHxD1rDPwtNM8Q","category_id":999}"#, 400),
      ("POST", "/v1/categories", #"{"title":"\u202e"}"#, 400), ("DELETE", "/v1/feeds/999", "", 404),
    ])
  func refused(_ method: String, _ path: String, _ body: String, _ status: Int) throws {
    let response = try hub.send(method, path, [], body: body.utf8)
    #expect(response.status == status, "\(response.text)")
    #expect(response.headers["content-type"] == "application/json")
    #expect(try response.json["error_message"]?.string?.isEmpty == false)
    #expect(sandbox.events("statusSet").isEmpty)
  }
}
