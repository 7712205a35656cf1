import Glibc
import Testing

@testable import FixtureServer

private let channel = "UCsXVk37bltHxD1rDPwtNM8Q"
private let target = "/feeds/videos.xml?channel_id=UCsXVk37bltHxD1rDPwtNM8Q"

@Suite("The fixture server")
final class FixtureServerTests {
  let server: FixtureServer

  init() throws { server = try FixtureServer.start(port: 0) }

  deinit { server.stop() }

  @Test("A feed has the header fields YouTube sends, and no validator")
  func feed() {
    server.serve(channel, .feed("<feed/>"))
    let response = RawResponse(server, get: target)
    #expect(response.status == "HTTP/1.1 200 OK")
    #expect(response.headers["content-type"] == "text/xml; charset=UTF-8")
    #expect(response.headers["cache-control"] == "public, max-age=900")
    #expect(response.headers["content-length"] == "7")
    #expect(response.headers["etag"] == nil && response.headers["last-modified"] == nil)
    #expect(response.headers["date"]?.hasSuffix(" GMT") == true)
    #expect(response.body == Array("<feed/>".utf8))
  }

  @Test("An unknown path gives 404 with a page of 1,613 bytes")
  func notFound() {
    let response = RawResponse(server, get: target)
    #expect(response.status == "HTTP/1.1 404 Not Found")
    #expect(response.headers["content-type"] == "text/html; charset=UTF-8")
    #expect(response.body.count == 1_613)
  }

  @Test("One key serves channels, playlists and users; a whole target takes precedence")
  func keys() {
    server.serve("nasa", .feed("key"))
    server.serve("/feeds/videos.xml?user=nasa&x=1", .feed("target"))
    for form in ["channel_id", "playlist_id", "user"] {
      #expect(RawResponse(server, get: "/feeds/videos.xml?\(form)=nasa").body == Array("key".utf8))
    }
    #expect(RawResponse(server, get: "/feeds/videos.xml?user=nasa&x=1").body == Array("target".utf8))
  }

  @Test("A route sees the query, the fields and the body")
  func routes() {
    server.route("/youtube/v3/videos") { request in
      request.query["id"].map { .json("\($0) \(request.headers["x-key"] ?? "") \(request.body.count)", status: 200) }
    }
    let client = RawClient(server)
    defer { client.close() }
    client.send("POST /youtube/v3/videos?part=id&id=a%2Cb+c%2 HTTP/1.1\r\nX-Key: k\r\nContent-Length: 3\r\n\r\nxyz")
    client.get("/youtube/v3/videos", "Connection: close")
    let text = String(decoding: client.read().bytes, as: UTF8.self)
    #expect(text.contains("\r\n\r\na,b c%2 k 3HTTP/1.1 404 "))
  }

  @Test("One connection carries many requests, and all are recorded")
  func keepAlive() {
    server.serve(channel, .feed("<feed/>"))
    let client = RawClient(server)
    defer { client.close() }
    for _ in 0..<3 { client.get(target, "User-Agent: x/1") }
    client.get("/", "Connection: close")
    let text = String(decoding: client.read().bytes, as: UTF8.self)
    #expect(text.split(separator: "HTTP/1.1 200 OK").count == 3)
    #expect(server.requestCount(channel) == 3 && server.requestCount(target) == 3)
    #expect(server.requests.map(\.target) == [target, target, target, "/"])
    #expect(server.requests.first?.headers["user-agent"] == "x/1")
    server.forgetRequests()
    #expect(server.requests.isEmpty)
  }

  @Test("With ETags, a client that has the body gets 304")
  func etags() throws {
    server.serve(channel, .feed("<feed/>"))
    server.sendsETags = true
    let tag = try #require(RawResponse(server, get: target).headers["etag"])
    let again = RawResponse(server, get: target, "If-None-Match: \(tag)")
    #expect(again.status == "HTTP/1.1 304 Not Modified")
    #expect(again.body.isEmpty && again.headers["etag"] == tag)
    server.serve(channel, .feed("<feed></feed>"))
    #expect(RawResponse(server, get: target, "If-None-Match: \(tag)").status == "HTTP/1.1 200 OK")
  }

  @Test("HEAD gets only the head of the response")
  func head() {
    server.serve(channel, .feed("<feed/>"))
    let client = RawClient(server)
    defer { client.close() }
    client.send("HEAD \(target) HTTP/1.1\r\nConnection: close\r\n\r\n")
    let response = RawResponse(client.read().bytes)
    #expect(response.headers["content-length"] == "7" && response.body.isEmpty)
  }

  @Test("Latency delays the response")
  func latency() {
    server.latency = 60
    let clock = ContinuousClock()
    let elapsed = clock.measure { _ = RawResponse(server, get: "/") }
    #expect(elapsed >= .milliseconds(60))
  }

  @Test(
    "A malformed request ends the connection", arguments: ["x\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.1\r\nx\r\n\r\n"])
  func noHTTP(text: String) {
    let client = RawClient(server)
    defer { client.close() }
    client.send(text)
    let (bytes, end) = client.read()
    #expect(bytes.isEmpty && end == .closed)
  }

  @Test("Stopping ends hanging, slow and idle connections, which never end by themselves, and frees the port")
  func stop() throws {
    server.fail(.hangBeforeResponse, on: .key("/hang"), times: .always)
    server.fail(.drip(bytesPerSecond: 1), on: .key("/drip"), times: .always)
    server.fail(.endlessHeaders, on: .key("/flood"), times: .always)
    let clients = ["/hang", "/drip", "/flood", "/"].map { target in
      let client = RawClient(server)
      client.get(target)
      return client
    }
    defer { clients.forEach { $0.close() } }
    while server.requests.count < clients.count { usleep(1_000) }
    server.stop()
    server.stop()
    try FixtureServer.start(port: server.port).stop()
  }

  @Test("A port in use is an error that names the call")
  func portInUse() {
    #expect(throws: SocketError.self) { try FixtureServer.start(port: server.port) }
  }

  @Test("A hundred simultaneous connections all get a response")
  func manyConnections() async {
    server.serve(channel, .feed("<feed/>"))
    let server = server
    let statuses = await withTaskGroup { group in
      for _ in 0..<100 { group.addTask { RawResponse(server, get: target).status } }
      return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    }
    #expect(statuses == ["HTTP/1.1 200 OK": 100])
  }
}
