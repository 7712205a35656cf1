import Core
import FixtureServer
import Glibc
import JSON
import TestSupport
import Testing

@testable import metube_hub

/// A log of a user on the hub that was damaged, on files.
@Suite("Damage on a hub speaks")
final class HubDamageTests {
  let sandbox: Sandbox
  private var hub: RunningHub
  private let ann: String
  private let bob: String

  init() throws {
    sandbox = try Sandbox()
    for user in ["ann", "bob"] { try sandbox.addUser(user) }
    (ann, bob) = (try sandbox.bearer("ann"), try sandbox.bearer("bob"))
    hub = try sandbox.runHub()
    for number in 1...6 as ClosedRange<UInt64> { #expect(try decide(number, ann) == 201) }
  }

  /// Adds a rule, which is one event; 201 if it was.
  private func decide(_ number: UInt64, _ user: String) throws -> Int { try add(number, user).status }

  private func add(_ number: UInt64, _ user: String) throws -> HubResponse {
    try hub.send("POST", "/api/v1/rules", json: #"{"verdict":"block","contains":"word\#(number)"}"#, user)
  }

  /// The log that the hub writes for Ann, within the sandbox.
  private var log: String {
    get throws { "hub/users/ann/log/" + (try #require(sandbox.folder.names(in: "hub/users/ann/log").first)) }
  }

  /// Flips a bit of a line, counted from 1, while the hub is down, and starts it again.
  private func damage(line: Int, of other: String? = nil) throws {
    _ = try hub.end()
    let log = try other ?? log
    var lines = try #require(sandbox.folder.read(log)).split(separator: 10).map(Array.init)
    lines[line - 1][30] ^= 1
    sandbox.folder.write(lines.flatMap { $0 + [10] }, to: log)
    hub = try sandbox.runHub()
  }

  @Test("A change of the user gets 503 with the line and the remedy in each dialect; reading and other users go on")
  func changes() throws {
    try damage(line: 4)
    let name = try #require(log.split(separator: "/").last.map(String.init))
    let response = try add(7, ann)
    #expect(response.status == 503, "\(response.text)")
    let detail = try #require(response.json["detail"]?.string)
    #expect(detail.contains(name) && detail.contains("line 4") && detail.contains("metube-hub log repair ann"))
    #expect(!detail.contains(sandbox.folder.path))
    #expect(response.headers["retry-after"] == nil)
    let reader = try hub.send(
      "POST", "/v1/feeds", json: #"{"feed_url":"UC\#(String(repeating: "A", count: 22))"}"#, ann)
    #expect(try reader.status == 503 && reader.json["error_message"]?.string?.contains("line 4") == true)
    #expect(try hub.get("/api/v1/videos", ann).status == 200)
    #expect(try decide(8, bob) == 201)
  }

  @Test("Health, both statuses, metrics and the page say it, and nothing of it is said to strangers and other users")
  func said() throws {
    #expect(try hub.get("/health").status == 200)
    try damage(line: 4)
    var health = try hub.get("/health")
    wait {
      health = (try? hub.get("/health")) ?? health
      return health.status == 503
    }
    #expect(health.status == 503)
    let message = try health.json["message"]?.string ?? ""
    #expect(message.contains("a log is damaged") && !health.text.contains("ann"))
    #expect(try hub.get("/health", "Accept: text/plain").text == "failed\n")
    let status = try hub.get("/api/v1/status", ann).json["damage"]?.elements?.first
    #expect(status?["line"]?.number == 4 && status?["remedy"]?.string == "metube-hub log repair ann")
    #expect(try hub.get("/api/v1/status", bob).json["damage"]?.elements?.isEmpty == true)
    #expect(try hub.get("/status", ann).text.contains("metube-hub log repair ann"))
    #expect(try hub.get("/metrics", bob).text.contains("\nmetube_hub_damaged_logs 1\n"))
    let command = try sandbox.hub(["status", "--data", sandbox.hubData])
    #expect(command.status == 74, "\(command.errors)")
    #expect(command.text.contains("ann, ") && command.text.contains("line 4"), "\(command.text)")
  }

  @Test("A line that is damaged while the hub runs is found by itself")
  func whileRunning() throws {
    let path = sandbox.folder.path + "/" + (try log)
    let file = open(path, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    var byte: UInt8 = 0
    pread(file, &byte, 1, 400)
    byte ^= 1
    pwrite(file, &byte, 1, 400)
    wait { (try? hub.get("/health").status) == 503 }
    #expect(try hub.get("/health").status == 503)
    #expect(try decide(7, ann) == 503)
  }

  @Test("A poll on request is refused while the catalogue's log is damaged, and by readers' requests nothing else is")
  func polls() throws {
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    #expect(
      try hub.send("POST", "/api/v1/channels", json: #"{"channels":["UCsXVk37bltHxD1rDPwtNM8Q"]}"#, ann).status == 200)
    #expect(try hub.send("POST", "/api/v1/poll", json: "{}", ann).status == 202)
    func lines() throws -> Int { try sandbox.hubLines(nil).count { $0.contains("\"kind\":\"runFinished\"") } }
    try wait { try lines() > 0 }
    let name = try #require(sandbox.folder.names(in: "hub/catalogue/log").first)
    try damage(line: 3, of: "hub/catalogue/log/\(name)")
    wait { (try? hub.get("/health").status) == 503 }
    let refused = try hub.send("POST", "/api/v1/poll", json: "{}", ann)
    #expect(refused.status == 503, "\(refused.text)")
    let detail = try #require(refused.json["detail"]?.string)
    #expect(detail.contains("\(name): line 3") && detail.contains("metube-hub log repair --all"), "\(detail)")
    let page = try hub.send(
      "POST", "/poll", [ann, "Content-Type: application/x-www-form-urlencoded"], body: "a=b".utf8)
    #expect(page.status == 503 && page.text.contains("line 3"), "\(page.status)")
    #expect(try decide(7, ann) == 201)
  }

  @Test("Strangers learn no numbers from the health check; who is logged in does")
  func numbers() throws {
    #expect(try hub.get("/health").json["stats"] == nil)
    #expect(try hub.get("/health", ann).json["stats"]?["users"]?.number == 2)
  }
}

@Suite("A hub without room", .enabled(if: SmallDisk.isPossible, "needs the right to mount"))
final class HubFullDiskTests {
  private let sandbox: Sandbox
  private let disk: SmallDisk
  private var options: [String] { ["--data", disk.path + "/hub"] }

  init() throws {
    sandbox = try Sandbox()
    disk = try SmallDisk(at: sandbox.folder, kibibytes: 4096)
    let added = try sandbox.hub(["user", "add", "ann"] + options, input: Sandbox.password + "\n")
    #expect(added.status == 0, "\(added.errors)")
  }

  private func token() throws -> String {
    let outcome = try sandbox.hub(["token", "add", "ann", "t", "--scope", "write"] + options)
    return "Authorization: Bearer " + (try #require(outcome.lines.first, "\(outcome.errors)"))
  }

  private func decide(_ hub: RunningHub, _ token: String, _ number: UInt64) throws -> HubResponse {
    try hub.send("POST", "/api/v1/rules", json: #"{"verdict":"block","contains":"word\#(number)"}"#, token)
  }

  private func logIn(_ hub: RunningHub) throws -> HubResponse {
    try hub.send("POST", "/api/v1/session", json: #"{"name":"ann","password":"\#(Sandbox.password)"}"#)
  }

  @Test("refuses a change with 507 and a login with the reason, and goes on when there is room")
  func full() throws {
    let ann = try token()
    let hub = try RunningHub(sandbox, options)
    #expect(try decide(hub, ann, 1).status == 201)
    try disk.fill(leaving: 0)
    // The page of the log's end has room.
    var response = try decide(hub, ann, 2)
    for number in 3..<100 where response.status == 201 { response = try decide(hub, ann, UInt64(number)) }
    #expect(response.status == 507 && response.headers["retry-after"] != nil, "\(response.status) \(response.text)")
    #expect(try response.json["detail"]?.string?.contains("full") == true)
    let login = try logIn(hub)
    #expect(login.status == 507 && login.text.contains("full"), "\(login.status) \(login.text)")
    #expect(try hub.get("/health").status == 503)
    #expect(try hub.get("/api/v1/videos", ann).status == 200)
    disk.clear()
    #expect(try decide(hub, ann, 100).status == 201)
    #expect(try logIn(hub).status == 200 && hub.get("/health").status == 200)
  }

  @Test("mounted read-only reads, and refuses a change and a login with the reason")
  func readOnly() throws {
    let ann = try token()
    var hub = try RunningHub(sandbox, options)
    #expect(try decide(hub, ann, 1).status == 201)
    _ = try hub.get("/api/v1/videos", ann)
    _ = try hub.end()
    try disk.remount(readOnly: true)
    defer { try? disk.remount(readOnly: false) }
    hub = try RunningHub(sandbox, options)
    for path in ["/api/v1/videos", "/api/v1/channels", "/", "/status"] {
      let response = try hub.get(path, ann)
      #expect(response.status == 200, "\(path): \(response.status) \(response.text.prefix(300))")
    }
    let response = try decide(hub, ann, 2)
    #expect(response.status == 503 && response.text.contains("only be read"), "\(response.status) \(response.text)")
    let login = try logIn(hub)
    #expect(login.status == 503 && login.text.contains("only be read"), "\(login.status) \(login.text)")
    #expect(try hub.get("/health").status == 503)
    _ = try hub.end()
  }
}
