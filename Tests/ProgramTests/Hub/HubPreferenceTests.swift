import FixtureServer
import JSON
import TestSupport
import Testing

/// Preferences of one user's hub: API, page and the APIs of readers.
@Suite("Preferences on a hub")
struct HubPreferenceTests {
  private let sandbox: Sandbox
  private let hub: RunningHub
  private static let channel = "UCsXVk37bltHxD1rDPwtNM8Q"

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.succeed("follow", HubPreferenceTests.channel)
    try sandbox.succeed("poll", "--rate", "0")
    hub = try RunningHub(sandbox)
  }

  private func row(_ name: String) throws -> JSONValue {
    let rows = try hub.get("/api/v1/preferences").json["preferences"]?.elements ?? []
    return try #require(rows.first { $0["preference"]?.string == name })
  }

  private func set(_ name: String, _ body: String) throws -> HubResponse {
    try hub.send("PUT", "/api/v1/preferences/\(name)", json: body)
  }

  private func post(_ path: String, _ fields: String) throws -> HubResponse {
    try hub.send("POST", path, ["Content-Type: application/x-www-form-urlencoded"], body: fields.utf8)
  }

  private func videos(_ query: String = "") throws -> [String] {
    try hub.get("/api/v1/videos" + query).json.texts("videos", of: "video")
  }

  @Test("The API lists, sets and unsets them, and says what is wrong")
  func api() throws {
    #expect(try row("theme")["source"] == "default")
    #expect(try set("theme", #"{"value":"dark"}"#).json["changed"] == 1)
    #expect(try set("theme", #"{"value":"dark"}"#).json["changed"] == 0)
    #expect(try row("theme")["value"] == "dark" && row("theme")["source"] == "preference")
    #expect(try hub.send("DELETE", "/api/v1/preferences/theme").json["changed"] == 1)
    #expect(try row("theme")["value"] == "system")
    let pink = try set("theme", #"{"value":"pink"}"#)
    #expect(pink.status == 400 && pink.text.contains("use system, light or dark"), "\(pink.text)")
    #expect(try set("colour", #"{"value":"dark"}"#).status == 404)
    #expect(try set("theme", "{}").status == 400)
    let own = #"{"value":"1.25","channel":"\#(HubPreferenceTests.channel)"}"#
    #expect(try set("speed", own).json["changed"] == 1)
    #expect(try set("theme", own.replacing("1.25", with: "dark")).status == 400)
    #expect(try set("speed", own.replacing(HubPreferenceTests.channel, with: "nobody")).status == 404)
    // A channel in the query would be taken for all channels.
    let misplaced = try set("speed?channel=\(HubPreferenceTests.channel)", #"{"value":"1.5"}"#)
    #expect(misplaced.status == 400 && misplaced.text.contains("channel"), "\(misplaced.text)")
    #expect(try row("speed")["source"] == "default")
  }

  @Test("Lists of API and page follow order and Shorts where the request says nothing else")
  func lists() throws {
    let newest = try videos("?newest=true")
    #expect(try videos() == newest && newest.count > 5)
    _ = try set("order", #"{"value":"oldest"}"#)
    #expect(try videos() == videos("?oldest=true") && videos() != newest)
    #expect(try videos("?newest=true") == newest)
    let (page, explicit) = (try hub.get("/").text, try hub.get("/?mode=newest").text)
    let (first, last) = (try #require(newest.first), try #require(newest.last))
    func position(_ video: String, in text: String) throws -> String.Index {
      try #require(text.firstRange(of: "id=\"v-\(video)\"")).lowerBound
    }
    let (oldest, young) = (try position(last, in: page), try position(first, in: page))
    #expect(oldest < young)
    let (top, below) = (try position(first, in: explicit), try position(last, in: explicit))
    #expect(top < below)
    #expect(page.contains(#"href="/?mode=newest""#) && !page.contains(#"href="/?mode=oldest""#))
    let hidden = try hub.get("/api/v1/videos").json["hidden"]?["shorts"]?.number
    #expect(hidden ?? 0 > 0)
    _ = try set("shorts", #"{"value":"show"}"#)
    #expect(try hub.get("/api/v1/videos").json["hidden"]?["shorts"] == 0)
    #expect(try Set(videos()) == Set(videos("?shorts=show")))
  }

  @Test("The form of the page sets several as one action, and an empty field returns to the default")
  func form() throws {
    let fields = "theme=dark&density=compact&watched-at=30s&autoplay=no&speed=&order=&time-zone=UTC"
    let response = try post("/settings/preferences", fields)
    #expect(response.status == 303 && response.headers["location"]?.hasPrefix("/settings/preferences?done=") == true)
    let page = try hub.get("/").text
    #expect(page.contains(#"<html lang="en" data-view="feed" data-zoned data-theme="dark" data-density="compact">"#))
    #expect(page.contains(#"<meta name="color-scheme" content="dark">"#))
    #expect(page.contains(#" data-watched-at="30s" data-autoplay="no" data-speed="1">"#))
    #expect(try hub.get("/settings/preferences").text.contains(#"<option value="dark" selected>"#))
    #expect(try post("/settings/preferences", fields).headers["location"]?.hasSuffix("done=none") == true)
    let wrong = try post("/settings/preferences", "theme=light&speed=9")
    #expect(wrong.status == 400 && wrong.text.contains("use a factor from 0.25 to 4"))
    #expect(try row("theme")["value"] == "dark", "a mistake changes nothing")
    try sandbox.succeed("undo")
    #expect(try row("theme")["value"] == "system" && row("density")["value"] == "comfortable")
  }

  @Test("The settings of a channel have its speed, which its videos carry")
  func channelSpeed() throws {
    let path = "/channels/\(HubPreferenceTests.channel)"
    #expect(try post(path, "action=set&speed=1.75").status == 303)
    #expect(try hub.get("/").text.contains(#" data-speed="1.75" "#))
    #expect(try hub.get(path).text.contains(#"name="speed" value="1.75""#))
    #expect(try hub.get("/settings/preferences").text.contains("1.75×"))
    #expect(try post(path, "action=set&speed=").status == 303)
    #expect(try !hub.get("/").text.contains(#" data-speed="1.75" "#))
  }

  @Test("Read in a reader means what the person prefers, whatever the setting says; Miniflux reports theme and order")
  func readers() throws {
    let before = try hub.get("/v1/me").json
    #expect(before["theme"] == "system_serif" && before["entry_sorting_direction"] == "desc")
    for (name, value) in [
      ("read-means", "skipped"), ("theme", "dark"), ("order", "oldest"), ("sort", "found"), ("speed", "1.5"),
      ("time-zone", "UTC"),
    ] { #expect(try set(name, #"{"value":"\#(value)"}"#).json["changed"] == 1, "\(name)") }
    let me = try hub.get("/v1/me").json
    #expect(me["theme"] == "dark_serif" && me["entry_sorting_direction"] == "asc" && me["timezone"] == "UTC")
    #expect(me["entry_sorting_order"] == "created_at" && me["media_playback_rate"]?.number == 1.5)
    let entry = try #require(try hub.get("/v1/entries?limit=1").json["entries"]?.elements?.first?["id"]?.number)
    let body = #"{"entry_ids":[\#(Int(entry))],"status":"read"}"#
    #expect(try hub.send("PUT", "/v1/entries", [], body: body.utf8).status == 204)
    #expect(try sandbox.list("--skipped").count == 1)
  }
}

/// Preferences of users beside each other.
@Suite("Preferences of several users")
final class UserPreferenceTests: TwoUsers {
  @Test("Each user has their own")
  func own() throws {
    let json = "Content-Type: application/json"
    let dark = #"{"value":"dark"}"#
    #expect(try hub.send("PUT", "/api/v1/preferences/theme", [ann, json], body: dark.utf8).status == 200)
    #expect(try hub.get("/", ann).text.contains(#"data-theme="dark""#))
    #expect(try !hub.get("/", bob).text.contains("data-theme"))
    #expect(try hub.get("/settings", ann).text.contains(#"data-theme="dark""#))
  }
}
