import FixtureServer
import Glibc
import HubAPI
import HubCore
import HubReaders
import HubStore
import HubWeb
import JSON
import Synchronization
import TestSupport
import Testing
import metube_hub

/// Administrators, and what users do with their own accounts, on the page. Ann is the first user, and so an administrator.
@Suite("A household without a shell")
final class HouseholdTests: TwoUsers {
  private static let form = "Content-Type: application/x-www-form-urlencoded"

  private func post(_ path: String, _ fields: String, _ headers: String...) throws -> HubResponse {
    try hub.send("POST", path, [HouseholdTests.form] + headers, body: fields.utf8)
  }

  /// Logs in with another password; returns the cookie.
  private func cookie(_ response: HubResponse) throws -> String {
    "Cookie: "
      + (try #require(response.headers["set-cookie"], "\(response.status) \(response.text)").prefix { $0 != ";" })
  }

  /// The code that a page shows once.
  private func shownCode(_ page: String) throws -> String {
    String(try #require(page.split(separator: "<code class=\"address\" tabindex=\"0\">").last).prefix { $0 != "<" })
  }

  @Test("Every administrator's route is refused to users, strangers and tokens, and admits an administrator")
  func matrix() throws {
    let (hers, his) = (try logIn("ann"), try logIn("bob"))
    let routes = HubRoute.pages.filter { $0.access == .administer }
    #expect(routes.count == 4 && !HubRoute.all.contains { $0.access == .administer })
    for route in routes {
      let path = route.path.replacing("{user}", with: "2")
      for (role, header, status) in [
        ("user", his, 403), ("user's token", bob, 403), ("reader", try sandbox.bearer("bob", "read"), 403),
        ("administrator's token", ann, 403), ("stranger", "X-Nobody: 1", 303), ("wrong", "Cookie: metube=a.b", 303),
      ] {
        let response = try hub.send(
          route.method.rawValue.uppercased(), path, [header, HouseholdTests.form], body: "action=disable".utf8)
        #expect(response.status == status, "\(role) \(route.method) \(path): \(response.status)")
        #expect(!response.text.contains("bob"), "\(role) \(path)")
        if status == 303 { #expect(response.headers["location"]?.hasPrefix("/login") == true) }
      }
    }
    let foreign = try post("/settings/users/2", "action=disable", hers, "Sec-Fetch-Site: cross-site")
    #expect(foreign.status == 403)
    #expect(try hub.get("/api/v1/tokens", bob).status == 200, "he is not disabled")
    let list = try hub.get("/settings/users", hers)
    #expect(list.status == 200 && list.text.contains("/settings/users/2") && list.text.contains("administrator"))
    #expect(try hub.get("/settings/users/2", hers).status == 200)
    #expect(try hub.get("/settings/users/9", hers).status == 404)
    #expect(try hub.get("/settings", hers).text.contains("href=\"/settings/users\""))
    #expect(try !hub.get("/settings", his).text.contains("href=\"/settings/users\""))
  }

  @Test("An administrator adds users, with a password, or with a code that works once")
  func adding() throws {
    let hers = try logIn("ann")
    for fields in ["name=B%C3%B6b&by=code", "name=bob&by=code", "name=cid&by=password&password=short&repeated=short"] {
      #expect(try post("/settings/users", fields, hers).status == 422, "\(fields)")
    }
    let differing = try post("/settings/users", "name=cid&by=password&password=long+enough&repeated=other", hers)
    #expect(differing.status == 422 && differing.text.contains("The passwords differ."))
    let added = try post("/settings/users", "name=cid&by=password&password=long+enough&repeated=long+enough", hers)
    #expect(added.status == 200 && added.headers["cache-control"] == "no-store", "\(added.text)")
    #expect(try post("/login", "name=cid&password=long+enough").status == 303)
    let invited = try post("/settings/users", "name=dora&by=code", hers)
    let code = try shownCode(invited.text)
    #expect(code.count == 19, "\(code)")
    #expect(try post("/login", "name=dora&password=\(code)").status == 403)
    func join(_ code: String, _ repeated: String = "my+own+words") throws -> HubResponse {
      try post("/join", "code=\(code)&password=my+own+words&repeated=\(repeated)")
    }
    #expect(try join("AAAA-AAAA-AAAA-AAAA").status == 403)
    #expect(try join(code, "other").status == 422)
    let joined = try join(code.lowercased())
    #expect(joined.status == 303 && joined.headers["location"] == "/", "\(joined.text)")
    #expect(try hub.get("/", cookie(joined)).text.contains("data-user=\"dora\""))
    #expect(try join(code).status == 403)
    #expect(try post("/login", "name=dora&password=my+own+words").status == 303)
    // A user who forgot the password gets a code too.
    let again = try post("/settings/users/4", "action=code", hers).text
    #expect(try hub.get("/", cookie(joined)).status == 200)
    #expect(try join(shownCode(again)).status == 303)
    #expect(try hub.get("/", cookie(joined)).status == 303, "the sessions of before ended")
  }

  @Test("A renamed user keeps log, sessions, tokens and number; the name is free for another")
  func renaming() throws {
    try follow(TwoUsers.other, by: bob)
    let (hers, his) = (try logIn("ann"), try logIn("bob"))
    let lines = try sandbox.hubLines("bob")
    for name in ["ann", "B", ""] {
      #expect(try post("/settings/users/2", "action=rename&name=\(name)", hers).status == 422, "\(name)")
    }
    let renamed = try post("/settings/users/2", "action=rename&name=robert", hers)
    #expect(renamed.status == 303 && renamed.headers["location"] == "/settings/users/2", "\(renamed.text)")
    #expect(try sandbox.hubLines("robert") == lines && !lines.isEmpty)
    #expect(try hub.get("/", his).text.contains("data-user=\"robert\""))
    #expect(try hub.get("/api/v1/channels", bob).json.texts("channels", of: "channel") == [TwoUsers.other])
    #expect(try hub.get("/v1/me", bob).json["username"] == "robert")
    #expect(try post("/login", "name=bob&password=correct+horse").status == 403)
    #expect(try post("/login", "name=robert&password=correct+horse").status == 303)
    try sandbox.addUser("bob")
    #expect(try hub.get("/settings/users/3", hers).text.contains("value=\"bob\""))
    #expect(try hub.get("/api/v1/channels", sandbox.bearer("bob")).json["channels"]?.elements?.isEmpty == true)
    #expect(try hub.get("/settings/users/2", hers).text.contains("value=\"robert\""))
    // What was renamed is not begun anew by the next start.
    try restartHub()
    #expect(try hub.get("/api/v1/channels", bob).json.texts("channels", of: "channel") == [TwoUsers.other])
  }

  @Test("Renaming a user waits for a poll that is about to write to the log, which loses nothing")
  func renamingDuringPoll() throws {
    let (hers, id) = (try logIn("ann"), "9bZkp7q19f0")
    #expect(try mark(id, #""saved":true"#, by: bob).status == 200)
    let (isRequested, isRenamed) = (Shared(false), Shared(false))
    sandbox.server.route("/oembed") { _ in
      isRequested.value.withLock { $0 = true }
      // The response comes while the user is being renamed, or afterwards if nothing prevents that.
      for _ in 0..<40 where !isRenamed.value.withLock({ $0 }) { usleep(50_000) }
      return .json(#"{"type":"video","title":"A song","author_name":"A singer"}"#, status: 200)
    }
    var poller: Running?
    if let schema = sandbox.schema {
      let program = Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
      poller = try program.start(["poll", "--once", "--rate", "0"] + schema.options)
    } else {
      #expect(try hub.send("POST", "/api/v1/poll", [ann]).status == 202)
    }
    wait { isRequested.value.withLock { $0 } }
    #expect(try post("/settings/users/2", "action=rename&name=robert", hers).status == 303)
    isRenamed.value.withLock { $0 = true }
    if let poller { #expect(try poller.finish().status == 0) }
    try wait { try hub.get("/api/v1/videos/\(id)", bob).json["title"] == "A song" }
    #expect(try sandbox.hubLines("robert").count { $0.contains("videoDescribed") } == 1)
    if sandbox.schema == nil { #expect(sandbox.folder.names(in: "hub/users") == ["ann", "robert"]) }
  }

  /// A flag that a route of the server sets.
  private final class Shared: Sendable {
    let value: Mutex<Bool>
    init(_ value: Bool) { self.value = Mutex(value) }
  }

  @Test("A disabled user is refused at every door with the same message, and everything works again later")
  func disabled() throws {
    try follow(TwoUsers.other, by: bob)
    let (hers, his) = (try logIn("ann"), try logIn("bob"))
    let reader = try hub.send(
      "POST", "/accounts/ClientLogin", [HouseholdTests.form], body: "Email=bob&Passwd=correct+horse".utf8)
    #expect(reader.status == 200)
    let stream = try HubConnection(hub.port)
    stream.write(Array("GET /api/v1/events HTTP/1.1\r\nHost: \(hub.host)\r\n\(bob)\r\n\r\n".utf8))
    #expect(stream.read(until: "event: change").contains("200"))
    #expect(try post("/settings/users/2", "action=disable", hers).status == 303)
    // The end of the body; otherwise this waits in vain.
    #expect(stream.read(until: "\r\n0\r\n\r\n").hasSuffix("0\r\n\r\n"))
    let text = "this account is disabled"
    let secret = try #require(bob.split(separator: " ").last)
    for route in HubRoute.all + HubRoute.dialects where route.access != .open {
      let path = route.path.split(separator: "/").map { part -> String in
        part == "{secret}" ? "/\(secret)" : part.hasPrefix("{") ? "/1" : "/\(part)"
      }
      for header in [bob] + (route.dialect == .hub ? [his] : []) where !route.path.hasPrefix("/api/videos") {
        let response = try hub.send(route.method.rawValue.uppercased(), path.joined(), [header])
        let isPassed = route.dialect == .meTube && !route.path.contains("{secret}")
        #expect(
          isPassed || response.status == 403 && response.text.contains(text),
          "\(route.method) \(route.path): \(response.status) \(response.text)")
      }
    }
    #expect(try hub.get("/feeds/atom?token=\(secret)").status == 403)
    let page = try hub.get("/", his)
    #expect(page.status == 403 && page.text.contains(text.dropFirst()) && page.text.contains("href=\"/login\""))
    #expect(try hub.get("/login", his).status == 200, "another user may log in")
    let login = try post("/login", "name=bob&password=correct+horse")
    #expect(login.status == 403 && login.text.contains("This account is disabled"), "\(login.text)")
    #expect(login.headers["set-cookie"] == nil)
    #expect(try post("/login", "name=bob&password=wrong+horse").text.contains("Wrong name or password."))
    let again = try hub.send(
      "POST", "/accounts/ClientLogin", [HouseholdTests.form], body: "Email=bob&Passwd=correct+horse".utf8)
    #expect(again.status == 403 && again.text.contains(text), "\(again.text)")
    let basic = "Authorization: Basic " + HouseholdTests.base64("bob:correct horse")
    #expect(try hub.get("/v1/me", basic).status == 403)
    #expect(try hub.get("/settings/users", hers).text.contains("disabled"))
    #expect(try post("/settings/users/2", "action=enable", hers).status == 303)
    #expect(try hub.get("/", his).status == 200 && hub.get("/api/v1/channels", bob).status == 200)
    #expect(try hub.get("/v1/me", basic).status == 200)
  }

  @Test("The last administrator cannot be removed, disabled or demoted on the page")
  func lastAdministrator() throws {
    let hers = try logIn("ann")
    for fields in ["action=disable", "action=demote", "action=remove&name=ann"] {
      let response = try post("/settings/users/1", fields, hers)
      #expect(
        response.status == 422 && response.text.contains("without an administrator"), "\(fields): \(response.status)")
    }
    #expect(try post("/settings/users/2", "action=promote", hers).status == 303)
    let his = try logIn("bob")
    #expect(try post("/settings/users/1", "action=demote", his).status == 303)
    #expect(try hub.get("/settings/users", hers).status == 403)
    #expect(try post("/settings/users/2", "action=disable", his).status == 422)
    // The operator may.
    let outcome = try sandbox.hub(["user", "admin", "bob", "--remove"] + sandbox.hubOptions)
    #expect(outcome.status == 0 && outcome.text.contains("no longer an administrator"), "\(outcome.errors)")
    #expect(try hub.get("/settings/users", his).status == 403)
    #expect(try sandbox.hub(["user", "admin", "ann"] + sandbox.hubOptions).status == 0)
    #expect(try hub.get("/settings/users", hers).status == 200)
  }

  @Test("A removed user's log is kept, and gives the number back")
  func removal() throws {
    try follow(TwoUsers.other, by: bob)
    let hers = try logIn("ann")
    let unsure = try post("/settings/users/2", "action=remove&name=ann", hers)
    #expect(unsure.status == 422)
    let removed = try post("/settings/users/2", "action=remove&name=bob", hers)
    #expect(removed.status == 200 && removed.text.contains("bob was removed"), "\(removed.text)")
    #expect(try hub.get("/api/v1/channels", bob).status == 401)
    let list = try sandbox.hub(["user", "list", "--removed"] + sandbox.hubOptions).lines
    let kept = try #require(list.first)
    let from = sandbox.schema == nil ? "\(sandbox.hubData)/removed/\(kept)" : kept
    try sandbox.addUser("robert", "--from", from)
    #expect(try hub.get("/settings/users/2", hers).text.contains("value=\"robert\""))
    let followed = try hub.get("/api/v1/channels", sandbox.bearer("robert")).json
    #expect(followed.texts("channels", of: "channel") == [TwoUsers.other])
  }

  @Test("Limits of one user hold, and nothing else changes")
  func limits() throws {
    try follow(TwoUsers.science, by: bob)
    let hers = try logIn("ann")
    for fields in ["subscriptions=x", "requests=59", "subscriptions=-1"] {
      #expect(try post("/settings/users/2", "action=limits&\(fields)", hers).status == 422, "\(fields)")
    }
    #expect(try post("/settings/users/2", "action=limits&subscriptions=1&requests=60", hers).status == 303)
    #expect(try hub.get("/settings/users/2", hers).text.contains("value=\"60\""))
    let more = try hub.send("POST", "/api/v1/channels", json: #"{"channels":["\#(TwoUsers.other)"]}"#, bob)
    #expect(try hub.get("/api/v1/channels", bob).json["channels"]?.elements?.count == 1, "\(more.text)")
    try follow(TwoUsers.science, TwoUsers.other, by: ann)
    #expect(try hub.get("/api/v1/channels", ann).json["channels"]?.elements?.count == 2)
    var statuses: Set<Int> = []
    for _ in 0..<70 { statuses.insert(try hub.get("/api/v1/session", bob).status) }
    #expect(statuses == [200, 429])
  }

  @Test("Another user of a shared screen is chosen from a list that strangers never see, and needs a password")
  func switching() throws {
    let his = try logIn("bob")
    for header in ["X-Nobody: 1", bob] {
      let response = try hub.get("/switch", header)
      #expect([303, 403].contains(response.status) && !response.text.contains(">ann<"), "\(response.status)")
    }
    #expect(try !hub.get("/login").text.contains(">ann<"))
    let list = try hub.get("/switch", his)
    #expect(list.status == 200 && list.text.contains("/switch?name=ann"))
    #expect(try hub.get("/switch?name=ann", his).text.contains("name=\"password\""))
    let wrong = try post("/switch", "name=ann&password=wrong", his)
    #expect(wrong.status == 403 && wrong.text.contains("Wrong name or password.") && wrong.headers["set-cookie"] == nil)
    let unknown = try post("/switch", "name=zoe&password=wrong", his)
    #expect(unknown.status == 403)
    let switched = try post("/switch", "name=ann&password=correct+horse", his)
    #expect(switched.status == 303)
    #expect(try hub.get("/", cookie(switched)).text.contains("data-user=\"ann\""))
    #expect(try hub.get("/", his).status == 303, "the session so far ended")
  }

  @Test("A user sets name and colour, names devices, and sees when each was last used")
  func profile() throws {
    let his = try logIn("bob")
    #expect(try post("/settings/profile", "display=Bob+%F0%9F%90%9F+the+1st&color=teal", his).status == 303)
    let page = try hub.get("/settings", his).text
    #expect(page.contains("Bob 🐟 the 1st") && page.contains("c-teal"))
    let hidden = try post("/settings/profile", "display=a%E2%80%AEb&color=teal", his)
    #expect(hidden.status == 422 && hidden.text.contains("none of them invisible"))
    #expect(try post("/settings/profile", "display=\(String(repeating: "x", count: 61))", his).status == 422)
    #expect(try hub.get("/settings/users", logIn("ann")).text.contains("Bob 🐟 the 1st"))
    let id = try #require(hub.get("/api/v1/tokens", bob).json["tokens"]?.elements?.first?["id"]?.number)
    #expect(try post("/settings/tokens", "action=rename&token=\(Int(id))&name=Kitchen++tablet", his).status == 303)
    let token = try #require(hub.get("/api/v1/tokens", bob).json["tokens"]?.elements?.first)
    #expect(token["name"] == "Kitchen tablet" && token["used"]?.string != nil)
    #expect(try post("/settings/tokens", "action=rename&token=\(Int(id))&name=Mine", logIn("ann")).status == 404)
    #expect(try post("/settings/tokens", "action=rename&token=\(Int(id))&name=", his).status == 422)
  }

  private static func base64(_ text: String) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let bytes = Array(text.utf8)
    var result = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let value = (0..<3).reduce(0) { $0 << 8 | (start + $1 < bytes.count ? Int(bytes[start + $1]) : 0) }
      for index in 0..<4 { result.append(index <= part.count ? letters[value >> (18 - 6 * index) & 63] : "=") }
    }
    return result
  }
}

/// The same on the command line, and what a crash leaves.
@Suite("Users renamed and disabled by the operator")
struct UserRightsTests {
  @Test("A hub that serves a folder renames on its page; without one the command does")
  func rename() throws {
    let sandbox = try Sandbox()
    try sandbox.addUser("ann")
    try sandbox.addUser("bob")
    let hub = try sandbox.runHub()
    let refused = try sandbox.hub(["user", "rename", "bob", "robert"] + sandbox.hubOptions)
    #expect(refused.status == 75 && refused.errors.contains("Settings, Users"), "\(refused.errors)")
    _ = try hub.end()
    let outcomes = try [["bob", "ann"], ["eve", "eva"], ["bob", "B"], ["bob", "robert"]].map {
      try sandbox.hub(["user", "rename"] + $0 + sandbox.hubOptions)
    }
    #expect(outcomes.map(\.status) == [1, 1, 64, 0], "\(outcomes.map(\.errors))")
    #expect(outcomes[0].errors.contains("ann: already a user") && outcomes[1].errors.contains("no such user"))
    #expect(try sandbox.hub(["user", "list"] + sandbox.hubOptions).lines == ["ann", "robert"])
    #expect(sandbox.folder.names(in: "hub/users") == ["ann", "robert"])
  }

  @Test("What a crash left of a renaming the next command completes, or the next start", arguments: [0, 1])
  func crash(_ step: Int) throws {
    let sandbox = try Sandbox()
    try sandbox.addUser("ann")
    try sandbox.addUser("bob")
    let token = try sandbox.bearer("bob")
    for (name, later) in [("bob", "robert"), ("robert", "rob")] {
      #expect(try Accounts(folder: sandbox.hubData).beginRenaming(name, to: later))
      // The process ended before, or after the folder got its name.
      let users = sandbox.hubData + "/users/"
      if step == 1 { #expect(Glibc.rename(users + name, users + later) == 0) }
      if later == "robert" {
        #expect(try sandbox.hub(["user", "admin", "robert"] + sandbox.hubOptions).status == 0)
      } else {
        let hub = try sandbox.runHub()
        #expect(try hub.get("/v1/me", token).json["username"] == "rob")
        _ = try hub.end()
      }
      #expect(sandbox.folder.names(in: "hub/users") == ["ann", later].sorted())
      #expect(try Accounts(folder: sandbox.hubData).renamings().isEmpty)
    }
  }

  @Test("The operator disables and enables users; unknown ones are named")
  func disable() throws {
    let sandbox = try Sandbox()
    try sandbox.useDatabase()
    try sandbox.addUser("ann")
    let commands = [["disable", "ann"], ["enable", "ann"], ["disable", "eve"], ["admin", "eve"]]
    let outcomes = try commands.map { try sandbox.hub(["user"] + $0 + sandbox.hubOptions) }
    #expect(outcomes.map(\.status) == [0, 0, 1, 1], "\(outcomes.map(\.errors))")
    #expect(outcomes.map(\.lines.first) == ["ann: disabled", "ann: enabled", nil, nil])
  }
}
