import App
import FixtureServer
import JSON
import TestSupport
import Testing

/// Videos that no feed has shown, saved, shared, collected, marked and begun in every way.
@Suite("A video that no feed has shown")
struct UnseenVideoTests {
  private let sandbox: Sandbox
  private let hub: RunningHub
  private static let channel = "UCsXVk37bltHxD1rDPwtNM8Q"
  /// The video.
  private let id = "9bZkp7q19f0"

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.succeed("follow", UnseenVideoTests.channel)
    try sandbox.succeed("poll", "--rate", "0")
    hub = try RunningHub(sandbox)
  }

  private func post(_ path: String, _ fields: String) throws -> HubResponse {
    try hub.send("POST", path, ["Content-Type: application/x-www-form-urlencoded"], body: fields.utf8)
  }

  private func mark(_ members: String) throws -> JSONValue {
    let response = try hub.send("POST", "/api/v1/marks", json: #"{"marks":[{"video":"\#(id)",\#(members)}]}"#)
    #expect(response.status == 200, "\(members): \(response.text)")
    return try response.json
  }

  private func listed(_ query: String) throws -> JSONValue? {
    try hub.get("/api/v1/videos?limit=500&\(query)").json["videos"]?.elements?.first { $0["video"]?.string == id }
  }

  @Test("The share target leads to its page, whose forms keep the title that it was shared with")
  func share() throws {
    let shared = try hub.get("/share?title=Watch%20%22A%20%3Cb%3Esong%22%20on%20YouTube&url=https://youtu.be/\(id)")
    #expect(shared.status == 303)
    let path = try #require(shared.headers["location"])
    #expect(path == "/videos/\(id)?title=A%20%3Cb%3Esong")
    let page = try hub.get(path)
    #expect(page.status == 200 && page.text.contains("No feed has shown this video yet"))
    #expect(page.text.contains("<h1 dir=\"auto\">\(id)</h1>") && page.text.contains("value=\"A &lt;b&gt;song\""))
    #expect(page.text.contains("action=\"/follow\""))
    #expect(sandbox.events("videoDescribed").isEmpty && sandbox.events("savedSet").isEmpty, "looking writes nothing")
    let saved = try post("/marks", "video=\(id)&title=A+%3Cb%3Esong&action=save&back=/saved")
    #expect(saved.status == 303 && saved.headers["location"]?.hasPrefix("/saved?done=") == true)
    let list = try hub.get("/saved")
    #expect(list.text.contains("A &lt;b&gt;song") && list.text.contains("in no feed yet"))
    #expect(list.text.contains("1 video"))
    #expect(sandbox.events("videoDescribed").count == 1)
    // What it is called is kept; a later share changes nothing.
    _ = try post("/marks", "video=\(id)&title=Another&action=watched")
    #expect(sandbox.events("videoDescribed").count == 1)
    #expect(try hub.get("/history").text.contains("A &lt;b&gt;song"))
    #expect(try !hub.get("/videos/\(id)?title=Another").text.contains("Another"))
    try sandbox.succeed("undo")
    try sandbox.succeed("undo")
    #expect(try hub.get("/saved").text.contains("Nothing saved."))
  }

  @Test("The API saves, notes, collects and begins it, and lists it as its ID")
  func marks() throws {
    #expect(try hub.get("/api/v1/videos/\(id)").status == 404)
    #expect(try hub.get("/api/v1/videos/\(id)/why").text.contains("no feed has shown this video yet"))
    #expect(try mark(#""saved":true"#)["changed"] == 1)
    #expect(try mark(#""note":"later","progressSeconds":75"#)["changed"] == 2)
    #expect(try mark(#""collection":"To cook""#)["changed"] == 1)
    #expect(try hub.send("POST", "/api/v1/marks", json: #"{"marks":[{"video":"\#(id)","title":"x"}]}"#).status == 400)
    let row = try #require(try listed("saved=true"))
    for name in ["channel", "published", "found", "durationSeconds"] { #expect(row[name] == .null, "\(name)") }
    #expect(row["saved"] == true && row["title"] == "" && row["thumbnail"]?.string?.contains(id) == true)
    let details = try hub.get("/api/v1/videos/\(id)").json
    #expect(details["note"]?.string == "later" && details["progressSeconds"] == 75)
    #expect(details["collections"] == ["To cook"])
    #expect(try hub.get("/api/v1/collections/To%20cook").json.texts("videos", of: "video") == [id])
    #expect(
      try hub.get("/api/v1/videos/\(id)/why").json["because"]?.elements?.first?.string?.contains("no feed") == true)
    for path in ["/saved", "/collections/To%20cook", "/?mode=started"] {
      #expect(try hub.get(path).text.contains(">\(id)</a></h3>"), "\(path)")
    }
    #expect(try mark(#""status":"watched","title":"Its title""#)["changed"] == 1)
    #expect(try listed("status=watched&all=true")?["title"] == "Its title")
    #expect(try hub.get("/api/v1/history").json.texts("watched", of: "title") == ["Its title"])
    #expect(try sandbox.succeed("history").contains("Its title"))
  }

  @Test("An unseen video is new in no list and in no feed for readers, whatever was decided")
  func feeds() throws {
    let before = try sandbox.list().map(\.video)
    let atom = try hub.get("/feeds/atom?saved=true").text
    #expect(!atom.contains(id))
    _ = try mark(#""saved":true,"note":"n","title":"A title""#)
    _ = try mark(#""status":"watched""#)
    _ = try mark(#""status":"new""#)
    #expect(try sandbox.list().map(\.video) == before && listed("") == nil && listed("status=new") == nil)
    #expect(try listed("status=new&saved=true") != nil && listed("all=true") != nil)
    #expect(try !hub.get("/").text.contains(id))
    for path in ["/feeds/atom", "/feeds/json", "/feeds/atom?saved=true"] {
      #expect(try !hub.get(path).text.contains(id), "\(path)")
    }
    #expect(try !sandbox.succeed("export", "atom").contains(id))
    #expect(try !hub.get("/v1/entries?limit=100").text.contains(id))
    #expect(try sandbox.succeed("status").contains("videos"))
  }

  @Test("Clients of the WebSearch guide save it by address, list it, mark it, collect it and take it out")
  func webSearch() throws {
    let saved = try hub.send(
      "POST", "/api/saved-videos/from-url", json: #"{"url":"https://youtu.be/\#(id)","notes":"later"}"#)
    #expect(saved.status == 201)
    let item = try saved.json
    #expect(item["video_id"]?.string == id && item["title"]?.string == id && item["notes"]?.string == "later")
    #expect(item["saved_at"]?.string?.hasPrefix("2") == true && item["upload_date"] == .null)
    let number = Int(try #require(item["id"]?.number))
    let list = try hub.get("/api/saved-videos").json
    #expect(list.texts("items", of: "video_id") == [id] && list["total"] == 1)
    #expect(try hub.get("/api/saved-videos?offset=1").json["items"] == [])
    #expect(try hub.get("/api/saved-videos/check?video_id=\(id)").json["is_saved"] == true)
    let position = #"{"watch_progress_seconds":75}"#
    #expect(
      try hub.send("PATCH", "/api/feed/\(number)/progress", json: position).json["watch_progress_seconds"] == 75)
    #expect(try hub.get("/api/feed?filter=in_progress").json.texts("items", of: "video_id") == [id])
    #expect(try hub.send("PUT", "/api/saved-videos/\(number)/watched").json["is_watched"] == true)
    #expect(try hub.get("/api/feed?filter=in_progress").json["total"] == 0)
    #expect(try hub.get("/api/feed/history").json.texts("items", of: "video_id") == [id])
    let body = #"{"name":"To cook"}"#
    let collection = Int(try #require(try hub.send("POST", "/api/collections", json: body).json["id"]?.number))
    let path = "/api/collections/\(collection)"
    #expect(try hub.send("POST", "\(path)/videos", json: #"{"video_id":"dQw4w9WgXcQ"}"#).status == 201)
    #expect(try hub.send("POST", "\(path)/videos", json: #"{"feed_item_id":\#(number)}"#).status == 201)
    #expect(try hub.get(path).json.texts("items", of: "video_id") == ["dQw4w9WgXcQ", id])
    #expect(try hub.send("DELETE", "/api/saved-videos/\(number)").status == 204)
    #expect(try hub.get("/api/saved-videos").json["total"] == 0)
    #expect(try !hub.get("/api/feed?per_page=100").text.contains(id))
  }

  @Test(
    "Every order, and options that say nothing of it, have it in the lists that it is in by time, in pages too",
    arguments: ["", "catchUp=true", "mix=true", "shorts=show", "shorts=hide", "noRules=true", "upcoming=show"])
  func orders(_ option: String) throws {
    let seen = try sandbox.list("--all").map(\.video)
    let others = ["dQw4w9WgXcQ", "jNQXAC9IVRw"]
    for video in [id] + others + seen.prefix(2) { try sandbox.succeed("save", video) }
    let saved = try hub.get("/api/v1/videos?saved=true&limit=500&\(option)").json.texts("videos", of: "video")
    #expect(Set(saved) == Set([id] + others + seen.prefix(2)) && Set(saved.suffix(3)) == Set([id] + others))
    var (pages, next): ([String], String) = ([], "")
    repeat {
      let page = try hub.get("/api/v1/videos?saved=true&limit=1&\(option)\(next)").json
      pages += page.texts("videos", of: "video")
      #expect(page["matching"] == 5)
      next = page["next"]?.string.map { "&after=\($0)" } ?? ""
    } while !next.isEmpty && pages.count < 9
    #expect(pages == saved)
    #expect(try hub.get("/api/v1/videos?all=true&limit=500&\(option)").text.contains(id))
    #expect(try !hub.get("/api/v1/videos?limit=500&\(option)").text.contains(id))
    #expect(try hub.get("/api/v1/videos?saved=true&shorts=only&limit=500").json["matching"] == 0)
  }

  @Test("A preferred order has it on the page and in the terminal, the last watched last where the oldest come first")
  func preferred() throws {
    let others = ["dQw4w9WgXcQ", "jNQXAC9IVRw"]
    for video in [id] + others { try sandbox.succeed("save", video) }
    try sandbox.succeed("watched", others[1])
    let newest = try sandbox.list("--saved", "--newest").map(\.video)
    #expect(newest.count == 3 && newest.first == others[1])
    for order in ["catch-up", "mix"] {
      try sandbox.succeed("preferences", "set", "order", order)
      let listed = try sandbox.list("--saved").map(\.video)
      #expect(listed == (order == "mix" ? newest : newest.dropFirst() + [others[1]]), "\(order)")
      #expect(try sandbox.list("--all", "--status", "watched").map(\.video) == [others[1]])
      for path in ["/saved", "/?status=all"] { #expect(try hub.get(path).text.contains(">\(id)</a></h3>"), "\(path)") }
    }
  }

  @Test("The page says what is known of its channel, and offers to find it by name")
  func named() throws {
    #expect(try hub.get("/videos/\(id)").text.contains("Its channel is not known yet"))
    let response = """
      {"title":"A song","author_name":"A singer","author_url":"https://www.youtube.com/@asinger","type":"video"}
      """
    sandbox.server.route("/oembed") { _ in .json(response, status: 200) }
    try sandbox.succeed("save", id)
    try sandbox.succeed("enrich")
    let page = try hub.get("/videos/\(id)").text
    #expect(page.contains(#"value="A singer""#) && page.contains("No feed has shown this video yet"))
    #expect(!page.contains("Its channel is not known yet") && !page.contains("Lists name it by its ID"))
  }

  @Test("The terminal marks it in every way, and shows what is known and what can be done")
  func terminal() throws {
    for arguments in [
      ["watched", id], ["skip", id], ["snooze", "3d", id], ["unwatched", id], ["save", id], ["note", id, "n"],
      ["progress", id, "1:15"], ["collection", "add", "To cook", id],
    ] {
      let outcome = try sandbox.program.run(arguments)
      #expect(outcome.status == 0 && outcome.text.contains("\(id), which no feed has shown yet"), "\(outcome.text)")
    }
    let shown = try sandbox.succeed("show", "https://youtu.be/\(id)")
    for text in [
      "no feed has shown this video yet", "metube-rss play \(id) plays it", "progress    1:15", "collection  To cook",
    ] { #expect(shown.contains(text), "\(text)\n\(shown)") }
    #expect(try sandbox.succeed("why", id).contains("no feed has shown it yet"))
    #expect(try sandbox.list("--started").map(\.video) == [id])
    #expect(try sandbox.succeed("list", "--saved").contains(id))
  }
}

/// What was begun and not finished.
@Suite("Continue watching")
struct StartedTests {
  private let sandbox: Sandbox
  private let all: [String]

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.succeed("follow", "UCsXVk37bltHxD1rDPwtNM8Q")
    try sandbox.succeed("poll", "--rate", "0")
    all = try sandbox.everything().map(\.video)
  }

  @Test(
    "The last played comes first, in pages, also what no feed has shown; watched ones are gone")
  func order() throws {
    let wanted = [all[3], "9bZkp7q19f0", all[0], all[5]]
    for video in wanted.reversed() { try sandbox.succeed("progress", video, "1:00") }
    #expect(try sandbox.list("--started").map(\.video) == wanted)
    #expect(
      try sandbox.succeed("list", "--started", "--limit", "3", "--format", "ids").split(separator: "\n").count == 3)
    let hub = try RunningHub(sandbox)
    var (pages, next): ([String], String) = ([], "")
    repeat {
      let page = try hub.get("/api/v1/videos?started=true&limit=1\(next)").json
      pages += page.texts("videos", of: "video")
      #expect(page["matching"] == 4)
      next = page["next"]?.string.map { "&after=\($0)" } ?? ""
    } while !next.isEmpty && pages.count < 9
    #expect(pages == wanted)
    // A page goes on behind a video that left the list.
    try sandbox.succeed("watched", wanted[0])
    try sandbox.succeed("progress", wanted[1], "0")
    #expect(try sandbox.list("--started").map(\.video) == Array(wanted[2...]))
    let rest = try hub.get("/api/v1/videos?started=true&after=\(wanted[1])").json
    #expect(rest.texts("videos", of: "video") == Array(wanted[2...]), "its position was set last")
    #expect(try sandbox.list("--started", "--all").map(\.video) == [wanted[0]] + wanted[2...])
    #expect(try sandbox.list("--started", "--oldest").map(\.video) == Array(wanted[2...].reversed()))
    #expect(try sandbox.list("--started", "--channel", "UCsXVk37bltHxD1rDPwtNM8Q").count == 2)
    let page = try hub.get("/?mode=started").text
    #expect(page.contains("2 videos") && page.contains("Continue watching"))
    let positions = try wanted[2...].map { try #require(page.firstRange(of: "id=\"v-\($0)\"")).lowerBound }
    #expect(positions[0] < positions[1])
  }
}

@Suite("Titles in what programs share")
struct SharedTitleTests {
  @Test(
    "Titles are extracted from the text that a program shares",
    arguments: [
      ("A title", "A title"), ("A title - YouTube", "A title"), ("(3) A title - YouTube", "A title"),
      ("Watch \"A title\" on YouTube", "A title"), ("“A title” on YouTube", "A title"),
      ("A title https://youtu.be/dQw4w9WgXcQ?si=x", "A title"), ("A\u{0}\u{202e} title\n", "A title"),
    ])
  func titles(_ shared: String, _ title: String) { #expect(SharedTitle(shared)?.text == title) }

  @Test(
    "Where there is none, none is made up",
    arguments: ["", " \n", "YouTube", "https://youtu.be/dQw4w9WgXcQ", "youtu.be/dQw4w9WgXcQ", "\u{200b}"])
  func none(_ shared: String) { #expect(SharedTitle(shared) == nil) }

  @Test("A long one is cut, and what is no title is refused")
  func long() {
    #expect(SharedTitle(String(repeating: "a", count: 300))?.text.count == 200)
    #expect(SharedTitle(String(repeating: "a", count: 5000)) == nil)
  }
}
