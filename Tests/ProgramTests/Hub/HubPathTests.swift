import HubAPI
import HubCore
import HubWeb
import JSON
import TestSupport
import Testing
import metube_hub

/// Paths with empty parts, as clients make them from an address that ends with a slash.
@Suite("Spellings of paths")
struct HubPathTests {
  private let sandbox: Sandbox
  private let hub: RunningHub
  private let token: String
  private static let all = HubRoute.all + HubRoute.dialects + HubRoute.pages

  init() throws {
    sandbox = try Sandbox()
    try sandbox.succeed("follow", "--tag", "science", "UCsXVk37bltHxD1rDPwtNM8Q")
    let outcome = try sandbox.hub(["user", "add", "ann"], input: Sandbox.password + "\n")
    #expect(outcome.status == 0)
    token = String(try #require(sandbox.hub(["token", "add", "ann", "test", "--scope", "read"]).lines.first))
    hub = try RunningHub(sandbox, "--log-requests")
  }

  /// A path of a route, and the same with empty parts at its beginning, within it and at its end.
  private static func paths(_ route: HubRoute, secret: String) -> (path: String, spelt: [String]) {
    let parts = route.parts.map { $0 == "{secret}" ? secret : $0.hasPrefix("{") ? "9" : $0 }
    let path = "/" + parts.joined(separator: "/")
    return (path, ["//" + parts.joined(separator: "/"), "/" + parts.joined(separator: "///") + "/", path + "//"])
  }

  private func send(_ route: HubRoute, _ path: String, _ headers: [String]) throws -> HubResponse {
    try hub.send(route.method.rawValue.uppercased(), path, headers)
  }

  @Test("A path with empty parts is the same path, with the same access, for every route and visitor")
  func everyRoute() throws {
    // Its response has no end.
    for route in HubPathTests.all where route.name != "events" {
      for (secret, headers) in [
        ("x", []), ("x", ["Host: evil.example"]), ("x", ["Sec-Fetch-Site: cross-site"]),
        (token, ["Authorization: Bearer \(token)", "Content-Type: application/json"]),
      ] {
        let (path, spelt) = HubPathTests.paths(route, secret: secret)
        let wanted = try send(route, path, headers)
        // Those of a token are limited.
        for other in headers.count > 1 ? [spelt[1]] : spelt where other != path {
          let response = try send(route, other, headers)
          let context = "\(route.method) \(other) \(headers)"
          if route.isPage, route.method == .get, wanted.status != 421 {
            #expect(response.status == 308 && response.headers["location"] == path, "\(context)")
          } else {
            #expect(response.status == wanted.status, "\(context): \(response.status), not \(wanted.status)")
            #expect(response.headers["content-type"] == wanted.headers["content-type"], "\(context)")
          }
        }
      }
    }
  }

  @Test("A document has one address, which leads to no other host")
  func documents() throws {
    let responses = [
      "//channels": "/channels", "//": "/", "///?status=all": "/?status=all",
      "/login/?back=//evil.example": "/login?back=%2F%2Fevil.example", "//collections//a%2Fb": "/collections/a%2Fb",
      "//channels/%5cevil.example?a%26b=1": "/channels/%5Cevil.example?a%26b=1",
    ]
    for (path, location) in responses {
      let response = try hub.get(path, "Accept: text/html")
      #expect(response.status == 308 && response.headers["location"] == location, "\(path) \(response.headers)")
    }
    for path in ["//evil.example", "//evil.example/channels", "//evil.example/", "/\\evil.example/"] {
      let response = try hub.get(path, "Accept: text/html")
      #expect(response.status == 404 && response.headers["location"] == nil, "\(path)")
    }
  }

  @Test("Secrets in paths with empty parts are checked and kept out of the log")
  func secrets() throws {
    #expect(try hub.get("//k//\(token)//health/").json["status"]?.string == "healthy")
    #expect(try hub.get("//k///health").status == 404)
    #expect(try hub.get("//k//x//health").status == 404)
    #expect(try hub.send("POST", "//k//\(token)//api//channels/register", json: "{}").status == 403)
    let log = try hub.end().errors
    #expect(log.contains("//k//-//health/ 200") && !log.contains(token))
  }

  @Test("A refused path with empty parts is refused in its dialect's form")
  func words() throws {
    let header = "X-Auth-Token: \(token)"
    #expect(try hub.get("//v1//nothing", header).json["error_message"] != nil)
    #expect(try hub.get("//reader//nothing", header).text.hasPrefix("Error="))
    #expect(try hub.get("//api//v1//nothing").headers["content-type"] == "application/problem+json")
    for path in ["//v1/%2e%2e/me", "/v1//./me", "/v1//../me", "v1/me"] {
      #expect(try hub.get(path, header).status == 400, "\(path)")
    }
  }

  @Test("A malformed path or query is refused in the form of the API or page that it belongs to")
  func malformed() throws {
    for path in ["/v1/entries?search=%zz", "/v1/%zz", "/v1/entries?search=%ff"] {
      let response = try hub.get(path, "X-Auth-Token: \(token)")
      #expect(response.status == 400, "\(path)")
      #expect(try response.json["error_message"]?.string?.isEmpty == false, "\(path): \(response.text)")
    }
    for path in ["/reader/api/0/stream/contents/%zz", "/api/greader.php/reader/api/0/tag/list?output=%zz"] {
      let response = try hub.get(path, "Authorization: Bearer \(token)")
      #expect(response.status == 400 && response.text.hasPrefix("Error="), "\(path): \(response.text)")
    }
    for path in ["/api/v1/videos/%zz", "/api/v1/videos?tag=%zz", "/%zz"] {
      let response = try hub.get(path)
      #expect(response.status == 400 && response.headers["content-type"] == "application/problem+json", "\(path)")
    }
    for path in ["/channels/%zz", "/?status=%zz"] {
      let response = try hub.get(path, "Accept: text/html")
      #expect(response.status == 400 && response.headers["content-type"]?.hasPrefix("text/html") == true, "\(path)")
    }
  }
}
