import FixtureServer
import Glibc
import TestSupport
import Testing

/// Against a simulated login and Data API; a stand-in for `xdg-open` hands the page over to the test, which is the browser.
@Suite("A Google account")
struct GoogleAccountTests {
  private let sandbox: Sandbox
  private let login = GoogleLogin(client: "the-client", secret: "the-client-secret")

  init() throws {
    sandbox = try Sandbox()
    let opener = sandbox.folder.write(
      """
      #!/bin/sh
      stat -c '%a %n' "$1" >"${0%/*}/file"
      sed -n 's/.*href="\\([^"]*\\)".*/\\1/; T; s/&amp;/\\&/g; p' "$1" | tr -d '\\n' >"$0.part"
      mv "$0.part" "${0%/*}/page"

      """.utf8, to: "bin/xdg-open")
    chmod(opener, 0o755)
    sandbox.environment["PATH"] = "\(sandbox.folder.path)/bin:/usr/bin:/bin"
    sandbox.environment["DISPLAY"] = ":0"
    sandbox.environment["METUBE_RSS_GOOGLE_CLIENT_ID"] = "the-client"
    sandbox.environment["METUBE_RSS_GOOGLE_CLIENT_SECRET"] = "the-client-secret"
    sandbox.environment["METUBE_RSS_GOOGLE_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.server.serve(login)
    serve(3)
  }

  /// Has the account follow so many channels.
  private func serve(_ count: Int) {
    var data = DataAPI(key: "unused") { _ in nil }
    data.subscriptions = SyntheticChannel.first(count).map { .init(channel: $0.id, title: $0.title) }
    data.isValid = { [login] in login.isValid($0) }
    sandbox.server.serve(data)
  }

  /// Requests a target on a port of this machine; returns the response's head and body.
  @discardableResult
  private func get(_ target: String, port: UInt16) throws -> String {
    let connection = try HubConnection(port)
    connection.write(Array("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".utf8))
    return String(decoding: connection.readAll(), as: UTF8.self)
  }

  /// The port and target of the address that a response leads to.
  private func location(in response: String) throws -> (port: UInt16, target: String) {
    let line = try #require(response.split(separator: "\r\n").first { $0.hasPrefix("Location: ") })
    let rest = line.dropFirst("Location: http://127.0.0.1:".count)
    return (try #require(UInt16(rest.prefix { $0.isNumber })), String(rest.drop { $0.isNumber }))
  }

  /// The target of the page that the program opened.
  private func page() throws -> String {
    wait { sandbox.folder.read("bin/page") != nil }
    let text = String(decoding: try #require(sandbox.folder.read("bin/page")), as: UTF8.self)
    return String(text.dropFirst(sandbox.server.baseURL.count))
  }

  /// Logs in with the browser; `meanwhile` gets the port that the program waits at.
  private func logIn(_ meanwhile: (UInt16) throws -> Void = { _ in }) throws -> (Program.Outcome, shown: String) {
    let running = try sandbox.program.start(["login", "google"])
    let back = try location(in: get(page(), port: sandbox.server.port))
    try meanwhile(back.port)
    let shown = try get(back.target, port: back.port)
    return (try running.finish(), shown)
  }

  /// No secret is in any output, log or message.
  private func expectSecrecy(_ outcomes: Program.Outcome...) {
    for outcome in outcomes { #expect(!(outcome.text + outcome.errors).contains("secret")) }
    #expect(!sandbox.log.joined().contains("secret"))
    #expect(sandbox.server.requests.allSatisfy { !$0.target.contains("secret") })
  }

  @Test("Log in with a browser, import 1,200 subscriptions in 24 pages, again without change, log out")
  func browser() throws {
    serve(1200)
    let (outcome, shown) = try logIn()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text == "logged in; metube-rss import google imports your subscriptions\n")
    #expect(shown.contains("200 OK") && shown.contains("return to the terminal"))
    // Other users see the arguments of programs, so the page is in a file.
    let opened = String(decoding: try #require(sandbox.folder.read("bin/file")), as: UTF8.self)
    #expect(opened.hasPrefix("600 \(sandbox.folder.path)/state/login.") && !opened.contains("http"))
    #expect(!sandbox.folder.names(in: "state").contains { $0.hasPrefix("login.") })
    var status = stat()
    #expect(stat(sandbox.folder.path + "/state/google", &status) == 0 && status.st_mode & 0o777 == 0o600)
    let imported = try sandbox.run("import", "google")
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(imported.text.hasPrefix("google: 1200 read, 1200 new, 0 already followed\n"))
    #expect(sandbox.server.unitsRequested == 24)
    let again = try sandbox.run("import", "google", "--dry-run")
    #expect(again.text == "google: 1200 read, 0 would be new, 1200 already followed\n")
    #expect(sandbox.server.requests.count { $0.path == "/token" } == 1)
    #expect(try sandbox.succeed("channels", "--format", "ids").split(separator: "\n").count == 1200)
    #expect(login.logins == 1)
    #expect(try sandbox.succeed("logout", "google") == "logged out\n" && login.logins == 0)
    #expect(!sandbox.folder.names(in: "state").contains("google"))
    #expect(try sandbox.succeed("logout", "google") == "not logged in\n")
    let last = try sandbox.run("import", "google")
    #expect(last.status == 64 && last.errors.contains("run metube-rss login google"))
    expectSecrecy(imported, again, last)
    #expect(!outcome.text.contains("secret") && !outcome.errors.contains("client-secret"))
  }

  @Test("Other requests at the port, a wrong state and idle connections do not disturb the login")
  func strangers() throws {
    var idle: [HubConnection] = []
    let (outcome, _) = try logIn { port in
      for target in [
        "/favicon.ico", "/?state=guessed&code=stolen", "/?code=stolen", "/?error=access_denied", "nonsense",
      ] {
        #expect(try get(target, port: port).contains("404 Not Found"))
      }
      idle = try (0..<40).map { _ in try HubConnection(port) }
      let endless = try HubConnection(port)
      endless.write([UInt8](repeating: UInt8(ascii: "a"), count: 20_000))
      #expect(endless.readAll().isEmpty)
    }
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(login.logins == 1 && idle.count == 40)
  }

  @Test("A person who declines, or withholds YouTube, is not logged in")
  func declined() throws {
    login.behaviour.declines = true
    let (declined, shown) = try logIn()
    #expect(declined.status == 69 && declined.errors.contains("access was denied; not logged in"), "\(declined.errors)")
    #expect(shown.contains("You are not logged in."))
    unlink(sandbox.folder.path + "/bin/page")
    login.behaviour.declines = false
    login.behaviour.withholdsYouTube = true
    let (withheld, _) = try logIn()
    #expect(withheld.status == 69 && withheld.errors.contains("access to YouTube was not granted"))
    #expect(login.logins == 0 && !sandbox.folder.names(in: "state").contains("google"))
    let denied = try sandbox.run("login", "google", "--device")
    #expect(denied.status == 69 && denied.errors.contains("was not granted"))
  }

  @Test("--device shows a code and waits; slow_down and server errors only slow it")
  func device() throws {
    (login.behaviour.pending, login.behaviour.slowDowns) = (2, 1)
    sandbox.server.fail(.status(503), on: .key("/token"), times: .first(1))
    let outcome = try sandbox.run("login", "google", "--device")
    #expect(outcome.status == 0 && login.logins == 1, "\(outcome.errors)")
    #expect(
      outcome.errors
        == "Open https://www.google.com/device on any machine and enter this code:\nGQVQ-JKEC\n")
    expectSecrecy(outcome, try sandbox.run("import", "google"))
  }

  @Test("A device's code that expires, a person who declines and Ctrl-C end the login")
  func deviceEnds() throws {
    (login.behaviour.pending, login.behaviour.codeSeconds) = (1_000_000, 2)
    let expired = try sandbox.run("login", "google", "--device")
    #expect(expired.status == 1 && expired.errors.contains("the code has expired; not logged in"))
    login.behaviour.codeSeconds = 1800
    let running = try sandbox.program.start(["login", "google", "--device"])
    wait { sandbox.server.requests.count { $0.path == "/device/code" } == 2 }
    let requested = sandbox.server.requests.count
    wait { sandbox.server.requests.count > requested }
    running.signal(SIGINT)
    let interrupted = try running.finish()
    #expect(interrupted.status == 1 && interrupted.errors.contains("interrupted"))
    login.behaviour.declines = true
    let declined = try sandbox.run("login", "google", "--device")
    #expect(declined.status == 69 && declined.errors.contains("access was denied"))
    #expect(login.logins == 0)
  }

  @Test("An expired access token is replaced, a withdrawn one too; a revoked login says what to do")
  func refresh() throws {
    login.behaviour.tokenSeconds = 30
    #expect(try logIn().0.status == 0)
    #expect(try sandbox.run("import", "google").status == 0)
    #expect(sandbox.server.requests.last { $0.path == "/token" }?.form["grant_type"] == "refresh_token")
    login.behaviour.tokenSeconds = 3599
    #expect(try sandbox.run("import", "google").status == 0)
    login.revoke(login: false)
    let replaced = try sandbox.run("import", "google")
    #expect(replaced.status == 0, "\(replaced.errors)")
    let requests = sandbox.server.requests.count
    #expect(try sandbox.run("import", "google").status == 0 && sandbox.server.requests.count == requests + 1)
    login.revoke(login: true)
    let revoked = try sandbox.run("import", "google")
    let text = "Google no longer accepts this login (revoked or expired); run metube-rss login google again"
    #expect(revoked.status == 69 && revoked.errors == "metube-rss: \(text)\n", "\(revoked.errors)")
    #expect(try sandbox.succeed("logout", "google") == "logged out\n")
    expectSecrecy(replaced, revoked)
  }

  @Test("What a login that ends in the middle has used is counted, and nothing where no request was sent")
  func units() throws {
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    #expect(try logIn().0.status == 0)
    login.revoke(login: true)
    #expect(try sandbox.run("import", "google").status == 69)
    #expect(try sandbox.succeed("status").contains("\nData API: 1 of 5000 units used today"))
    // A token that has expired is not sent.
    login.behaviour.tokenSeconds = 30
    unlink("\(sandbox.folder.path)/bin/page")
    #expect(try logIn().0.status == 0)
    login.revoke(login: true)
    #expect(try sandbox.run("import", "google").status == 69)
    #expect(try sandbox.succeed("status").contains("\nData API: 1 of 5000 units used today"))
  }

  @Test("A wrong client is refused with the names of the settings, a missing one is a usage error")
  func client() throws {
    sandbox.environment["METUBE_RSS_GOOGLE_CLIENT_SECRET"] = "another-secret"
    let (wrong, _) = try logIn()
    #expect(wrong.status == 69 && wrong.errors.contains("METUBE_RSS_GOOGLE_CLIENT_SECRET (invalid_client)"))
    #expect(!wrong.errors.contains("another-secret"))
    sandbox.environment["METUBE_RSS_GOOGLE_CLIENT_ID"] = "nobody"
    let device = try sandbox.run("login", "google", "--device")
    #expect(device.status == 69 && device.errors.contains("(invalid_client)"))
    sandbox.environment["METUBE_RSS_GOOGLE_CLIENT_ID"] = nil
    let missing = try sandbox.run("login", "google")
    #expect(missing.status == 64 && missing.errors.contains("METUBE_RSS_GOOGLE_CLIENT_ID"))
    #expect(try !sandbox.succeed("config").contains("another-secret"))
  }

  @Test("A missing permission, a used-up quota and an account without channels each say so, and import nothing")
  func failures() throws {
    #expect(try logIn().0.status == 0)
    let target = "/youtube/v3/subscriptions?part=snippet&mine=true&maxResults=50&order=alphabetical"
    for (fault, status, text) in [
      (DataAPI.missingScope, Int32(69), "rejected the Google login (insufficientPermissions)"),
      (DataAPI.quotaExceeded, 75, "today's quota"),
    ] {
      sandbox.server.fail(.response(fault), on: .key(target), times: .first(1))
      let outcome = try sandbox.run("import", "google")
      #expect(outcome.status == status && outcome.errors.contains(text), "\(outcome.errors)")
      unlink(sandbox.folder.path + "/state/api")
    }
    serve(0)
    let none = try sandbox.run("import", "google")
    #expect(none.status == 1 && none.errors.contains("follows no channel"))
    #expect(try sandbox.succeed("channels", "--format", "ids").isEmpty)
  }

  @Test("Server errors are repeated; a page that keeps failing imports nothing")
  func serverErrors() throws {
    serve(120)
    #expect(try logIn().0.status == 0)
    let first = "/youtube/v3/subscriptions?part=snippet&mine=true&maxResults=50&order=alphabetical"
    sandbox.server.fail(.status(503), on: .key(first), times: .first(2))
    sandbox.server.fail(.status(500), on: .key(first + "&pageToken=to100"), times: .always)
    let outcome = try sandbox.run("import", "google")
    #expect(outcome.status == 75 && outcome.errors.contains("HTTP 500"), "\(outcome.errors)")
    #expect(sandbox.server.unitsRequested == 3 + 1 + 3)
    #expect(try sandbox.succeed("channels", "--format", "ids").isEmpty)
    sandbox.server.heal()
    #expect(try sandbox.run("import", "google").text.hasPrefix("google: 120 read, 120 new"))
  }

  @Test("A logout that cannot reach Google keeps the login; a file named google is still a file")
  func reach() throws {
    #expect(try logIn().0.status == 0)
    sandbox.server.fail(.reset, on: .key("/revoke"), times: .first(1))
    let kept = try sandbox.run("logout", "google")
    #expect(kept.status == 75 && kept.errors.contains("no response from Google"))
    #expect(sandbox.folder.names(in: "state").contains("google"))
    // The server had withdrawn it, but could not say so.
    #expect(try sandbox.succeed("logout", "google") == "logged out\n" && login.logins == 0)
    let file = sandbox.folder.write("\(SyntheticChannel(number: 7).id)\n".utf8, to: "google")
    #expect(try sandbox.run("import", file).text.contains("1 read, 1 new"))
  }
}
