import Core
import FixtureServer
import Foundation
import JSON
import TestSupport
import Testing

@testable import HubCore
@testable import HubReaders

/// A hub that a proxy serves below a path of its host, whether or not the proxy removes the path.
@Suite("A hub below a path")
final class HubSubPathTests {
  private let sandbox: Sandbox
  private let hub: RunningHub
  private let ann: String
  private static let host = "Host: example.org"

  init() throws {
    sandbox = try Sandbox()
    try sandbox.useDatabase()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.addUser("ann")
    ann = try sandbox.bearer("ann")
    hub = try RunningHub(
      sandbox, sandbox.hubOptions + ["--listen", "127.0.0.1:0", "--public-url", "https://example.org/feeds/metube/"])
    let followed = try hub.send("POST", "/api/v1/channels", json: "{\"channels\":[\"\(TwoUsers.science)\"]}", ann)
    #expect(followed.status == 200, "\(followed.text)")
  }

  private func get(_ path: String, _ headers: String...) throws -> HubResponse {
    try hub.send("GET", path, [HubSubPathTests.host] + headers)
  }

  /// The local links of a document: the values of the attributes that lead somewhere.
  private func links(_ document: String) -> [String] {
    [" href=\"", " src=\"", " action=\"", " data-api=\""].flatMap { attribute in
      document.components(separatedBy: attribute).dropFirst().map { String($0.prefix { $0 != "\"" }) }
    }.filter { $0.hasPrefix("/") }
  }

  @Test("All links of its documents are below the path, and lead somewhere with it and without it")
  func documents() throws {
    for path in ["/", "/channels", "/channels/\(TwoUsers.science)", "/rules", "/status", "/import", "/login"] {
      let found = links(try get("/feeds/metube" + path, path == "/login" ? "Accept: text/html" : ann).text)
      #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("/feeds/metube/") }, "\(path): \(found)")
      for link in Set(found) {
        let target = link.replacing("&amp;", with: "&")
        let responses = try [target, String(target.dropFirst("/feeds/metube".count))].map { try get($0, ann).status }
        // Forms take POST alone.
        #expect(
          responses.allSatisfy { [200, 303, 404, 405].contains($0) } && responses[0] == responses[1],
          "\(link): \(responses)")
      }
    }
    #expect(try get("/feeds/metube", ann).status == 200)
    #expect(try get("/feeds/metubes/channels", ann).status == 404, "another path of the host")
    #expect(links(String(decoding: try get("/feeds/metube/manifest.webmanifest").body, as: UTF8.self)).isEmpty)
  }

  @Test("A login returns below the path, with a cookie that is sent there alone")
  func logIn() throws {
    let first = try get("/feeds/metube/channels?tag=a", "Accept: text/html")
    #expect(first.status == 303)
    #expect(first.headers["location"] == "/feeds/metube/login?back=%2Fchannels%3Ftag%3Da")
    let form = "name=ann&password=correct+horse&back=%2Fchannels%3Ftag%3Da"
    let response = try hub.send(
      "POST", "/feeds/metube/login", [HubSubPathTests.host, "Content-Type: application/x-www-form-urlencoded"],
      body: form.utf8)
    #expect(response.status == 303 && response.headers["location"] == "/feeds/metube/channels?tag=a")
    let cookie = try #require(response.headers["set-cookie"])
    #expect(
      cookie.hasPrefix("__Secure-metube=") && cookie.contains("; Path=/feeds/metube;") && cookie.hasSuffix("; Secure"))
    let session = "Cookie: " + cookie.prefix { $0 != ";" }
    let paired = try hub.send(
      "POST", "/feeds/metube/settings/tokens",
      [HubSubPathTests.host, session, "Content-Type: application/x-www-form-urlencoded"], body: "action=pair".utf8)
    #expect(paired.text.contains("metube-rss pair https://example.org/feeds/metube "))
  }

  @Test("Readers, feeds and devices work below it")
  func clients() throws {
    #expect(try get("/feeds/metube/v1/feeds", ann).json.elements?.count == 1)
    #expect(try get("/feeds/metube/reader/api/0/subscription/list?output=json", ann).status == 200)
    #expect(try get("/feeds/metube//api/greader.php/reader/api/0/subscription/list", ann).status == 200)
    #expect(try get("/feeds/metube/healthcheck").text == "OK")
    let document = try get("/feeds/metube/api/v1/openapi.json").json
    #expect(document["servers"]?.elements?.first?["url"]?.string == "/feeds/metube")
    #expect(
      try get("/feeds/metube/feeds/atom", ann).text.contains("href=\"https://example.org/feeds/metube/feeds/atom\""))
    let device = SyncedDevice(sandbox, token: String(ann.dropFirst("Authorization: Bearer ".count)))
    try device.decide(.mark(1, .watched))
    var environment = device.environment(hub.port)
    environment["METUBE_RSS_HUB"] = "http://127.0.0.1:\(hub.port)/feeds/metube/"
    let outcome = try Program(environment: environment).run(["sync"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let log = try device.device.description
    #expect(try get("/api/v1/logs", ann).text.contains(log))
    environment["METUBE_RSS_HUB"] = "http://127.0.0.1:\(hub.port)/feeds/../metube"
    let refused = try Program(environment: environment).run(["sync"])
    #expect(refused.status == 64 && refused.errors.contains("METUBE_RSS_HUB"), "\(refused.errors)")
  }

  @Test(
    "A public URL that cannot be one is refused with the reason",
    arguments: [
      "hub.example", "https://", "https://a@b.example", "https://a.example/x?y", "https://a.example/x//y",
      "https://a.example/%41",
    ])
  func refused(url: String) throws {
    let outcome = try sandbox.hub(["serve"] + sandbox.hubOptions + ["--public-url", url])
    #expect(outcome.status == 64 && outcome.errors.contains("such as https://hub.example"), "\(outcome.errors)")
  }

  @Test("Push subscriptions name a callback below it", .ofFiles)
  func push() throws {
    let feed = try String(
      contentsOfFile: Files.packageRoot + "/Fixtures/feeds/channels/\(TwoUsers.science).xml", encoding: .utf8)
    let link = "<link rel=\"hub\" href=\"\(sandbox.server.baseURL)/hub\"/>"
    sandbox.server.serve(
      TwoUsers.science, .feed(feed.replacing(" <id>", with: " \(link)\n <id>", maxReplacements: 1).utf8))
    sandbox.server.route("/hub") { _ in .empty(status: 202) }
    _ = try hub.end()
    let pushed = try RunningHub(
      sandbox, sandbox.hubOptions + ["--listen", "127.0.0.1:0", "--push", "--public-url", "https://hub.example/metube"])
    #expect(try pushed.send("POST", "/metube/api/v1/poll", [ann]).status == 202)
    wait { !sandbox.server.webSubRequests("/hub").isEmpty }
    let request = try #require(sandbox.server.webSubRequests("/hub").first)
    #expect(request.path.hasPrefix("/metube/push/"), "\(request.path)")
    #expect(try pushed.verify(request).status == 200)
  }
}
