import FixtureServer
import Glibc
import JSON
import TestSupport
import Testing

@testable import metube_hub

/// The hub beside the terminal, on the same files.
@Suite("The hub beside the terminal")
struct HubServeTests {
  private let sandbox: Sandbox
  private let hub: RunningHub

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.succeed("import", Files.packageRoot + "/feeds.opml")
    try sandbox.succeed("poll", "--rate", "0")
    hub = try RunningHub(sandbox)
  }

  private func listed(_ query: String = "") throws -> [String] {
    try hub.get("/api/v1/videos?limit=500\(query)").json.texts("videos", of: "video")
  }

  @Test("The hub lists what list lists, with every filter")
  func sameList() throws {
    #expect(try listed() == sandbox.list().map(\.video))
    let filters: [(query: String, arguments: [String])] = [
      ("&all=true&shorts=show&upcoming=show", ["--all", "--shorts", "show", "--upcoming", "show"]),
      ("&shorts=only&oldest=true", ["--shorts", "only", "--oldest"]), ("&search=the%20of", ["--search", "the of"]),
      ("&catchUp=true", ["--catch-up"]), ("&mix=true", ["--mix"]), ("&since=2026-01-01", ["--since", "2026-01-01"]),
      ("&status=watched&status=new", ["--status", "watched", "--status", "new"]), ("&saved=true", ["--saved"]),
    ]
    for (query, arguments) in filters {
      let outcome = try sandbox.program.run(["list", "--format", "ids", "--limit", "500"] + arguments)
      #expect(try listed(query) == outcome.lines, "\(query)")
    }
  }

  @Test("Pages of seven make the whole list, in each arrangement")
  func pages() throws {
    for arrangement in ["", "&catchUp=true", "&mix=true"] {
      var (all, next): ([String], String?) = ([], nil)
      repeat {
        let page = try hub.get("/api/v1/videos?limit=7\(arrangement)\(next.map { "&after=\($0)" } ?? "")").json
        all += page.texts("videos", of: "video")
        next = page["next"]?.string
      } while next != nil && all.count < 1000
      #expect(try all == listed(arrangement), "\(arrangement)")
    }
  }

  @Test("A mark made in either appears in the other at once, and either undoes it")
  func marks() throws {
    let videos = try listed()
    let marked = try hub.send(
      "POST", "/api/v1/marks",
      json: #"{"marks":[{"video":"\#(videos[0])","status":"watched"},{"video":"\#(videos[1])","saved":true}]}"#)
    #expect(try marked.json["changed"] == 2)
    #expect(try sandbox.list("--watched").map(\.video) == [videos[0]])
    #expect(try sandbox.list("--saved").map(\.video) == [videos[1]])
    let saved = try #require(sandbox.list("--saved").first?.savedAt)
    #expect(try hub.get("/api/v1/videos/\(videos[1])").json["savedAt"]?.string == saved)
    #expect(try hub.get("/saved").text.contains(#"datetime="\#(saved)""#))
    try sandbox.succeed("skip", videos[2])
    #expect(try listed() == [videos[1]] + videos[3...])
    #expect(try hub.send("POST", "/api/v1/undo").json["undone"]?.string == "1 mark")
    #expect(try sandbox.list("--skipped").isEmpty)
    try sandbox.succeed("undo", "--yes")
    #expect(try listed() == videos)
    // The terminal would ask before it undoes the import.
    #expect(try hub.send("POST", "/api/v1/undo").status == 409)
    #expect(try hub.send("POST", "/api/v1/undo?yes=true").json["undone"]?.string == "20 follows")
    #expect(try hub.send("POST", "/api/v1/undo?yes=true").status == 409)
  }

  @Test("An action is undone by its ID, whatever was done after it, and only if something of it is left")
  func undoOfAction() throws {
    let videos = try listed()
    func mark(_ video: String, _ member: String) throws -> String {
      let marked = try hub.send("POST", "/api/v1/marks", json: #"{"marks":[{"video":"\#(video)",\#(member)}]}"#)
      return try #require(try marked.json["action"]?.string)
    }
    func undo(_ action: String) throws -> Int { try hub.send("POST", "/api/v1/undo?action=\(action)").status }
    let (first, second) = (try mark(videos[0], #""saved":true"#), try mark(videos[1], #""saved":true"#))
    #expect(try undo(first) == 200)
    #expect(try sandbox.list("--saved").map(\.video) == [videos[1]])
    #expect(try undo(first) == 409, "undone already")
    // The terminal changes the same again.
    try sandbox.succeed("unsave", videos[1])
    let log = sandbox.log
    #expect(try undo(second) == 409, "nothing of it is left")
    #expect(try undo("x") == 400 && undo("00000000000000001-aaaaaaaa") != 200)
    #expect(sandbox.log == log)
    let third = try mark(videos[2], #""status":"watched""#)
    #expect(try undo(third) == 200 && listed().contains(videos[2]))
  }

  @Test("Marks that wait for another process delay no login, read or health check")
  func locked() throws {
    let video = try listed()[0]
    let lock = open(sandbox.folder.path + "/state/log.lock", O_RDWR)
    #expect(flock(lock, LOCK_EX) == 0)
    // Each waits 10 s.
    let marks = try (0..<30).map { _ in
      let body = #"{"marks":[{"video":"\#(video)","saved":true}]}"#
      return try hub.begin("POST", "/api/v1/marks", ["Content-Type: application/json"], body: body)
    }
    #expect(try hub.get("/health").status == 200)
    #expect(try hub.get("/api/v1/videos").status == 200)
    #expect(try hub.send("POST", "/api/v1/session", json: #"{"name":"ann","password":"secret"}"#).status == 403)
    #expect(marks.contains { !$0.hasResponse })
    close(lock)
    let responses = marks.map { $0.read(until: "}") }
    #expect(responses.contains { $0.hasPrefix("HTTP/1.1 200") })
  }

  @Test("SIGTERM right after a request to poll ends the poll too, however slow the feeds are")
  func terminatedPoll() throws {
    let fresh = try Sandbox()
    fresh.environment["METUBE_RSS_TIMEOUT"] = "3600"
    fresh.environment["METUBE_RSS_STALL_TIMEOUT"] = "3600"
    fresh.server.fail(.hangBeforeResponse, on: .all, times: .always)
    try fresh.succeed("follow", "UCsXVk37bltHxD1rDPwtNM8Q")
    for _ in 0..<5 {
      let hub = try RunningHub(fresh)
      #expect(try hub.send("POST", "/api/v1/poll").status == 202)
      #expect(try hub.end().status == 0)
    }
  }

  @Test("The last of several marks of each kind counts for one video in a request")
  func marksOfOneVideo() throws {
    let video = try listed()[0]
    let marks = [
      #""status":"watched""#, #""saved":true"#, #""status":"new""#, #""collection":"A""#, #""collection":"B""#,
    ]
    .map { #"{"video":"\#(video)",\#($0)}"# }
    let response = try hub.send("POST", "/api/v1/marks", json: #"{"marks":[\#(marks.joined(separator: ","))]}"#)
    #expect(try response.json["changed"] == 3)
    #expect(try listed()[0] == video && sandbox.list("--saved").map(\.video) == [video])
    #expect(try sandbox.succeed("collection", "list").contains("B"))
  }

  @Test("A mark that was decided earlier loses against what was decided since")
  func lateMarks() throws {
    let videos = try listed()
    func mark(_ video: String, _ members: String) throws -> HubResponse {
      try hub.send("POST", "/api/v1/marks", json: #"{"marks":[{"video":"\#(video)",\#(members)}]}"#)
    }
    #expect(try mark(videos[0], #""status":"skipped","saved":true,"note":"now""#).json["changed"] == 3)
    let late = #""status":"watched","saved":false,"note":"then","collection":"A","secondsAgo":3600"#
    #expect(try mark(videos[0], late).json["changed"] == 1, "only the collection was not decided since")
    #expect(try sandbox.list("--skipped").map(\.video) == [videos[0]])
    #expect(try mark(videos[1], late).json["changed"] == 3)
    let watched = try #require(try hub.get("/api/v1/history").json["watched"]?.elements?.first)
    #expect(watched["video"]?.string == videos[1])
    let history = try sandbox.succeed("history", "--until", "59m")
    #expect(history.contains("1 h"), "\(history)")
    for wrong in ["-1", "1.5", "1e12", "true"] {
      #expect(try mark(videos[2], #""saved":true,"secondsAgo":\#(wrong)"#).status == 400, "\(wrong)")
    }
  }

  @Test("Positions of one play are one action")
  func positions() throws {
    let videos = try listed()
    func mark(_ video: String, _ members: String, action: String = "") throws -> JSONValue {
      try hub.send("POST", "/api/v1/marks", json: #"{"marks":[{"video":"\#(video)",\#(members)}]\#(action)}"#).json
    }
    let first = try #require(try mark(videos[0], #""status":"watched""#)["action"]?.string)
    _ = try mark(videos[1], #""status":"skipped""#)
    #expect(try hub.send("POST", "/api/v1/undo?action=\(first)").json["changes"] == 1)
    #expect(try listed() == [videos[0]] + videos[2...])
    #expect(try hub.send("POST", "/api/v1/undo?action=\(first)").status == 409)
    // Positions of one video are one action.
    let play = try #require(try mark(videos[2], #""progressSeconds":10"#)["action"]?.string)
    let more = #","action":"\#(play)""#
    #expect(try mark(videos[2], #""progressSeconds":20"#, action: more)["action"]?.string == play)
    #expect(try mark(videos[3], #""progressSeconds":20"#, action: more)["status"] == 400)
    #expect(try mark(videos[2], #""saved":true"#, action: more)["status"] == 400)
    #expect(try mark(videos[2], #""progressSeconds":30"#, action: #","action":"\#(first)""#)["status"] == 400)
    _ = try hub.send("POST", "/api/v1/undo?action=\(play)")
    #expect(try hub.get("/api/v1/videos/\(videos[2])").json["progressSeconds"] == 0)
    #expect(try mark(videos[2], #""progressSeconds":30"#, action: more)["action"]?.string != play)
  }

  @Test("Every kind of mark has the effect of its command")
  func everyMark() throws {
    let video = try listed()[0]
    func mark(_ members: String) throws -> HubResponse {
      try hub.send("POST", "/api/v1/marks", json: #"{"marks":[{"video":"\#(video)",\#(members)}]}"#)
    }
    #expect(try mark(#""status":"snoozed","until":"3d""#).status == 200)
    #expect(try mark(#""note":"gears","progressSeconds":0,"collection":"To cook""#).status == 200)
    let details = try hub.get("/api/v1/videos/\(video)").json
    #expect(details["status"]?.string == "snoozed" && details["snoozedUntil"]?.string != nil)
    #expect(details["note"]?.string == "gears" && details["collections"] == ["To cook"])
    #expect(try sandbox.succeed("note", video) == "gears\n")
    #expect(try hub.get("/api/v1/collections/to%20COOK").json.texts("videos", of: "video") == [video])
    #expect(try mark(#""collection":"To cook","member":false"#).json["changed"] == 1)
    #expect(try hub.get("/api/v1/collections/To%20cook").status == 404)
    for refused in [
      #""status":"seen""#, #""status":"snoozed""#, #""until":"3d""#, #""other":1"#, #""progressSeconds":-1"#,
      #""saved":"yes""#, #""note":null"#,
    ] {
      #expect(try mark(refused).status == 400, "\(refused)")
    }
  }

  @Test("A video that no feed has shown is marked like any other")
  func unknown() throws {
    let video = try listed()[0]
    let marked = try hub.send(
      "POST", "/api/v1/marks",
      json: #"{"marks":[{"video":"dQw4w9WgXcQ","saved":true},{"video":"\#(video)","saved":true}]}"#)
    #expect(try marked.json["unknown"] == [] && marked.json["changed"] == 2)
    #expect(try sandbox.list("--saved").map(\.video) == [video, "dQw4w9WgXcQ"])
  }

  @Test("Changes since a token: what the terminal marked, and nothing again")
  func changes() throws {
    let videos = try listed()
    let token = try #require(try hub.get("/api/v1/changes").json["token"]?.string)
    try sandbox.succeed("watched", videos[0], videos[1])
    let changes = try hub.get("/api/v1/changes?since=\(token)").json
    #expect(changes.texts("videos", of: "video").sorted() == videos[..<2].sorted())
    #expect(changes["more"] == false)
    let later = try #require(changes["token"]?.string)
    #expect(try hub.get("/api/v1/changes?since=\(later)").json["videos"] == [])
    for invalid in ["x", "00", "zz", "2d", "\(later)30"] {
      #expect(try hub.get("/api/v1/changes?since=\(invalid)").status == 410, "\(invalid)")
    }
    // A backup from before the last mark.
    let name = "log/" + (try #require(sandbox.folder.names(in: "log").first { $0.hasSuffix(".jsonl") }))
    sandbox.folder.write(Array((sandbox.log.dropLast().joined(separator: "\n") + "\n").utf8), to: name)
    #expect(try hub.get("/api/v1/changes?since=\(later)").status == 410)
    #expect(try hub.get("/api/v1/videos").status == 200)
  }

  @Test("Server-Sent Events: one for a change by the terminal")
  func events() throws {
    let connection = try hub.listen()
    try sandbox.succeed("watched", try listed()[0])
    #expect(connection.read(until: "event: change").contains("data: "))
  }

  @Test("SIGTERM ends it with status 0, also with an event stream open")
  func terminated() throws {
    let connection = try hub.listen()
    let outcome = try hub.end()
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    withExtendedLifetime(connection) {}
  }

  @Test("Marks of the terminal and of the hub at the same time are all kept")
  func atOnce() throws {
    let videos = try listed()
    let terminals = try videos[..<10].map { try sandbox.program.start(["save", $0]) }
    for video in videos[10..<20] {
      let marked = try hub.send("POST", "/api/v1/marks", json: #"{"marks":[{"video":"\#(video)","saved":true}]}"#)
      #expect(try marked.json["changed"] == 1)
    }
    for terminal in terminals { #expect(try terminal.finish().status == 0) }
    #expect(try Set(sandbox.list("--saved").map(\.video)) == Set(videos[..<20]))
    #expect(try Set(listed("&saved=true")) == Set(videos[..<20]))
    #expect(sandbox.events("savedSet").count == 20)
  }

  @Test("Marks and polls of the terminal and of the hub on one home end in one state")
  func oneState() throws {
    var videos = try listed()[...]
    var saved: Set<String> = []
    for round in 0..<6 {
      let (one, other) = (videos.removeFirst(), videos.removeFirst())
      let terminals = try [["save", one], ["poll", "--rate", "0", "--force"]].map { try sandbox.program.start($0) }
      #expect([202].contains(try hub.send("POST", "/api/v1/poll").status))
      let marked = try hub.send("POST", "/api/v1/marks", json: #"{"marks":[{"video":"\#(other)","saved":true}]}"#)
      #expect(try marked.json["changed"] == 1, "round \(round)")
      #expect(try terminals[0].finish().status == 0)
      // A poll that runs already excludes another one.
      #expect([0, 1, 75].contains(try terminals[1].finish().status ?? -1))
      saved.formUnion([one, other])
    }
    _ = try hub.end()
    let found = sandbox.events("videoFound").compactMap { line in
      line.firstRange(of: "\"video\":\"").map { String(line[$0.upperBound...].prefix(11)) }
    }
    #expect(Set(found).count == found.count, "nothing is found twice")
    let again = try RunningHub(sandbox)
    let page = try again.get("/api/v1/videos?limit=500&saved=true").json
    #expect(Set(page.texts("videos", of: "video")) == saved)
    #expect(try Set(sandbox.list("--saved").map(\.video)) == saved)
    #expect(try sandbox.list().map(\.video) == again.get("/api/v1/videos?limit=500").json.texts("videos", of: "video"))
    #expect(try sandbox.run("log", "verify").status == 0)
  }

  @Test("What was acknowledged survives SIGKILL")
  func killed() throws {
    let videos = try listed()
    for video in videos.prefix(5) {
      let marked = try hub.send("POST", "/api/v1/marks", json: #"{"marks":[{"video":"\#(video)","saved":true}]}"#)
      #expect(marked.status == 200)
    }
    hub.kill()
    #expect(try Set(sandbox.list("--saved").map(\.video)) == Set(videos.prefix(5)))
  }

  @Test("A hub started on an empty home appends after the terminal's first event")
  func terminalFirst() throws {
    let fresh = try Sandbox()
    let hub = try RunningHub(fresh)
    #expect(try hub.get("/api/v1/channels").status == 200)
    try fresh.succeed("follow", "UCsXVk37bltHxD1rDPwtNM8Q")
    #expect(try hub.get("/api/v1/channels").json.texts("channels", of: "channel").count == 1)
    let followed = try hub.send("POST", "/api/v1/channels", json: #"{"channels":["UCHnyfMqiRRG1u-2MsSQLbXA"]}"#)
    #expect(followed.status == 200, "\(followed.text)")
    #expect(try fresh.succeed("channels", "--format", "ids").split(separator: "\n").count == 2)
  }

  @Test("A poll on request finds what the feeds have, under the terminal's lock and pace")
  func poll() throws {
    let fresh = try Sandbox()
    fresh.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    let hub = try RunningHub(fresh)
    let followed = try hub.send(
      "POST", "/api/v1/channels", json: #"{"channels":["UCsXVk37bltHxD1rDPwtNM8Q"],"tag":["science"]}"#)
    #expect(try followed.json["followed"] == ["UCsXVk37bltHxD1rDPwtNM8Q"])
    #expect(try hub.send("POST", "/api/v1/poll").status == 202)
    let videos = "/api/v1/videos?all=true&shorts=show"
    try wait { try hub.get(videos).json["matching"] == 15 }
    #expect(try hub.get(videos).json["matching"] == 15)
    #expect(fresh.events("runFinished").count == 1)
    let ended = try hub.end()
    #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended.errors)")
  }

  @Test("Without users it makes no file of accounts")
  func noAccounts() throws {
    #expect(try hub.get("/api/v1/session").status == 200)
    #expect(!sandbox.folder.names(in: "state").contains("hub.db"), "\(sandbox.folder.names(in: "state"))")
  }

  @Test("status asks the running hub, and says when none runs")
  func status() throws {
    let program = Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
    let stream = try hub.listen()
    var outcome = Program.Outcome(status: 1, output: [], errors: "")
    // The socket is there a moment after the first response.
    try wait {
      outcome = try program.run(["status", "--json"])
      return outcome.status != 1
    }
    let status = try #require(JSONValue(outcome.output), "\(outcome.errors)")
    #expect(status["url"]?.string == "http://\(hub.host)/" && status["users"] == 0 && status["listeners"] == 1)
    #expect(status["connections"] != 0 && status["nextPoll"] == .null && status["polling"] == false)
    withExtendedLifetime(stream) {}
    let table = try program.run(["status"])
    #expect(table.lines.first == "url          http://\(hub.host)/" && table.lines.contains("next poll    none"))
    var mode = stat()
    #expect(stat(sandbox.folder.path + "/state/hub.sock", &mode) == 0 && mode.st_mode & 0o077 == 0)
    #expect(try hub.end().status == 0)
    let ended = try program.run(["status"])
    #expect(ended.status == 1 && ended.errors.contains("no hub runs"), "\(ended.errors)")
  }

  @Test("With --log-requests there is a line for each request, without tokens and on one line")
  func requestLog() throws {
    let hub = try RunningHub(sandbox, "--log-requests")
    #expect(try hub.get("/feeds/json?limit=1&token=secret").status == 200)
    #expect(try hub.get("/feeds/json?limit=1&%74oken=secret", "Authorization: Bearer secret").status == 200)
    #expect(try hub.get("/no%0Aline?token=secret").status != 200)
    for path in ["/k/secret/api/channels?limit=1", "/%6B/secret", "//k//secret"] {
      #expect(try hub.get(path).status != 200)
    }
    #expect(try hub.send("POST", "/accounts/ClientLogin?Email=ann&Passwd=secret", []).status == 200)
    let lines = try hub.end().errors.split(separator: "\n")
    #expect(lines.count == 7 && !lines.joined().contains("secret"), "\(lines)")
    #expect(lines[0].contains(" 127.0.0.1 GET /feeds/json?limit=1 200 "))
    #expect(lines[3].contains(" GET /k/-/api/channels?limit=1 405 "))
    #expect(try self.hub.end().errors.isEmpty, "off by default")
  }

  @Test("A port that is taken ends it with status 75 and its address")
  func taken() throws {
    let program = Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
    let outcome = try program.run(["serve", "--no-poll", "--listen", hub.host])
    #expect(outcome.status == 75 && outcome.errors.contains(hub.host), "\(outcome.errors)")
  }
}
