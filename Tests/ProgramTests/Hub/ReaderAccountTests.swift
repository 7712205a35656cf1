import GoogleReaderDialect
import HubCore
import JSON
import MinifluxDialect
import TestSupport
import Testing
import WebSearchDialect

/// Credentials as readers send them.
@Suite("Users of the hub with readers")
struct ReaderAccountTests {
  private let sandbox: Sandbox
  private let hub: RunningHub
  private static let password = "correct horse"

  init() throws {
    sandbox = try Sandbox()
    try sandbox.succeed("follow", "UCsXVk37bltHxD1rDPwtNM8Q")
    _ = try ReaderAccountTests.run(sandbox, ["user", "add", "ann"], input: ReaderAccountTests.password + "\n")
    hub = try RunningHub(sandbox)
  }

  private static func run(_ sandbox: Sandbox, _ arguments: [String], input: String = "") throws -> Program.Outcome {
    let program = Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
    return try program.run(arguments, input: Array(input.utf8))
  }

  private func token(_ scope: String) throws -> String {
    let outcome = try ReaderAccountTests.run(sandbox, ["token", "add", "ann", "test", "--scope", scope])
    return String(try #require(outcome.lines.first, "\(outcome.errors)"))
  }

  /// An `Authorization: Basic` header.
  private func basic(_ secret: String, name: String = "ann") -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var (bits, count, text): (UInt32, Int, String) = (0, 0, "")
    for byte in "\(name):\(secret)".utf8 {
      (bits, count) = (bits << 8 | UInt32(byte), count + 8)
      while count >= 6 {
        text.append(letters[Int(bits >> UInt32(count - 6) & 63)])
        count -= 6
      }
    }
    if count > 0 { text.append(letters[Int(bits << UInt32(6 - count) & 63)]) }
    return "Authorization: Basic \(text)" + String(repeating: "=", count: (4 - text.count % 4) % 4)
  }

  private func logIn(_ secret: String) throws -> HubResponse {
    try hub.send(
      "POST", "/accounts/ClientLogin", ["Content-Type: application/x-www-form-urlencoded"],
      body: "Email=ann&Passwd=\(secret)".utf8)
  }

  private static func path(_ route: HubRoute) -> String {
    route.path.split(separator: "/").map { $0.hasPrefix("{") ? "/9" : "/\($0)" }.joined()
  }

  @Test("Every route of a reader's API admits exactly the clients that its access names, and never by a cookie")
  func matrix() throws {
    let (read, write) = (try token("read"), try token("write"))
    let wrong = String(write.dropLast()) + (write.hasSuffix("A") ? "B" : "A")
    let session = try hub.send(
      "POST", "/api/v1/session", json: #"{"name":"ann","password":"\#(ReaderAccountTests.password)"}"#)
    let cookie = "Cookie: " + (try #require(session.headers["set-cookie"]).prefix { $0 != ";" })
    let visitors: [(header: String, access: HubRoute.Access)] = [
      ("X-Nothing: 1", .open), (cookie, .open), ("X-Auth-Token: \(wrong)", .open), ("X-Auth-Token: ", .open),
      ("Authorization: GoogleLogin auth=\(wrong)", .open), (basic(wrong), .open), (basic(write, name: "bob"), .open),
      ("Authorization: Basic !", .open), ("X-Auth-Token: \(read)", .read), ("X-Auth-Token: \(write)", .write),
      ("Authorization: GoogleLogin auth=\(read)", .read), ("Authorization: GoogleLogin auth=\(write)", .write),
      ("Authorization: Bearer \(write)", .write), (basic(read), .read), (basic(write), .write),
      (basic(ReaderAccountTests.password), .write),
    ]
    let order: [HubRoute.Access] = [.open, .read, .write]
    for route in HubRoute.miniflux + HubRoute.googleReader + HubRoute.webSearch where route.access != .open {
      for (header, access) in visitors {
        let response = try hub.send(route.method.rawValue.uppercased(), ReaderAccountTests.path(route), [header])
        let isIn = try #require(order.firstIndex(of: access)) >= #require(order.firstIndex(of: route.access))
        let expected = isIn ? nil : access == .open ? 401 : 403
        #expect(
          expected.map { response.status == $0 } ?? ![401, 403].contains(response.status),
          "\(route.method) \(route.path) \(header): \(response.status)")
        guard expected != nil else { continue }
        switch route.dialect {
        case .miniflux: #expect(try response.json["error_message"] != nil)
        case .webSearch: #expect(try response.json["detail"] != nil)
        default: #expect(response.headers["x-reader-google-bad-token"] == (expected == 401 ? "true" : nil))
        }
      }
    }
    #expect(sandbox.events("channelUnfollowed").isEmpty)
  }

  @Test("A token in the form alone is taken by Google Reader's routes, as Liferea sends it, and by no others")
  func tokenInForm() throws {
    let token = try token("read")
    func post(_ path: String, _ token: String, _ headers: String...) throws -> Int {
      let form = ["Content-Type: application/x-www-form-urlencoded"] + headers
      return try hub.send("POST", path, form, body: "output=json&T=\(token)&i=1".utf8).status
    }
    let contents = "/reader/api/0/stream/items/contents"
    #expect(try post(contents, token) == 200)
    #expect(try post(contents, token + "x") == 401)
    #expect(try post(contents, token, "Authorization: GoogleLogin auth=wrong") == 401, "a header comes first")
    #expect(try post("/reader/api/0/edit-tag", token) == 403, "it may only read")
    #expect(try post("/api/discover/search", token) == 401)
  }

  @Test("ClientLogin gives a token that is listed and can be revoked; a token for a token")
  func clientLogin() throws {
    func auth(_ response: HubResponse) -> String {
      String(response.text.split(separator: "\n").first { $0.hasPrefix("Auth=") }?.dropFirst(5) ?? "")
    }
    #expect(try logIn("wrong").status == 401)
    let token = auth(try logIn("correct+horse"))
    let header = "Authorization: GoogleLogin auth=\(token)"
    #expect(try hub.get("/reader/api/0/user-info", header).json["userName"]?.string == "ann")
    let own = try self.token("read")
    #expect(auth(try logIn(own)) == own)
    let listed = try ReaderAccountTests.run(sandbox, ["token", "list"])
    #expect(listed.text.contains("ClientLogin"))
    #expect(try ReaderAccountTests.run(sandbox, ["token", "revoke", "1"]).status == 0)
    #expect(try hub.get("/reader/api/0/user-info", header).status == 401)
    for _ in 0..<25 { _ = try logIn("correct+horse") }
    #expect(try ReaderAccountTests.run(sandbox, ["token", "list"]).lines.count <= 24)
    let last = "Authorization: GoogleLogin auth=\(auth(try logIn("correct+horse")))"
    #expect(try hub.get("/reader/api/0/user-info", last).status == 200)
    _ = try ReaderAccountTests.run(sandbox, ["user", "password", "ann"], input: "another password\n")
    #expect(try hub.get("/reader/api/0/user-info", last).status == 401)
    #expect(try hub.get("/v1/me", "X-Auth-Token: \(own)").status == 200)
  }

  @Test("Behind a trusted proxy each reader has its own attempts")
  func proxies() throws {
    let proxied = try RunningHub(sandbox, "--trusted-proxy", "127.0.0.1")
    func attempt(_ number: Int, _ client: String) throws -> Int {
      try proxied.get("/v1/me", basic("wrong password", name: "n\(number)"), "X-Forwarded-For: \(client)").status
    }
    for number in 0..<20 { #expect(try attempt(number, "192.0.2.9") == 401) }
    #expect(try attempt(20, "192.0.2.9") == 429)
    #expect(try attempt(21, "192.0.2.1") == 401)
  }

  @Test("Guessing is stopped as for sessions, and then for the right password too; a new one ends the old")
  func guessing() throws {
    let right = basic(ReaderAccountTests.password)
    #expect(try hub.get("/v1/me", right).json["username"]?.string == "ann")
    for number in 0..<4 { #expect(try hub.get("/v1/me", basic("wrong password \(number)")).status == 401) }
    for _ in 0..<20 { #expect(try hub.get("/v1/me", right).status == 200) }
    _ = try ReaderAccountTests.run(sandbox, ["user", "password", "ann"], input: "another password\n")
    for _ in 0..<20 { #expect(try hub.get("/v1/me", right).status == 401, "one attempt, however often") }
    #expect(try hub.get("/v1/me", basic("another password")).status == 200)
    #expect(try hub.get("/v1/me", basic("wrong password 4")).status == 401, "the fifth of this reader's")
    #expect(try hub.get("/v1/me", basic("another password")).status == 429)
  }
}
