import FixtureServer
import Glibc
import HubCore
import HubReaders
import JSON
import TestSupport
import Testing
import metube_hub

/// Users with logs of their own, through the APIs that other programs know.
@Suite("Users of readers and apps")
final class DialectUserTests: TwoUsers {
  override init() throws {
    try super.init()
    // Each by one of the readers' APIs.
    let followed = try hub.send("POST", "/v1/feeds", json: #"{"feed_url":"\#(TwoUsers.science)"}"#, ann)
    #expect(followed.status == 201, "\(followed.text)")
    #expect(
      try hub.send("POST", "/api/channels", json: #"{"channel_url":"\#(TwoUsers.other)"}"#, bob).status == 201)
    if sandbox.schema != nil { try poll() }
    try wait { try count(ann) > 0 && count(bob) > 0 }
  }

  private func count(_ user: String) throws -> Int {
    Int(try hub.get("/v1/entries?limit=1", user).json["total"]?.number ?? 0)
  }

  private func entries(_ user: String) throws -> [JSONValue] {
    try hub.get("/v1/entries?limit=1000", user).json["entries"]?.elements ?? []
  }

  /// A user's address of the MeTube app.
  private func app(_ user: String) -> String { "/k/" + (user.split(separator: " ").last ?? "") }

  @Test("No route of any API shows one user what another follows, marks, names or saves")
  func apart() throws {
    let entry = try #require(try entries(ann).first)
    let video = try #require(entry["hash"]?.string)
    let saved = try hub.send("POST", "/api/saved-videos", json: #"{"video_id":"\#(video)","notes":"her note"}"#, ann)
    #expect(saved.status == 201)
    let list = Int(
      try hub.send("POST", "/api/collections", json: #"{"name":"her list"}"#, ann).json["id"]?.number ?? 0)
    #expect(
      try hub.send("POST", "/api/collections/\(list)/videos", json: #"{"video_id":"\#(video)"}"#, ann).status == 201)
    let feed = Int(entry["feed_id"]?.number ?? 0)
    #expect(try hub.send("POST", "/v1/categories", json: #"{"title":"her tag"}"#, ann).status == 201)
    #expect(try hub.send("PUT", "/v1/entries/\(Int(entry["id"]?.number ?? 0))/bookmark", [ann]).status == 204)
    let numbers = ["item": entry["id"], "entry": entry["id"], "feed": entry["feed_id"], "list": .number(Double(list))]
    let secrets = [TwoUsers.science, video, "her note", "her list", "her tag", "\"ann\""]
    for route in HubRoute.dialects where route.method == .get || route.access == .read {
      let path = route.path.split(separator: "/").map { part -> String in
        guard part.hasPrefix("{") else { return "/\(part)" }
        let name = part.dropFirst().prefix { $0 != "}" && $0 != "*" }
        if name == "secret" { return app(bob).replacing("/k", with: "") }
        if name == "stream" { return "/feed/\(feed)" }
        return "/\(Int(numbers[String(name)]??.number ?? 1))"
      }
      let answer = try hub.send(route.method.rawValue.uppercased(), path.joined(), [bob])
      for secret in secrets {
        #expect(!answer.text.contains(secret), "\(route.method) \(path.joined()): \(secret)")
      }
    }
    #expect(try entries(bob).allSatisfy { $0["status"]?.string == "unread" && $0["starred"] == false })
  }

  @Test("Marks by another user's numbers change nothing, and each app has its own videos")
  func numbers() throws {
    let (hers, his) = (try entries(ann), try entries(bob))
    func videos(_ entries: [JSONValue]) -> Set<String> { Set(entries.compactMap { $0["hash"]?.string }) }
    #expect(videos(hers).isDisjoint(with: videos(his)))
    let all = hers.compactMap { $0["id"]?.number }.map { String(Int($0)) }.joined(separator: ",")
    #expect(try hub.send("PUT", "/v1/entries", json: #"{"entry_ids":[\#(all)],"status":"read"}"#, bob).status == 204)
    #expect(try entries(ann).allSatisfy { $0["status"]?.string == "unread" })
    for (user, channel) in [(ann, TwoUsers.science), (bob, TwoUsers.other)] {
      let channels = try hub.send("POST", app(user) + "/api/channels").json
      #expect(channels.texts("channels", of: "channelId") == [channel])
      let videos = try hub.send("POST", app(user) + "/api/videos/query", json: #"{"limit":500}"#).json
      #expect(Set(videos.texts("videos", of: "channelId")) == [channel])
    }
  }

  @Test("The app of each user keeps its list: what the next one leaves out is unfollowed, and nobody else's")
  func lists() throws {
    let path = "/api/users/phone/channels"
    func register(_ channels: String...) throws -> Int {
      let list = channels.map { "\"\($0)\"" }.joined(separator: ",")
      return try hub.send("POST", app(ann) + path, json: "{\"channelIds\":[\(list)]}").status
    }
    #expect(try register(TwoUsers.science, TwoUsers.other) == 200)
    #expect(try register(TwoUsers.other) == 200)
    for user in [ann, bob] {
      let channels = try hub.get("/api/v1/channels", user).json
      #expect(channels.texts("channels", of: "channel") == [TwoUsers.other])
    }
  }
}
