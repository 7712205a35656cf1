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
      let response = try hub.send(route.method.rawValue.uppercased(), path.joined(), [bob])
      for secret in secrets {
        #expect(!response.text.contains(secret), "\(route.method) \(path.joined()): \(secret)")
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

  @Test("The app of each user keeps its list: what the next list leaves out is unfollowed, and no other user's channel")
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

  private func user(_ header: String) throws -> JSONValue { try hub.get("/api/auth/me", header).json }

  private func names(_ header: String) throws -> [String] {
    let list = try hub.get("/api/users", header).json
    #expect(list["total"]?.number == Double(list["items"]?.elements?.count ?? -1))
    return list.texts("items", of: "username")
  }

  @Test("Each user has a number, which no new user ever gets, also after users were removed")
  func userNumbers() throws {
    let (anns, bobs) = (try user(ann), try user(bob))
    #expect(anns["id"] != bobs["id"] && anns["id"]?.number ?? 0 > 0)
    for (name, own) in [("ann", anns), ("bob", bobs)] {
      let body = #"{"username":"\#(name)","password":"\#(Sandbox.password)"}"#
      let logIn = try hub.send("POST", "/api/auth/login", json: body).json
      #expect(logIn["user"]?["id"] == own["id"] && logIn["user"]?["username"]?.string == name)
    }
    #expect(try hub.get("/api/users/me", bob).json["id"] == bobs["id"])
    #expect(try sandbox.hub(["user", "remove", "bob"] + sandbox.hubOptions).status == 0)
    #expect(try hub.get("/api/auth/me", bob).status == 401)
    try sandbox.addUser("cid")
    try sandbox.addUser("bob")
    for name in ["cid", "bob"] {
      let number = try user(sandbox.bearer(name))["id"]
      #expect(number?.number != nil && number != anns["id"] && number != bobs["id"])
    }
    #expect(try user(ann)["id"] == anns["id"])
  }

  @Test("Administrators see all users, others themselves, or all once an administrator opened the list")
  func userList() throws {
    #expect(try hub.get("/api/users").status == 401)
    // The first user is the administrator.
    #expect(try user(ann)["is_admin"] == true && user(bob)["isAdmin"] == false)
    #expect(try names(ann) == ["ann", "bob"] && names(bob) == ["bob"])
    let member = try #require(try hub.get("/api/users", ann).json["items"]?.elements?.last)
    for (name, other) in [
      ("display_name", "displayName"), ("avatar_color", "avatarColor"), ("is_admin", "isAdmin"),
      ("last_login_at", "lastLoginAt"), ("created_at", "createdAt"),
    ] { #expect(member[name] != nil && member[name] == member[other], "\(name)") }
    #expect(member["displayName"]?.string == "bob")
    #expect(member["avatarColor"]?.string?.wholeMatch(of: /#[0-9a-f]{6}/) != nil)
    #expect(try hub.send("PUT", "/api/users", json: #"{"open":true}"#, bob).status == 403)
    #expect(try hub.send("PUT", "/api/users", json: #"{"open":true}"#).status == 401)
    #expect(try hub.send("PUT", "/api/users", json: #"{"open":1}"#, ann).status == 400)
    #expect(try names(bob) == ["bob"])
    #expect(try hub.send("PUT", "/api/users", json: #"{"open":true}"#, ann).json == ["open": true])
    #expect(try names(bob) == ["ann", "bob"])
    let other = try #require(try hub.get("/api/users", bob).json["items"]?.elements?.first)
    #expect(other["last_login_at"] == .null && other["created_at"] == .null, "hers alone")
    try restartHub()
    #expect(try names(bob) == ["ann", "bob"])
    #expect(try hub.send("PUT", "/api/users", json: #"{"open":false}"#, ann).status == 200)
    #expect(try names(bob) == ["bob"])
  }
}
