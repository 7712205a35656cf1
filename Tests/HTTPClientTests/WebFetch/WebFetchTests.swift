import Core
import Gzip
import Testing
import WebFetch

@testable import HTTPClient

/// Fetches from hostile servers on loopback.
@Suite struct WebFetchTests {
  private let home = AddressRules(allowsPrivateNetworks: true)
  private let strict = AddressRules(allowsPrivateNetworks: false)

  private func fetch(
    _ texts: [String], _ rules: AddressRules, _ settings: HTTPSettings = .patient
  ) throws -> [WebOutcome] {
    let requests = try zip(1..., texts).map { WebRequest(tag: $0, url: try #require(WebURL($1)), rules: rules) }
    let outcomes = try HTTPSession(settings).fetch(requests, wakeDescriptor: nil, isAborted: { false })
    #expect(outcomes.map(\.tag).sorted() == requests.map(\.tag))
    return outcomes
  }

  private func failure(_ text: String, _ rules: AddressRules, _ settings: HTTPSettings = .patient) throws
    -> HTTPFailure?
  {
    guard case .failure(.transfer(let failure, _)) = try fetch([text], rules, settings).first?.result else {
      return nil
    }
    return failure
  }

  @Test(
    "Addresses of this machine and of nobody are not connected to, whatever names them",
    arguments: [
      "http://127.0.0.1/", "http://localhost/", "http://LOCALHOST./", "http://[::ffff:127.0.0.1]/", "http://0x7f.1/",
      "http://2130706433/", "http://127.1/", "http://10.0.0.1/", "http://192.168.0.1/", "http://169.254.169.254/latest",
      "http://100.64.0.1/", "http://0.0.0.0/", "https://127.0.0.1/", "http://203.0.113.9/", "http://224.0.0.1/",
    ])
  func privateAddresses(text: String) throws { #expect(try failure(text, strict) == .forbiddenAddress) }

  @Test(
    "With private networks allowed, addresses of nobody are not connected to",
    arguments: [
      "http://169.254.169.254/", "http://0.0.0.0/", "http://203.0.113.9/", "http://224.0.0.1:8080/",
    ])
  func specialAddresses(text: String) throws { #expect(try failure(text, home) == .forbiddenAddress) }

  @Test("Redirects are followed hop by hop; the response says where the feed is from now on")
  func redirects() throws {
    let server = try ScriptedServer { request in
      switch request.target {
      case "/old": [.respond("301 Moved", headers: ["Location: /new", "Set-Cookie: a=1"], text: "moved")]
      case "/new": [.respond("302 Found", headers: ["Location: edge/feed.xml"])]
      default: [.respond("200 OK", headers: ["Content-Type: text/xml"], text: "<rss/>")]
      }
    }
    let response = try #require(try fetch([server.url("/old")], home).first?.result.get())
    #expect(response.url.text == server.url("/edge/feed.xml") && response.response.body == Array("<rss/>".utf8))
    #expect(response.permanentURL?.text == server.url("/new"))
    #expect(response.hops.map(\.status) == [301, 302])
    #expect(server.requests.map { $0.header("Cookie") } == [nil, nil, nil])
  }

  @Test("A redirect loop ends after five")
  func loop() throws {
    let server = try ScriptedServer { _ in [.redirect(to: "/")] }
    #expect(try fetch([server.url("/")], home).map(\.result) == [.failure(.tooManyRedirects(limit: 5))])
    #expect(server.requests.count == 6)
  }

  @Test("A redirect to an address of nobody is not followed, even with private networks allowed")
  func metadata() throws {
    let server = try ScriptedServer { _ in [.redirect(to: "http://169.254.169.254/latest/meta-data")] }
    let target = try #require(WebURL("http://169.254.169.254/latest/meta-data"))
    #expect(try fetch([server.url("/")], home).map(\.result) == [.failure(.transfer(.forbiddenAddress, at: target))])
  }

  @Test("A password is sent to its own host alone")
  func password() throws {
    let server = try ScriptedServer { request in
      let port = request.header("Host")?.split(separator: ":").last ?? ""
      return request.target == "/" ? [.redirect(to: "http://localhost:\(port)/x")] : [.respond("200 OK")]
    }
    let url = "http://user:secret@127.0.0.1:\(server.port)/"
    _ = try fetch([url], home, .patient.with(\.ipVersion, .v4))
    #expect(server.requests.map { $0.header("Authorization") } == ["Basic dXNlcjpzZWNyZXQ=", nil])
  }

  @Test("A flood ends at 32 MiB")
  func flood() throws {
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    let server = try ScriptedServer { _ in
      [.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"), .sendForEver(piece, everyMilliseconds: 0)]
    }
    #expect(try failure(server.url("/"), home) == .tooLarge(limit: 32 << 20))
  }

  @Test("A compressed bomb ends at 32 MiB of what it expands to")
  func bomb() throws {
    let bomb = Gzip.bomb(bytes: 40 << 20)
    let server = try ScriptedServer { _ in [.respond("200 OK", headers: ["Content-Encoding: gzip"], body: bomb)] }
    #expect(bomb.count < 1 << 20)
    #expect(try failure(server.url("/"), home) == .tooLarge(limit: 32 << 20))
  }

  @Test("A flood of headers ends")
  func headerFlood() throws {
    let line = Array("X-Flood: \(String(repeating: "x", count: 1000))\r\n".utf8)
    let server = try ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\n"), .sendForEver(line, everyMilliseconds: 0)] }
    #expect(try failure(server.url("/"), home) == .headersTooLarge(limit: 65_536))
  }

  @Test("A body that never ends, byte by byte, ends with the time")
  func slowBody() throws {
    let server = try ScriptedServer { _ in
      [.send("HTTP/1.1 200 OK\r\n\r\n"), .sendForEver([UInt8(ascii: "x")], everyMilliseconds: 5)]
    }
    try expect(within: .milliseconds(300)) { timeout in
      let failure = try failure(server.url("/"), home, .patient.with(\.totalTimeout, timeout))
      return failure == .timedOut(.receiving)
    }
  }

  @Test("Many fetches at once, with redirects among them, each have one outcome")
  func many() throws {
    let server = try ScriptedServer { request in
      request.target.hasPrefix("/r") ? [.redirect(to: "/end")] : [.respond("200 OK")]
    }
    let targets = (0..<40).map { server.url($0 % 2 == 0 ? "/r\($0)" : "/\($0)") }
    let outcomes = try fetch(targets, home)
    #expect(outcomes.allSatisfy { (try? $0.result.get().response.status) == 200 })
    #expect(outcomes.count { (try? $0.result.get().hops.count) == 1 } == 20)
  }

  @Test("An interrupted fetch has an outcome for each request")
  func aborted() throws {
    let server = try ScriptedServer { request in request.target == "/r" ? [.redirect(to: "/hang")] : [.hang] }
    let requests = try (1...9).map {
      WebRequest(tag: $0, url: try #require(WebURL(server.url($0 == 1 ? "/r" : "/hang"))), rules: home)
    }
    let outcomes = try HTTPSession(.patient.with(\.jobs, 2)).fetch(
      requests, wakeDescriptor: nil, isAborted: { server.requests.count >= 2 })
    #expect(outcomes.map(\.tag).sorted() == Array(1...9))
    #expect(outcomes.allSatisfy { if case .failure(.transfer(.aborted, _)) = $0.result { true } else { false } })
  }
}
