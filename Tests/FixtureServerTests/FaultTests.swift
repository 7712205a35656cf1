import Testing

@testable import FixtureServer

private let body = String(repeating: "<entry/>", count: 50)

@Suite("Faults")
final class FaultTests {
  let server: FixtureServer

  init() throws {
    server = try FixtureServer.start(port: 0)
    server.serve("/feed", .feed(body))
  }

  deinit { server.stop() }

  private func response(to fault: Fault) -> RawResponse {
    server.fail(fault, on: .all, times: .always)
    return RawResponse(server, get: "/feed")
  }

  @Test("A status comes with its page", arguments: [403, 404, 410, 500, 503])
  func status(status: Int) {
    #expect(response(to: .status(status)).status.hasPrefix("HTTP/1.1 \(status) "))
  }

  @Test("429 has a Retry-After")
  func tooManyRequests() {
    #expect(response(to: .response(.tooManyRequests(retryAfter: 60))).headers["retry-after"] == "60")
  }

  @Test("A redirect leads to any given location", arguments: ["/feed", "file:///etc/passwd", "http://localhost:1/"])
  func redirect(location: String) {
    let response = response(to: .response(.redirect(to: location)))
    #expect(response.status == "HTTP/1.1 302 Found" && response.headers["location"] == location)
  }

  @Test("Hanging before the response sends nothing and keeps the connection")
  func hangBefore() {
    server.fail(.hangBeforeResponse, on: .all, times: .always)
    let client = RawClient(server)
    defer { client.close() }
    client.get("/feed")
    let (bytes, end) = client.read(silence: 100)
    #expect(bytes.isEmpty && end == .silence)
  }

  @Test("Hanging inside the body sends its first bytes")
  func hangInside() {
    server.fail(.hangInsideBody(after: 10), on: .all, times: .always)
    let client = RawClient(server)
    defer { client.close() }
    client.get("/feed")
    var bytes: [UInt8] = []
    while RawResponse(bytes).body.count < 10 {
      let (piece, end) = client.read(atMost: 1)
      bytes += piece
      guard end == nil else { break }
    }
    #expect(RawResponse(bytes).body.count == 10 && RawResponse(bytes).headers["content-length"] == "400")
    let (rest, end) = client.read(silence: 100)
    #expect(rest.isEmpty && end == .silence)
  }

  @Test("A reset is not an orderly close")
  func reset() {
    let response = response(to: .reset)
    #expect(response.status.isEmpty && response.end == .reset)
  }

  @Test("A truncated body is half of its announced length")
  func truncated() {
    let response = response(to: .truncatedBody)
    #expect(response.headers["content-length"] == "400")
    #expect(response.body.count == 200 && response.end == .closed)
  }

  @Test("A short length is less than the body")
  func shortLength() {
    let response = response(to: .shortLength(by: 8))
    #expect(response.headers["content-length"] == "392" && response.body.count == 400)
  }

  @Test("A gzip bomb is under a hundredth of its unpacked size")
  func bomb() {
    let response = response(to: .gzipBomb(bytes: 5_000_000))
    #expect(response.headers["content-encoding"] == "gzip")
    #expect(response.body.count < 50_000)
  }

  @Test("Endless headers go on")
  func endlessHeaders() {
    server.fail(.endlessHeaders, on: .all, times: .always)
    let client = RawClient(server)
    defer { client.close() }
    client.get("/feed")
    let (bytes, end) = client.read(atMost: 2_000_000)
    #expect(bytes.count == 2_000_000 && end == nil)
  }

  @Test("A drip is complete and slow")
  func drip() {
    let elapsed = ContinuousClock().measure {
      #expect(response(to: .drip(bytesPerSecond: 1_000)).body == Array(body.utf8))
    }
    #expect(elapsed >= .milliseconds(390))
  }

  @Test("Chunks add up to the body")
  func chunked() {
    let response = response(to: .chunked(size: 300))
    #expect(response.headers["transfer-encoding"] == "chunked" && response.headers["content-length"] == nil)
    let text = body
    #expect(response.body == Array("12c\r\n\(text.prefix(300))\r\n64\r\n\(text.suffix(100))\r\n0\r\n\r\n".utf8))
  }

  @Test("Raw bytes are sent as they are")
  func raw() {
    #expect(response(to: .raw(Array("SSH-2.0-x\r\n".utf8))).status == "SSH-2.0-x")
  }
}

@Suite("Fault scopes and spans")
struct FaultRuleTests {
  private func request(_ key: String) -> Request {
    Request(method: "GET", target: "/feeds/videos.xml?channel_id=\(key)", headers: [:], body: [])
  }

  @Test("The first requests are counted together, or for each key")
  func spans() {
    var together = FaultRule(.reset, scope: .all, span: .first(2))
    #expect(["a", "b", "a", "b"].map { together.strike(request($0)) } == [.reset, .reset, nil, nil])
    var each = FaultRule(.reset, scope: .all, span: .firstOfEach(1))
    #expect(["a", "b", "a", "b"].map { each.strike(request($0)) } == [.reset, .reset, nil, nil])
    #expect(each.strike(request("c")) == .reset)
    var always = FaultRule(.reset, scope: .key("a"), span: .always)
    #expect(["a", "b", "a"].map { always.strike(request($0)) } == [.reset, nil, .reset])
  }

  @Test("A share covers that part of the keys, and disjoint shares never meet")
  func shares() {
    let requests = (0..<10_000).map { request("channel \($0)") }
    let low = requests.map { FaultScope.share(0..<0.05).contains($0) }
    let high = requests.map { FaultScope.share(0.05..<0.1).contains($0) }
    #expect((400...600).contains(low.count { $0 }) && (400...600).contains(high.count { $0 }))
    #expect(!zip(low, high).contains { $0 && $1 })
  }

  @Test("The first of two faults applies; after healing, none")
  func order() throws {
    let server = try FixtureServer.start(port: 0)
    defer { server.stop() }
    server.fail(.status(500), on: .all, times: .first(1))
    server.fail(.status(503), on: .all, times: .always)
    #expect(RawResponse(server, get: "/").status.contains("500"))
    #expect(RawResponse(server, get: "/").status.contains("503"))
    server.heal()
    #expect(RawResponse(server, get: "/").status.contains("404"))
  }
}
