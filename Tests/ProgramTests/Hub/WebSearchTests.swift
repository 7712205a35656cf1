import FixtureServer
import Glibc
import JSON
import TestSupport
import Testing

@testable import metube_hub

/// The hub as clients of the WebSearch guide see it.
@Suite("Clients of the WebSearch guide")
struct WebSearchTests {
  private let sandbox: Sandbox
  private let hub: TestHub
  private static let channel = "UCsXVk37bltHxD1rDPwtNM8Q"

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.succeed("follow", WebSearchTests.channel, "UCHnyfMqiRRG1u-2MsSQLbXA")
    try sandbox.succeed("poll", "--rate", "0")
    hub = TestHub(sandbox)
  }

  private func page(_ query: String = "") throws -> JSONValue {
    let response = try hub.get("/api/feed?\(query)")
    #expect(response.status == 200, "\(query): \(response.text)")
    return try response.json
  }

  private func ids(_ page: JSONValue) -> [String] { page.texts("items", of: "video_id") }

  private func number(_ value: JSONValue?) throws -> Int { Int(try #require(value?["id"]?.number)) }

  @Test("The feed is what list shows, by pages, with the members that clients decode")
  func feed() throws {
    let all = try sandbox.list("--all").map(\.video)
    let first = try page("per_page=7")
    #expect(first["total"]?.number == Double(all.count) && first["has_more"] == true && first["page"] == 1)
    var paged: [String] = []
    for number in 1...100 where paged.count < all.count {
      let page = try page("per_page=7&page=\(number)")
      paged += ids(page)
      #expect(page["has_more"] == .boolean(paged.count < all.count) && page["per_page"] == 7)
    }
    #expect(paged == all)
    #expect(try ids(page("mode=oldest&per_page=100")) == all.reversed())
    let item = try #require(first["items"]?.elements?.first)
    for name in [
      "id", "channel_id", "platform", "video_id", "video_url", "title", "upload_date", "is_watched", "discovered_at",
      "duration_formatted", "is_recent", "channel_name",
    ] { #expect(item[name] != nil && item[name] != .null, "\(name)") }
    for name in ["description", "thumbnail_url", "duration_seconds", "view_count", "watched_at", "channel_avatar_url"] {
      #expect(item[name] != nil, "\(name)")
    }
    let channel = Int(item["channel_id"]?.number ?? 0)
    let own = try page("channel_ids=\(channel)&per_page=100")
    #expect(own["items"]?.elements?.allSatisfy { $0["channel_id"] == item["channel_id"] } == true)
    #expect(try page("channel_ids=999999")["total"] == 0)
    #expect(try page("platform=rumble")["total"] == 0)
    #expect(try hub.get("/api/feed/\(number(item))").json == item)
    #expect(try hub.get("/api/feed/items/\(number(item))").json == item)
    let last = try #require(try page("mode=oldest&per_page=1")["items"]?.elements?.first?["upload_date"]?.string)
    #expect(try page("since=\(last)")["total"]?.number == Double(all.count))
    #expect(try page("since=2099-01-01")["total"] == 0)
  }

  @Test("Modes choose and sort by length; a random order has every video once")
  func modes() throws {
    let all = try sandbox.list("--all").map(\.video)
    let lengths = [all[0]: "PT5M", all[1]: "PT50M", all[2]: "PT20M"]
    // Streams that are still on have no length.
    sandbox.server.serve(
      DataAPI(key: EnrichTests.key) { id in
        var video = DataAPI.Video(duration: lengths[id] ?? "P0D")
        video.views = id == all[0] ? 7 : nil
        return video
      })
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    try sandbox.succeed("enrich")
    #expect(try ids(page("mode=shortest&per_page=3")) == [all[0], all[2], all[1]])
    // What changes all the time is in no log.
    let views = try page("per_page=1")["items"]?.elements?.first?["view_count"]
    #expect(try views == 7 && hub.get("/api/v1/videos/\(all[0])").json["viewCount"] == 7)
    #expect(try sandbox.succeed("show", all[0], "--format", "jsonl").contains(#""viewCount":7,"#))
    #expect(try sandbox.succeed("export", "jsonl", "--limit", "1").contains(#""viewCount":7"#))
    #expect(try !sandbox.succeed("export", "csv", "--limit", "1").contains("viewCount"))
    #expect(!sandbox.log.contains { $0.contains("iewCount") })
    unlink(sandbox.folder.path + "/cache/views.db")
    #expect(try page("per_page=1")["items"]?.elements?.first?["view_count"] == .null)
    #expect(try ids(page("mode=longest&per_page=3")) == [all[1], all[2], all[0]])
    #expect(try ids(page("mode=longest&per_page=100")).count == all.count)
    #expect(try ids(page("mode=quick_watch")) == [all[0]])
    #expect(try ids(page("mode=deep_dive")) == [all[1]])
    #expect(try ids(page("duration_min=300&duration_max=1200")) == [all[0], all[2]])
    try sandbox.succeed("watched", all[0])
    #expect(try ids(page("mode=quick_watch")).isEmpty)
    #expect(try ids(page("mode=catch_up&per_page=100")) == all.dropFirst().reversed())
    // The guide's names and its raw values.
    #expect(try ids(page("mode=Catch+Up&per_page=100")) == all.dropFirst().reversed())
    #expect(try ids(page("mode=Newest&per_page=100")) == all)
    #expect(try ids(page("mode=Discovery&per_page=100")) == sandbox.list("--mix").map(\.video))
    #expect(try ids(page("mode=discovery&per_page=2&page=2")) == Array(sandbox.list("--mix").map(\.video)[2..<4]))
    #expect(try ids(page("mode=Short+Form&per_page=100")) == sandbox.list("--all", "--shorts", "only").map(\.video))
    // Over midnight UTC the order changes.
    var random: [String] = []
    for _ in 0..<3 where Set(random) != Set(all) {
      random = try (1...20).flatMap { try ids(page("mode=random&per_page=3&page=\($0)")) }
    }
    #expect(random.count == all.count && Set(random) == Set(all) && random != all)
    for refused in ["mode=gaming", "sort_by=views", "filter=none", "page=0", "per_page=101", "since=x"] {
      let response = try hub.get("/api/feed?\(refused)")
      #expect(response.status == 400, "\(refused)")
      #expect(try response.json["detail"]?.string != nil)
    }
  }

  @Test("Both spellings of a mark have the same effect, which is in the log")
  func marks() throws {
    let all = try sandbox.list().map(\.video)
    let items = try #require(try page("per_page=100")["items"]?.elements)
    let (first, second) = (try number(items[0]), try number(items[1]))
    let marked = try hub.send("PATCH", "/api/feed/\(first)/watched", json: #"{"is_watched":true}"#)
    #expect(try marked.json["is_watched"] == true && marked.json["watched_at"]?.string != nil)
    #expect(try hub.send("PUT", "/api/feed/items/\(second)/watched").json["is_watched"] == true)
    #expect(try sandbox.list("--watched").map(\.video) == Array(all[..<2]))
    #expect(try ids(page("filter=watched")) == Array(all[..<2]))
    #expect(try ids(page("filter=unwatched&per_page=100")) == Array(all[2...]))
    let history = try hub.get("/api/feed/history").json
    #expect(Set(ids(history)) == Set(all[..<2]) && history["total"] == 2)
    let stats = try hub.get("/api/feed/stats").json
    #expect(stats["watched_videos"] == 2 && stats["total_channels"] == 2)
    #expect(try hub.send("PUT", "/api/feed/items/\(second)/unwatched").json["is_watched"] == false)
    #expect(
      try hub.send("PATCH", "/api/feed/\(first)/watched", json: #"{"is_watched":false}"#).json["watched_at"] == .null)
    #expect(try sandbox.list("--watched").isEmpty)
    #expect(
      try hub.send("PUT", "/api/feed/items/\(first)/progress?progress_seconds=42").json["watch_progress_seconds"] == 42)
    #expect(
      try hub.send("PATCH", "/api/feed/\(first)/progress", json: #"{"watch_progress_seconds":43}"#)
        .json["watch_progress_seconds"] == 43)
    #expect(try hub.send("PATCH", "/api/feed/\(first)/watched", json: "{}").status == 400)
    #expect(try hub.send("PUT", "/api/feed/items/999999/watched").status == 404)
    #expect(try hub.send("POST", "/api/feed/sync").json["status"]?.string == "started")
  }

  @Test(
    "Subscriptions are followed, renamed and unfollowed under either name", arguments: ["channels", "subscriptions"])
  func subscriptions(_ name: String) throws {
    let list = try hub.get("/api/\(name)").json
    #expect(list["total"] == 2 && list["items"]?.elements?.count == 2)
    for channel in list["items"]?.elements ?? [] {
      let own = try page("channel_ids=\(number(channel))&per_page=100")
      #expect(own["total"] == channel["video_count"] && channel["unwatched_count"] == channel["video_count"])
      #expect(try hub.get("/api/\(name)/\(number(channel))").json == channel)
    }
    let added = try hub.send(
      "POST", "/api/\(name)", json: #"{"channel_url":"https://www.youtube.com/channel/UC3I2GFN_F8WudD_2jUZbojA"}"#)
    #expect(try added.status == 201 && added.json["platform_channel_id"]?.string == "UC3I2GFN_F8WudD_2jUZbojA")
    let id = try number(added.json)
    #expect(try hub.send("PUT", "/api/\(name)/\(id)", json: #"{"name":"Shown"}"#).json["name"]?.string == "Shown")
    #expect(try hub.send("POST", "/api/\(name)/\(id)/sync").json["success"] == true)
    #expect(try hub.send("DELETE", "/api/\(name)/\(id)").status == 204)
    #expect(try hub.get("/api/\(name)/\(id)").status == 404)
    let imported = try hub.send(
      "POST", "/api/\(name)/import/urls",
      json: #"{"urls":["UC3I2GFN_F8WudD_2jUZbojA","\#(WebSearchTests.channel)","https://example.com/x"]}"#
    ).json
    #expect(imported["imported"] == 1 && imported["skipped"] == 1 && imported["failed"] == 1)
    #expect(try sandbox.succeed("channels", "--format", "ids").split(separator: "\n").count == 3)
    for body in ["{}", #"{"channel_url":"https://example.com/x"}"#, ""] {
      #expect(try hub.send("POST", "/api/\(name)", json: body).status == 400, "\(body)")
    }
  }

  @Test("Videos are saved by ID or address, and listed")
  func saved() throws {
    let all = try sandbox.list().map(\.video)
    let saved = try hub.send("POST", "/api/saved-videos", json: #"{"video_id":"\#(all[0])","notes":"later"}"#)
    #expect(try saved.status == 201 && saved.json["notes"]?.string == "later")
    let address = "https://youtu.be/\(all[1])"
    #expect(try hub.send("POST", "/api/saved-videos/from-url", json: #"{"url":"\#(address)"}"#).status == 201)
    #expect(try sandbox.list("--saved").map(\.video) == Array(all[..<2]))
    let list = try hub.get("/api/saved-videos").json
    #expect(list.texts("items", of: "video_id") == Array(all[..<2]) && list["total"] == 2)
    #expect(try hub.get("/api/saved-videos?limit=1&offset=1").json.texts("items", of: "video_id") == [all[1]])
    #expect(try hub.get("/api/saved-videos/check?video_id=\(all[0])").json["is_saved"] == true)
    #expect(try hub.get("/api/saved-videos/check?video_id=\(all[2])").json["is_saved"] == false)
    let id = try number(saved.json)
    #expect(try hub.send("PUT", "/api/saved-videos/\(id)/watched").json["is_watched"] == true)
    #expect(try hub.get("/api/saved-videos?is_watched=false").json.texts("items", of: "video_id") == [all[1]])
    #expect(try hub.send("DELETE", "/api/saved-videos/\(id)").status == 204)
    #expect(try hub.get("/api/saved-videos/\(id)").status == 404)
    #expect(try sandbox.list("--saved").map(\.video) == [all[1]])
    let link = "https://youtu.be/\(all[2])"
    #expect(try hub.send("POST", "/api/saved-videos", json: #"{"video_url":"\#(link)"}"#).status == 201)
    #expect(try sandbox.list("--saved").map(\.video) == [all[1], all[2]])
    #expect(try hub.send("POST", "/api/saved-videos/from-url", json: #"{"url":"https://x.example/"}"#).status == 400)
  }

  @Test("Collections get numbers; videos are added and removed")
  func collections() throws {
    let item = try #require(try page()["items"]?.elements?.first)
    let made = try hub.send("POST", "/api/collections", json: #"{"name":"Kitchen"}"#)
    let id = try number(made.json)
    #expect(made.status == 201)
    #expect(try hub.get("/api/collections").json["total"] == 1, "it exists without videos")
    let added = try hub.send("POST", "/api/collections/\(id)/videos", json: #"{"feed_item_id":\#(number(item))}"#)
    #expect(try added.status == 201 && added.json["video_count"] == 1)
    let list = try hub.get("/api/collections").json
    #expect(try list.texts("items", of: "name") == ["Kitchen"] && number(list["items"]?.elements?.first) == id)
    #expect(try ids(hub.get("/api/collections/\(id)").json) == [item["video_id"]?.string ?? ""])
    #expect(try sandbox.succeed("collection", "list").contains("Kitchen"))
    #expect(try hub.send("DELETE", "/api/collections/\(id)/videos/\(number(item))").status == 204)
    #expect(try hub.get("/api/collections").json["total"] == 1)
    #expect(try hub.get("/api/collections/99").status == 404)
    #expect(try hub.send("POST", "/api/collections", json: #"{"name":"kitchen"}"#).status == 409)
    let other = try hub.send("POST", "/api/collections", json: #"{"name":"Garden","description":"Outside"}"#).json
    #expect(other["description"] == "Outside")
    let path = "/api/collections/\(id)"
    #expect(try hub.send("PUT", path, json: #"{"name":"Garden"}"#).status == 409)
    let renamed = try hub.send("PUT", path, json: #"{"name":"Cooking","description":"Pans"}"#).json
    #expect(try number(renamed) == id && renamed["name"] == "Cooking" && renamed["description"] == "Pans")
    #expect(try hub.send("DELETE", path).status == 204 && hub.get(path).status == 404)
    #expect(try hub.get("/api/collections").json.texts("items", of: "name") == ["Garden"])
  }

  @Test("Collections have a cover and times, and are filled by the paths and bodies of the server, too")
  func collectionItems() throws {
    let videos = try sandbox.list().map(\.video)
    let made = try hub.send("POST", "/api/collections", json: #"{"name":"Kitchen"}"#).json
    #expect(made["cover_url"] == .null && made["coverUrl"] == .null && made["item_count"] == 0)
    let path = "/api/collections/\(try number(made))"
    for video in videos[..<2].reversed() {
      let body = #"{"item_type":"video","url":"https://www.youtube.com/watch?v=\#(video)","title":"Whatever"}"#
      let item = try hub.send("POST", path + "/items", json: body)
      #expect(item.status == 201, "\(item.text)")
      #expect(try item.json["video_id"]?.string == video && item.json["embed_type"] == "youtube")
      #expect(try item.json["videoUrl"] == item.json["url"] && item.json["thumbnailUrl"] == item.json["thumbnail_url"])
    }
    let collection = try hub.get(path).json
    #expect(collection.texts("items", of: "video_id") == videos[..<2].reversed())
    let items = try #require(collection["items"]?.elements)
    #expect(items.map { $0["sort_order"] } == [0, 1])
    #expect(collection["coverUrl"] == items[0]["thumbnail_url"] && collection["cover_url"]?.string?.isEmpty == false)
    #expect(collection["itemCount"] == 2 && collection["createdAt"] == made["created_at"])
    let times = [
      collection["created_at"], items[0]["added_at"], items[1]["addedAt"], collection["updated_at"],
    ].compactMap { $0?.string }
    #expect(times.count == 4 && times == times.sorted() && times.last == items[1]["added_at"]?.string)
    #expect(try hub.get("/api/collections").json["items"]?.elements?.first?["cover_url"] == collection["cover_url"])
    #expect(try hub.send("DELETE", "\(path)/items/\(number(items[0]))").status == 204)
    #expect(try hub.get(path).json["cover_url"] == items[1]["thumbnail_url"])
    let quick = try hub.send("POST", "/api/collections/quick-add", json: #"{"video_id":"\#(videos[2])"}"#)
    #expect(quick.status == 201)
    #expect(try hub.get("/api/collections").json.texts("items", of: "name") == ["Favorites", "Kitchen"])
    for body in [
      #"{"item_type":"image","url":"https://youtu.be/\#(videos[2])"}"#, "{}", #"{"url":"https://x.example/"}"#,
    ] {
      #expect(try hub.send("POST", path + "/items", json: body).status == 400, "\(body)")
    }
    #expect(try hub.send("POST", path + "/items", json: #"{"url":"https://youtu.be/aaaaaaaaaaA"}"#).status == 201)
    let cover = try hub.send("PATCH", path, json: #"{"cover_url":"https://x.example/a.png"}"#)
    #expect(cover.status == 400 && cover.text.contains("cover_url"), "\(cover.text)")
  }

  @Test("A collection keeps the title that a video is added with, by every path, until a feed says another")
  func collectionTitles() throws {
    let made = try hub.send("POST", "/api/collections", json: #"{"name":"Kitchen"}"#).json
    let path = "/api/collections/\(try number(made))"
    for (path, video) in [
      (path + "/items", "jNQXAC9IVRw"), (path + "/videos", "9bZkp7q19f0"),
      ("/api/collections/quick-add", "dQw4w9WgXcQ"),
    ] {
      let body = #"{"video_url":"https://youtu.be/\#(video)","title":"Title of \#(video)"}"#
      #expect(try hub.send("POST", path, json: body).status == 201)
      #expect(try hub.get("/api/v1/videos/\(video)").json["title"]?.string == "Title of \(video)")
    }
    #expect(try hub.get(path).json.texts("items", of: "title") == ["Title of jNQXAC9IVRw", "Title of 9bZkp7q19f0"])
  }

  @Test("A subscription says whether its feed works and what failed")
  func syncErrors() throws {
    let well = try #require(try hub.get("/api/subscriptions").json["items"]?.elements?.first)
    #expect(well["is_active"] == true && well["isActive"] == true && well["sync_error"] == .null)
    #expect(well["last_synced_at"]?.string != nil && well["lastSyncedAt"] == well["last_synced_at"])
    let added = try hub.send("POST", "/api/subscriptions", json: #"{"url":"@nobody-has-this"}"#)
    #expect(try added.status == 201 && added.json["is_active"] == false && added.json["last_synced_at"] == .null)
    // It is listed although it has no channel yet, and its number works as that of others.
    func listed() throws -> JSONValue? {
      try hub.get("/api/subscriptions").json["items"]?.elements?
        .first { $0["platform_channel_id"]?.string == "@nobody-has-this" }
    }
    let id = try number(added.json)
    let name = try #require(try listed())
    #expect(name["is_active"] == false && name["created_at"]?.string?.hasPrefix("2") == true)
    #expect(try number(name) == id && hub.get("/api/subscriptions/\(id)").json["name"] == "@nobody-has-this")
    #expect(try hub.get("/api/subscriptions").json["total"] == 3)
    sandbox.server.serve(WebSearchTests.channel, .status(404))
    try wait {
      try sandbox.run("poll", "--rate", "0", "--force", "--quiet").status != 75
    }
    let failing = try #require(
      try hub.get("/api/subscriptions").json["items"]?.elements?
        .first { $0["platform_channel_id"]?.string == WebSearchTests.channel })
    #expect(
      failing["sync_error"]?.string?.hasPrefix("HTTP 404") == true && failing["syncError"] == failing["last_sync_error"]
    )
    #expect(failing["last_synced_at"]?.string != nil && failing["consecutive_errors"] != 0)
    let looked = try #require(try listed())
    #expect(looked["sync_error"]?.string?.isEmpty == false && looked["is_active"] == false)
    #expect(try hub.send("DELETE", "/api/subscriptions/\(id)").status == 204)
    #expect(try listed() == nil && hub.get("/api/subscriptions/\(id)").status == 404)
  }

  @Test("A search finds what is stored")
  func search() throws {
    let title = try #require(try page()["items"]?.elements?.first?["title"]?.string)
    let word = title.split(separator: " ").max { $0.count < $1.count } ?? ""
    let found = try hub.send(
      "POST", "/api/discover/search", json: #"{"query":"\#(word)","platforms":["youtube"],"max_per_platform":50}"#
    ).json
    #expect(found.texts("results", of: "title").contains(title))
    let none = try hub.send("POST", "/api/discover/search", json: #"{"query":"\#(word)","platforms":["rumble"]}"#).json
    #expect(none["total_results"] == 0)
    #expect(try hub.send("POST", "/api/discover/search", json: #"{"query":"x","type":"playlists"}"#).status == 400)
  }

  @Test("A login returns a Bearer token, which is listed and revoked like others")
  func logIn() throws {
    func run(_ arguments: String..., input: String = "") throws -> Program.Outcome {
      let program = Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
      return try program.run(arguments, input: Array(input.utf8))
    }
    let body = #"{"username":"ann","password":"correct horse"}"#
    #expect(try hub.send("POST", "/api/auth/login", json: body).json["access_token"]?.string == "owner")
    #expect(try run("user", "add", "ann", input: "correct horse\n").status == 0)
    #expect(try hub.get("/api/feed").status == 401)
    let wrong = try hub.send("POST", "/api/auth/login", json: #"{"username":"ann","password":"wrong"}"#)
    #expect(try wrong.status == 401 && wrong.json["detail"]?.string != nil)
    let response = try hub.send("POST", "/api/auth/login", json: body).json
    #expect(response["token_type"]?.string == "bearer")
    let header = "Authorization: Bearer \(try #require(response["access_token"]?.string))"
    #expect(try hub.get("/api/feed", header).status == 200)
    #expect(try hub.get("/api/auth/me", header).json["username"]?.string == "ann")
    #expect(try hub.get("/api/users", header).json.texts("items", of: "username") == ["ann"])
    #expect(try run("token", "revoke", "1").status == 0)
    #expect(try hub.get("/api/feed", header).status == 401)
  }

  @Test("Below the path that the MeTube app has too, each gets its own response")
  func shared() throws {
    let hub = try RunningHub(sandbox, "--listen", "127.0.0.1:0", "--metube")
    #expect(try hub.send("POST", "/api/channels").json.texts("channels", of: "channelId").count == 2)
    #expect(try hub.get("/api/channels").json["total"] == 2)
    let body = #"{"channel_url":"UC3I2GFN_F8WudD_2jUZbojA"}"#
    #expect(try hub.send("POST", "/api/channels", json: body).status == 201)
    #expect(try hub.send("POST", "/api/channels").json.texts("channels", of: "channelId").count == 3)
    #expect(try self.hub.send("POST", "/api/channels").status == 400, "the app is answered with --metube only")
  }
}
