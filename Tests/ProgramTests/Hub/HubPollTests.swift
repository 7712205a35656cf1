import Core
import FixtureServer
import Glibc
import JSON
import ReadModel
import SQLDrivers
import TestSupport
import Testing

@testable import metube_hub

/// Polls on request with a database, whose pollers are processes of their own.
@Suite("Polls on request with a database", .enabled(if: TestSchema.server != nil, "needs METUBE_RSS_TEST_POSTGRES"))
final class HubPollTests: TwoUsers {
  /// Ann follows it with a tag, beside `science`; Bob follows `other`.
  private static let tagged = "UC3I2GFN_F8WudD_2jUZbojA"

  override init() throws {
    try super.init()
    try follow(TwoUsers.science, by: ann)
    try follow(HubPollTests.tagged, by: ann, more: #","tag":["her tag"]"#)
    try follow(TwoUsers.other, by: bob)
    try poll()
    try rest()
  }

  private var database: Database { get throws { try #require(sandbox.schema).connect() } }

  /// Makes the last polls seem 20 minutes older, and the next ones far away.
  private func rest() throws {
    try database.run(
      "UPDATE poll_channel SET requested = requested - 1200, answered = answered - 1200, due = unix_time() + 80000")
    sandbox.server.forgetRequests()
  }

  /// The feeds that are due.
  private func due() throws -> Set<String> {
    var due: Set<String> = []
    try database.forEach("SELECT subscription FROM poll_channel WHERE due <= unix_time()") { due.insert($0.text(0)) }
    return due
  }

  private func request(_ user: String) throws -> JSONValue {
    let response = try hub.send("POST", "/api/v1/poll", [user])
    #expect(response.status == 202, "\(response.text)")
    return try response.json
  }

  private func state(_ user: String) throws -> String? { try request(user)["state"]?.string }

  /// Starts a poller, and waits until it shows a sign of life.
  private func startPoller() throws -> Running {
    let program = Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
    let poller = try program.start(["poll", "--rate", "0"] + sandbox.hubOptions)
    wait { (try? self.database.integer("SELECT working FROM poller_life()")) == 1 }
    return poller
  }

  /// Lets the last signs of life be this many seconds older.
  private func age(_ seconds: Int) throws { try database.run("UPDATE poller SET seen = seen - ?", seconds) }

  /// Presses the button of the page; returns where that leads.
  private func press() throws -> String? {
    let headers = [try logIn("ann"), "Origin: http://\(hub.host)", "Content-Type: application/x-www-form-urlencoded"]
    return try hub.send("POST", "/poll", headers, body: "x=".utf8).headers["location"]
  }

  @Test("A running poller requests what the user follows, once in 15 minutes, and nothing else")
  func polling() throws {
    let poller = try startPoller()
    #expect(try state(ann) == "started")
    wait { sandbox.server.requestCount(TwoUsers.science) == 1 && sandbox.server.requestCount(HubPollTests.tagged) == 1 }
    wait { (try? self.database.integer("SELECT count(*) FROM poll_channel WHERE poller IS NOT NULL")) == 0 }
    #expect(try state(ann) == "started")
    #expect(try due().isEmpty, "15 minutes")
    #expect(try database.integer("SELECT count(*) FROM poll_channel WHERE due < unix_time() + 3000") == 0)
    poller.signal(SIGTERM)
    #expect(try poller.finish().status == 0)
    #expect(sandbox.server.requests.count == 2 && sandbox.server.requestCount(TwoUsers.other) == 0)
  }

  @Test("The button of the page does the same, and says if it was pressed before")
  func button() throws {
    // As if a poller worked that does not claim anything.
    try database.run("UPDATE poller SET ended = false, seen = unix_time()")
    #expect(try press()?.contains("done=poll") == true)
    #expect(try due() == [TwoUsers.science, HubPollTests.tagged])
    #expect(try press()?.contains("done=polling") == true)
  }

  @Test("Without a poller every response says since when, and one that died counts for five minutes")
  func absence() throws {
    let ended = try #require(try database.integer("SELECT max(seen) FROM poller"))
    let seen = Timestamp(seconds: ended)
    let response = try request(ann)
    #expect(response["state"]?.string == "waiting" && response["pollerSeen"]?.string == seen.rfc3339, "\(response)")
    #expect(try due() == [TwoUsers.science, HubPollTests.tagged], "a poller that starts finds them")
    #expect(try state(ann) == "waiting")
    #expect(try press()?.contains("done=no-poller") == true)
    let cookie = try logIn("ann")
    for path in ["/?done=no-poller", "/status"] {
      let page = try hub.get(path, cookie).text.lowercased()
      #expect(page.contains("no poller works; the last one was seen 20"), "\(path)")
    }
    let status = try hub.get("/api/v1/status", ann).json
    #expect(status["pollers"]?.number == 0 && status["pollerSeen"]?.string == seen.rfc3339)
    let synced = try hub.send("POST", "/api/feed/sync", [ann]).json
    #expect(synced["message"]?.string?.hasPrefix("The sync waits: no poller works; the last one was seen 20") == true)
    let shown = try sandbox.hub(["status"] + sandbox.hubOptions)
    #expect(shown.status == 0 && shown.lines.contains("pollers      0"), "\(shown.text)")
    #expect(shown.lines.contains("poller seen  \(seen.rfc3339)"))
    let members = try #require(JSONValue(sandbox.hub(["status", "--json"] + sandbox.hubOptions).output))
    #expect(members["pollerSeen"]?.string == seen.rfc3339 && members["pollers"]?.number == 0)

    let poller = try startPoller()
    #expect(try request(ann)["pollerSeen"] == .some(.null))
    // A response is sent again within a second.
    wait { (try? self.hub.get("/?done=no-poller", cookie).text.contains("are being checked")) == true }
    wait { (try? self.hub.get("/status", cookie).text.contains("no poller works")) == false }
    poller.signal(SIGKILL)
    _ = try poller.finish()
    #expect(try state(ann) != "waiting", "it may be busy")
    try age(305)
    #expect(try state(ann) == "waiting")
    let next = try startPoller()
    next.signal(SIGTERM)
    #expect(try next.finish().status == 0)
    #expect(try state(ann) == "waiting", "it said that it ends")
    try database.run("DELETE FROM poller")
    #expect(try request(ann)["pollerSeen"] == .some(.null))
    wait { (try? self.hub.get("/status", cookie).text.contains("no poller works; none was seen for a week")) == true }
  }

  @Test("Requests of readers and apps for a feed or a category concern that one, and others all of the user's")
  func dialects() throws {
    let feeds = try hub.get("/v1/feeds", ann).json.elements ?? []
    let tagged = try #require(feeds.first { $0["feed_url"]?.string?.contains(HubPollTests.tagged) == true })
    let number = Int(tagged["id"]?.number ?? 0)
    let category = Int(tagged["category"]?["id"]?.number ?? 0)
    let app = "/k/" + (ann.split(separator: " ").last ?? "") + "/api/users/1b4e28ba-2fa1-11d2-883f-0016d3cca427"
    let registered = try hub.send("POST", app + "/channels", json: #"{"channelIds":["\#(TwoUsers.science)"]}"#)
    #expect(registered.status == 200, "\(registered.text)")
    let all: Set = [TwoUsers.science, HubPollTests.tagged]
    let wanted: [(method: String, path: String, due: Set<String>)] = [
      ("PUT", "/v1/feeds/\(number)/refresh", [HubPollTests.tagged]),
      ("PUT", "/v1/categories/\(category)/refresh", [HubPollTests.tagged]),
      ("PUT", "/v1/feeds/999999/refresh", []), ("PUT", "/v1/categories/999999/refresh", []),
      ("PUT", "/v1/feeds/refresh", all), ("POST", "/api/feed/sync", all),
      ("POST", "/api/channels/\(number)/sync", [HubPollTests.tagged]), ("POST", app + "/reconcile", all),
    ]
    for request in wanted {
      let response = try hub.send(request.method, request.path, [ann])
      #expect((200..<300).contains(response.status), "\(request.path): \(response.status) \(response.text)")
      #expect(try due() == request.due, "\(request.path)")
      try rest()
    }
    // A number is each user's own, and so is what it stands for.
    _ = try hub.send("PUT", "/v1/feeds/\(number)/refresh", [bob])
    #expect(try due().isSubset(of: [TwoUsers.other]))
  }

  @Test("A client that may only read, or has no login, makes nothing due")
  func access() throws {
    let reader = try sandbox.bearer("ann", "read")
    for (headers, status) in [([reader], 403), ([], 401)] {
      for (method, path) in [("POST", "/api/v1/poll"), ("PUT", "/v1/feeds/refresh"), ("POST", "/api/feed/sync")] {
        #expect(try hub.send(method, path, headers).status == status, "\(path)")
      }
    }
    #expect(try due().isEmpty)
  }

  @Test("At most 200 feeds of a user are polled on request in 15 minutes")
  func many() throws {
    try database.run(
      """
      INSERT INTO wanted SELECT owner.n, 'UC' || lpad(i::text, 22, '0'), true FROM owner, generate_series(1, 300) AS i
      WHERE name = 'ann'
      """)
    try rest()
    for _ in 0..<3 { _ = try state(ann) }
    #expect(try due().count == 200)
  }
}
