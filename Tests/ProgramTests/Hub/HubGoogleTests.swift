import FixtureServer
import Glibc
import HubStore
import JSON
import Synchronization
import TestSupport
import Testing

/// Google accounts of the hub's users, on files or on PostgreSQL.
@Suite("Google accounts of users")
final class HubGoogleTests: TwoUsers {
  private let login: GoogleLogin
  private let lists: AccountLists
  private static let form = "Content-Type: application/x-www-form-urlencoded"
  private static let callback = "http://hub.example/settings/google/callback"

  override init() throws {
    let login = GoogleLogin(client: "the-client", secret: "the-client-secret")
    (self.login, lists) = (login, AccountLists(login))
    try super.init()
    lists.serve(by: sandbox.server)
    for person in ["ann", "bobby"] { lists.set(0..<10, of: person) }
    sandbox.environment["METUBE_RSS_GOOGLE_CLIENT_ID"] = "the-client"
    sandbox.environment["METUBE_RSS_GOOGLE_CLIENT_SECRET"] = "the-client-secret"
    sandbox.environment["METUBE_RSS_GOOGLE_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_HUB_PUBLIC_URL"] = "http://hub.example"
    sandbox.environment["METUBE_HUB_GOOGLE_KEY_FILE"] = keyPath
    login.behaviour.callback = HubGoogleTests.callback
    try restartHub()
  }

  private var keyPath: String { sandbox.folder.path + "/google.key" }

  // MARK: A browser

  private func post(_ action: String, _ cookie: String) throws -> HubResponse {
    try hub.send("POST", "/settings/google", [HubGoogleTests.form, cookie], body: "action=\(action)".utf8)
  }

  private func view(_ cookie: String) throws -> String { try hub.get("/settings/google", cookie).text }

  /// The page of Google to which the hub sends a browser.
  private func leave(_ cookie: String) throws -> String {
    let response = try post("connect", cookie)
    #expect(response.status == 200 && response.headers["cache-control"] == "no-store", "\(response.text)")
    let link = try #require(response.text.firstMatch(of: /href="([^"]*\/o\/oauth2\/[^"]*)"/)?.output.1)
    return String(link).replacing("&amp;", with: "&")
  }

  /// The target of the hub to which Google leads back.
  private func comeBack(from page: String) throws -> String {
    let connection = try HubConnection(sandbox.server.port)
    let target = String(page.dropFirst(sandbox.server.baseURL.count))
    connection.write(Array("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".utf8))
    let response = String(decoding: connection.readAll(), as: UTF8.self)
    let line = try #require(
      response.split(separator: "\r\n").first { $0.hasPrefix("Location: http://hub.example") }, "\(response)")
    return String(line.dropFirst("Location: http://hub.example".count))
  }

  /// Connects the account of a person; returns the cookie of the user's browser.
  private func connect(_ user: String, as person: String) throws -> String {
    login.person = person
    let cookie = try logIn(user)
    let back = try comeBack(from: leave(cookie))
    let response = try hub.get(back, cookie)
    #expect(response.status == 303 && response.headers["location"] == "/settings/google", "\(response.text)")
    return cookie
  }

  /// Waits until the view says something.
  private func waitFor(_ expected: String, _ cookie: String) throws {
    try wait { try view(cookie).contains(expected) }
    let text = try view(cookie)
    #expect(text.contains(expected), "\(text)")
  }

  /// Has the account synchronised, and waits for the result.
  private func synchronise(_ cookie: String, _ expected: String) throws {
    #expect(try post("sync", cookie).status == 303)
    try waitFor(expected, cookie)
  }

  private func followed(_ user: String) throws -> Set<String> {
    Set(try hub.get("/api/v1/channels", user).json.texts("channels", of: "channel"))
  }

  private func ids(_ numbers: some Sequence<Int>) -> Set<String> {
    Set(numbers.map { SyntheticChannel(number: $0).id })
  }

  /// No secret is in what the hub wrote, in its tables or in requests' targets.
  private func expectSecrecy() throws {
    let reported = try hub.reported
    #expect(!reported.contains("secret"), "\(reported)")
    #expect(sandbox.server.requests.allSatisfy { !$0.target.contains("secret") })
    for name in sandbox.folder.names(in: "hub") where name.hasPrefix("hub.db") {
      let bytes = sandbox.folder.read("hub/\(name)") ?? []
      #expect(bytes.firstRange(of: Array("1//refresh".utf8)) == nil && bytes.firstRange(of: Array("ya29".utf8)) == nil)
    }
  }

  // MARK: Tests

  @Test("Connect, follow and unfollow as the account did, undo, disconnect")
  func whole() throws {
    let cookie = try connect("ann", as: "ann")
    var status = stat()
    #expect(stat(keyPath, &status) == 0 && status.st_mode & 0o777 == 0o600)
    try waitFor("10 read, 10 followed, 0 unfollowed", cookie)
    #expect(try followed(ann) == ids(0..<10) && followed(bob).isEmpty)
    let rules = try hub.get("/rules", cookie).text
    #expect(rules.contains(AccountLists.own("ann")), "\(rules)")
    lists.set(1..<11, of: "ann")
    try synchronise(cookie, "10 read, 1 followed, 1 unfollowed")
    #expect(try followed(ann) == ids(1..<11))
    // One action, which the report offers to undo.
    let action = try #require(try view(cookie).firstMatch(of: /name="action" value="(0[0-9a-f]{12}-[^"]+)"/)?.output.1)
    let undone = try hub.send(
      "POST", "/undo", [HubGoogleTests.form, cookie], body: "action=\(action)&yes=true&back=/settings/google".utf8)
    #expect(undone.headers["location"] == "/settings/google?undone=\(action)")
    #expect(try followed(ann) == ids(0..<10))
    try synchronise(cookie, "10 read, 0 followed, 0 unfollowed")
    #expect(try followed(ann) == ids(0..<10))
    #expect(login.logins == 1)
    #expect(try post("disconnect", cookie).status == 303)
    #expect(try view(cookie).contains("Not connected") && login.logins == 0)
    #expect(try followed(ann) == ids(0..<10))
    try expectSecrecy()
  }

  @Test(
    "A doubtful list unfollows nothing until the person says so",
    arguments: [
      ([], nil, "list is empty, which would unfollow 10 channels of the 10"),
      (Array(0..<7), 10, "list has 7 of 10 channels, which would unfollow 3 channels of the 10"),
      (Array(0..<5), nil, "list has only 5 channels, which would unfollow 5 channels of the 10"),
    ] as [([Int], Int?, String)])
  func doubt(_ numbers: [Int], _ total: Int?, _ expected: String) throws {
    let cookie = try connect("ann", as: "ann")
    try waitFor("10 read, 10 followed", cookie)
    lists.set(numbers, of: "ann", total: total)
    try synchronise(cookie, expected)
    #expect(try followed(ann) == ids(0..<10))
    let mark = try #require(try view(cookie).firstMatch(of: /name="question" value="([^"]+)"/)?.output.1)
    // A reply to another question has no effect, nor has a request without a form.
    #expect(try post("unfollow&question=1-2-3", cookie).status == 409)
    #expect(try hub.get("/settings/google?action=unfollow&question=\(mark)", cookie).status == 200)
    #expect(try followed(ann) == ids(0..<10))
    let answered = try post("unfollow&question=\(mark)", cookie)
    #expect(answered.status == 303 && answered.headers["location"]?.contains("done=0") == true, "\(answered)")
    #expect(try followed(ann) == ids(numbers) && !view(cookie).contains("name=\"question\""))
    let undone = try hub.send("POST", "/undo", [HubGoogleTests.form, cookie], body: "yes=true".utf8)
    #expect(undone.headers["location"]?.contains("undone=0") == true, "\(undone)")
    #expect(try followed(ann) == ids(0..<10))
  }

  @Test("Kept channels are the person's own, and a list that is whole again asks nothing")
  func kept() throws {
    let cookie = try connect("ann", as: "ann")
    try waitFor("10 read, 10 followed", cookie)
    lists.set(0..<4, of: "ann")
    try synchronise(cookie, "list has only 4 channels")
    lists.set(0..<10, of: "ann")
    try synchronise(cookie, "10 read, 0 followed, 0 unfollowed")
    #expect(try !view(cookie).contains("name=\"question\""))
    lists.set(0..<4, of: "ann")
    try synchronise(cookie, "list has only 4 channels")
    let mark = try #require(try view(cookie).firstMatch(of: /name="question" value="([^"]+)"/)?.output.1)
    #expect(try post("keep&question=\(mark)", cookie).status == 303)
    #expect(try followed(ann) == ids(0..<10))
    lists.set([0, 1, 2, 3, 20], of: "ann")
    try synchronise(cookie, "5 read, 1 followed, 0 unfollowed")
    #expect(try followed(ann) == ids(Array(0..<10) + [20]) && !view(cookie).contains("name=\"question\""))
  }

  @Test("A withdrawn login says sign in again, and nothing is requested until then")
  func withdrawn() throws {
    let cookie = try connect("ann", as: "ann")
    try waitFor("10 read, 10 followed", cookie)
    login.revoke("ann")
    try synchronise(cookie, "Sign in again")
    let requests = sandbox.server.requests.count
    #expect(try post("sync", cookie).status == 303)
    try restartHub()
    #expect(try view(cookie).contains("Sign in again") && followed(ann) == ids(0..<10))
    #expect(sandbox.server.requests.count == requests)
    lists.set(1..<10, of: "ann")
    let again = try hub.get(comeBack(from: leave(cookie)), cookie)
    #expect(again.status == 303)
    try waitFor("9 read, 0 followed, 1 unfollowed", cookie)
    try expectSecrecy()
  }

  @Test("One user's account that hangs, is withdrawn or fails delays no other")
  func independent() throws {
    let hers = try connect("ann", as: "ann")
    try waitFor("10 read, 10 followed", hers)
    lists.hanging.withLock { $0 = "ann" }
    #expect(try post("sync", hers).status == 303)
    try waitFor("being read", hers)
    lists.set(0..<3, of: "bobby")
    let his = try connect("bob", as: "bobby")
    try waitFor("3 read, 3 followed", his)
    #expect(try view(hers).contains("being read"))
    lists.hanging.withLock { $0 = nil }
    // On a slow machine the request may have taken too long.
    try wait {
      if try view(hers).contains("10 read, 0 followed") { return true }
      _ = try post("sync", hers)
      usleep(200_000)
      return false
    }
    try waitFor("10 read, 0 followed", hers)
    login.revoke("ann")
    try synchronise(hers, "Sign in again")
    lists.set(0..<4, of: "bobby")
    try synchronise(his, "4 read, 1 followed")
    #expect(try followed(ann) == ids(0..<10) && followed(bob) == ids(0..<4))
  }

  @Test("What fails is reported on the page, without paths and secrets, and changes nothing")
  func failures() throws {
    let cookie = try connect("ann", as: "ann")
    try waitFor("10 read, 10 followed", cookie)
    lists.set([Int](), of: "ann")
    let path = "/youtube/v3/subscriptions"
    for (fault, expected) in [
      (Fault.status(503), "failed: YouTube failed (HTTP 503)"), (.reset, "failed: YouTube did not respond"),
      (.response(.json("[1", status: 200)), "failed: YouTube sent an invalid list"),
      (.response(DataAPI.rateLimited), "failed: YouTube reports too many requests"),
      (.response(DataAPI.quotaExceeded), "failed: today’s requests to YouTube are used up"),
    ] {
      sandbox.server.heal()
      sandbox.server.fail(fault, on: .path(path), times: .always)
      try synchronise(cookie, expected)
    }
    sandbox.server.heal()
    #expect(try followed(ann) == ids(0..<10))
    // The quota of the day is used up for all.
    let units = sandbox.server.unitsRequested
    let his = try connect("bob", as: "bobby")
    try waitFor("today’s requests to YouTube are used up", his)
    #expect(sandbox.server.unitsRequested == units)
    try expectSecrecy()
  }

  @Test("Each account takes no more than its share of the day's units")
  func units() throws {
    sandbox.environment["METUBE_RSS_API_BUDGET"] = "3"
    try restartHub()
    lists.set(0..<300, of: "ann")
    let cookie = try connect("ann", as: "ann")
    try waitFor("failed: today’s requests to YouTube are used up", cookie)
    #expect(sandbox.server.unitsRequested == 3)
    #expect(try followed(ann).isEmpty)
    // Another try sends nothing, so the next synchronisation is no later. The tables in files show it.
    guard TestSchema.server == nil else { return }
    let tables = try GoogleTables(Accounts(folder: sandbox.hubData))
    let first = try #require(try tables.account(of: "ann"))
    for _ in 0..<3 {
      #expect(try post("sync", cookie).status == 303)
      try wait { try tables.account(of: "ann").map { $0.due >= first.due } ?? false }
    }
    #expect(try tables.account(of: "ann")?.failures == first.failures)
    #expect(sandbox.server.unitsRequested == 3)
  }

  @Test("A login is finished by the session that began it, with its state, once")
  func states() throws {
    let (hers, his) = (try logIn("ann"), try logIn("bob"))
    login.person = "ann"
    let back = try comeBack(from: leave(hers))
    #expect(try hub.get(back, his).status == 403)
    #expect(try hub.get(back, logIn("ann")).status == 403, "another session of hers")
    #expect(try hub.get(back).headers["location"]?.hasPrefix("/login") == true)
    #expect(try hub.get(back, ann).status == 403, "a token")
    #expect(try hub.get("/settings/google/callback?state=guessed&code=stolen", hers).status == 403)
    #expect(try hub.get("/settings/google/callback", hers).status == 403)
    let finished = try hub.get(back, hers)
    #expect(finished.status == 303 && login.logins == 1, "\(finished.text)")
    #expect(try hub.get(back, hers).status == 403, "once")
    #expect(sandbox.server.requests.count { $0.form["grant_type"] == "authorization_code" } == 1)
    // The page of another site sends no form.
    let foreign = try hub.send(
      "POST", "/settings/google", [HubGoogleTests.form, hers, "Sec-Fetch-Site: cross-site"],
      body: "action=disconnect".utf8)
    #expect(foreign.status == 403 && login.logins == 1)
    for token in [ann, try sandbox.bearer("ann", "read")] {
      #expect(try post("disconnect", token).status == 403 && login.logins == 1)
    }
  }

  @Test("A login that is declined, lacks access to YouTube, or comes from another issuer connects nothing")
  func declined() throws {
    let cookie = try logIn("ann")
    login.behaviour.declines = true
    let declined = try hub.get(comeBack(from: leave(cookie)), cookie)
    #expect(declined.status == 403 && declined.text.contains("Access was denied at Google"))
    login.behaviour.declines = false
    login.behaviour.withholdsYouTube = true
    let withheld = try hub.get(comeBack(from: leave(cookie)), cookie)
    #expect(withheld.status == 403 && withheld.text.contains("was not granted") && login.logins == 0)
    login.behaviour.withholdsYouTube = false
    login.behaviour.issuer = "https://evil.example"
    #expect(try hub.get(comeBack(from: leave(cookie)), cookie).status == 403)
    login.behaviour.issuer = sandbox.server.baseURL
    #expect(try hub.get(comeBack(from: leave(cookie)), cookie).status == 303)
  }

  @Test("Without a public URL the person types a code at Google")
  func device() throws {
    sandbox.environment["METUBE_HUB_PUBLIC_URL"] = nil
    try restartHub()
    login.behaviour.pending = 1
    login.person = "ann"
    let cookie = try logIn("ann")
    #expect(try post("connect", cookie).status == 303)
    #expect(try view(cookie).contains("GQVQ-JKEC") && !view(logIn("ann")).contains("GQVQ-JKEC"))
    #expect(try post("check", cookie).status == 409)
    try wait { try post("check", cookie).status == 303 }
    try waitFor("10 read, 10 followed", cookie)
    let checks = sandbox.server.requests.count { $0.form["grant_type"]?.contains("device_code") == true }
    #expect(checks == 2, "as often as Google allows")
    try expectSecrecy()
  }

  @Test("Without a client, or with a key that others may read, the page and the journal say so")
  func operators() throws {
    let cookie = try logIn("ann")
    folderChange(0o644)
    let response = try post("connect", cookie)
    #expect(
      response.status == 503 && response.text.contains("its journal says why") && !response.text.contains(keyPath))
    #expect(try hub.reported.contains("google: \(keyPath): other users can read it (mode 644)"))
    sandbox.environment["METUBE_RSS_GOOGLE_CLIENT_ID"] = nil
    try restartHub()
    #expect(try view(cookie).contains("has not registered it at Google"))
    #expect(try post("connect", cookie).status == 409)
  }

  private func folderChange(_ mode: mode_t) {
    sandbox.folder.write("x".utf8, to: "google.key")
    chmod(keyPath, mode)
  }

  @Test("With another key nothing is requested, and a new login works")
  func otherKey() throws {
    let cookie = try connect("ann", as: "ann")
    try waitFor("10 read, 10 followed", cookie)
    let requests = sandbox.server.requests.count
    sandbox.folder.write((String(repeating: "ab", count: 32) + "\n").utf8, to: "google.key")
    chmod(keyPath, 0o600)
    try synchronise(cookie, "failed: the login was encrypted with another key")
    #expect(sandbox.server.requests.count == requests)
    #expect(try hub.get(comeBack(from: leave(cookie)), cookie).status == 303)
    try waitFor("10 read, 0 followed", cookie)
  }

  @Test("An account whose end Google does not hear of is kept, or forgotten here if the person says so")
  func reach() throws {
    let cookie = try connect("ann", as: "ann")
    try waitFor("10 read, 10 followed", cookie)
    sandbox.server.fail(.reset, on: .key("/revoke"), times: .always)
    let kept = try post("disconnect", cookie)
    #expect(kept.status == 503 && kept.text.contains("Forget it here only"))
    let forgotten = try post("forget", cookie)
    #expect(forgotten.status == 409 && forgotten.text.contains("remove it at myaccount.google.com"))
    #expect(try view(cookie).contains("Not connected"))
  }
}

/// The same with files, where the other suite has PostgreSQL.
@Suite("Google accounts of users, in a home")
struct HubGoogleHomeTests {
  @Test("A hub without users points to the terminal, and changes nothing")
  func noUsers() throws {
    let sandbox = try Sandbox()
    let hub = try RunningHub(sandbox)
    #expect(try hub.get("/settings/google").text.contains("metube-rss login google"))
    let response = try hub.send(
      "POST", "/settings/google", ["Content-Type: application/x-www-form-urlencoded"], body: "action=connect".utf8)
    #expect(response.status == 409)
    #expect(!sandbox.folder.names(in: "state").contains("google.key"))
  }
}
