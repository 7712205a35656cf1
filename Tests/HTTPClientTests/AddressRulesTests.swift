import Testing

@testable import HTTPClient

/// What may be connected to for somebody else.
@Suite struct AddressRulesTests {
  private func scope(_ text: String) throws -> AddressScope { try #require(NetworkAddress(text)).scope }

  @Test(
    "This machine and private networks are told from the internet",
    arguments: [
      "10.0.0.1", "127.0.0.1", "127.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1",
      "100.127.255.255", "::1", "fc00::1", "fdff::1", "::ffff:127.0.0.1", "::ffff:192.168.0.1",
    ])
  func privateNetworks(text: String) throws { #expect(try scope(text) == .privateNetwork) }

  @Test(
    "What serves nobody is never allowed, whatever form it has",
    arguments: [
      "0.0.0.0", "0.1.2.3", "169.254.169.254", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
      "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "::", "::127.0.0.1", "fe80::1", "fe80::1%eth0",
      "fec0::1",
      "ff02::1", "2001:db8::1", "3fff::1", "2001::1", "100::1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1",
      "2002:7f00:1::1", "2002:c0a8:1::1", "::ffff:169.254.169.254", "::ffff:0:127.0.0.1",
    ])
  func special(text: String) throws {
    #expect(try scope(text) == .special)
    #expect(!AddressRules(allowsPrivateNetworks: true).allows(try scope(text)))
  }

  @Test(
    "The internet is allowed",
    arguments: [
      "8.8.8.8", "100.63.255.255", "172.32.0.0", "2606:4700::1", "::ffff:8.8.8.8", "64:ff9b::808:808",
      "2002:808:808::1",
    ])
  func global(text: String) throws { #expect(try scope(text) == .global) }

  @Test("Texts that are no addresses", arguments: ["", "localhost", "1.2.3", "::g", "%", "[::1]", "127.0.0.1:80"])
  func noAddresses(text: String) { #expect(NetworkAddress(text) == nil) }

  @Test("Other ports than those of the web are for private networks")
  func ports() {
    let (strict, home) = (AddressRules(allowsPrivateNetworks: false), AddressRules(allowsPrivateNetworks: true))
    #expect([80, 443].allSatisfy { strict.allows(port: $0) })
    #expect(![0, 22, 25, 6379, 8080, 65_535].contains { strict.allows(port: $0) })
    #expect(home.allows(port: 8080))
    #expect(!strict.allows(.privateNetwork) && home.allows(.privateNetwork))
  }

  @Test("A connection that was kept from a request without rules is not used for one with rules")
  func keptConnection() throws {
    let server = try ScriptedServer { _ in [.respond("200 OK", text: "mine")] }
    let session = try HTTPSession(.patient.with(\.jobs, 1))
    #expect(try session.outcome(of: get(server.url("/1"))).result.status == 200)
    var request = get(server.url("/2"))
    request.rules = AddressRules(allowsPrivateNetworks: false)
    #expect(try session.outcome(of: request).result == .failure(.forbiddenAddress))
    #expect(try session.outcome(of: get(server.url("/3"))).result.status == 200)
    #expect(server.requests.map(\.target) == ["/1", "/3"])
  }

  @Test("Rules hold for redirects that libcurl follows too")
  func libcurlRedirects() throws {
    let other = try ScriptedServer { _ in [.respond("200 OK", text: "secret")] }
    let server = try ScriptedServer { _ in [.redirect(to: "http://127.0.0.1:\(other.port)/")] }
    var request = get(server.url("/"))
    request.rules = AddressRules(allowsPrivateNetworks: true)
    #expect(try HTTPSession(.patient).outcome(of: request).result.get().body == Array("secret".utf8))
    request.rules = AddressRules(allowsPrivateNetworks: false)
    #expect(try HTTPSession(.patient).outcome(of: request).result == .failure(.forbiddenAddress))
    #expect(server.requests.count == 1)
  }

  @Test("Where addresses matter, no proxy is used: what it connects to would be unknown")
  func noProxy() throws {
    let proxy = try ScriptedServer { _ in [.respond("200 OK", text: "through the proxy")] }
    let session = try HTTPSession(.patient.with(\.proxy, proxy.url("")).with(\.jobs, 1))
    var request = get("http://127.0.0.1/")
    request.rules = AddressRules(allowsPrivateNetworks: false)
    #expect(try session.outcome(of: request).result == .failure(.forbiddenAddress))
    #expect(proxy.requests.isEmpty)
    request.rules = AddressRules(allowsPrivateNetworks: true)
    #expect(try session.outcome(of: request).result.status == 200)
    request.rules = nil
    #expect(try session.outcome(of: request).result.status == 200)
    #expect(proxy.requests.count == 2)
  }

  @Test("A response says what caches may do, what a gatekeeper wants, and how far the server is")
  func responseFields() throws {
    let server = try ScriptedServer { request in
      request.target == "/plain"
        ? [.respond("200 OK", headers: ["Expires: 0"])]
        : [
          .respond(
            "403 Forbidden",
            headers: [
              "Cache-Control: public", "Cache-Control: max-age=60", "Expires: Wed, 01 Jul 2026 14:00:35 GMT",
              "Date: Wed, 01 Jul 2026 13:00:35 GMT", "cf-mitigated: challenge",
            ])
        ]
    }
    let full = try response(toGet: server.url("/"))
    #expect(full.cacheControl == "public, max-age=60" && full.mitigation == "challenge")
    #expect(full.expires == 1_782_914_435 && full.date == 1_782_910_835)
    #expect(full.scope == .privateNetwork)
    let plain = try response(toGet: server.url("/plain"))
    #expect(plain.cacheControl == nil && plain.expires == nil && plain.date == nil && plain.mitigation == nil)
  }
}
