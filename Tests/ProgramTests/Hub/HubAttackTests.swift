import HubAPI
import HubCore
import JSON
import Testing

@testable import metube_hub

/// Requests that must not get in.
@Suite("Attacks on the hub")
struct HubAttackTests {
  private let sandbox: Sandbox
  private let hub: RunningHub

  init() throws {
    sandbox = try Sandbox()
    try sandbox.succeed("follow", "UCsXVk37bltHxD1rDPwtNM8Q")
    hub = try RunningHub(sandbox)
  }

  /// Another client is served as before.
  private func expectServed() throws { #expect(try hub.get("/health").status == 200) }

  @Test("A foreign host name is refused on every route, whatever else is right")
  func hosts() throws {
    let port = hub.port
    for route in HubRoute.all {
      for host in ["evil.example", "evil.example:\(port)", "127.0.0.1.evil.example", "localhost.evil.example:\(port)"] {
        let response = try hub.send(route.method.rawValue.uppercased(), route.path, ["Host: \(host)"])
        #expect(response.status == 421, "\(route.path) \(host)")
      }
    }
    for host in ["127.0.0.1:x", "127.0.0.1:0", "127.0.0.1:99999", "@127.0.0.1", "::1"] {
      #expect(try hub.get("/health", "Host: \(host)").status == 421, "\(host)")
    }
    for host in ["localhost:\(port)", "LOCALHOST", "[::1]:\(port)", "127.0.0.1"] {
      #expect(try hub.get("/health", "Host: \(host)").status == 200, "\(host)")
    }
    #expect(try hub.get("/health", "Host: \(hub.host)", "Host: evil.example").status != 200)
  }

  @Test(
    "The host of a target that is a URL counts instead of the Host header",
    arguments: [
      ("http://evil.test/health", 421), ("HTTP://evil.test:80/health", 421), ("http://127.0.0.1@evil.test/health", 421),
      ("http://127.0.0.1/health", 200), ("https://localhost/health?x=1", 200), ("http://[::1]:8/health", 200),
      ("http://127.0.0.1", 200), ("http:///health", 421), ("ftp://127.0.0.1/health", 400), ("x:/health", 400),
      ("http:/health", 400), ("127.0.0.1/health", 400), ("*", 400),
    ])
  func absoluteTargets(_ target: String, _ status: Int) throws {
    let response = try hub.get(target, "Accept: */*")
    #expect(response.status == status, "\(response.status) \(response.text)")
    let other = try hub.get(target, "Host: evil.test").status
    #expect(status == 400 ? [400, 421].contains(other) : other == status, "\(other)")
    #expect(try hub.get(target, "Host: \(hub.host)", "Host: \(hub.host)").status != 200)
  }

  @Test("A page of another site changes nothing, on any route")
  func origins() throws {
    let log = sandbox.log
    let foreign = [
      ["Origin: https://evil.example"], ["Origin: null"], ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"],
      ["Origin: http://127.0.0.1:1"], ["Origin: http://\(hub.host)@evil.example"],
    ]
    for route in HubRoute.all where route.method != .get {
      for headers in foreign {
        let response = try hub.send(
          route.method.rawValue.uppercased(), route.path, headers + ["Content-Type: application/json"], body: "{}".utf8)
        #expect(response.status == 403, "\(route.path) \(headers)")
      }
    }
    #expect(sandbox.log == log)
    let own = try hub.send("POST", "/api/v1/poll", ["Origin: http://\(hub.host)", "Sec-Fetch-Site: same-origin"])
    #expect(own.status == 202)
  }

  @Test(
    "A form of another site cannot pass as JSON",
    arguments: [
      "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp", "",
    ])
  func contentTypes(_ type: String) throws {
    let response = try hub.send(
      "POST", "/api/v1/channels", ["Content-Type: \(type)"], body: #"{"channels":["UCHnyfMqiRRG1u-2MsSQLbXA"]}"#.utf8)
    #expect(response.status == 415)
    #expect(sandbox.events("channelFollowed").count == 1)
  }

  @Test(
    "Paths that leave the tree, and malformed ones, are refused",
    arguments: [
      "/../etc/passwd", "/api/v1/../../etc/passwd", "/api/v1/videos/..%2f..%2fetc%2fpasswd", "/%2e%2e/etc/passwd",
      "/api/v1/videos/%00", "/api/v1/videos/%ff", "/api/v1/videos/%0d%0aSet-Cookie:%20a=b", "//etc/passwd",
      "/api/v1/collections/..", "//api/v1/export/../import", "/api//v1/%2e/videos", "/health%20", "/HEALTH",
    ])
  func paths(_ path: String) throws {
    let response = try hub.get(path)
    #expect([400, 404].contains(response.status), "\(response.status)")
    #expect(response.headers["set-cookie"] == nil && !response.text.contains("root:"))
  }

  @Test(
    "No name of an upload leaves its folder", arguments: ["../../../../tmp/evil", "/etc/evil", "..", "", "a/b", "%0a"])
  func uploadNames(_ name: String) throws {
    let response = try hub.send("POST", "/api/v1/import?name=\(name)", [], body: "UCHnyfMqiRRG1u-2MsSQLbXA\n".utf8)
    #expect([200, 400].contains(response.status), "\(response.text)")
    #expect(Files.read("/tmp/evil") == nil && Files.read("/etc/evil") == nil)
  }

  @Test("Names and titles cannot break out of a response's headers")
  func headers() throws {
    let response = try hub.get("/feeds/atom?collection=a%0d%0aX-Evil:%201")
    #expect(response.headers["x-evil"] == nil && response.status == 400)
  }

  @Test("Bodies beyond the limit are refused, declared or not")
  func largeBodies() throws {
    let large = [UInt8](repeating: UInt8(ascii: " "), count: (1 << 20) + 1)
    let declared = try hub.send("POST", "/api/v1/marks", ["Content-Type: application/json"], body: large)
    #expect(declared.status == 413)
    let chunk = Array("\(String(large.count, radix: 16))\r\n".utf8) + large + Array("\r\n0\r\n\r\n".utf8)
    let head =
      "POST /api/v1/marks HTTP/1.1\r\nHost: \(hub.host)\r\nContent-Type: application/json\r\n"
      + "Transfer-Encoding: chunked\r\n\r\n"
    #expect(try HubResponse(hub.exchange(Array(head.utf8) + chunk)).status == 413)
    let huge = "POST /api/v1/import HTTP/1.1\r\nHost: \(hub.host)\r\nContent-Length: 99999999999\r\n\r\n"
    #expect(try HubResponse(hub.exchange(Array(huge.utf8))).status == 413)
    try expectServed()
  }

  @Test("Oversized headers, garbage and ambiguous lengths are refused, and others still served")
  func malformed() throws {
    let host = "Host: \(hub.host)\r\n"
    let long = String(repeating: "a", count: 100_000)
    let requests = [
      "GET /health HTTP/1.1\r\n\(host)X: \(long)\r\n\r\n", "GET /\(long) HTTP/1.1\r\n\(host)\r\n",
      "GET /health HTTP/1.1\r\n\(host)" + String(repeating: "A: b\r\n", count: 10_000) + "\r\n",
      "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n", "GET\r\n\r\n", "GET /health\r\n\r\n", "\r\n\r\n\r\nGET",
      "POST /api/v1/marks HTTP/1.1\r\n\(host)Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "POST /api/v1/marks HTTP/1.1\r\n\(host)Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd",
      "POST /api/v1/marks HTTP/1.1\r\n\(host)Content-Length: -1\r\n\r\n",
      "POST /api/v1/marks HTTP/1.1\r\n\(host)Transfer-Encoding: xchunked\r\n\r\n",
      "GET /health HTTP/1.1\r\n\(host)X : a\r\n\r\n", "GET /health HTTP/1.1\r\n\(host)X: a\r\n\t b\u{0}\r\n\r\n",
    ]
    for request in requests {
      let connection = try HubConnection(hub.port)
      connection.write(Array(request.utf8))
      connection.finishWriting()
      let response = String(decoding: connection.readAll(), as: UTF8.self)
      #expect(response.isEmpty || !response.hasPrefix("HTTP/1.1 200"), "\(request.prefix(80)): \(response.prefix(40))")
      try expectServed()
    }
    #expect(sandbox.events("statusSet").isEmpty)
  }

  @Test("Pipelined requests are answered in order")
  func pipelined() throws {
    let one = "GET /api/v1/rules HTTP/1.1\r\nHost: \(hub.host)\r\n\r\n"
    let two = "GET /nothing HTTP/1.1\r\nHost: \(hub.host)\r\nConnection: close\r\n\r\n"
    let responses = String(decoding: try hub.exchange(Array((one + one + two).utf8)), as: UTF8.self)
    let statuses = responses.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
    #expect(statuses == ["200", "200", "404"])
  }

  @Test("Idle connections lock no client out, however many and however long")
  func idle() throws {
    let patient = try RunningHub(sandbox, "--timeout", "3600")
    let used = try patient.begin("GET", "/api/v1/events", [], body: "")
    let connections = try (0..<900).map { _ in try HubConnection(patient.port) }
    #expect(try patient.get("/health").status == 200)
    // Those that waited longest made room; who has a request is left alone.
    #expect(connections[0].readAll().isEmpty && !connections[899].hasResponse)
    #expect(used.read(until: "event: change").contains("200"))
  }

  @Test("Deeply nested and hostile JSON is refused")
  func json() throws {
    let bodies = [
      String(repeating: "[", count: 100_000), #"{"marks":{}}"#, #"{"marks":[1]}"#, #"{"marks":[]}"#, "[]", "", "{",
      #"{"marks":[{"video":"../../../x","saved":true}]}"#, #"{"marks":[{"saved":true}]}"#,
      #"{"marks":[{"video":"aaaaaaaaaaa","collection":"\u0000"}]}"#, #"{"marks":null}"#,
    ]
    for body in bodies {
      let response = try hub.send("POST", "/api/v1/marks", ["Content-Type: application/json"], body: body.utf8)
      #expect(response.status == 400, "\(body.prefix(40)): \(response.status)")
    }
    let many = (0..<401).map { _ in #"{"video":"aaaaaaaaaaa","saved":true}"# }.joined(separator: ",")
    #expect(try hub.send("POST", "/api/v1/marks", json: #"{"marks":[\#(many)]}"#).status == 400)
  }
}
