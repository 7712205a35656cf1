import Testing

@testable import HTTPClient

/// 200,000 NULs, gzipped.
private let gzippedZeros: [UInt8] =
  [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xed, 0xc1, 0x31, 0x01, 0x00, 0x00, 0x00, 0xc2, 0xa0,
    0xf5, 0x4f, 0x6d, 0x06, 0x7f, 0xa0,
  ]
  + [UInt8](repeating: 0, count: 193)
  + [0x80, 0xd7, 0x00, 0x7b, 0x58, 0xe0, 0x5c, 0x40, 0x0d, 0x03, 0x00]

@Test("A body of exactly the limit is accepted, of any kind", arguments: BodySort.allCases)
func bodyAtLimit(sort: BodySort) throws {
  let server = try ScriptedServer { _ in sort.acts(zeros: 200_000) }
  let request = HTTPRequest(tag: 1, url: server.url("/"), maxBodyBytes: 200_000)
  #expect(try HTTPSession(.patient).outcome(of: request).result.get().body.count == 200_000)
}

@Test("A body one byte over the limit is rejected, of any kind", arguments: BodySort.allCases)
func bodyOverLimit(sort: BodySort) throws {
  let server = try ScriptedServer { _ in sort.acts(zeros: 200_000) }
  let request = HTTPRequest(tag: 1, url: server.url("/"), maxBodyBytes: 199_999)
  #expect(try HTTPSession(.patient).outcome(of: request).result == .failure(.tooLarge(limit: 199_999)))
}

@Test("An endless body is cut off at its limit")
func endlessBody() throws {
  let server = try ScriptedServer { _ in
    [.send("HTTP/1.1 200 OK\r\n\r\n"), .sendForEver(Array(repeating: 7, count: 10_000), everyMilliseconds: 0)]
  }
  #expect(try failure(ofGet: server.url("/")) == .tooLarge(limit: 100_000))
}

@Test("A body announced as too large is rejected before it arrives", arguments: ["100001", "99999999999999999999"])
func announcedBody(length: String) throws {
  let server = try ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n"), .hang] }
  #expect(try failure(ofGet: server.url("/")) == .tooLarge(limit: 100_000))
}

@Test("A limit of 0 accepts only an empty body")
func limitOfNothing() throws {
  let server = try ScriptedServer { request in [.respond("200 OK", text: request.target == "/empty" ? "" : "x")] }
  let requests = ["/empty", "/one"].map { HTTPRequest(tag: 1, url: server.url($0), maxBodyBytes: 0) }
  let outcomes = try HTTPSession(.patient.with(\.jobs, 1)).outcomes(of: requests)
  #expect(outcomes.map(\.result.status) == [200, nil])
  #expect(outcomes.last?.result == .failure(.tooLarge(limit: 0)))
}

@Test("Headers are accepted up to their limit")
func headersAtLimit() throws {
  let head = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"
  let filler = "X: " + String(repeating: "x", count: 1000 - head.utf8.count - 3 - 2 - 2) + "\r\n\r\n"
  let server = try ScriptedServer { _ in [.send(head + filler)] }
  #expect(try response(toGet: server.url("/"), .patient.with(\.maxHeaderBytes, 1000)).status == 200)
  #expect(try failure(ofGet: server.url("/"), .patient.with(\.maxHeaderBytes, 999)) == .headersTooLarge(limit: 999))
}

@Test("Endless headers are rejected", arguments: [10, 1000, 60_000])
func endlessHeaders(length: Int) throws {
  let line = "X: \(String(repeating: "x", count: length))\r\n"
  let lines = Array(String(repeating: line, count: 10_000 / length + 1).utf8)
  let server = try ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\n"), .sendForEver(lines, everyMilliseconds: 0)] }
  #expect(try failure(ofGet: server.url("/")) == .headersTooLarge(limit: 65_536))
}

@Test("An endless header line is rejected")
func endlessHeaderLine() throws {
  let server = try ScriptedServer { _ in
    [.send("HTTP/1.1 200 OK\r\nX: "), .sendForEver(Array(repeating: 120, count: 10_000), everyMilliseconds: 0)]
  }
  #expect(try failure(ofGet: server.url("/")) == .headersTooLarge(limit: 65_536))
}

@Test("Endless informational responses are rejected")
func endlessContinues() throws {
  let promises = Array(String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 400).utf8)
  let server = try ScriptedServer { _ in [.sendForEver(promises, everyMilliseconds: 0)] }
  #expect(try failure(ofGet: server.url("/")) == .headersTooLarge(limit: 65_536))
}

/// The ways to delimit a body.
enum BodySort: CaseIterable {
  case announced, chunked, closed, gzipped, gzippedInChunks

  /// A response with a body of NULs; only 200,000 of them if gzipped.
  func acts(zeros: Int) -> [ScriptedServer.Act] {
    let body = [UInt8](repeating: 0, count: zeros)
    switch self {
    case .announced: return [.respond("200 OK", body: body)]
    case .chunked: return BodySort.chunked(body, headers: "")
    case .closed: return [.send("HTTP/1.1 200 OK\r\n\r\n"), .send(body), .close]
    case .gzipped: return [.respond("200 OK", headers: ["Content-Encoding: gzip"], body: gzippedZeros)]
    case .gzippedInChunks: return BodySort.chunked(gzippedZeros, headers: "Content-Encoding: gzip\r\n")
    }
  }

  private static func chunked(_ body: [UInt8], headers: String) -> [ScriptedServer.Act] {
    let size = String(body.count, radix: 16)
    return [
      .send("HTTP/1.1 200 OK\r\n\(headers)Transfer-Encoding: chunked\r\n\r\n\(size)\r\n"), .send(body),
      .send("\r\n0\r\n\r\n"),
    ]
  }
}
