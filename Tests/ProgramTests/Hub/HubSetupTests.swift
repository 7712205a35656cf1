import Core
import FixtureServer
import Glibc
import HubCore
import HubPage
import JSON
import Seeded
import TestSupport
import Testing

@testable import metube_hub

/// A hub that waits for its first user.
@Suite("The first user of a hub")
final class HubSetupTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.useDatabase()
  }

  private static let form = "Content-Type: application/x-www-form-urlencoded"

  private func fields(_ code: String, _ name: String = "ann", _ password: String = "correct+horse") -> String {
    "code=\(code)&name=\(name)&password=\(password)&repeated=\(password)"
  }

  private func post(_ hub: RunningHub, _ fields: String, _ headers: String...) throws -> HubResponse {
    try hub.send("POST", "/setup", [HubSetupTests.form] + headers, body: fields.utf8)
  }

  @Test("While it waits, each route is refused but the page that makes the user, its files, and /health")
  func routes() throws {
    let hub = try sandbox.runHub()
    let values = RouteSample.Values(parts: [:], video: "dQw4w9WgXcQ", channel: TwoUsers.science)
    let answered = ["setupView", "setupForm", "health"] + PageAsset.all.map(\.path)
    var random = SeededGenerator(seed: 0)
    for route in HubRoute.served {
      let sample = RouteSample(route, values, &random, isFull: false)
      let response = try HubResponse(hub.exchange(sample.bytes(["Host: \(hub.host)", "Cookie: metube=a.b"])))
      let context = "\(sample.method) \(sample.target): \(response.status) \(response.text.prefix(200))"
      if route.path == "/", route.method == .get {
        #expect(response.status == 303 && response.headers["location"] == "/setup", "\(context)")
      } else if answered.contains(route.name) {
        #expect(response.status == (route.method == .post ? 422 : 200), "\(context)")
      } else {
        #expect(response.status == 503 && response.headers["retry-after"] != nil, "\(context)")
        #expect(response.headers["set-cookie"] == nil, "\(context)")
      }
    }
    for target in ["/nothing", "/setup/", "//setup", "/api/v1/setup", "/%zz"] {
      #expect(try hub.get(target).status == 503, "\(target)")
    }
    #expect(try hub.send("OPTIONS", "/api/videos/query").status == 503)
    let health = try hub.get("/health").json
    #expect(health["status"] == "healthy" && health["setup"] == true)
    #expect(try sandbox.hub(["status"] + sandbox.hubOptions).status == 0)
  }

  @Test("A browser with the code makes the user, is logged in, and the same process serves; then there is no setup")
  func browser() throws {
    let hub = try sandbox.runHub("--log-requests")
    let code = try hub.setupCode()
    #expect(code.count == 19 && code.split(separator: "-").allSatisfy { $0.count == 4 }, "80 bits: \(code)")
    #expect(try hub.reported.contains("Set up the first user at http://\(hub.host)/setup with the code"))
    let page = try hub.get("/setup")
    #expect(page.headers["cache-control"] == "no-store" && page.headers["content-security-policy"] != nil)
    for name in ["code", "name", "password", "repeated"] { #expect(page.text.contains("name=\"\(name)\"")) }
    #expect(!page.text.contains("<script"))
    let response = try post(hub, fields(code.lowercased().filter { $0 != "-" }))
    #expect(response.status == 303 && response.headers["location"] == "/", "\(response.status) \(response.text)")
    let header = try #require(response.headers["set-cookie"])
    #expect(header.contains("HttpOnly") && header.contains("SameSite=Lax"))
    let cookie = "Cookie: " + header.prefix { $0 != ";" }
    #expect(try hub.get("/", cookie).status == 200 && hub.get("/api/v1/videos").status == 401)
    #expect(try hub.get("/health").json["setup"] == nil)
    let again = [try hub.get("/setup"), try post(hub, fields(code, "bob")), try hub.get("/setup", cookie)]
    for response in again { #expect(response.status == 303 && response.headers["location"] == "/login") }
    #expect(try sandbox.hub(["user", "list"] + sandbox.hubOptions).text == "ann\n")
    let body = #"{"channels":["\#(TwoUsers.science)"]}"#
    #expect(try hub.send("POST", "/api/v1/channels", json: body, cookie).status == 200)
    let outcome = try hub.end()
    #expect(outcome.status == 0)
    #expect(outcome.errors.matches(of: /[2-9A-Z]{4}-[2-9A-Z]{4}-/).count == 1, "\(outcome.errors)")
    #expect(!outcome.errors.contains("correct"), "\(outcome.errors)")
  }

  @Test("Once there was a user the hub cannot be set up with a code, also if no user is left")
  func removed() throws {
    let hub = try sandbox.runHub()
    let code = try hub.setupCode()
    #expect(try post(hub, fields(code)).status == 303)
    #expect(try sandbox.hub(["user", "remove", "--last", "ann"] + sandbox.hubOptions).status == 0)
    #expect(try post(hub, fields(code, "eve")).headers["location"] == "/login")
    #expect(try hub.get("/api/v1/videos").status == 401)
    _ = try hub.end()
    let refused = try sandbox.hub(["serve", "--listen", "127.0.0.1:0"] + sandbox.hubOptions)
    #expect(refused.status == 64 && refused.errors.contains("there are no users any more"), "\(refused.errors)")
    #expect(refused.errors.contains("metube-hub user add"))
    #expect(try sandbox.hub(["setup", "eve"] + sandbox.hubOptions, input: "correct horse\n").status == 0)
  }

  @Test("Errors are shown above the form; malformed codes do not count, ten wrong codes invalidate the right one")
  func wrong() throws {
    let hub = try sandbox.runHub()
    let code = try hub.setupCode()
    for (fields, text) in [
      (fields(code, "Ann"), "small letters"), (fields(code, "ann", "short"), "8 to 512"),
      ("code=\(code)&name=ann&password=correct+horse&repeated=correct+horsf", "differ"), (fields("ABC"), "16 letters"),
      (fields("%3Cb%3E"), "16 letters"), ("", "small letters"),
    ] {
      let response = try post(hub, fields)
      #expect(response.status == 422 && response.text.contains(text), "\(fields): \(response.status)")
      #expect(response.headers["cache-control"] == "no-store" && !response.text.contains("<b>"))
    }
    for _ in 0..<10 { #expect(try post(hub, fields("AAAA-AAAA-AAAA-AAAA")).status == 403) }
    let void = try post(hub, fields(code))
    #expect(void.status == 429 && void.headers["retry-after"] == "600", "\(void.status)")
    #expect(try post(hub, fields("AAAA-AAAA-AAAA-AAAA")).status == 429)
    try wait { try hub.reported.contains("10 wrong codes") }
    #expect(try hub.reported.contains("a new one follows here in 10 minutes, or when the hub is started again"))
    #expect(try sandbox.hub(["user", "list"] + sandbox.hubOptions).text.isEmpty)
    _ = try hub.end()
    let next = try sandbox.runHub()
    let newCode = try next.setupCode()
    #expect(newCode != code)
    #expect(try post(next, fields(code)).status == 403 && post(next, fields(newCode)).status == 303)
  }

  @Test("The page answers under any host name; other sites cannot send the form; an unknown name gets instructions")
  func hosts() throws {
    let hub = try sandbox.runHub()
    let code = try hub.setupCode()
    let (strange, host) = ("nas.local:\(hub.port)", "Host: nas.local:\(hub.port)")
    #expect(try hub.get("/setup", host).status == 200 && hub.get("/style.css", host).status == 200)
    #expect(try hub.get("/api/v1/videos", host).status == 503)
    for header in ["Origin: https://evil.example", "Sec-Fetch-Site: cross-site", "Origin: null"] {
      #expect(try post(hub, fields(code), host, header).status == 403, "\(header)")
    }
    let response = try post(hub, fields(code), host, "Origin: http://\(strange)")
    #expect(response.status == 200 && response.headers["set-cookie"] != nil, "\(response.status) \(response.text)")
    #expect(response.text.contains("METUBE_HUB_PUBLIC_URL=http://\(strange)"), "\(response.text)")
    #expect(try hub.get("/setup", host).status == 421)
  }

  @Test("One of two simultaneous browsers makes the user")
  func race() throws {
    let hub = try sandbox.runHub()
    let code = try hub.setupCode()
    let connections = try (0..<6).map { number in
      try hub.begin(
        "POST", "/setup", [HubSetupTests.form, "Connection: close"], body: fields(code, "user\(number)"))
    }
    let responses = try connections.map { try HubResponse($0.readAll()) }
    #expect(responses.filter { $0.headers["location"] == "/" && $0.headers["set-cookie"] != nil }.count == 1)
    // On a busy machine a request may get 503 and have to be repeated.
    let others = responses.filter { $0.headers["set-cookie"] == nil }
    #expect(
      others.count == 5 && others.allSatisfy { $0.headers["location"] == "/login" || $0.status == 503 },
      "\(responses.map { "\($0.status) \($0.headers) \($0.text.prefix(200))" })")
    #expect(try sandbox.hub(["user", "list"] + sandbox.hubOptions).lines.count == 1)
  }

  @Test(
    "All processes of a database have one code, and each serves once there is the user",
    .enabled(if: TestSchema.server != nil, "needs METUBE_RSS_TEST_POSTGRES"))
  func processes() throws {
    let one = try sandbox.runHub()
    let first = try one.setupCode()
    let other = try sandbox.runHub()
    let second = try other.setupCode()
    try wait { try one.reported.contains("another process of this hub made a new code") }
    #expect(try one.reported.contains("another process of this hub made a new code"))
    #expect(try post(one, fields(first)).status == 403)
    for number in 0..<8 { #expect(try post(number < 4 ? one : other, fields("AAAA-AAAA-AAAA-AAAA")).status == 403) }
    #expect(try post(one, fields(second)).status == 303)
    try wait { try other.get("/api/v1/videos").status == 401 }
    #expect(try other.get("/api/v1/videos").status == 401 && other.get("/setup").headers["location"] == "/login")
    let schema = try #require(sandbox.schema)
    try schema.expectNone(of: [first, second, second.filter { $0 != "-" }], also: [])
  }

  @Test("The code is in no file of the hub")
  func stored() throws {
    guard sandbox.schema == nil else { return }
    let code = try sandbox.runHub().setupCode()
    for name in sandbox.folder.names(in: "hub") {
      let text = String(decoding: sandbox.folder.read("hub/\(name)") ?? [], as: UTF8.self)
      #expect(!text.contains(code) && !text.contains(code.filter { $0 != "-" }), "\(name)")
    }
  }

  @Test("A hub of one person that others could reach waits, and requests no feed until there is the user")
  func home() throws {
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.succeed("follow", TwoUsers.science)
    let before = sandbox.server.requests.count
    for option in [
      ["--listen", "0.0.0.0:0"], ["--public-url", "https://hub.example"], ["--trusted-proxy", "192.0.2.1"],
    ] {
      let hub = try RunningHub(sandbox, option)
      #expect(try hub.get("/api/v1/videos").status == 503, "\(option)")
      let page = option[0] == "--listen" ? "http://localhost:\(hub.port)/" : "http"
      #expect(try hub.setupCode().count == 19 && hub.reported.contains("first user at \(page)"))
      _ = try hub.end()
    }
    let program = Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
    let running = try program.start(["serve", "--listen", "0.0.0.0:0"])
    try wait { try running.reported.contains("with the code") }
    usleep(1_500_000)
    #expect(sandbox.server.requests.count == before)
    let made = try sandbox.hub(["setup", "ann"], input: "correct horse\n")
    #expect(made.status == 0 && made.text.hasPrefix("ann: added"), "\(made.errors)")
    wait { sandbox.server.requests.count > before }
    #expect(sandbox.server.requests.count > before, "it polls once there is a user")
    running.signal(SIGTERM)
    let outcome = try running.finish()
    #expect(outcome.status == 0 && outcome.errors.contains("the first user was made"), "\(outcome.errors)")
  }

  @Test("A hub that waits for its first user ends on SIGTERM")
  func ends() throws {
    let hub = try sandbox.runHub("--poll")
    _ = try hub.setupCode()
    #expect(try hub.end().status == 0)
  }
}
