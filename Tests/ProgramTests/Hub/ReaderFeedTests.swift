import FixtureServer
import JSON
import TestSupport
import Testing

/// The numbers by which readers know feeds and categories, while these change.
@Suite("Feeds and categories of readers")
final class ReaderFeedTests: TwoUsers {
  private static let api = "/reader/api/0"

  private func number(_ value: JSONValue?) throws -> Int { Int(try #require(value?.number)) }

  private func post(_ path: String, _ form: String) throws -> HubResponse {
    try hub.send(
      "POST", ReaderFeedTests.api + path, ["Content-Type: application/x-www-form-urlencoded", ann], body: form.utf8)
  }

  private func categories() throws -> [String: Int] {
    let elements = try hub.get("/v1/categories", ann).json.elements ?? []
    return Dictionary(
      uniqueKeysWithValues: try elements.map { ($0["title"]?.string ?? "", try number($0["id"])) })
  }

  /// The entry of a feed in the list of Google Reader's API, by its number.
  private func subscription(_ number: Int) throws -> JSONValue? {
    try hub.get("\(ReaderFeedTests.api)/subscription/list?output=json", ann).json["subscriptions"]?.elements?.first {
      $0["id"]?.string == "feed/\(number)"
    }
  }

  @Test("A renamed category keeps its number, whichever API renames it, and no number leads to nothing")
  func categoriesRenamed() throws {
    try follow(TwoUsers.science, by: ann, more: #","tag":["science"]"#)
    try follow(TwoUsers.other, by: ann, more: #","tag":["chemistry"]"#)
    try poll()
    let before = try categories()
    let science = try #require(before["science"])
    let renamed = try hub.send("PUT", "/v1/categories/\(science)", json: #"{"title":"Wissenschaft"}"#, ann)
    #expect(renamed.status == 201)
    #expect(try number(renamed.json["id"]) == science && categories()["Wissenschaft"] == science)
    #expect(try hub.get("/v1/categories/\(science)/feeds", ann).json.elements?.count == 1)
    #expect(try hub.get("/v1/categories/\(science)/entries", ann).json["total"] != 0)
    #expect(
      try post("/rename-tag", "s=user/-/label/Wissenschaft&dest=user/-/label/Natur").status == 200
        && categories()["Natur"] == science)
    // To a name that was in use before, and back.
    for name in ["science", "Natur"] {
      let response = try hub.send("PUT", "/v1/categories/\(science)", json: "{\"title\":\"\(name)\"}", ann)
      #expect(try response.status == 201 && categories()[name] == science)
    }
    #expect(try hub.send("PUT", "/v1/categories/\(science)", json: #"{"title":"Natur"}"#, ann).status == 201)
    let taken = try hub.send("PUT", "/v1/categories/\(science)", json: #"{"title":"chemistry"}"#, ann)
    #expect(taken.status == 400 && taken.text.contains("already exists"))
    #expect(try categories() == ["Natur": science, "chemistry": #require(before["chemistry"])])
    // A reader with labels merges them; the number of the one that is gone leads nowhere.
    #expect(try post("/rename-tag", "s=user/-/label/Natur&dest=user/-/label/chemistry").status == 200)
    #expect(try hub.get("/v1/categories/\(science)/feeds", ann).status == 404)
    let chemistry = try #require(before["chemistry"])
    #expect(try hub.get("/v1/categories/\(chemistry)/feeds", ann).json.elements?.count == 2)
    #expect(try hub.send("DELETE", "/v1/categories/\(chemistry)", [ann]).status == 204)
    #expect(try hub.get("/v1/categories/\(chemistry)/entries", ann).status == 404)
    let again = try number(hub.send("POST", "/v1/categories", json: #"{"title":"chemistry"}"#, ann).json["id"])
    #expect(again > chemistry && again != science)
  }

  @Test("A handle has a number that its channel keeps, in both APIs")
  func handleFound() throws {
    sandbox.server.serve("/@lamps", ChannelPage(channel: TwoUsers.science).response)
    let added = try hub.send("POST", "/v1/feeds", json: #"{"feed_url":"https://www.youtube.com/@lamps"}"#, ann)
    #expect(added.status == 201, "\(added.text)")
    let feed = try number(added.json["feed_id"])
    #expect(try hub.get("/v1/feeds/\(feed)", ann).status == 200 && subscription(feed) != nil)
    let quick = try post("/subscription/quickadd", "quickadd=https://www.youtube.com/@lamps").json
    #expect(quick["streamId"]?.string == "feed/\(feed)" && quick["numResults"] == 1)
    #expect(try hub.send("POST", "/v1/feeds", json: #"{"feed_url":"@lamps"}"#, ann).status == 400)
    func isFound() throws -> Bool {
      try hub.get("/v1/feeds/\(feed)", ann).json["site_url"]?.string?.hasSuffix(TwoUsers.science) == true
    }
    try poll()
    try wait { try isFound() }
    #expect(try isFound())
    #expect(try hub.get("/v1/feeds", ann).json.elements?.compactMap { $0["id"] } == [.number(Double(feed))])
    #expect(try subscription(feed)?["htmlUrl"]?.string?.hasSuffix(TwoUsers.science) == true)
    try wait { try hub.get("/v1/feeds/\(feed)/entries", ann).json["total"] != 0 }
    let found = try hub.send("POST", "/v1/discover", json: #"{"url":"@lamps"}"#, ann).json.elements?.first
    #expect(found?["url"]?.string?.contains(TwoUsers.science) == true)
    // A channel with a number of its own keeps that, and the name's leads to it.
    #expect(try hub.send("DELETE", "/v1/feeds/\(feed)", [ann]).status == 204)
    sandbox.server.serve("/@ladders", ChannelPage(channel: TwoUsers.science).response)
    let other = try number(hub.send("POST", "/v1/feeds", json: #"{"feed_url":"@ladders"}"#, ann).json["feed_id"])
    try lookUpNames()
    try wait { try isFound() }
    #expect(try isFound() && number(hub.get("/v1/feeds/\(other)", ann).json["id"]) == feed)
  }

  @Test("A handle without a channel is a feed without videos, which can be changed and unfollowed")
  func handleWithoutChannel() throws {
    let body = #"{"feed_url":"https://www.youtube.com/@nobody"}"#
    let feed = try number(hub.send("POST", "/v1/feeds", json: body, ann).json["feed_id"])
    try lookUpNames()
    func shown() throws -> JSONValue { try hub.get("/v1/feeds/\(feed)", ann).json }
    try wait { try shown()["parsing_error_count"] == 1 }
    #expect(try shown()["title"]?.string == "@nobody" && shown()["parsing_error_message"]?.string == "HTTP 404")
    #expect(try hub.get("/v1/feeds/\(feed)/entries", ann).json["total"] == 0)
    let stream = try hub.get("\(ReaderFeedTests.api)/stream/contents/feed/\(feed)", ann)
    #expect(try stream.status == 200 && stream.json["items"]?.elements?.isEmpty == true)
    let made = try number(hub.send("POST", "/v1/categories", json: #"{"title":"Wishes"}"#, ann).json["id"])
    let changed = try hub.send("PUT", "/v1/feeds/\(feed)", json: "{\"title\":\"Some\",\"category_id\":\(made)}", ann)
    #expect(changed.status == 201)
    #expect(try shown()["title"]?.string == "Some" && shown()["category"]?["title"]?.string == "Wishes")
    #expect(try subscription(feed)?["categories"]?.elements?.first?["label"]?.string == "Wishes")
    #expect(try hub.get("/v1/categories/\(made)/feeds", ann).json.elements?.count == 1)
    #expect(try post("/rename-tag", "s=user/-/label/Wishes&dest=user/-/label/Hopes").status == 200)
    #expect(try categories()["Hopes"] == made)
    #expect(try hub.get("/v1/feeds", bob).json.elements?.isEmpty == true)
    #expect(try post("/subscription/edit", "ac=unsubscribe&s=feed/\(feed)").text == "OK")
    #expect(try hub.get("/v1/feeds/\(feed)", ann).status == 404 && subscription(feed) == nil)
  }
}
