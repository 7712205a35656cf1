import Glibc
import HubAPI
import HubCore
import JSON
import ReadModel
import TestSupport
import Testing

@testable import metube_hub

/// Users, sessions and tokens.
@Suite("Users of the hub")
struct HubAccountTests {
  private let sandbox: Sandbox
  private let hub: RunningHub

  init() throws {
    sandbox = try Sandbox()
    try sandbox.useDatabase()
    try sandbox.addUser("ann")
    hub = try sandbox.runHub()
    let followed = try hub.send(
      "POST", "/api/v1/channels", json: #"{"channels":["UCsXVk37bltHxD1rDPwtNM8Q"]}"#, sandbox.bearer("ann"))
    #expect(followed.status == 200)
  }

  private func run(_ arguments: String..., input: String = "") throws -> Program.Outcome {
    try run(arguments, input: input)
  }

  private func run(_ arguments: [String], input: String) throws -> Program.Outcome {
    try sandbox.hub(arguments + sandbox.hubOptions, input: input)
  }

  private func token(_ scope: String) throws -> String {
    String(try sandbox.bearer("ann", scope).split(separator: " ").last ?? "")
  }

  /// Logs in and returns the cookie.
  private func logIn(_ password: String = Sandbox.password, name: String = "ann") throws -> HubResponse {
    try hub.send("POST", "/api/v1/session", json: #"{"name":"\#(name)","password":"\#(password)"}"#)
  }

  private func cookie() throws -> String {
    let header = try #require(try logIn().headers["set-cookie"])
    #expect(header.contains("HttpOnly") && header.contains("SameSite=Lax"))
    return "Cookie: " + header.prefix { $0 != ";" }
  }

  /// A path that has every variable part filled in, with nothing that exists.
  private static func path(_ route: HubRoute) -> String {
    route.path.split(separator: "/").map { $0.hasPrefix("{") ? "/aaaaaaaaaaa" : "/\($0)" }.joined()
  }

  @Test("Every route admits exactly the clients that its access names")
  func matrix() throws {
    let (read, write, session) = (try token("read"), try token("write"), try cookie())
    let wrong = String(write.dropLast()) + (write.hasSuffix("A") ? "B" : "A")
    let visitors: [(headers: [String], access: HubRoute.Access)] = [
      ([], .open), (["Authorization: Bearer \(wrong)"], .open),
      (["Authorization: Basic YW5uOmNvcnJlY3QgaG9yc2U="], .open),
      (["Cookie: metube=abc.def"], .open), (["Authorization: Bearer \(wrong)", session], .open),
      (["Authorization: Bearer \(read)"], .read), (["Authorization: Bearer \(write)"], .write), ([session], .write),
    ]
    let order: [HubRoute.Access] = [.open, .read, .write]
    for route in HubRoute.all where !["logIn", "logOut", "events"].contains(route.name) {
      for (headers, access) in visitors {
        let response = try hub.send(
          route.method.rawValue.uppercased(), HubAccountTests.path(route), headers + ["Content-Type: application/json"])
        let isIn = try #require(order.firstIndex(of: access)) >= #require(order.firstIndex(of: route.access))
        let isByToken = headers.contains { $0.hasPrefix("Authorization") }
        let isPersonal = route.name.hasSuffix("Token") || route.name.contains("Session") || route.name == "setPassword"
        // Only a token may be a device's.
        let isOfNoDevice = route.name == "addLogLines" && !isByToken
        let expected = isIn && !(isPersonal && isByToken) && !isOfNoDevice ? nil : access == .open ? 401 : 403
        #expect(
          expected.map { response.status == $0 } ?? ![401, 403].contains(response.status),
          "\(route.method) \(route.path) \(headers): \(response.status)")
        if expected == 401 { #expect(response.headers["www-authenticate"] == "Bearer") }
      }
    }
    let kept = try hub.get("/api/v1/channels", sandbox.bearer("ann")).json
    #expect(kept.texts("channels", of: "channel").count == 1)
  }

  @Test("A feed takes its token in the address; no other route does")
  func addresses() throws {
    let token = try token("read")
    #expect(try hub.get("/feeds/atom?token=\(token)").status == 200)
    #expect(try hub.get("/feeds/atom?token=x").status == 401)
    #expect(try hub.get("/api/v1/videos?token=\(token)").status == 401)
  }

  @Test("A page of another site cannot use the cookie")
  func forgery() throws {
    let cookie = try cookie()
    for header in ["Origin: https://evil.example", "Sec-Fetch-Site: cross-site"] {
      #expect(try hub.send("POST", "/api/v1/poll", [cookie, header]).status == 403)
    }
    #expect(try hub.send("POST", "/api/v1/poll", [cookie, "Origin: http://\(hub.host)"]).status == 202)
  }

  @Test("A session ends with logging out, a new password, or the user")
  func endings() throws {
    let first = try cookie()
    #expect(try hub.send("DELETE", "/api/v1/session", [first]).json["changed"] == 1)
    #expect(try hub.get("/api/v1/session", first).status == 401)
    let second = try cookie()
    #expect(try hub.get("/api/v1/session", second).json["user"]?.string == "ann")
    _ = try run("user", "password", "ann", input: "another password\n")
    #expect(try hub.get("/api/v1/session", second).status == 401)
    #expect(try logIn().status == 403)
    let token = try token("read")
    #expect(try hub.get("/api/v1/status", "Authorization: Bearer \(token)").status == 200)
    #expect(try run("user", "remove", "ann").status == 0)
    #expect(try hub.get("/api/v1/status", "Authorization: Bearer \(token)").status == 401)
  }

  @Test("A user changes the password, and so ends the other sessions and the logins of readers")
  func ownPassword() throws {
    let (first, second, token) = (try cookie(), try cookie(), try token("write"))
    func change(_ current: String, _ password: String, _ header: String) throws -> Int {
      try hub.send(
        "PUT", "/api/v1/password", json: #"{"current":"\#(current)","password":"\#(password)"}"#, header
      ).status
    }
    let bearer = "Authorization: Bearer \(token)"
    let reader = try hub.send(
      "POST", "/api/auth/login", json: #"{"username":"ann","password":"\#(Sandbox.password)"}"#
    ).json["token"]?.string
    let login = "X-Auth-Token: " + (try #require(reader))
    #expect(try hub.get("/v1/me", login).status == 200)
    #expect(try change(Sandbox.password, "another password", bearer) == 403, "not by a token")
    #expect(try change(Sandbox.password, "short", first) == 422)
    #expect(try change("wrong horse", "another password", first) == 403)
    #expect(try change(Sandbox.password, "another password", first) == 200)
    #expect(try hub.get("/api/v1/session", first).status == 200)
    #expect(try hub.get("/api/v1/session", second).status == 401)
    #expect(try hub.get("/v1/me", login).status == 401)
    #expect(try hub.get("/api/v1/session", bearer).status == 200, "a token with a name stays")
    #expect(try logIn().status == 403)
    #expect(try logIn("another password").status == 200)
    for number in 0..<5 { _ = try change("guess \(number)", "a third password", first) }
    #expect(try change("another password", "a third password", first) == 429, "guesses count as at the login")
  }

  @Test("A token may write unless less is asked for, a user has 100, and one that may only read says so")
  func tokens() throws {
    let cookie = try cookie()
    func add(_ members: String) throws -> HubResponse {
      try hub.send("POST", "/api/v1/tokens", json: "{\"name\":\"x\"\(members)}", cookie)
    }
    func scope(_ secret: String?) throws -> String? {
      try hub.get("/api/v1/session", "Authorization: Bearer \(secret ?? "")").json["scope"]?.string
    }
    #expect(try scope(add("").json["secret"]?.string) == "write")
    let read = try add(#","scope":"read""#).json["secret"]?.string ?? ""
    #expect(try scope(read) == "read")
    #expect(try scope(run("token", "add", "ann", "newsboat").lines.first) == "write")
    let refused = try hub.send(
      "PUT", "/v1/entries", ["X-Auth-Token: \(read)", "Content-Type: application/json"],
      body: #"{"entry_ids":[1],"status":"read"}"#.utf8)
    #expect(refused.status == 403 && refused.text.contains("make one that may write"), "\(refused.text)")
    var responses: [HubResponse] = []
    for _ in 0..<100 where responses.last?.status != 409 { responses.append(try add("")) }
    #expect(responses.last?.status == 409 && responses.last?.text.contains("revoke some") == true)
    let listed = try hub.get("/api/v1/tokens", cookie).json["tokens"]?.elements ?? []
    #expect(listed.count == 100)
    let more = try run("token", "add", "ann", "x")
    #expect(more.status == 1 && more.errors.contains("token revoke"), "\(more.errors)")
    let login = #"{"username":"ann","password":"\#(Sandbox.password)"}"#
    #expect(try hub.send("POST", "/api/auth/login", json: login).status == 200)
  }

  @Test("Sessions are listed and ended: one, all others; tokens may not")
  func sessions() throws {
    let (first, second, third) = (try cookie(), try cookie(), try cookie())
    try sandbox.addUser("bob")
    let his = try logIn(name: "bob").headers["set-cookie"]?.prefix { $0 != ";" }.description ?? ""
    let list = try hub.get("/api/v1/sessions", first).json["sessions"]?.elements ?? []
    #expect(list.count == 3 && list.filter { $0["current"] == true }.count == 1)
    let id = try #require(list.first { $0["current"] == true }?["id"]?.string)
    #expect(first.contains("=\(id).") && !list.contains { "\($0)".contains(first.suffix(20)) })
    #expect(try hub.send("DELETE", "/api/v1/sessions/\(id)", ["Cookie: " + his]).status == 404)
    #expect(try hub.send("DELETE", "/api/v1/sessions/\(id)", [second]).json["changed"] == 1)
    #expect(try hub.get("/api/v1/session", first).status == 401)
    #expect(try hub.send("DELETE", "/api/v1/sessions", [third]).json["changed"] == 1)
    #expect(try hub.get("/api/v1/session", second).status == 401)
    #expect(try hub.get("/api/v1/session", third).status == 200)
    #expect(try hub.get("/api/v1/session", "Cookie: " + his).status == 200)
    let bearer = "Authorization: Bearer \(try token("write"))"
    #expect(try hub.get("/api/v1/sessions", bearer).status == 403)
    #expect(try hub.send("DELETE", "/api/v1/sessions", [bearer]).status == 403)
  }

  @Test("An event stream ends with the session or the token that opened it")
  func streams() throws {
    let (cookie, other, token) = (try cookie(), try cookie(), try token("read"))
    let (first, second) = (try hub.listen(cookie), try hub.listen("Authorization: Bearer \(token)"))
    #expect(try hub.send("DELETE", "/api/v1/session", [cookie]).status == 200)
    #expect(!String(decoding: first.readAll(), as: UTF8.self).contains("event"))
    #expect(try hub.send("DELETE", "/api/v1/tokens/2", [other]).status == 200)
    #expect(!String(decoding: second.readAll(), as: UTF8.self).contains("event"))
  }

  @Test("The user of a home is removed only with --last")
  func lastUser() throws {
    #expect(try sandbox.hub(["user", "add", "ann"], input: Sandbox.password + "\n").status == 0)
    let hub = try RunningHub(sandbox)
    let refused = try sandbox.hub(["user", "remove", "ann"])
    #expect(refused.status == 1 && refused.errors.contains("--last"), "\(refused.errors)")
    #expect(try hub.get("/api/v1/status").status == 401)
    #expect(try sandbox.hub(["user", "remove", "bob"]).errors.contains("no such user"))
    #expect(try sandbox.hub(["user", "remove", "--last", "ann"]).status == 0)
    #expect(try hub.get("/api/v1/status").status == 200)
  }

  @Test("Behind a trusted proxy each client has its own attempts; what others claim counts for nothing")
  func proxies() throws {
    func attempt(_ hub: RunningHub, _ forwarded: String) throws -> Int {
      let name = "n\(Int.random(in: 0..<1_000_000_000))"
      return try hub.send(
        "POST", "/api/v1/session", ["Content-Type: application/json", "X-Forwarded-For: \(forwarded)"],
        body: #"{"name":"\#(name)","password":"wrong password"}"#.utf8
      ).status
    }
    // One hub at a time serves a folder.
    if sandbox.schema == nil { _ = try hub.end() }
    let proxied = try sandbox.runHub("--trusted-proxy", "127.0.0.1")
    for _ in 0..<20 { #expect(try attempt(proxied, "192.0.2.1, 192.0.2.9") == 403) }
    #expect(try attempt(proxied, "198.51.100.7, 192.0.2.9") == 429, "only what the proxy appended counts")
    #expect(try attempt(proxied, "192.0.2.9, 192.0.2.1") == 403)
    #expect(try attempt(proxied, "192.0.2.9, 2001:DB8::1") == 403)
    // One hub counts for itself; on a database all attempts from an address count.
    if sandbox.schema == nil { _ = try proxied.end() }
    let other = sandbox.schema == nil ? try sandbox.runHub() : hub
    if sandbox.schema == nil {
      for number in 0..<20 { #expect(try attempt(other, "192.0.2.\(number)") == 403) }
    }
    for number in 0..<20 where sandbox.schema != nil { _ = try attempt(other, "192.0.2.\(number)") }
    #expect(try attempt(other, "192.0.2.77") == 429)
  }

  @Test("A revoked token is refused, and only its user may revoke it")
  func revoked() throws {
    let token = try token("write")
    try sandbox.addUser("bob")
    _ = try sandbox.bearer("bob")
    let (header, cookie) = ("Authorization: Bearer \(token)", try cookie())
    let tokens = try hub.get("/api/v1/tokens", header).json["tokens"]?.elements ?? []
    // The first one followed the channel.
    #expect(tokens.count == 2 && tokens[1]["name"]?.string == "test" && tokens[1]["used"]?.string != nil)
    #expect(try hub.send("DELETE", "/api/v1/tokens/3", [cookie]).status == 404)
    #expect(try hub.send("DELETE", "/api/v1/tokens/2", [header]).status == 403, "revoking a stolen one is enough")
    #expect(try hub.send("DELETE", "/api/v1/tokens/2", [cookie]).status == 200)
    #expect(try hub.get("/api/v1/tokens", header).status == 401)
  }

  @Test("Guessing is stopped after five attempts for a name, and says nothing about names")
  func guessing() throws {
    for number in 0..<5 { #expect(try logIn("wrong password \(number)").status == 403) }
    let stopped = try logIn()
    #expect(stopped.status == 429 && Int(stopped.headers["retry-after"] ?? "") != nil)
    let unknown = try logIn("wrong password", name: "nobody")
    #expect(unknown.status == 403)
  }

  @Test("Neither the file nor what the hub writes holds a password or a secret")
  func nothingKept() throws {
    let (token, cookie) = (try token("write"), try cookie())
    _ = try hub.get("/feeds/atom?token=\(token)")
    let secrets = [token, String(cookie.split(separator: ".").last ?? ""), Sandbox.password]
    let outcome = try hub.end()
    if let schema = sandbox.schema { return try schema.expectNone(of: secrets, also: [outcome.errors]) }
    let files = ["hub/hub.db", "hub-output"].map { String(decoding: sandbox.folder.read($0) ?? [], as: UTF8.self) }
    for secret in secrets {
      for text in files + [outcome.errors] { #expect(!text.contains(secret)) }
    }
    #expect(files[0].contains("$y$"))
    var status = stat()
    #expect(stat(sandbox.folder.path + "/hub/hub.db", &status) == 0 && status.st_mode & 0o077 == 0)
  }

  @Test(
    "Names and passwords that are no good are refused",
    arguments: [
      (["user", "add", "../x"], "long enough\n"), (["user", "add", "Ann"], "long enough\n"),
      (["user", "add", ""], "long enough\n"), (["user", "add", "bob"], "short\n"), (["user", "add", "bob"], ""),
      (["token", "add", "ann", "x", "--scope", "all"], ""),
    ])
  func refused(_ arguments: [String], _ input: String) throws {
    #expect(try run(arguments, input: input).status == 64)
  }

  @Test("With a user it may listen beyond loopback, for addresses and the public name only")
  func beyond() throws {
    _ = try hub.end()
    let open = try sandbox.runHub("--listen", "0.0.0.0:0", "--public-url", "https://hub.example")
    #expect(try open.get("/health", "Host: hub.example").status == 200)
    #expect(try open.get("/health", "Host: 192.0.2.7:5057").status == 200)
    #expect(try open.get("/health", "Host: other.example").status == 421)
    let response = try open.send(
      "POST", "/api/v1/session", ["Host: hub.example", "Content-Type: application/json"],
      body: #"{"name":"ann","password":"\#(Sandbox.password)"}"#.utf8)
    let cookie = try #require(response.headers["set-cookie"])
    #expect(cookie.hasPrefix("__Host-metube=") && cookie.hasSuffix("; Secure"))
  }
}
