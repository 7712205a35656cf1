import Core
import Testing
import WebFetch

@testable import HTTPClient

/// How redirects are followed, without a network.
@Suite struct RedirectWalkTests {
  private let home = AddressRules(allowsPrivateNetworks: true)
  private let strict = AddressRules(allowsPrivateNetworks: false)

  private func url(_ text: String) throws -> WebURL { try #require(WebURL(text)) }

  private func outcome(
    _ status: Int, location: String? = nil, scope: AddressScope = .global, elapsed: Duration = .milliseconds(10)
  ) -> HTTPOutcome {
    var response = HTTPResponse(
      status: status, body: [], contentType: nil, etag: nil, lastModified: nil, retryAfter: nil, location: location,
      links: [], effectiveURL: "", redirects: 0)
    response.scope = scope
    return HTTPOutcome(tag: 1, result: .success(response), elapsed: elapsed, bytes: 100)
  }

  /// The transfers of a request whose redirects lead to these targets, and how it ends.
  private func walk(
    _ start: String, _ redirects: [(Int, String?)], rules: AddressRules, scope: AddressScope = .global
  ) throws -> (sent: [HTTPRequest], result: Result<WebResponse, WebFailure>?) {
    var walk = RedirectWalk(WebRequest(tag: 1, url: try url(start), rules: rules))
    var (step, sent, rest): (RedirectWalk.Step, [HTTPRequest], ArraySlice) = (walk.start(), [], redirects[...])
    while true {
      switch step {
      case .finished(let outcome): return (sent, outcome.result)
      case .transfer(let request):
        sent.append(request)
        let next = rest.popFirst()
        step = walk.take(outcome(next?.0 ?? 200, location: next?.1, scope: scope))
      }
    }
  }

  @Test("Permanent redirects at the beginning are told from temporary ones")
  func permanence() throws {
    let cases: [([(Int, String?)], String?)] = [
      ([(301, "/b"), (308, "/c")], "https://a.example/c"),
      ([(301, "/b"), (302, "/c")], "https://a.example/b"),
      ([(302, "/b"), (301, "/c")], nil),
      ([(307, "/b")], nil), ([(303, "/b")], nil), ([], nil),
      ([(301, "https://b.example/x"), (301, "y"), (307, "z")], "https://b.example/y"),
    ]
    for (redirects, expected) in cases {
      let (_, result) = try walk("https://a.example/a", redirects, rules: strict)
      let response = try #require(try result?.get())
      #expect(response.permanentURL == expected.flatMap { WebURL($0) })
      #expect(response.hops.count == redirects.count && response.hops.map(\.status) == redirects.map(\.0))
    }
  }

  @Test("A redirect from https to http is refused, one from http to https followed")
  func downgrade() throws {
    let (sent, result) = try walk("https://a.example/", [(301, "http://a.example/")], rules: strict)
    #expect(try sent.count == 1 && result == .failure(.downgrade(to: url("http://a.example/"))))
    let upgrade = try walk("http://a.example/", [(301, "https://a.example/")], rules: strict)
    #expect(upgrade.sent.map(\.url) == ["http://a.example/", "https://a.example/"])
    let (_, there) = try walk(
      "http://a.example/", [(301, "https://a.example/"), (302, "http://a.example/")], rules: strict)
    #expect(there == .failure(.downgrade(to: try url("http://a.example/"))))
  }

  @Test("Five redirects are followed, a sixth is not")
  func count() throws {
    let five = (1...5).map { (302, Optional("/\($0)")) }
    #expect(try walk("https://a.example/", five, rules: strict).result?.get().hops.count == 5)
    let (sent, result) = try walk("https://a.example/", five + [(302, "/6")], rules: strict)
    #expect(sent.count == 6 && result == .failure(.tooManyRedirects(limit: 5)))
  }

  @Test(
    "A redirect needs a target on the web",
    arguments: [
      nil, "javascript:alert(1)", "file:///etc/passwd", "ftp://a.example/", "http://", "http://a b/",
      "gopher://a.example/",
    ])
  func targets(location: String?) throws {
    let (sent, result) = try walk("https://a.example/", [(301, location)], rules: strict)
    #expect(sent.count == 1 && result == .failure(.badRedirect(location)))
  }

  @Test("Other ports are refused at each hop")
  func ports() throws {
    #expect(try walk("http://a.example:8080/", [], rules: strict).sent.isEmpty)
    let (sent, result) = try walk("https://a.example/", [(302, "https://a.example:6379/")], rules: strict)
    #expect(try sent.count == 1 && result == .failure(.forbiddenPort(url("https://a.example:6379/"))))
    #expect(try walk("http://a.example:8080/", [], rules: home).sent.count == 1)
  }

  @Test("What is on the internet does not lead into a private network that the user may reach")
  func intoPrivateNetwork() throws {
    let redirects = [(302, Optional("http://192.168.0.1/"))]
    #expect(try walk("http://a.example/", redirects, rules: home).sent.map(\.rules) == [home, strict])
    let own = try walk("http://nas.example/", redirects, rules: home, scope: .privateNetwork)
    #expect(own.sent.map(\.rules) == [home, home])
  }

  @Test("Credentials are sent to their own server alone, and never what a redirect contains")
  func credentials() throws {
    let (sent, result) = try walk(
      "https://us%65r:p%40ss@a.example/",
      [
        (301, "/b"), (302, "https://other:x@b.example/"), (302, "https://a.example:8443/"),
        (302, "https://a.example/c"),
      ],
      rules: home, scope: .privateNetwork)
    let basic = "Authorization: Basic dXNlcjpwQHNz"
    #expect(sent.map(\.headers) == [[basic], [basic], [], [], [basic]])
    #expect(sent.allSatisfy { !$0.url.contains("@") })
    let response = try #require(try result?.get())
    // The new address of a private feed is as private.
    #expect(response.permanentURL == (try url("https://us%65r:p%40ss@a.example/b")))
    #expect(response.hops.allSatisfy { $0.url.userInfo == nil })
  }

  @Test("Credentials for http are sent by https too, and not the other way")
  func credentialsOfSchemes() throws {
    let up = try walk("http://u:p@a.example/", [(301, "https://a.example/")], rules: strict)
    #expect(up.sent.map(\.headers.isEmpty) == [false, false])
  }

  @Test("All hops together have a minute")
  func time() throws {
    var walk = RedirectWalk(WebRequest(tag: 1, url: try url("https://a.example/"), rules: strict))
    guard case .transfer(let first) = walk.start() else { return #expect(Bool(false)) }
    #expect(first.timeout == .seconds(60))
    guard case .transfer(let second) = walk.take(outcome(302, location: "/b", elapsed: .seconds(45))) else {
      return #expect(Bool(false))
    }
    #expect(second.timeout == .seconds(15))
    guard case .finished(let end) = walk.take(outcome(302, location: "/c", elapsed: .seconds(15))) else {
      return #expect(Bool(false))
    }
    #expect(end.result == .failure(.transfer(.timedOut(.queued), at: try url("https://a.example/c"))))
    #expect(end.elapsed == .seconds(60) && end.bytes == 200)
  }

  @Test("Validators and the wanted types are sent at each hop")
  func headers() throws {
    var request = WebRequest(tag: 1, url: try url("https://a.example/"), rules: strict)
    (request.etag, request.lastModified, request.accept) = ("\"x\"", "yesterday", "text/xml")
    var walk = RedirectWalk(request)
    guard case .transfer(let first) = walk.start(),
      case .transfer(let second) = walk.take(outcome(301, location: "/b"))
    else { return #expect(Bool(false)) }
    for sent in [first, second] {
      #expect(sent.headerLines == ["Accept: text/xml", "If-None-Match: \"x\"", "If-Modified-Since: yesterday"])
      #expect(!sent.followsRedirects && sent.maxBodyBytes == 32 << 20)
    }
  }
}
