import FixtureServer
import Testing

@Suite("Settings of the network")
struct NetworkSettingTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(1)
  }

  @Test(
    "One that cannot be is refused before anything is asked, with its name and what it says",
    arguments: [
      ("CA_FILE", "/nonexistent/ca.pem", "/nonexistent/ca.pem: cannot be opened"),
      ("CA_FILE", "/etc/hostname", "/etc/hostname: no certificate"),
      ("PROXY", "garbage://x", "socks5h"), ("PROXY", "http://", "socks5h"), ("PROXY", "a b", "socks5h"),
      ("FEEDS_URL", "http://", "is http://"), ("FEEDS_URL", "https:///feeds", "is https:///feeds"),
      ("FEEDS_URL", "http://a mirror", "is http://a mirror"), ("FEEDS_URL", "http://:80", "is http://:80"),
      ("FEEDS_URL", "mirror.example", "is mirror.example"),
      ("FEEDS_URL", "https://mirror.example/youtube", "scheme, host and port alone"),
      ("FEEDS_URL", "https://mirror.example:port", "scheme, host and port alone"),
      ("FEEDS_URL", "https://mirror.example:99999", "scheme, host and port alone"),
      ("FEEDS_URL", "https://mirror.example?a=b", "scheme, host and port alone"),
      ("FEEDS_URL", "http://[]:80", "scheme, host and port alone"),
    ])
  func refused(name: String, value: String, words: String) throws {
    sandbox.environment["METUBE_RSS_\(name)"] = value
    let outcome = try sandbox.run("poll")
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("METUBE_RSS_\(name)") && outcome.errors.contains(words), "\(outcome.errors)")
    #expect(sandbox.server.requests.isEmpty)
  }

  @Test(
    "So is a place of the Data API that cannot be, with the key kept at home",
    arguments: [
      "https://", "https:///", "https://:443", "https://a host", "api.example", "ftp://api.example",
      "https://api.example/v3", "https://api.example?key=", "https://api.example#x", "https://api.example:0",
    ])
  func dataAPI(value: String) throws {
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    sandbox.environment["METUBE_RSS_API_URL"] = value
    let outcome = try sandbox.run("enrich")
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("METUBE_RSS_API_URL is \(value): it takes scheme, host and port alone"))
    #expect(sandbox.server.requests.isEmpty)
  }

  @Test("An address with a user is refused without a word of the password", arguments: ["FEEDS_URL", "API_URL"])
  func user(name: String) throws {
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    sandbox.environment["METUBE_RSS_\(name)"] = "https://me:secret@mirror.example"
    let outcome = try sandbox.run("enrich")
    #expect(outcome.status == 64 && outcome.errors.contains("METUBE_RSS_\(name) names a user"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("secret"))
  }

  @Test("A proxy's password is not told")
  func password() throws {
    sandbox.environment["METUBE_RSS_PROXY"] = "ftp://me:secret@proxy.example"
    let outcome = try sandbox.run("poll")
    #expect(outcome.status == 64 && !outcome.errors.contains("secret"))
  }

  @Test("A proxy may do without a scheme, and a file of certificates with words before them")
  func accepted() throws {
    let pem = "For this house.\n-----BEGIN CERTIFICATE-----\nTUlJQg==\n-----END CERTIFICATE-----\n"
    sandbox.environment["METUBE_RSS_CA_FILE"] = sandbox.folder.write(pem.utf8, to: "ca.pem")
    sandbox.environment["METUBE_RSS_PROXY"] = sandbox.server.baseURL.split(separator: "/").last.map(String.init)
    sandbox.environment["no_proxy"] = "127.0.0.1"
    #expect(try sandbox.run("poll").status == 0)
  }
}
