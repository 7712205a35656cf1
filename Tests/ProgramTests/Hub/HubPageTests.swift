import FixtureServer
import JSON
import TestSupport
import Testing

/// The page as a browser without script uses it.
@Suite("The hub's page without script")
struct HubPageTests {
  private let sandbox: Sandbox
  private let hub: TestHub
  private static let channel = "UCsXVk37bltHxD1rDPwtNM8Q"

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.succeed("import", Files.packageRoot + "/feeds.opml")
    try sandbox.succeed("poll", "--rate", "0")
    hub = TestHub(sandbox)
  }

  /// Sends a form.
  private func post(_ path: String, _ fields: String, _ headers: String...) throws -> HubResponse {
    try hub.send(
      "POST", path, ["Content-Type: application/x-www-form-urlencoded"] + headers, body: fields.utf8)
  }

  /// The page that a form leads to.
  private func follow(_ response: HubResponse) throws -> HubResponse {
    #expect(response.status == 303, "\(response.status) \(response.text)")
    let path = try #require(response.headers["location"])
    return try hub.get(String(path.prefix { $0 != "#" }))
  }

  private static let views = [
    "/", "/?q=the", "/?mode=catch-up", "/?mode=mix", "/?mode=shorts", "/?mode=quick", "/?status=all", "/channels",
    "/channels/\(channel)", "/channels?tag=science&sort=unwatched", "/saved", "/collections", "/history", "/rules",
    "/status", "/settings", "/settings/preferences", "/import", "/share?text=hello", "/offline",
    "/?mode=started", "/videos/dQw4w9WgXcQ", "/videos/dQw4w9WgXcQ?title=Shared",
  ]

  @Test("Every view is a document with the headers that keep it to itself")
  func views() throws {
    let hub = try self.hub.server
    for path in HubPageTests.views {
      let response = try hub.get(path)
      #expect(response.status == 200, "\(path): \(response.text.prefix(2000))")
      #expect(response.headers["content-type"] == "text/html; charset=utf-8", "\(path)")
      #expect(
        response.headers["referrer-policy"] == "same-origin" && response.headers["x-content-type-options"] == "nosniff")
      #expect(response.headers["cross-origin-opener-policy"] == "same-origin", "\(path)")
      let policy = try #require(response.headers["content-security-policy"])
      #expect(
        policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';") && !policy.contains("unsafe"))
      #expect(!response.text.contains(" style=") && !response.text.contains(" onclick="), "\(path)")
      #expect(HubPageTests.occurrences(of: "<h1", in: response.text) == 1, "\(path)")
      #expect(response.text.contains("<main id=\"main\" tabindex=\"-1\">"), "\(path)")
      #expect(response.headers["etag"] != nil, "\(path)")
    }
  }

  private static func occurrences(of part: String, in text: String) -> Int { text.split(separator: part).count - 1 }

  @Test("The feed shows what the list shows, in pages that make the whole")
  func feed() throws {
    var (path, shown): (String?, [String]) = ("/", [])
    while let next = path, shown.count < 1000 {
      let text = try hub.get(next).text
      shown += text.split(separator: "<article class=\"card\" id=\"v-").dropFirst().map { String($0.prefix(11)) }
      let more = text.split(separator: "<a rel=\"next\" class=\"more\" href=\"").dropFirst().first
      path = more.map { String($0.prefix { $0 != "\"" }) }
    }
    #expect(try shown == sandbox.list().map(\.video))
  }

  @Test("A mark leads back to the list, which says so and undoes it")
  func markAndUndo() throws {
    let videos = try sandbox.list().map(\.video)
    let marked = try post("/marks", "video=\(videos[0])&action=watched&back=%2F%3Fmode%3Dnewest%23v-\(videos[1])")
    let location = try #require(marked.headers["location"])
    #expect(location.hasPrefix("/?mode=newest&done=") && location.hasSuffix("#v-\(videos[1])"))
    let page = try follow(marked)
    #expect(page.text.contains("<p>Watched: ") && page.text.contains("action=\"/undo\""))
    #expect(try sandbox.list("--watched").map(\.video) == [videos[0]])
    let action = String(try #require(location.split(separator: "done=").last).prefix { $0 != "#" })
    let undone = try follow(try post("/undo", "action=\(action)&back=%2F"))
    #expect(undone.text.contains("Undone: "))
    #expect(try sandbox.list("--watched").isEmpty)
    let again = try follow(try post("/undo", "action=\(action)&back=%2F"))
    #expect(again.text.contains("Nothing to undo"))
  }

  @Test(
    "Every mark has its form",
    arguments: [
      ("action=skip", "--skipped"), ("action=snooze", "--snoozed"), ("action=snooze&until=3d", "--snoozed"),
      ("action=save", "--saved"),
    ])
  func everyMark(_ fields: String, _ option: String) throws {
    let videos = try sandbox.list().map(\.video)
    _ = try follow(try post("/marks", "video=\(videos[0])&video=\(videos[1])&\(fields)&back=%2F"))
    #expect(try Set(sandbox.list(option).map(\.video)) == Set(videos[..<2]))
  }

  @Test("Notes, collections and back to new")
  func otherMarks() throws {
    let video = try sandbox.list()[0].video
    let note = try post("/marks", "video=\(video)&action=note&note=two%0D%0Alines&back=%2Fvideos%2F\(video)")
    #expect(try follow(note).text.contains("two&#10;lines</textarea>"))
    #expect(try hub.get("/api/v1/videos/\(video)").json["note"]?.string == "two\nlines")
    _ = try follow(try post("/marks", "video=\(video)&action=collect&collection=To+cook&back=%2F"))
    #expect(try hub.get("/collections/To%20cook").text.contains("v-\(video)"))
    _ = try follow(try post("/marks", "video=\(video)&action=uncollect&collection=To+cook&back=%2F"))
    #expect(try hub.get("/collections/To%20cook").status == 404)
    _ = try follow(try post("/marks", "video=\(video)&action=watched&back=%2F"))
    #expect(try hub.get("/history").text.contains("v-\(video)"))
    _ = try follow(try post("/marks", "video=\(video)&action=new&back=%2F"))
    #expect(try sandbox.list("--watched").isEmpty)
  }

  @Test(
    "A form returns to a path of the hub and nowhere else",
    arguments: [
      "https%3A%2F%2Fevil.example%2F", "%2F%2Fevil.example", "%2F%5Cevil.example", "%2F%09%2Fevil.example",
      "javascript%3A1",
      "",
    ])
  func back(_ back: String) throws {
    let video = try sandbox.list()[0].video
    let response = try post("/marks", "video=\(video)&action=save&back=\(back)")
    #expect(response.headers["location"]?.hasPrefix("/?done=") == true, "\(response.headers)")
  }

  @Test("Follow, settings, unfollow, and undo of each")
  func channels() throws {
    let other = "UCHnyfMqiRRG1u-2MsSQLbXA"
    _ = try follow(try post("/channels/\(other)", "action=unfollow&back=%2Fchannels"))
    #expect(try !sandbox.succeed("channels", "--format", "ids").contains(other))
    let followed = try follow(try post("/follow", "source=\(other)&back=%2Fchannels"))
    #expect(followed.text.contains("<p>Followed: "))
    #expect(try sandbox.succeed("channels", "--format", "ids").contains(other))
    #expect(try post("/follow", "source=https%3A%2F%2Fexample.com%2F").status == 400)
    let set = try post("/channels/\(other)", "action=set&title=Mine&tags=maths%2C+new+one&shorts=show&order=oldest")
    #expect(set.headers["location"]?.hasPrefix("/channels/\(other)?done=") == true)
    let row = try hub.get("/api/v1/channels/\(other)").json
    #expect(row["title"]?.string == "Mine" && row["shorts"]?.string == "show" && row["order"]?.string == "oldest")
    #expect(row["tags"] == ["maths", "new one"])
    // A channel has no feed of a playlist, which no poll may meet.
    for wrong in ["feed=playlist", "shorts=perhaps"] {
      #expect(try post("/channels/\(other)", "action=set&\(wrong)").status == 400)
    }
    // One undo for an unfollow of the page, without a question: it follows again.
    let unfollowed = try post("/channels/\(other)", "action=unfollow")
    let action = try #require(unfollowed.headers["location"]?.split(separator: "done=").last)
    _ = try follow(try post("/undo", "action=\(action)"))
    #expect(try sandbox.succeed("channels", "--format", "ids").contains(other))
  }

  @Test("An action that unfollows is undone only after a confirmation")
  func largeUndo() throws {
    let asked = try post("/undo", "")
    #expect(asked.status == 200 && asked.text.contains("This undoes “Followed: 20 channels”"))
    let action = String(
      try #require(asked.text.split(separator: "name=\"action\" value=\"").last).prefix { $0 != "\"" })
    _ = try follow(try post("/undo", "action=\(action)&yes=true"))
    #expect(try hub.get("/").text.contains("<h1>Welcome</h1>"))
    let started = try follow(try post("/import/starter", ""))
    #expect(started.text.contains("Followed: 20 channels"))
    #expect(try sandbox.succeed("channels", "--format", "ids").split(separator: "\n").count == 20)
  }

  @Test("A rule is previewed, added and removed")
  func rules() throws {
    let preview = try post("/rules", "action=preview&verdict=block&contains=the&pattern=&tag=&short=")
    #expect(preview.status == 200 && preview.text.contains("It would hide "))
    #expect(try post("/rules", "action=preview&verdict=block&pattern=%5Ethe").status == 200)
    #expect(try hub.get("/api/v1/rules").json["rules"] == [])
    let added = try follow(try post("/rules", "action=add&verdict=block&contains=the&short=false"))
    #expect(added.text.contains("contains “the”, that are not Shorts"))
    #expect(try hub.get("/").text.contains("hidden by rules"))
    let rule = try #require(try hub.get("/api/v1/rules").json.texts("rules", of: "rule").first)
    _ = try follow(try post("/rules", "action=remove&rule=\(rule)"))
    #expect(try hub.get("/api/v1/rules").json["rules"] == [])
    #expect(try post("/rules", "action=add&verdict=block").status == 400)
  }

  @Test("A file is imported, and a trial changes nothing")
  func imported() throws {
    func upload(_ action: String) throws -> HubResponse {
      let body = """
        --xx\r
        Content-Disposition: form-data; name="file"; filename="subs.txt"\r
        Content-Type: text/plain\r
        \r
        https://www.youtube.com/channel/UCX6OQ3DkcsbYNE6H8uQQuVA\r
        --xx\r
        Content-Disposition: form-data; name="tag"\r
        \r
        fun\r
        --xx\r
        Content-Disposition: form-data; name="action"\r
        \r
        \(action)\r
        --xx--\r

        """
      return try hub.send("POST", "/import", ["Content-Type: multipart/form-data; boundary=xx"], body: body.utf8)
    }
    let trial = try upload("try")
    #expect(trial.status == 200 && trial.text.contains("subs.txt: 1 read, 1 would be new"), "\(trial.text)")
    #expect(trial.text.contains("Nothing was changed yet."))
    #expect(try !sandbox.succeed("channels", "--format", "ids").contains("UCX6OQ3DkcsbYNE6H8uQQuVA"))
    #expect(try upload("import").text.contains("1 new"))
    #expect(try sandbox.succeed("channels", "--tag", "fun", "--format", "ids") == "UCX6OQ3DkcsbYNE6H8uQQuVA\n")
  }

  @Test(
    "Damaged uploads are refused",
    arguments: [
      "--xx", "--xx\r\n\r\n", "--xx\r\nContent-Disposition: form-data\r\n\r\n\r\n--xx--", "garbage", "--xx--",
    ])
  func damagedUpload(_ body: String) throws {
    let response = try hub.send(
      "POST", "/import", ["Content-Type: multipart/form-data; boundary=xx", "Accept: text/html"], body: body.utf8)
    #expect(response.status == 400 && response.text.contains("<h1>"), "\(response.status)")
  }

  @Test("A form of another site is refused, and so is one without its page's origin")
  func foreign() throws {
    let video = try sandbox.list()[0].video
    for header in ["Origin: https://evil.example", "Sec-Fetch-Site: cross-site", "Origin: null"] {
      #expect(try post("/marks", "video=\(video)&action=save", header).status == 403, "\(header)")
    }
    #expect(try post("/marks", "video=\(video)&action=save", "Origin: http://\(hub.server.host)").status == 303)
    #expect(
      try post("/marks", "video=\(video)&action=unsave", "Origin: null", "Sec-Fetch-Site: same-origin").status == 303)
  }

  @Test("Problems are documents for browsers and for the page's paths, else for programs")
  func problems() throws {
    #expect(try hub.get("/videos/no-video").status == 404)
    #expect(try hub.get("/nowhere", "Accept: text/html").text.contains("<h1>Not found</h1>"))
    #expect(try hub.get("/nowhere").headers["content-type"] == "application/problem+json")
    #expect(try hub.get("/?mode=other").status == 400 && hub.get("/?unknown=1").status == 400)
    #expect(try hub.get("/?cursor=x").status == 400 && hub.get("/history?cursor=-1").status == 400)
    #expect(try post("/marks", "action=save").status == 400)
    #expect(try post("/marks", "video=no-video&action=save").status == 400)
  }

  @Test("A notice comes from an action, never from the text of an address")
  func notices() throws {
    for value in ["hello", "%3Cscript%3E", "0000000000000-000-abcdef12"] {
      let text = try hub.get("/?done=\(value)").text
      #expect(!text.contains("class=\"notice"), "\(value)")
    }
  }

  @Test("Assets have types and validators; their hashed names may be kept for a year")
  func assets() throws {
    let page = try hub.get("/").text
    let style = String(try #require(page.split(separator: "rel=\"stylesheet\" href=\"").last).prefix { $0 != "\"" })
    #expect(try hub.get(style).headers["cache-control"] == "public, max-age=31536000, immutable")
    #expect(try hub.get("/style.css?v=0").headers["cache-control"] == "private, no-cache")
    for (path, type) in [
      ("/style.css", "text/css; charset=utf-8"), ("/script.js", "text/javascript; charset=utf-8"),
      ("/sw.js", "text/javascript; charset=utf-8"), ("/manifest.webmanifest", "application/manifest+json"),
      ("/icon.svg", "image/svg+xml"), ("/icon-192.png", "image/png"), ("/icon-512.png", "image/png"),
    ] {
      let response = try hub.get(path)
      #expect(response.status == 200 && response.headers["content-type"] == type && !response.body.isEmpty, "\(path)")
      let tag = try #require(response.headers["etag"])
      #expect(try hub.get(path, "If-None-Match: \(tag)").status == 304, "\(path)")
    }
  }

  @Test("The origins of players and thumbnails are settings")
  func origins() throws {
    let other = try RunningHub(
      sandbox, "--listen", "127.0.0.1:0", "--embed-origin", "http://127.0.0.1:1", "--thumbnail-origin",
      "http://127.0.0.1:2")
    let response = try other.get("/")
    #expect(response.text.contains("data-embed=\"http://127.0.0.1:1\""))
    #expect(response.text.contains("src=\"http://127.0.0.1:2/vi/"))
    let policy = try #require(response.headers["content-security-policy"])
    #expect(policy.contains("img-src 'self' http://127.0.0.1:2 https://yt3.ggpht.com "))
    #expect(policy.contains(" data:; frame-src 'self' http://127.0.0.1:1;"))
  }
}
