import Glibc
import Gzip
import TestSupport
import Testing

/// One client or user who takes all connections or event streams that the hub gives.
@Suite("Crowds at the hub")
struct HubCrowdTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.useDatabase()
  }

  /// A hub on one home, which takes any client for its user; with a database, one with a user. Also the user's headers.
  private func hubOfOne(_ options: String...) throws -> (hub: RunningHub, user: [String]) {
    guard sandbox.schema != nil else { return (try RunningHub(sandbox, options), []) }
    try sandbox.addUser("ann")
    return (try RunningHub(sandbox, sandbox.hubOptions + options), [try sandbox.bearer("ann")])
  }

  @Test("Unfinished bodies of a stranger lock no client out")
  func bodies() throws {
    let hub = try hubOfOne("--timeout", "3600").hub
    let head = "POST /api/v1/session HTTP/1.1\r\nHost: \(hub.host)\r\nContent-Type: application/json\r\n"
    let connections = try (0..<720).map { _ in
      let connection = try HubConnection(hub.port)
      connection.write(Array("\(head)Content-Length: 1000\r\n\r\n{".utf8))
      return connection
    }
    #expect(try hub.get("/health").status == 200)
    // Some of them made room. Which depends on the order in which the hub reads.
    wait { connections.count { $0.hasResponse } >= 20 }
    #expect((20...30).contains(connections.count { $0.hasResponse }))
  }

  @Test("Clients that neither send nor read do not keep a hub from ending")
  func ending() throws {
    let hub = try hubOfOne("--timeout", "3600", "--end", "120").hub
    let connection = try HubConnection(hub.port)
    connection.write(
      Array("POST /api/v1/session HTTP/1.1\r\nHost: \(hub.host)\r\nContent-Length: 1000\r\n\r\n{".utf8))
    // The hub has taken it before it answers this.
    #expect(try hub.get("/health").status == 200)
    #expect(try hub.end().status == 0)
    #expect(connection.hasResponse)
  }

  @Test("A body is waited for less long where no login is needed", arguments: [true, false])
  func stalled(sendsMore: Bool) throws {
    let (hub, headers) = try hubOfOne("--timeout", "3")
    let stranger = try HubConnection(hub.port)
    let head = "Host: \(hub.host)\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n "
    stranger.write(Array("POST /api/v1/session HTTP/1.1\r\n\(head)".utf8))
    let user = try HubConnection(hub.port)
    let credentials = headers.map { $0 + "\r\n" }.joined()
    user.write(Array("POST /api/v1/marks HTTP/1.1\r\n\(credentials)\(head)".utf8))
    wait {
      if sendsMore { for connection in [stranger, user] { connection.write([UInt8(ascii: " ")]) } }
      return stranger.hasResponse
    }
    #expect(!user.hasResponse)
    let response = String(decoding: stranger.readAll(), as: UTF8.self)
    #expect(response.isEmpty || response.hasPrefix("HTTP/1.1 408"))
  }

  @Test("Event streams have a limit for each user, and others listen")
  func streams() throws {
    for user in ["ann", "bob"] { try sandbox.addUser(user) }
    let (ann, bob) = (try sandbox.bearer("ann"), try sandbox.bearer("bob", "read"))
    let hub = try sandbox.runHub()
    /// The head of the response to one stream more.
    func open(_ header: String) throws -> (stream: HubConnection, head: String) {
      let stream = try hub.begin("GET", "/api/v1/events", [header, "Connection: close"], body: "")
      return (stream, stream.read(until: "\r\n\r\n"))
    }
    // Held until the end.
    let streams = try (0..<20).map { _ in try open(ann) }
    for stream in streams { #expect(stream.head.hasPrefix("HTTP/1.1 200"), "\(stream.head)") }
    let refused = try open(ann)
    #expect(refused.head.hasPrefix("HTTP/1.1 503"), "\(refused.head)")
    #expect(try open(bob).head.hasPrefix("HTTP/1.1 200"))
    withExtendedLifetime(streams) {}
  }

  @Test("Event streams of clients that left make room at once", arguments: [true, false])
  func leftStreams(closes: Bool) throws {
    let (hub, headers) = try hubOfOne()
    // Held until the end: with these a user has as many as may be.
    let streams = try (0..<19).map { _ in try hub.begin("GET", "/api/v1/events", headers, body: "") }
    for stream in streams { #expect(stream.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200")) }
    for _ in 0..<10 {
      var last: HubConnection?
      wait {
        last = try? hub.begin("GET", "/api/v1/events", headers, body: "")
        return last?.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200") == true
      }
      let left = try #require(last)
      // The hub ends the stream without having anything to send.
      if !closes {
        left.finishWriting()
        #expect(String(decoding: left.readAll(), as: UTF8.self).hasSuffix("0\r\n\r\n"))
      }
    }
    withExtendedLifetime(streams) {}
  }

  /// The channels that a user follows whose subscriptions are 2 MB as OPML.
  private static let channels = (0..<8_000).map { number in
    let digits = String(number)
    return "UC" + String(repeating: "0", count: 21 - digits.count) + digits + "A"
  }

  /// A hub on which Ann follows many channels, and the headers of two users.
  private func hubOfMany() throws -> (hub: RunningHub, ann: String, bob: String) {
    for user in ["ann", "bob"] { try sandbox.addUser(user) }
    let (ann, bob) = (try sandbox.bearer("ann"), try sandbox.bearer("bob", "read"))
    let hub = try sandbox.runHub("--timeout", "3600")
    let list = HubCrowdTests.channels.joined(separator: "\n") + "\n"
    let imported = try hub.send("POST", "/api/v1/import", [ann], body: list.utf8)
    #expect(imported.status == 200, "\(imported.text)")
    return (hub, ann, bob)
  }

  /// Requests a long response, and reads nothing of it.
  private func download(_ hub: RunningHub, _ user: String, _ method: String = "GET") throws -> HubConnection {
    let connection = try HubConnection(hub.port, isNarrow: true)
    let lines = ["\(method) /api/v1/export/opml HTTP/1.1", "Host: \(hub.host)", "Connection: close", user]
    connection.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    return connection
  }

  @Test("Long responses that one user does not read lock no client out and take little memory")
  func downloads() throws {
    let (hub, ann, bob) = try hubOfMany()
    let connections = try (0..<200).map { _ in try download(hub, ann) }
    #expect(try hub.get("/api/v1/channels", bob).status == 200)
    #expect(try hub.get("/health").status == 200)
    // Two are sent, a hundred wait, and others are refused.
    var statuses: [Int] = []
    wait {
      statuses = connections.compactMap(\.responseStatus)
      return statuses.count { $0 == 200 } >= 2 && statuses.contains(429)
    }
    #expect(statuses.count { $0 == 200 } == 2 && statuses.contains(429), "\(statuses)")
    #expect(try hub.get("/api/v1/channels", bob).status == 200)
    #expect(hub.peakMemory < 300 << 20, "\(hub.peakMemory >> 20) MB")
  }

  @Test("A long response gives its slot back when it is sent, needs no body, or its client goes")
  func slotsOfResponses() throws {
    let (hub, ann, _) = try hubOfMany()
    for _ in 0..<3 { #expect(try HubResponse(download(hub, ann, "HEAD").readAll()).status == 200) }
    var held = try (0..<2).map { _ in try download(hub, ann) }
    wait { held.allSatisfy(\.hasResponse) }
    let third = try download(hub, ann)
    // Short responses need no slot.
    #expect(try hub.get("/api/v1/session", ann).status == 200)
    #expect(!third.hasResponse)
    held.removeLast()
    let whole = try HubResponse(third.readAll())
    #expect(whole.status == 200 && whole.body.count > 1 << 20)
    #expect(try HubResponse(download(hub, ann).readAll()).body == whole.body)
    #expect(try HubResponse(held[0].readAll()).body == whole.body)
    let tag = try #require(whole.headers["etag"])
    #expect(try hub.get("/api/v1/export/opml", ann, "If-None-Match: \(tag)").status == 304)
    let packed = try hub.get("/api/v1/export/opml", ann, "Accept-Encoding: gzip")
    #expect(packed.headers["content-encoding"] == "gzip" && packed.headers["etag"] == tag)
    #expect(Gzip.unpack(packed.body, limit: whole.body.count) == whole.body)
  }

  @Test("Bodies of strangers take little memory")
  func strangers() throws {
    let hub = try hubOfOne("--timeout", "3600").hub
    let head = "POST /api/v1/session HTTP/1.1\r\nHost: \(hub.host)\r\nContent-Type: application/json\r\n"
    let body = Array("\(head)Content-Length: 1000000\r\n\r\n".utf8) + [UInt8](repeating: 32, count: 999_999)
    let connections = try (0..<600).map { _ in
      let connection = try HubConnection(hub.port)
      connection.write(body)
      return connection
    }
    #expect(try hub.get("/health").status == 200)
    #expect(hub.peakMemory < 300 << 20, "\(hub.peakMemory >> 20) MB")
    withExtendedLifetime(connections) {}
  }

  @Test(
    "Where no login is needed a body may have 16 KiB",
    arguments: [
      ("/api/v1/session", "application/json"), ("/api/v1/pair", "application/json"),
      ("/api/auth/login", "application/json"), ("/login", "application/x-www-form-urlencoded"),
      ("/accounts/ClientLogin", "application/x-www-form-urlencoded"),
    ])
  func bodiesOfStrangers(_ path: String, _ type: String) throws {
    try sandbox.addUser("ann")
    let hub = try sandbox.runHub()
    func status(_ count: Int) throws -> Int {
      let body = [UInt8](repeating: UInt8(ascii: "x"), count: count)
      return try hub.send("POST", path, ["Content-Type: \(type)"], body: body).status
    }
    #expect(try status(16 << 10) != 413)
    #expect(try status((16 << 10) + 1) == 413)
    let chunk = "4001\r\n" + String(repeating: "x", count: 0x4001) + "\r\n"
    let head = "POST \(path) HTTP/1.1\r\nHost: \(hub.host)\r\nContent-Type: \(type)\r\n"
    let chunked = try hub.exchange(Array("\(head)Transfer-Encoding: chunked\r\n\r\n\(chunk)".utf8))
    #expect(try HubResponse(chunked).status == 413)
  }

  @Test(
    "What the server itself reads of a user may have 64 KiB",
    arguments: [
      ("PUT", "/api/v1/password", "application/json"), ("POST", "/api/v1/tokens", "application/json"),
      ("POST", "/settings/tokens", "application/x-www-form-urlencoded"),
    ])
  func bodiesOfServer(_ method: String, _ path: String, _ type: String) throws {
    try sandbox.addUser("ann")
    let ann = try sandbox.bearer("ann")
    let hub = try sandbox.runHub()
    func status(_ count: Int) throws -> Int {
      let body = [UInt8](repeating: UInt8(ascii: "x"), count: count)
      return try hub.send(method, path, [ann, "Content-Type: \(type)"], body: body).status
    }
    #expect(try status(64 << 10) != 413)
    #expect(try status((64 << 10) + 1) == 413)
  }

  @Test(
    "Too few descriptors are reported at the start",
    arguments: [(64, 75, "needs 500"), (600, 0, "at most 300 clients")])
  func descriptors(_ limit: Int, _ status: Int32, _ text: String) throws {
    let hub = Files.folderOfTests + "/metube-hub"
    // The hub ends by itself, or by SIGTERM once it listens.
    let script = """
      ulimit -n \(limit); '\(hub)' serve --no-poll --listen 127.0.0.1:0 >"$METUBE_RSS_HOME/started" & hub=$!
      while kill -0 $hub 2>/dev/null; do [ -s "$METUBE_RSS_HOME/started" ] && kill $hub && break; sleep 0.05; done
      wait $hub
      """
    let outcome = try Program(path: "/bin/sh", environment: sandbox.environment).run(["-c", script])
    #expect(outcome.status == status && outcome.errors.contains(text), "\(outcome.status) \(outcome.errors)")
  }
}
