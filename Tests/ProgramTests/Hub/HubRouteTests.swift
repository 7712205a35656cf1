import FixtureServer
import HubAPI
import HubCore
import HubWeb
import JSON
import TestSupport
import Testing

/// The API against its OpenAPI document.
@Suite("The hub's API and its description")
struct HubRouteTests {
  private let sandbox: Sandbox
  private let hub: TestHub
  private let video: String
  private static let channel = "UCsXVk37bltHxD1rDPwtNM8Q"

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.succeed("follow", "--tag", "science", HubRouteTests.channel)
    try sandbox.succeed("poll", "--rate", "0")
    video = try #require(try sandbox.everything().first?.video)
    try sandbox.succeed("watched", video)
    try sandbox.succeed("collection", "add", "Later", video)
    hub = TestHub(sandbox)
  }

  /// A path of a route with its variable parts filled in.
  private func path(_ route: HubRoute) -> String {
    // Lines are read of the log that there is, and added to that of a new device.
    let log = route.method == .get ? sandbox.folder.names(in: "log").first.map { String($0.dropLast(6)) } : "newdevic"
    let values = [
      "{video}": video, "{channel}": HubRouteTests.channel, "{collection}": "Later", "{log}": log ?? "",
      "{preference}": "theme",
    ]
    let path = route.path.split(separator: "/").map { "/" + (values[String($0)] ?? String($0)) }.joined()
    return path + (log != nil && route.path.contains("{log}") ? "?offset=0" : "")
  }

  /// A body that a route accepts.
  private static let bodies = [
    "mark": #"{"marks":[]}"#, "follow": #"{"channels":["UCHnyfMqiRRG1u-2MsSQLbXA"]}"#,
    "setChannel": #"{"title":"Mine","tag":["new"],"shorts":"show"}"#,
    "setPreference": #"{"value":"dark"}"#,
    "addRule": #"{"verdict":"block","contains":"giveaway","short":false}"#,
    "previewRule": #"{"verdict":"block","contains":"the"}"#,
    "addCollection": #"{"collection":"Trains","description":"Steam"}"#, "setCollection": #"{"description":"Soon"}"#,
  ]

  @Test("The document that is served has every route and nothing else")
  func document() throws {
    let document = try hub.get("/api/v1/openapi.json").json
    #expect(document["openapi"]?.string == "3.1.0")
    guard case .object(let paths) = document["paths"] else { throw Missing() }
    let operations = paths.flatMap { path -> [String] in
      guard case .object(let operations) = path.value else { return [] }
      return operations.map { "\($0.name) \(path.name)" }
    }
    #expect(Set(operations) == Set(HubRoute.all.map { "\($0.method.rawValue) \($0.path)" }))
    #expect(operations.count == HubRoute.all.count)
    #expect(Set(HubRoute.all.map(\.name)).count == HubRoute.all.count)
  }

  private struct Missing: Error {}

  @Test("Every operation has a group, and every media type a schema")
  func operations() throws {
    let document = try hub.get("/api/v1/openapi.json").json
    #expect(document["servers"]?.elements?.first?["url"]?.string == "/" && document["security"] != nil)
    let groups = document.texts("tags", of: "name")
    func check(_ content: JSONValue?, _ path: String) {
      guard case .object(let types)? = content else { return }
      for type in types { #expect(type.value["schema"] != nil, "\(path) \(type.name)") }
    }
    for route in HubRoute.all {
      let operation = try #require(document["paths"]?[route.path]?[route.method.rawValue])
      let names = operation["tags"]?.elements?.compactMap(\.string) ?? []
      #expect(names.count == 1 && groups.contains(names[0]), "\(route.path)")
      check(operation["requestBody"]?["content"], route.path)
      guard case .object(let responses)? = operation["responses"] else { throw Missing() }
      for response in responses { check(response.value["content"], "\(route.path) \(response.name)") }
      let schemes = operation["security"]?.elements?.count
      #expect(schemes == (route.access == .open ? 0 : route.query.contains { $0.name == "token" } ? 3 : 2))
    }
  }

  private static let exportsOfFiles = Set(
    [
      "archive", "freetube-history", "freetube-playlists", "newpipe-backup", "takeout-history", "takeout-playlists",
      "invidious",
    ].map { "/api/v1/export/\($0)" })

  @Test("Every route that reads responds with the type and the members of the document")
  func reads() throws {
    let hub = try self.hub.server
    for route in HubRoute.all where route.method == .get && route.name != "events" {
      let response = try hub.get(path(route))
      #expect(response.status == 200, "\(route.path): \(response.text)")
      #expect(response.headers["content-type"] == route.success.type, "\(route.path)")
      // Exports that are written to a file first are sent as they are made, without a validator.
      let isOfFile = HubRouteTests.exportsOfFiles.contains(route.path)
      #expect((response.headers["etag"] != nil) != isOfFile, "\(route.path)")
      #expect(response.headers["x-content-type-options"] == "nosniff", "\(route.path)")
      if let schema = route.success.schema {
        HubRouteTests.check(try response.json, schema, route.path)
      }
    }
  }

  @Test("Every route that changes something responds with the status and the members of the document")
  func changes() throws {
    // These have tests of their own.
    let others = [
      "importFile", "removeRule", "logIn", "addToken", "revokeToken", "endSession", "pair", "setPassword",
      "findYouTubeChannels", "findYouTubeVideos",
    ]
    for route in HubRoute.all where route.method != .get && !others.contains(route.name) {
      var body = HubRouteTests.bodies[route.name] ?? ""
      if route.name == "mark" { body = #"{"marks":[{"video":"\#(video)","saved":true}]}"# }
      let response =
        body.isEmpty
        ? try hub.send(route.method.rawValue.uppercased(), path(route))
        : try hub.send(route.method.rawValue.uppercased(), path(route), json: body)
      #expect(response.status == route.success.status, "\(route.path): \(response.text)")
      if let schema = route.success.schema { HubRouteTests.check(try response.json, schema, route.path) }
    }
    let rule = try #require(try hub.get("/api/v1/rules").json["rules"]?.elements?.first?["rule"]?.string)
    #expect(try hub.send("DELETE", "/api/v1/rules/\(rule)").status == 200)
    #expect(try hub.send("DELETE", "/api/v1/rules/\(rule)").status == 404)
  }

  /// Checks that a value has the shape of a schema, with no member besides.
  private static func check(_ value: JSONValue, _ schema: HubSchema, _ path: String) {
    switch (schema, value) {
    case (.any, _), (.string, .string), (.time, .string), (.integer, .number), (.number, .number),
      (.boolean, .boolean), (.null, .null):
      break
    case (.null(let inner), _): check(value, inner, path)
    case (.choice(let choices), .string(let text)): #expect(choices.contains(text), "\(path)")
    case (.list(let inner), .array(let elements)): for element in elements { check(element, inner, path + "[]") }
    case (.named(let name), _):
      guard let named = HubSchema.components.first(where: { $0.0 == name })?.1 else {
        Issue.record("\(path): no schema \(name)")
        return
      }
      check(value, named, path)
    case (.object(let members), .object(let given)):
      #expect(members.map { $0.0 } == given.map(\.name), "\(path)")
      for (member, part) in zip(members, given) { check(part.value, member.1, "\(path).\(member.0)") }
    default: Issue.record("\(path): \(value) is not \(schema)")
    }
  }

  @Test("A method that a path does not have gets 405 and those that it has")
  func methods() throws {
    for path in Set(HubRoute.all.map(\.path)) {
      let routes = HubRoute.all.filter { $0.path == path }
      let allowed = Set(routes.map { $0.method.rawValue.uppercased() })
      for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"] where !allowed.contains(method) {
        let response = try hub.send(method, self.path(routes[0]))
        #expect(response.status == 405, "\(method) \(path)")
        let named = Set((response.headers["allow"] ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) })
        #expect(named.subtracting(["HEAD"]) == allowed, "\(path)")
      }
    }
  }

  @Test("HEAD responds as GET without a body")
  func head() throws {
    let hub = try self.hub.server
    let (got, headed) = (try hub.get("/api/v1/videos"), try hub.send("HEAD", "/api/v1/videos"))
    #expect(headed.status == 200 && headed.body.isEmpty)
    #expect(headed.headers["etag"] == got.headers["etag"])
  }

  @Test(
    "Invalid parameters are problems that name them",
    arguments: [
      ("limit=0", "limit"), ("limit=x", "limit"), ("limit=501", "limit"), ("shorts=maybe", "shorts"),
      ("saved=1", "saved"), ("since=yesteryear", "since"), ("nothing=1", "nothing"), ("search=a&search=b", "search"),
      ("after=!", "after"), ("catchUp=true&mix=true", "catchUp and mix"), ("minDuration=x", "minDuration"),
      ("search=%00", "malformed"), ("tag=%zz", "malformed"), ("channel=No+Such", "No Such"), ("tag=none", "none"),
    ])
  func invalid(_ query: String, _ named: String) throws {
    let response = try hub.get("/api/v1/videos?\(query)")
    #expect(
      [400, 404].contains(response.status) && response.text.contains(named), "\(response.status) \(response.text)")
    #expect(response.headers["content-type"] == "application/problem+json")
    HubRouteTests.check(try response.json, .named("Problem"), query)
  }

  @Test("Import by upload reports what the terminal's import reports, and removes its copy")
  func imported() throws {
    let file = try #require(Files.read(Files.packageRoot + "/feeds.opml"))
    let response = try hub.send("POST", "/api/v1/import?name=feeds.opml&tag=uploaded", [], body: file)
    #expect(try response.status == 200 && response.json["new"] == 19, "\(response.text)")
    #expect(try sandbox.succeed("channels", "--tag", "uploaded", "--format", "ids").split(separator: "\n").count == 20)
    let garbage = try hub.send("POST", "/api/v1/import?name=notes.txt", [], body: "nothing".utf8)
    #expect(garbage.status == 422 && garbage.text.contains("notes.txt: unknown format"), "\(garbage.text)")
    #expect(!garbage.text.contains("log"), "its sender has none")
  }

  @Test("A user has at most 500 rules through the hub")
  func maxRules() throws {
    let hub = try self.hub.server
    let before = try #require(try hub.get("/api/v1/rules").json["rules"]?.elements?.count)
    func request(_ number: Int) -> String {
      let body = #"{"verdict":"block","contains":"word\#(number)"}"#
      let head = "POST /api/v1/rules HTTP/1.1\r\nHost: \(hub.host)\r\nContent-Type: application/json\r\n"
      return "\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
    let connection = try HubConnection(hub.port)
    let count = 500 - before
    connection.write(Array((0..<count).map(request).joined().utf8))
    connection.finishWriting()
    let responses = String(decoding: connection.readAll(), as: UTF8.self)
    #expect(responses.split(separator: "HTTP/1.1 ").count { $0.hasPrefix("201") } == count)
    let refused = try hub.send("POST", "/api/v1/rules", json: #"{"verdict":"block","contains":"more"}"#)
    #expect(refused.status == 422 && refused.text.contains("500 rules"), "\(refused.text)")
    let rule = try #require(try hub.get("/api/v1/rules").json["rules"]?.elements?.first?["rule"]?.string)
    #expect(try hub.send("DELETE", "/api/v1/rules/\(rule)").status == 200)
    #expect(try hub.send("POST", "/api/v1/rules", json: #"{"verdict":"block","contains":"more"}"#).status == 201)
  }
}
