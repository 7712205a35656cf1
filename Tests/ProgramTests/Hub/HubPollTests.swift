import Commands
import FixtureServer
import Glibc
import JSON
import ReadModel
import TestSupport
import Testing

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

  private func state(_ user: String) throws -> String? {
    let answer = try hub.send("POST", "/api/v1/poll", [user])
    #expect(answer.status == 202, "\(answer.text)")
    return try answer.json["state"]?.string
  }

  @Test("A running poller requests what the user follows, once in 15 minutes, and nothing else")
  func polling() throws {
    let program = Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
    let poller = try program.start(["poll", "--rate", "0"] + sandbox.hubOptions)
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
    let cookie = try logIn("ann")
    let origin = "Origin: http://\(hub.host)"
    func press() throws -> String? {
      let headers = [cookie, origin, "Content-Type: application/x-www-form-urlencoded"]
      return try hub.send("POST", "/poll", headers, body: "x=".utf8).headers["location"]
    }
    #expect(try press()?.contains("done=poll") == true)
    #expect(try due() == [TwoUsers.science, HubPollTests.tagged])
    #expect(try press()?.contains("done=polling") == true)
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
      let answer = try hub.send(request.method, request.path, [ann])
      #expect((200..<300).contains(answer.status), "\(request.path): \(answer.status) \(answer.text)")
      #expect(try due() == request.due, "\(request.path)")
      try rest()
    }
    // A number is each user's own, and so is what it stands for.
    _ = try hub.send("PUT", "/v1/feeds/\(number)/refresh", [bob])
    #expect(try due().isSubset(of: [TwoUsers.other]))
  }

  @Test("Who may only read, or is nobody, makes nothing due")
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
