import Commands
import FixtureServer
import Glibc
import JSON
import TestSupport
import Testing

/// Users with logs of their own, beside one catalogue.
@Suite("Users of the hub with logs of their own")
struct HubUserTests {
  private let sandbox: Sandbox
  private let hub: RunningHub
  private let ann: String
  private let bob: String
  private static let (science, other) = ("UCsXVk37bltHxD1rDPwtNM8Q", "UCHnyfMqiRRG1u-2MsSQLbXA")

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.addUser("ann")
    try sandbox.addUser("bob")
    (ann, bob) = (try sandbox.bearer("ann"), try sandbox.bearer("bob"))
    hub = try sandbox.runHub()
  }

  private func follow(_ channels: String..., by user: String, more: String = "") throws {
    let list = channels.map { "\"\($0)\"" }.joined(separator: ",")
    let answer = try hub.send("POST", "/api/v1/channels", json: "{\"channels\":[\(list)]\(more)}", user)
    #expect(answer.status == 200, "\(answer.text)")
  }

  /// Polls, and waits until that is over.
  private func poll() throws {
    func runs() throws -> Int { sandbox.lines("hub/catalogue").count { $0.contains("\"kind\":\"runFinished\"") } }
    let before = try runs()
    #expect(try hub.send("POST", "/api/v1/poll", [ann]).status == 202)
    for _ in 0..<3000 where try runs() == before { usleep(20_000) }
    #expect(try runs() > before)
  }

  private func videos(_ user: String, _ query: String = "") throws -> [String] {
    try hub.get("/api/v1/videos?limit=500\(query)", user).json.texts("videos", of: "video")
  }

  private func mark(_ video: String, _ member: String, by user: String) throws -> HubResponse {
    try hub.send("POST", "/api/v1/marks", json: #"{"marks":[{"video":"\#(video)",\#(member)}]}"#, user)
  }

  @Test("A channel is polled once for all who follow it, and each sees only their own channels and marks")
  func together() throws {
    try follow(HubUserTests.science, HubUserTests.other, by: ann)
    try follow(HubUserTests.science, by: bob)
    try poll()
    for channel in [HubUserTests.science, HubUserTests.other] {
      let count = sandbox.server.requests.count { $0.target.contains(channel) }
      #expect(count == 1, "\(channel): \(count) requests")
    }
    let (hers, his) = (try videos(ann), try videos(bob))
    #expect(!his.isEmpty && hers.count > his.count && Set(his).isSubset(of: hers))
    #expect(try Set(videos(bob, "&all=true&shorts=show")).isSubset(of: videos(ann, "&all=true&shorts=show")))
    #expect(try mark(his[0], #""status":"watched""#, by: ann).json["changed"] == 1)
    #expect(try videos(ann).count == hers.count - 1)
    #expect(try videos(bob) == his, "her mark is not his")
    let undone = try hub.send("POST", "/api/v1/undo?yes=true", [bob])
    #expect(undone.status == 200, "his last action is that he followed something: \(undone.text)")
    #expect(try hub.get("/api/v1/channels", bob).json.texts("channels", of: "channel").isEmpty)
    #expect(try hub.get("/api/v1/channels", ann).json.texts("channels", of: "channel").count == 2)
    #expect(sandbox.lines("hub/catalogue").allSatisfy { !$0.contains("statusSet") })
  }

  @Test("A known channel shows its videos to a new follower at once, those before the date as watched")
  func laterFollower() throws {
    try follow(HubUserTests.science, by: ann)
    try poll()
    let hers = try videos(ann, "&shorts=show")
    try follow(HubUserTests.science, by: bob)
    #expect(try videos(bob, "&shorts=show") == hers)
    try sandbox.addUser("cid")
    let cid = try sandbox.bearer("cid")
    try follow(HubUserTests.science, by: cid, more: #","seenBefore":"2099-01-01""#)
    #expect(try videos(cid, "&shorts=show").isEmpty)
    #expect(try videos(cid, "&shorts=show&status=watched").count == hers.count)
    #expect(try videos(bob, "&shorts=show") == hers)
  }

  @Test("A date is kept for a channel that the first poll has yet to read")
  func seenBefore() throws {
    try follow(HubUserTests.science, by: ann, more: #","seenBefore":"2099-01-01""#)
    try follow(HubUserTests.science, by: bob)
    try poll()
    #expect(try videos(ann, "&shorts=show").isEmpty)
    let watched = try videos(ann, "&shorts=show&status=watched")
    #expect(try Set(watched) == Set(videos(bob, "&shorts=show")) && !watched.isEmpty)
    // What is marked as new again stays new.
    #expect(try mark(watched[0], #""status":"new""#, by: ann).json["changed"] == 1)
    #expect(try videos(ann, "&shorts=show") == [watched[0]])
  }

  @Test("Of two kinds of a channel's feed the main one is polled")
  func forms() throws {
    try follow(HubUserTests.science, by: ann)
    try follow(HubUserTests.science, by: bob)
    let path = "/api/v1/channels/" + HubUserTests.science
    #expect(try hub.send("PATCH", path, json: #"{"feed":"videos"}"#, ann).status == 200)
    try poll()
    let targets = sandbox.server.requests.map(\.target)
    #expect(targets.count { $0.contains("channel_id=" + HubUserTests.science) } == 1)
    #expect(try hub.get(path, ann).json["feed"]?.string == "videos")
  }

  // MARK: What is another user's

  /// The ids of everything that Ann decided, by the variable part of a route that takes them, and texts of hers.
  private struct Hers {
    var parts: [String: String]
    var secrets: [String]
    var position: String
    var action: String

    /// Whether an answer names nothing of hers but what the request named: a feed has its filter as its title.
    func isHidden(from answer: HubResponse, to request: String) -> Bool {
      let request = request.replacing("%20", with: " ").replacing("+", with: " ")
      return !secrets.contains { answer.text.contains($0) && !request.contains($0) }
    }
  }

  private func decide() throws -> Hers {
    try follow(HubUserTests.science, by: ann, more: #","tag":["herTag"]"#)
    try follow(HubUserTests.other, by: bob)
    try poll()
    let page = try hub.get("/api/v1/videos?limit=1", ann).json
    let video = try #require(page["videos"]?.elements?.first)
    let id = try #require(video["video"]?.string)
    let marked = try mark(id, #""saved":true,"note":"her note","collection":"Her list""#, by: ann).json
    #expect(marked["changed"] == 3)
    let rule = try hub.send("POST", "/api/v1/rules", json: #"{"verdict":"block","contains":"herword"}"#, ann).json
    let ruleID = try #require(rule["rule"]?.string)
    let session = try hub.get("/api/v1/sessions", logIn("ann")).json
    return Hers(
      parts: [
        "{video}": id, "{channel}": HubUserTests.science, "{collection}": "Her%20list", "{rule}": ruleID,
        "{token}": "1", "{session}": try #require(session["sessions"]?.elements?.first?["id"]?.string),
      ],
      secrets: [
        id, HubUserTests.science, "Her list", "her note", "herTag", ruleID, "herword",
        try #require(video["title"]?.string),
      ],
      position: try #require(page["token"]?.string), action: try #require(marked["action"]?.string))
  }

  /// Logs in; returns the cookie.
  private func logIn(_ user: String) throws -> String {
    let answer = try hub.send(
      "POST", "/api/v1/session", json: #"{"name":"\#(user)","password":"\#(Sandbox.password)"}"#)
    return "Cookie: " + (try #require(answer.headers["set-cookie"]).prefix { $0 != ";" })
  }

  /// The header of each role that Bob, or nobody, has.
  private func visitors() throws -> [String: String] {
    [
      "anonymous": "X-Nobody: 1", "reader": try sandbox.bearer("bob", "read"), "writer": bob,
      "session": try logIn("bob"),
    ]
  }

  /// The path of a route with the ids of Ann in its variable parts; whether it has any.
  private static func path(_ route: HubRoute, _ hers: Hers) -> (path: String, isHers: Bool) {
    let path = route.path.split(separator: "/").map { "/" + (hers.parts[String($0)] ?? String($0)) }.joined()
    #expect(!path.contains("{"), "\(route.path) has a variable part that this test does not know")
    return (path.isEmpty ? "/" : path, path != route.path && route.path != "/")
  }

  /// What a route takes with the ids of somebody else.
  private static func bodies(_ hers: Hers) -> [String: String] {
    let (video, channel) = (hers.parts["{video}"] ?? "", hers.parts["{channel}"] ?? "")
    return [
      "mark": #"{"marks":[{"video":"\#(video)","saved":false,"collection":"Her list","member":false}]}"#,
      "setChannel": #"{"title":"Mine"}"#, "addRule": #"{"verdict":"block","channel":"\#(channel)"}"#,
      "previewRule": #"{"verdict":"block","tag":"herTag"}"#, "addToken": #"{"name":"x","scope":"read"}"#,
    ]
  }

  private static func queries(_ hers: Hers) -> [String: [String]] {
    let filters = ["", "?tag=herTag", "?channel=" + science, "?collection=Her+list"]
    return [
      "changes": ["?since=" + hers.position], "undo": ["?yes=true&action=" + hers.action], "atomFeed": filters,
      "jsonFeed": filters,
      "listVideos": ["", "?all=true&shorts=show", "?tag=herTag", "?channel=" + science, "?search=the&all=true"],
      "feedView": ["", "?status=all&mode=mix", "?tag=herTag&status=all", "?channel=" + science, "?q=the&status=all"],
      "channelsView": ["", "?tag=herTag"], "shareView": ["?text=https://youtu.be/" + (hers.parts["{video}"] ?? "")],
    ]
  }

  @Test("With another user's ids no route shows or changes what they decided")
  func matrix() throws {
    let (hers, visitors) = (try decide(), try visitors())
    let before = sandbox.lines("hub/users/ann")
    // Following and importing are each user's own, and logging in is nobody's yet.
    let others = ["follow", "importFile", "logIn", "logOut", "events"]
    for route in HubRoute.all where !others.contains(route.name) {
      let (path, isHers) = HubUserTests.path(route, hers)
      for (role, header) in visitors {
        for query in HubUserTests.queries(hers)[route.name] ?? [""] {
          let answer = try hub.send(
            route.method.rawValue.uppercased(), path + query,
            [header, "Content-Type: application/json"], body: (HubUserTests.bodies(hers)[route.name] ?? "").utf8)
          let place = "\(role) \(route.method) \(path)\(query): \(answer.status) \(answer.text.prefix(300))"
          if isHers || route.name == "undo" { #expect([401, 403, 404, 409].contains(answer.status), "\(place)") }
          if role == "anonymous", route.access != .open { #expect(answer.status == 401, "\(place)") }
          if role == "reader", route.access == .write { #expect(answer.status == 403, "\(place)") }
          let body = HubUserTests.bodies(hers)[route.name] ?? ""
          #expect(hers.isHidden(from: answer, to: path + query + body), "\(place)")
        }
      }
    }
    #expect(sandbox.lines("hub/users/ann") == before)
    #expect(try hub.get("/api/v1/tokens", ann).status == 200, "her token still works")
    let answer = try mark(hers.parts["{video}"] ?? "", #""saved":false"#, by: bob).json
    #expect(answer["changed"] == 0 && answer["unknown"]?.elements?.count == 1)
  }

  /// The fields of the page's forms with the ids of somebody else.
  private static func fields(_ hers: Hers) -> [String: [String]] {
    let video = hers.parts["{video}"] ?? ""
    return [
      "markForm": ["unsave", "watched", "note", "uncollect&collection=Her+list"].map { "video=\(video)&action=\($0)" },
      "undoForm": ["action=\(hers.action)&yes=true"],
      "channelForm": ["title=Mine&tags=", "action=unfollow", "action=older"],
      "ruleForm": ["action=remove&rule=\(hers.parts["{rule}"] ?? "")", "action=preview&verdict=block&tag=herTag"],
      "tokenForm": ["action=revoke&token=1"],
    ]
  }

  @Test("With another user's ids no view or form of the page shows or changes what they decided")
  func pageMatrix() throws {
    let (hers, visitors) = (try decide(), try visitors())
    let before = sandbox.lines("hub/users/ann")
    // As above.
    let others = ["followForm", "importForm", "starterForm"]
    for route in HubRoute.pages where route.access != .open && !others.contains(route.name) {
      let (path, isHers) = HubUserTests.path(route, hers)
      for (role, header) in visitors {
        for query in HubUserTests.queries(hers)[route.name] ?? [""] {
          for fields in HubUserTests.fields(hers)[route.name] ?? [""] {
            let answer = try hub.send(
              route.method.rawValue.uppercased(), path + query,
              [header, "Content-Type: application/x-www-form-urlencoded"], body: fields.utf8)
            let place = "\(role) \(route.method) \(path)\(query) \(fields): \(answer.status)"
            let isForm = route.access == .write
            if role == "anonymous" {
              #expect(answer.headers["location"]?.hasPrefix("/login") == true, "\(place)")
            } else if role == "reader", isForm {
              #expect(answer.status == 403, "\(place)")
            } else if isHers || route.name == "markForm" {
              #expect(answer.status == 404, "\(place)")
            }
            let isChanged =
              answer.headers["location"].map { $0.contains("done=") && !$0.contains("done=stale") } ?? false
            #expect(!isChanged || ["pollForm"].contains(route.name), "\(place) \(answer.headers)")
            #expect(hers.isHidden(from: answer, to: path + query + fields), "\(place)")
          }
        }
      }
    }
    #expect(sandbox.lines("hub/users/ann") == before)
    #expect(try hub.get("/api/v1/tokens", ann).status == 200, "her token still works")
  }

  @Test("A user's event stream says nothing of what others mark")
  func events() throws {
    _ = try decide()
    let connection = try HubConnection(hub.port)
    connection.write(Array("GET /api/v1/events HTTP/1.1\r\nHost: \(hub.host)\r\n\(bob)\r\n\r\n".utf8))
    let first = connection.read(until: "event: change")
    #expect(first.contains("200"))
    let hers = try videos(ann)
    #expect(try mark(hers[1], #""status":"watched""#, by: ann).json["changed"] == 1)
    usleep(2_500_000)
    let his = try videos(bob)
    #expect(try mark(his[0], #""status":"watched""#, by: bob).json["changed"] == 1)
    let position = try #require(try hub.get("/api/v1/changes", bob).json["token"]?.string)
    let rest = connection.read(until: position)
    #expect(rest.components(of: "event: change") <= 2, "the first one, if it came in two parts, and his own")
  }

  // MARK: Folders

  @Test("A removed user's log is kept, and a new user of the name begins with nothing")
  func removed() throws {
    _ = try decide()
    let outcome = try sandbox.hub(["user", "remove", "ann", "--data", sandbox.hubData])
    #expect(outcome.status == 0 && outcome.text.contains("is kept in \(sandbox.hubData)/removed/ann-"))
    #expect(try hub.get("/api/v1/videos", ann).status == 401)
    #expect(sandbox.folder.names(in: "hub/users") == ["bob"])
    let kept = try #require(sandbox.folder.names(in: "hub/removed").first)
    #expect(sandbox.lines("hub/removed/\(kept)").contains { $0.contains("her note") })
    try sandbox.addUser("ann")
    let again = try sandbox.bearer("ann")
    #expect(try videos(again, "&all=true").isEmpty)
    #expect(try hub.get("/api/v1/collections", again).json["collections"]?.elements?.isEmpty == true)
  }

  @Test("A person's home is taken over with every mark, and stays as it is")
  func takenOver() throws {
    try sandbox.succeed("follow", "--tag", "science", HubUserTests.science)
    try sandbox.succeed("poll", "--rate", "0")
    let list = try sandbox.list().map(\.video)
    try sandbox.succeed("watched", list[0])
    try sandbox.succeed("collection", "add", "Later", list[1])
    let before = sandbox.log
    try sandbox.addUser("eve", "--from", sandbox.folder.path)
    let eve = try sandbox.bearer("eve")
    #expect(try videos(eve) == sandbox.list().map(\.video))
    #expect(try videos(eve, "&status=watched") == [list[0]])
    #expect(try hub.get("/api/v1/collections/Later", eve).json.texts("videos", of: "video") == [list[1]])
    #expect(sandbox.log == before)
    try poll()
    #expect(try videos(eve) == Array(list.dropFirst()), "found again, but not new again")
    let twice = try sandbox.hub(
      ["user", "add", "ann", "--data", sandbox.hubData, "--from", sandbox.folder.path], input: Sandbox.password + "\n")
    #expect(twice.status == 1 && twice.errors.contains("already a user"))
    let none = try sandbox.hub(
      ["user", "add", "fay", "--data", sandbox.hubData, "--from", "/nowhere"], input: Sandbox.password + "\n")
    #expect(none.status == 65 && !sandbox.folder.names(in: "hub/users").contains("fay"))
  }

  @Test("One person's home has one user, and a data folder needs one")
  func places() throws {
    #expect(try sandbox.hub(["user", "add", "me"], input: Sandbox.password + "\n").status == 0)
    let second = try sandbox.hub(["user", "add", "you"], input: Sandbox.password + "\n")
    #expect(second.status == 64 && second.errors.contains("--data"), "\(second.errors)")
    let empty = try sandbox.hub(["serve", "--data", sandbox.folder.path + "/empty", "--listen", "127.0.0.1:0"])
    #expect(empty.status == 64 && empty.errors.contains("user add --data"), "\(empty.errors)")
    #expect(try sandbox.hub(["user", "list", "--data", "x", "--home", "y"]).status == 64)
  }

  @Test("A backup while the hub runs restores every user's lists and marks, and numbers go on beyond those given since")
  func backup() throws {
    let hers = try decide()
    let before = try hub.get("/api/v1/videos?all=true&shorts=show&limit=500", ann).json["videos"]
    let file = sandbox.folder.path + "/hub.tar"
    let written = try sandbox.hub(["backup", file, "--data", sandbox.hubData])
    #expect(written.status == 0 && written.text.hasPrefix("\(file): "), "\(written.errors)")
    // Numbers that the backup does not know.
    try follow(HubUserTests.other, by: ann)
    let given = try numbers(ann).values.max() ?? 0
    _ = try hub.end()
    let restored = sandbox.folder.path + "/restored"
    mkdir(restored, 0o700)
    #expect(try Program(path: "/bin/tar", environment: [:]).run(["-xf", file, "-C", restored]).status == 0)
    let again = try RunningHub(sandbox, "--data", restored, "--listen", "127.0.0.1:0")
    #expect(try again.get("/api/v1/videos?all=true&shorts=show&limit=500", ann).json["videos"] == before)
    #expect(try again.get("/api/v1/collections/Her%20list", ann).json.texts("videos", of: "video").count == 1)
    #expect(try again.get("/api/v1/collections/Her%20list", bob).status == 404)
    let body = #"{"channels":["\#(HubUserTests.other)"]}"#
    #expect(try again.send("POST", "/api/v1/channels", json: body, ann).status == 200)
    let all = try again.get("/api/v1/videos?all=true&shorts=show&limit=500", ann).json["videos"]?.elements ?? []
    let new = all.filter { $0["channel"]?.string == HubUserTests.other }.compactMap { $0["number"]?.number }
    #expect(!new.isEmpty && new.allSatisfy { $0 > Double(given) })
    #expect(try sandbox.hub(["backup", "/nowhere/hub.tar", "--data", sandbox.hubData]).status == 74)
    withExtendedLifetime(hers) {}
  }

  /// The numbers of all videos of a user.
  private func numbers(_ user: String) throws -> [String: Int] {
    let videos = try hub.get("/api/v1/videos?all=true&shorts=show&limit=500", user).json["videos"]?.elements ?? []
    return Dictionary(
      uniqueKeysWithValues: videos.compactMap { video in
        video["video"]?.string.flatMap { id in video["number"]?.number.map { (id, Int($0)) } }
      })
  }

  @Test("Numbers stay the same without the cache, after a compaction and a restart, and are each user's own")
  func numbers() throws {
    try follow(HubUserTests.science, HubUserTests.other, by: ann)
    try poll()
    let before = try numbers(ann)
    #expect(Set(before.values).count == before.count && before.values.allSatisfy { (1..<1 << 31).contains($0) })
    let page = try hub.get("/api/v1/videos?all=true&shorts=show&limit=500&sort=found&oldest=true", ann).json
    let inOrder = (page["videos"]?.elements ?? []).compactMap { $0["number"]?.number }
    #expect(inOrder.count == before.count)
    try follow(HubUserTests.science, by: bob)
    let his = try numbers(bob)
    #expect(!his.isEmpty && his.count < before.count)
    _ = try hub.end()
    for place in ["users/ann", "catalogue"] {
      _ = try Program(path: "/bin/rm", environment: [:]).run(["-rf", "\(sandbox.hubData)/\(place)/cache"])
      #expect(try sandbox.run("log", "compact", "--home", "\(sandbox.hubData)/\(place)").status == 0)
    }
    let again = try sandbox.runHub()
    let videos = try again.get("/api/v1/videos?all=true&shorts=show&limit=500", ann).json["videos"]?.elements ?? []
    for video in videos {
      #expect(video["number"]?.number.map { Int($0) } == video["video"]?.string.flatMap { before[$0] })
    }
    #expect(videos.count == before.count)
  }
}

extension Sandbox {
  /// The lines of the logs of a home within the sandbox.
  func lines(_ home: String) -> [String] {
    folder.names(in: home + "/log").flatMap { name in
      String(decoding: folder.read("\(home)/log/\(name)") ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
