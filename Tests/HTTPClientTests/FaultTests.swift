import Testing

@testable import HTTPClient

@Test("A server that hangs before its response, or within it, is a timeout of that phase")
func hanging() throws {
  let server = try ScriptedServer { request in
    switch request.target {
    case "/before": [.hang]
    case "/headers": [.send("HTTP/1.1 200 OK\r\nContent-"), .hang]
    default: [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .hang]
    }
  }
  for (path, phase) in [("/before", HTTPFailure.Phase.waiting), ("/headers", .receiving), ("/body", .receiving)] {
    try expect(within: .milliseconds(300)) { timeout in
      try failure(ofGet: server.url(path), .patient.with(\.totalTimeout, timeout)) == .timedOut(phase)
    }
  }
}

@Test("A server that sends too little for too long has stalled, and the phase is reported")
func stalling() throws {
  let server = try ScriptedServer { request in
    request.target == "/hang"
      ? [.hang] : [.send("HTTP/1.1 200 OK\r\n\r\n"), .sendForEver([120], everyMilliseconds: 100)]
  }
  try expect(within: .seconds(1)) { timeout in
    let outcomes = try HTTPSession(.patient.with(\.stallTime, timeout)).outcomes(of: [
      get(server.url("/hang"), tag: 0), get(server.url("/drip"), tag: 1),
    ])
    let results = outcomes.sorted { $0.tag < $1.tag }.map(\.result)
    return results == [.failure(.stalled(.waiting)), .failure(.stalled(.receiving))]
  }
}

@Test("A slow drip above the stall limit still ends at the total timeout")
func slowDrip() throws {
  let server = try ScriptedServer { _ in
    [.send("HTTP/1.1 200 OK\r\n\r\n"), .sendForEver(Array(repeating: 120, count: 100), everyMilliseconds: 20)]
  }
  try expect(within: .milliseconds(400)) { timeout in
    let outcome = try outcome(ofGet: server.url("/"), .patient.with(\.totalTimeout, timeout))
    #expect(outcome.elapsed >= timeout - .milliseconds(10))
    return outcome.result == .failure(.timedOut(.receiving)) && outcome.bytes > 200
  }
}

@Test("A reset is reported as such, before the response and within it")
func resets() throws {
  let server = try ScriptedServer { request in
    request.target == "/before"
      ? [.reset] : [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .pause(milliseconds: 50), .reset]
  }
  for path in ["/before", "/body"] {
    #expect(try failure(ofGet: server.url(path)) == .reset)
  }
}

@Test("Invalid chunks are a broken connection")
func brokenChunks() throws {
  let server = try ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), .close]
  }
  #expect(try failure(ofGet: server.url("/")) == .reset)
}

@Test("A connection closed without a byte is an empty response")
func closedWithoutAWord() throws {
  let server = try ScriptedServer { _ in [.close] }
  #expect(try failure(ofGet: server.url("/")) == .noResponse)
}

@Test(
  "A body that ends early is truncated",
  arguments: [
    "Content-Length: 10\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\na\r\nhalf",
    "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
  ])
func truncated(rest: String) throws {
  let server = try ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\n" + rest), .close] }
  #expect(try failure(ofGet: server.url("/")) == .truncated)
}

@Test("Bytes after the announced length are not part of the body")
func tooManyBytes() throws {
  let server = try ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhalfwhole")] }
  #expect(try response(toGet: server.url("/")).body == Array("half".utf8))
}

@Test(
  "A response that is not HTTP is malformed",
  arguments: [
    "SSH-2.0-OpenSSH_9.2\r\n", "<html></html>", "HTTP/7.3 200 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\nnot gzip!",
    "HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 2\r\n\r\nno",
  ])
func malformed(response: String) throws {
  let server = try ScriptedServer { _ in [.send(response), .close] }
  let failure = try failure(ofGet: server.url("/"))
  guard case .malformed = failure else {
    Issue.record("\(String(describing: failure))")
    return
  }
}

@Test("A port without a server refuses the connection, and the errno says so")
func refused() throws {
  #expect(try failure(ofGet: "http://127.0.0.1:\(unusedPort())/") == .connect(errno: 111))
}

@Test("A host name without an address is a resolve failure")
func unresolved() throws {
  #expect(try failure(ofGet: "http://nowhere.invalid/") == .resolve)
}

@Test(
  "A URL that is not HTTP is rejected without a connection", arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x"])
func otherSchemes(url: String) throws {
  #expect(try failure(ofGet: url) == .forbiddenScheme)
}

@Test(
  "An invalid URL is rejected",
  arguments: ["", "http://", "http://[::1", "http://a b/", "http://127.0.0.1:1/\u{0}"])
func noURL(url: String) throws {
  #expect(try failure(ofGet: url) == .invalidURL)
}

@Test("A server that accepts the connection and never shakes hands is a connect timeout")
func silentTLS() throws {
  let server = try ScriptedServer { _ in [.hang] }
  var settings = HTTPSettings.patient.with(\.connectTimeout, .milliseconds(200))
  settings.totalTimeout = .seconds(600)
  let outcome = try outcome(ofGet: "https://127.0.0.1:\(server.port)/", settings)
  #expect(outcome.result == .failure(.timedOut(.connecting)))
  #expect(outcome.elapsed >= .milliseconds(190))
}

@Test("A server that does not speak TLS fails the handshake")
func plainTLS() throws {
  let server = try ScriptedServer(greeting: [.send("SSH-2.0-OpenSSH_9.2\r\n")]) { _ in [] }
  let failure = try failure(ofGet: "https://127.0.0.1:\(server.port)/")
  guard case .tls = failure else {
    Issue.record("\(String(describing: failure))")
    return
  }
}

@Test("The setting decides between IPv4 and IPv6")
func ipVersions() throws {
  let server = try ScriptedServer { _ in [.respond("200 OK")] }
  let url = "http://localhost:\(server.port)/"
  #expect(try response(toGet: url, .patient.with(\.ipVersion, .v4)).status == 200)
  #expect(try failure(ofGet: url, .patient.with(\.ipVersion, .v6)) != nil)
}

@Test("One transfer's failure does not affect others")
func failuresAreOnesOwn() throws {
  let server = try ScriptedServer { request in
    switch request.target {
    case "/reset": [.reset]
    case "/close": [.close]
    case "/half": [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .close]
    default: [.respond("200 OK", text: request.target)]
    }
  }
  let paths = (0..<40).map { ["/reset", "/ok\($0)", "/close", "/half"][$0 % 4] }
  let outcomes = try HTTPSession(.patient).outcomes(of: paths.enumerated().map { get(server.url($1), tag: $0) })
  #expect(outcomes.count == 40)
  for outcome in outcomes {
    #expect((outcome.result.status == 200) == (outcome.tag % 4 == 1))
    if let response = try? outcome.result.get() { #expect(response.body == Array(paths[outcome.tag].utf8)) }
  }
}
