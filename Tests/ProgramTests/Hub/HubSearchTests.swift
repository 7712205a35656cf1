import FixtureServer
import JSON
import ReadModel
import SQLDrivers
import TestSupport
import Testing

/// Searches by name and on YouTube, by the API, the page and the WebSearch dialect; in files and on PostgreSQL.
@Suite("Searches through the hub")
final class HubSearchTests: TwoUsers {
  private static let (first, second) = ("UCAAAAAAAAAAAAAAAAAAAAAA", "UCBBBBBBBBBBBBBBBBBBBBBA")

  /// Starts the hub with a key, whose budget has these units.
  private func prepare(budget: Int = 5000) throws {
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    sandbox.environment["METUBE_RSS_API_BUDGET"] = "\(budget)"
    var api = DataAPI(key: EnrichTests.key) { _ in DataAPI.Video(duration: "PT1M") }
    api.channel = { _ in DataAPI.Channel(avatar: "https://yt3.ggpht.com/a", subscribers: 1, videos: 1) }
    api.searched =
      [HubSearchTests.first, HubSearchTests.second].enumerated().map { number, channel in
        DataAPI.Searched(video: nil, channel: channel, channelTitle: "Quasar \(number)", title: "Quasar <\(number)>")
      } + [
        DataAPI.Searched(
          video: "dQw4w9WgXcQ", channel: HubSearchTests.first, channelTitle: "Quasar 0", title: "A quasar & more")
      ]
    sandbox.server.serve(api)
    try restartHub()
  }

  private func post(_ path: String, _ json: String, _ user: String) throws -> HubResponse {
    try hub.send("POST", path, json: json, user)
  }

  private func form(_ path: String, _ fields: String, _ cookie: String) throws -> HubResponse {
    let headers = [cookie, "Origin: http://\(hub.host)", "Content-Type: application/x-www-form-urlencoded"]
    return try hub.send("POST", path, headers, body: fields.utf8)
  }

  @Test("GET finds what the user's log has seen, and says what a search on YouTube costs, without one")
  func known() throws {
    try prepare()
    try follow(TwoUsers.science, by: ann)
    try poll()
    let title = try #require(try hub.get("/api/v1/channels/\(TwoUsers.science)", ann).json["title"]?.string)
    let word = title.split(separator: " ").map(String.init)[0]
    let found = try hub.get("/api/v1/channels/search?query=\(word)", ann).json
    #expect(found.texts("channels", of: "channel") == [TwoUsers.science])
    #expect(found.texts("channels", of: "source") == ["followed"])
    #expect(found["youtube"]?["cost"] == 100 && found["youtube"]?["source"] == "api")
    #expect(found["youtube"]?["unitsLeft"]?.number.map { $0 > 4900 } == true)
    #expect(
      try hub.get("/api/v1/channels/search?query=\(word)", bob).json["channels"] == [], "what others follow is theirs")
    #expect(try hub.get("/api/v1/channels/search", ann).json["channels"] == [])
    #expect(!sandbox.server.requests.contains { $0.path == "/youtube/v3/search" })
  }

  @Test(
    "POST searches YouTube and counts 100 units; the same again within minutes costs none; each user's is their own")
  func searched() throws {
    try prepare()
    let response = try post("/api/v1/channels/search", #"{"query":"quasar"}"#, ann)
    #expect(response.status == 200, "\(response.text)")
    let found = try response.json
    #expect(found.texts("channels", of: "channel") == [HubSearchTests.first, HubSearchTests.second])
    #expect(found["units"] == 100 && found["unitsLeft"] == 4900 && found["source"] == "api")
    try follow(HubSearchTests.first, by: ann)
    let again = try post("/api/v1/channels/search", #"{"query":" quasar "}"#, ann).json
    #expect(again["units"] == 0 && again.texts("channels", of: "source") == ["followed", "youtube"])
    #expect(sandbox.server.unitsRequested == 100)
    let videos = try post("/api/v1/videos/search", #"{"query":"quasar"}"#, ann).json
    #expect(videos.texts("videos", of: "title") == ["A quasar & more"] && videos["unitsLeft"] == 4800)
    #expect(videos["videos"]?.elements?.first?["found"] == false)
    #expect(try post("/api/v1/channels/search", #"{"query":"quasar"}"#, bob).json["units"] == 100)
    if let schema = sandbox.schema { #expect(try schema.connect().integer("SELECT units FROM api_key") == 300) }
    #expect(try sandbox.hubLines("ann").count { $0.contains("dQw4w9WgXcQ") } == 0, "nothing of it is logged")
  }

  @Test("A reader's token pays nothing, an empty query finds nothing, and without a key it is a conflict")
  func refused() throws {
    try prepare()
    let reader = try sandbox.bearer("ann", "read")
    #expect(try post("/api/v1/channels/search", #"{"query":"quasar"}"#, reader).status == 403)
    let asked = try post("/api/discover/search", #"{"query":"quasar","youtube":true}"#, reader)
    #expect(asked.status == 403, "\(asked.text)")
    #expect(try post("/api/discover/search", #"{"query":"quasar"}"#, reader).status == 200)
    for text in ["", "  ", String(repeating: "x", count: 201)] {
      #expect(try post("/api/v1/videos/search", #"{"query":"\#(text)"}"#, ann).status == 400)
    }
    #expect(sandbox.server.unitsRequested == 0)
    sandbox.environment["METUBE_RSS_API_KEY"] = nil
    try restartHub()
    let without = try post("/api/v1/channels/search", #"{"query":"quasar"}"#, ann)
    #expect(without.status == 409 && without.text.contains("needs a key"), "\(without.text)")
    #expect(try hub.get("/api/v1/channels/search?query=x", ann).json["youtube"] == .null)
    let cookie = try logIn("ann")
    #expect(try !hub.get("/follow?name=quasar", cookie).text.contains("Search YouTube"))
  }

  @Test("A budget that lacks the units refuses before a request, with when it renews; a failed request counts")
  func budget() throws {
    try prepare(budget: 150)
    sandbox.server.fail(.status(503), on: .path("/youtube/v3/search"), times: .first(1))
    #expect(try post("/api/v1/channels/search", #"{"query":"quasar"}"#, ann).status == 503)
    #expect(sandbox.server.unitsRequested == 100)
    let lacking = try post("/api/v1/channels/search", #"{"query":"quasar"}"#, ann)
    #expect(
      lacking.status == 503 && lacking.text.contains("100 units of the Data API, and 50 of today"), "\(lacking.text)")
    let wait = try #require(lacking.headers["retry-after"].flatMap { Int($0) })
    #expect((1...90_000).contains(wait) && sandbox.server.unitsRequested == 100)
    let page = try hub.get("/discover?q=quasar", try logIn("ann")).text
    #expect(page.contains("Search YouTube (100 of 50 units)") && page.contains("disabled"))
    if let schema = sandbox.schema {
      #expect(try schema.connect().integer("SELECT units FROM api_key") == 100)
      #expect(try schema.connect().integer("SELECT cardinality(times) FROM search_request") == 1)
    }
  }

  @Test("Each user may search YouTube 10 times in 24 hours")
  func limit() throws {
    try prepare()
    for number in 0..<10 {
      #expect(try post("/api/v1/channels/search", #"{"query":"q\#(number)"}"#, ann).status == 200)
    }
    let refused = try post("/api/v1/channels/search", #"{"query":"one more"}"#, ann)
    #expect(refused.status == 429 && refused.text.contains("10 times in 24 hours"), "\(refused.text)")
    #expect(try post("/api/v1/channels/search", #"{"query":"q3"}"#, ann).status == 200, "known results cost nothing")
    #expect(try post("/api/v1/channels/search", #"{"query":"one more"}"#, bob).status == 200, "a limit for each user")
    #expect(sandbox.server.unitsRequested == 1100)
  }

  @Test("The page's field takes a name, shows choices, searches YouTube when asked, and follows with one click")
  func page() throws {
    try prepare()
    try follow(TwoUsers.science, by: ann)
    let cookie = try logIn("ann")
    let redirect = try form("/follow", "source=Quasar+One&tag=space&back=/channels", cookie)
    #expect(redirect.status == 303 && redirect.headers["location"] == "/follow?name=Quasar%20One&tag=space")
    let known = try hub.get("/follow?name=quasar&tag=space", cookie).text
    #expect(
      known.contains("No channel of this name is known here") && known.contains("Search YouTube (100 of 5000 units)"))
    #expect(sandbox.server.unitsRequested == 0)
    let found = try form("/follow", "action=search&source=quasar&tag=space", cookie)
    #expect(found.status == 200 && found.text.contains("Quasar &lt;0&gt;") && !found.text.contains("Quasar <0>"))
    #expect(found.text.contains("https://yt3.ggpht.com/a"))
    #expect(!found.text.contains("Search YouTube ("), "it was searched")
    let chosen = try form("/follow", "source=\(HubSearchTests.first)&tag=space&back=/follow?name=quasar", cookie)
    #expect(chosen.status == 303 && chosen.headers["location"]?.hasPrefix("/follow?name=quasar&done=") == true)
    #expect(try hub.get("/api/v1/channels/\(HubSearchTests.first)", ann).json["tags"] == ["space"])
    let after = try hub.get("/follow?name=quasar", cookie).text
    #expect(after.contains(HubSearchTests.second) && after.contains(">followed<"), "the results are still there")
    #expect(sandbox.server.unitsRequested == 100)
    #expect(try form("/follow", "source=https://example.com/", cookie).status == 400)
    let handle = try form("/follow", "source=@quasar", cookie)
    #expect(handle.status == 303 && handle.headers["location"]?.hasPrefix("/channels") == true)
  }

  @Test("Discover shows nothing without a query, then what was found of any status, and YouTube's videos on request")
  func discover() throws {
    try prepare()
    try follow(TwoUsers.science, by: ann)
    try poll()
    let cookie = try logIn("ann")
    let empty = try hub.get("/discover", cookie).text
    #expect(empty.contains("Nothing is shown before you search") && !empty.contains("class=\"card\""))
    let video = try #require(try hub.get("/api/v1/videos?limit=1", ann).json["videos"]?.elements?.first)
    let id = try #require(video["video"]?.string)
    #expect(try mark(id, #""status":"skipped""#, by: ann).status == 200)
    let words = try #require(video["title"]?.string).split(separator: " ").filter { $0.allSatisfy(\.isLetter) }
    let word = try #require(words.max { $0.count < $1.count })
    #expect(try hub.get("/discover?q=\(word)", cookie).text.contains("id=\"v-\(id)\""))
    #expect(sandbox.server.requests.allSatisfy { $0.path != "/youtube/v3/search" })
    let found = try form("/discover?q=quasar", "action=search", cookie)
    #expect(
      found.status == 200 && found.text.contains("A quasar &amp; more") && found.text.contains("id=\"y-dQw4w9WgXcQ\""))
    #expect(found.text.contains("value=\"\(HubSearchTests.first)\""), "its channel can be followed")
    #expect(try hub.get("/discover?q=quasar", cookie).text.contains("id=\"y-dQw4w9WgXcQ\""), "also after a reload")
    #expect(try form("/discover", "action=search", cookie).status == 400)
  }

  @Test("The WebSearch dialect searches what was found, channels by name, and YouTube if asked")
  func webSearch() throws {
    try prepare()
    try follow(TwoUsers.science, by: ann)
    let plain = try post("/api/discover/search", #"{"query":"quasar","platforms":["youtube"]}"#, ann).json
    #expect(plain["total_results"] == 0 && plain["units"] == .null && sandbox.server.unitsRequested == 0)
    let videos = try post("/api/discover/search", #"{"query":"quasar","youtube":true}"#, ann).json
    #expect(videos.texts("results", of: "video_id") == ["dQw4w9WgXcQ"] && videos["units"] == 100)
    let other = try post("/api/discover/search", #"{"query":"quasar","platforms":["rumble"],"youtube":true}"#, ann).json
    #expect(other["total_results"] == 0 && sandbox.server.unitsRequested == 100)
    let channels = try post("/api/discover/search", #"{"query":"quasar","type":"channels","youtube":true}"#, ann).json
    #expect(channels.texts("results", of: "platform_channel_id") == [HubSearchTests.first, HubSearchTests.second])
  }
}
