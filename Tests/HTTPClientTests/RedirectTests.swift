import Testing

@testable import HTTPClient

@Test("A redirect is followed to its response, which is reported")
func followed() throws {
  let server = try ScriptedServer { request in
    request.target == "/old"
      ? [.respond("301 Moved", headers: ["Location: /new", "ETag: \"old\""], text: "moved")]
      : [.respond("200 OK", text: "here")]
  }
  let response = try response(toGet: server.url("/old"))
  #expect(response.status == 200 && response.body == Array("here".utf8))
  #expect(response.effectiveURL == server.url("/new") && response.redirects == 1)
  #expect(response.etag == nil && response.location == nil)
}

@Test("The body limits apply to the final response, not to the sum of the redirects")
func bodiesOfRedirects() throws {
  let server = try ScriptedServer { request in
    let text = String(repeating: "x", count: 60)
    return request.target == "/3"
      ? [.respond("200 OK", text: text)]
      : [.respond("302 Found", headers: ["Location: /\(request.target.count == 2 ? 3 : 2)"], text: text)]
  }
  let request = HTTPRequest(tag: 1, url: server.url("/"), maxBodyBytes: 100)
  #expect(try HTTPSession(.patient).outcome(of: request).result.get().body.count == 60)
}

@Test("A redirect that must not be followed is the response")
func reported() throws {
  let server = try ScriptedServer { _ in [.respond("303 See Other", headers: ["Location: /watch?v=x"])] }
  var request = get(server.url("/shorts/x"))
  request.method = .head
  request.followsRedirects = false
  let response = try HTTPSession(.patient).outcome(of: request).result.get()
  #expect(response.status == 303 && response.location == "/watch?v=x" && response.redirects == 0)
  #expect(server.requests.count == 1)
}

@Test("Each request decides whether its redirects are followed")
func followedInTurn() throws {
  let server = try ScriptedServer { request in request.target == "/old" ? [.redirect(to: "/")] : [.respond("200 OK")] }
  var requests = Array(repeating: get(server.url("/old")), count: 3)
  requests[1].followsRedirects = false
  let outcomes = try HTTPSession(.patient.with(\.jobs, 1)).outcomes(of: requests)
  #expect(outcomes.map(\.result.status) == [200, 302, 200])
}

@Test("Five redirects are followed, a sixth is not")
func redirectChains() throws {
  let server = try ScriptedServer { request in
    let left = Int(request.target.dropFirst()) ?? 0
    return [left == 0 ? .respond("200 OK") : .redirect(to: "/\(left - 1)")]
  }
  #expect(try response(toGet: server.url("/5")).redirects == 5)
  #expect(try failure(ofGet: server.url("/6")) == .tooManyRedirects)
}

@Test("A redirect loop ends")
func redirectLoop() throws {
  let server = try ScriptedServer { _ in [.redirect(to: "/")] }
  #expect(try failure(ofGet: server.url("/")) == .tooManyRedirects)
  #expect(server.requests.count == 6)
}

@Test(
  "A redirect to another scheme than HTTP is rejected",
  arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1:1/x", "dict://127.0.0.1/x"])
func redirectToOtherScheme(location: String) throws {
  let server = try ScriptedServer { _ in [.redirect(to: location)] }
  #expect(try failure(ofGet: server.url("/")) == .forbiddenScheme)
}

@Test(
  "A redirect to another port of this machine is rejected, by name, number or mapped number", arguments: [0, 1, 2, 3])
func redirectToPrivateAddress(form: Int) throws {
  let other = try ScriptedServer { _ in [.respond("200 OK", text: "secret")] }
  let hosts = ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0x7f.1"]
  let server = try ScriptedServer { _ in [.redirect(to: "http://\(hosts[form]):\(other.port)/")] }
  #expect(try failure(ofGet: server.url("/")) == .forbiddenAddress)
  #expect(other.requests.isEmpty)
}

@Test("A redirect to a private address is followed if the settings allow it")
func allowedPrivateAddress() throws {
  let other = try ScriptedServer { _ in [.respond("200 OK", text: "mine")] }
  let server = try ScriptedServer { _ in [.redirect(to: "http://127.0.0.1:\(other.port)/")] }
  let settings = HTTPSettings.patient.with(\.allowsOtherPorts, true)
  #expect(try response(toGet: server.url("/"), settings).body == Array("mine".utf8))
}

@Test("A private address is not connected to for a URL that comes from outside, whatever name leads to it")
func privateAddressFromOutside() throws {
  let server = try ScriptedServer { _ in [.respond("200 OK")] }
  let settings = HTTPSettings.patient.with(\.allowsPrivateAddresses, false)
  for host in ["127.0.0.1", "localhost"] {
    #expect(try failure(ofGet: "http://\(host):\(server.port)/", settings) == .forbiddenAddress)
  }
  #expect(server.requests.isEmpty)
}

@Test("A redirect to another private address is rejected whatever the settings, and the server never sees it")
func redirectToOtherPrivateAddress() throws {
  let other = try ScriptedServer { _ in [.respond("200 OK", text: "secret")] }
  let server = try ScriptedServer { _ in [.redirect(to: "http://127.0.0.2:\(other.port)/")] }
  let settings = HTTPSettings.patient.with(\.allowsOtherPorts, true)
  #expect(try failure(ofGet: server.url("/"), settings) == .forbiddenAddress)
  #expect(other.requests.isEmpty)
}

@Test("Through a proxy, no connection is made for a redirect to a disallowed host")
func forbiddenHostThroughProxy() throws {
  let proxy = try ScriptedServer { _ in [.redirect(to: "https://169.254.169.254/latest")] }
  var settings = HTTPSettings.patient.with(\.redirectHosts, ["feeds.example", "youtube.com"])
  settings.proxy = proxy.url("")
  #expect(try failure(ofGet: "http://feeds.example/feeds/videos.xml", settings) == .forbiddenHost)
  #expect(proxy.requests.map(\.target) == ["http://feeds.example/feeds/videos.xml"])
}

@Test("A redirect back to the user's own server is followed on a new connection too")
func redirectToChosenAddress() throws {
  let server = try ScriptedServer { request in
    request.target == "/" ? [.redirect(to: "/new"), .close] : [.respond("200 OK", text: "mine")]
  }
  #expect(try response(toGet: server.url("/")).body == Array("mine".utf8))
  #expect(server.requests.map(\.connection) == [0, 1])
}

@Test("A redirect to a disallowed host sends no request there, on a new connection or a kept one")
func redirectToForbiddenHost() throws {
  let server = try ScriptedServer { request in
    request.target == "/plain"
      ? [.respond("200 OK")]
      : [.redirect(to: "http://localhost:\(request.header("Host")?.split(separator: ":").last ?? "")/x")]
  }
  var settings = HTTPSettings.patient.with(\.redirectHosts, ["127.0.0.1", "youtube.com"])
  settings.allowsOtherPorts = true
  settings.jobs = 1
  settings.ipVersion = .v4
  let fetcher = try HTTPSession(settings)
  #expect(try fetcher.outcome(of: get(server.url("/"))).result == .failure(.forbiddenHost))
  let plain = "http://localhost:\(server.port)/plain"
  #expect(try fetcher.outcome(of: get(plain)).result.status == 200)
  #expect(try fetcher.outcome(of: get(server.url("/"))).result == .failure(.forbiddenHost))
  #expect(server.requests.map(\.target) == ["/", "/plain", "/"])
}

@Test("A cookie is sent only to the first host")
func cookieStays() throws {
  let server = try ScriptedServer { request in
    let port = request.header("Host")?.split(separator: ":").last ?? ""
    return switch request.target {
    case "/same": [.redirect(to: "/end")]
    case "/other": [.redirect(to: "http://localhost:\(port)/end")]
    default: [.respond("200 OK")]
    }
  }
  var settings = HTTPSettings.patient.with(\.allowsOtherPorts, true)
  settings.ipVersion = .v4
  for path in ["/same", "/other"] {
    var request = get(server.url(path))
    request.cookie = "SOCS=CAI"
    _ = try HTTPSession(settings).outcome(of: request)
  }
  #expect(server.requests.map { $0.header("Cookie") } == ["SOCS=CAI", "SOCS=CAI", "SOCS=CAI", nil])
}

@Test("A cookie set by a server is not sent back")
func serversCookies() throws {
  let server = try ScriptedServer { _ in [.respond("200 OK", headers: ["Set-Cookie: id=1; Path=/"])] }
  _ = try HTTPSession(.patient.with(\.jobs, 1)).outcomes(of: [get(server.url("/")), get(server.url("/"))])
  #expect(server.requests.map { $0.header("Cookie") } == [nil, nil])
}

@Test("A host is allowed with its subdomains, without look-alikes")
func allowedHosts() {
  let policy = RedirectPolicy(hosts: ["YouTube.com"], allowsOtherPorts: false)
  #expect(["youtube.com", "www.youtube.com", "WWW.YOUTUBE.COM"].allSatisfy { policy.allows(host: $0) })
  #expect(!["notyoutube.com", "youtube.com.example", "", "com", "[::1]"].contains { policy.allows(host: $0) })
  #expect(RedirectPolicy(hosts: nil, allowsOtherPorts: false).allows(host: "any.example"))
}
