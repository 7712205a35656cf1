import Testing

@testable import HTTPClient

/// Eight thousand bytes of `<feed/>` lines, gzipped.
private let gzippedFeed: [UInt8] = [
  0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xed, 0xc5, 0x31, 0x11, 0x00, 0x30, 0x08, 0x04,
  0xb0, 0xbd, 0x66, 0x6a, 0x80, 0x43, 0x0d, 0x5f, 0xff, 0x12, 0x10, 0xd2, 0x64, 0x49, 0xbd, 0x64, 0x6e, 0x9f,
  0xb2, 0x6d, 0xdb, 0xb6, 0x6d, 0xdb, 0xb6, 0x6d, 0xdb, 0xb6, 0x6d, 0xfb, 0xe3, 0x17, 0xbd, 0xc9, 0x08, 0xfc,
  0x40, 0x1f, 0x00, 0x00,
]

@Test("A response has its status, body, headers and URL")
func plainResponse() throws {
  let headers = ["Content-Type: text/xml; charset=UTF-8", "ETag: \"a1\"", "Last-Modified: yesterday"]
  let server = try ScriptedServer { _ in [.respond("200 OK", headers: headers, text: "<feed/>")] }
  let outcome = try outcome(ofGet: server.url("/feed"))
  let response = try outcome.result.get()
  #expect(outcome.tag == 1)
  #expect(outcome.bytes > 100 && outcome.elapsed > .zero)
  #expect(response.status == 200)
  #expect(response.body == Array("<feed/>".utf8))
  #expect(response.contentType == "text/xml; charset=UTF-8")
  #expect(response.etag == "\"a1\"")
  #expect(response.lastModified == "yesterday")
  #expect(response.effectiveURL == server.url("/feed"))
  #expect(response.redirects == 0 && response.location == nil && response.retryAfter == nil)
}

@Test("An error status is a response with its body", arguments: [403, 404, 429, 500, 503])
func statusIsData(status: Int) throws {
  let server = try ScriptedServer { _ in [.respond("\(status) Word", text: "page")] }
  let response = try response(toGet: server.url("/"))
  #expect(response.status == status)
  #expect(response.body == Array("page".utf8))
}

@Test("A response does not keep values of the response before it")
func nothingIsLeftOver() throws {
  let server = try ScriptedServer { request in
    request.target == "/1"
      ? [.respond("200 OK", headers: ["ETag: \"a1\"", "Retry-After: 9", "Content-Type: a/b"], text: "long body")]
      : [.respond("204 No Content")]
  }
  let fetcher = try HTTPSession(.patient.with(\.jobs, 1))
  let outcomes = try fetcher.outcomes(of: ["/1", "/2"].map { get(server.url($0)) })
  let second = try #require(outcomes.last).result.get()
  #expect(second.status == 204 && second.body.isEmpty)
  #expect(second.etag == nil && second.retryAfter == nil && second.contentType == nil)
}

@Test("A request names the program and asks for compression")
func usualHeaders() throws {
  let server = try ScriptedServer { _ in [.respond("200 OK")] }
  _ = try response(toGet: server.url("/"))
  let request = try #require(server.requests.first)
  #expect(request.header("User-Agent") == "metube-rss-tests")
  #expect(request.header("Accept-Encoding")?.contains("gzip") == true)
  #expect(request.header("Cookie") == nil && request.header("If-None-Match") == nil)
}

@Test("Received bytes are counted on the wire, the body's after decompression")
func gzippedBody() throws {
  let server = try ScriptedServer { _ in
    [.respond("200 OK", headers: ["Content-Encoding: gzip"], body: gzippedFeed)]
  }
  let outcome = try outcome(ofGet: server.url("/"))
  #expect(try outcome.result.get().body == Array(String(repeating: "<feed/>\n", count: 1000).utf8))
  #expect(outcome.bytes > gzippedFeed.count && outcome.bytes < 300)
}

@Test("A chunked body, and one that ends with the connection, are read completely")
func unannouncedBodies() throws {
  let server = try ScriptedServer { request in
    request.target == "/chunked"
      ? [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<feed\r\n2\r\n/>\r\n0\r\n\r\n")]
      : [.send("HTTP/1.1 200 OK\r\n\r\n<feed/>"), .close]
  }
  #expect(try response(toGet: server.url("/chunked")).body == Array("<feed/>".utf8))
  #expect(try response(toGet: server.url("/closed")).body == Array("<feed/>".utf8))
}

@Test("HEAD gets the status and the headers, however long the body would be")
func head() throws {
  let server = try ScriptedServer { _ in
    [.send("HTTP/1.1 200 OK\r\nContent-Length: 1600000\r\nETag: \"h\"\r\n\r\n")]
  }
  var request = HTTPRequest(tag: 1, url: server.url("/shorts/x"), maxBodyBytes: 10)
  request.method = .head
  let response = try HTTPSession(.patient).outcome(of: request).result.get()
  #expect(response.status == 200 && response.body.isEmpty && response.etag == "\"h\"")
  #expect(server.requests.first?.lines[0] == "HEAD /shorts/x HTTP/1.1")
}

@Test("A GET after a HEAD on the same slot has its body and its limit again")
func getAfterHead() throws {
  let server = try ScriptedServer { request in
    let isHead = request.lines[0].hasPrefix("HEAD")
    return [isHead ? .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n") : .respond("200 OK", text: "123456789")]
  }
  var head = HTTPRequest(tag: 1, url: server.url("/"), maxBodyBytes: 9)
  head.method = .head
  let requests = [
    head, HTTPRequest(tag: 2, url: server.url("/"), maxBodyBytes: 9),
    HTTPRequest(tag: 3, url: server.url("/"), maxBodyBytes: 8),
  ]
  let outcomes = try HTTPSession(.patient.with(\.jobs, 1)).outcomes(of: requests)
  #expect(try outcomes[0].result.get().body.isEmpty)
  #expect(try outcomes[1].result.get().body.count == 9)
  #expect(outcomes[2].result == .failure(.tooLarge(limit: 8)))
}

@Test("Validators are sent as received, and a 304 is a response without a body")
func conditionalGet() throws {
  let server = try ScriptedServer { _ in [.send("HTTP/1.1 304 Not Modified\r\nETag: W/\"a1\"\r\n\r\n")] }
  var request = get(server.url("/"))
  request.etag = "W/\"a1\""
  request.lastModified = "Wed, 01 Jul 2026 14:00:35 GMT"
  let response = try HTTPSession(.patient).outcome(of: request).result.get()
  #expect(response.status == 304 && response.body.isEmpty && response.etag == "W/\"a1\"")
  let seen = try #require(server.requests.first)
  #expect(seen.header("If-None-Match") == "W/\"a1\"")
  #expect(seen.header("If-Modified-Since") == "Wed, 01 Jul 2026 14:00:35 GMT")
}

@Test("Headers of one request are not sent with the next")
func headersAreOneRequests() throws {
  let server = try ScriptedServer { _ in [.respond("200 OK")] }
  var first = get(server.url("/1"))
  first.cookie = "SOCS=CAI"
  first.headers = ["X-Test: yes"]
  _ = try HTTPSession(.patient.with(\.jobs, 1)).outcomes(of: [first, get(server.url("/2"))])
  #expect(server.requests.map { $0.header("Cookie") } == ["SOCS=CAI", nil])
  #expect(server.requests.map { $0.header("X-Test") } == ["yes", nil])
}

@Test(
  "A header with a control character is rejected, and the next request lacks it", arguments: ["a\r\nX: y", "a\u{0}b"])
func splitHeader(value: String) throws {
  let server = try ScriptedServer { _ in [.respond("200 OK")] }
  var good = get(server.url("/1"))
  good.cookie = "SOCS=CAI"
  var bad = get(server.url("/2"))
  bad.etag = value
  let outcomes = try HTTPSession(.patient.with(\.jobs, 1)).outcomes(of: [good, bad, get(server.url("/3"))])
  #expect(outcomes.map(\.result.status) == [200, nil, 200])
  #expect(outcomes[1].result == .failure(.invalidHeader))
  #expect(server.requests.map(\.target) == ["/1", "/3"])
  #expect(server.requests.map { $0.header("Cookie") } == ["SOCS=CAI", nil])
}

@Test("Options of a rejected request do not apply to the next")
func nothingOfARefusedRequest() throws {
  let server = try ScriptedServer { _ in [.respond("200 OK", headers: ["Location: /"])] }
  var head = get(server.url("/2"))
  head.method = .head
  head.followsRedirects = false
  var refused = head
  refused.headers = ["two\nlines"]
  let outcomes = try HTTPSession(.patient.with(\.jobs, 1)).outcomes(of: [get(server.url("/1")), refused, head])
  #expect(outcomes.map(\.result.status) == [200, nil, 200])
  #expect(server.requests.map(\.lines[0]) == ["GET /1 HTTP/1.1", "HEAD /2 HTTP/1.1"])
}

@Test(
  "Retry-After is parsed in both its forms, and in no other",
  arguments: [
    ("120", RetryAfter.seconds(120)), ("0", .seconds(0)),
    ("Wed, 01 Jul 2026 14:00:35 GMT", .date(secondsSince1970: 1_782_914_435)), ("-5", nil), ("soon", nil), ("", nil),
  ])
func retryAfter(value: String, expected: RetryAfter?) throws {
  let server = try ScriptedServer { _ in [.respond("429 Too Many Requests", headers: ["Retry-After: \(value)"])] }
  #expect(try response(toGet: server.url("/")).retryAfter == expected)
}
