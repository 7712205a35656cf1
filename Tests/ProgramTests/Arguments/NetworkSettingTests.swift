import FixtureServer
import TestSupport
import Testing

@Suite("Network settings")
struct NetworkSettingTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(1)
  }

  @Test(
    "An invalid one is rejected before any request, with its name and value",
    arguments: [
      ("CA_FILE", "/nonexistent/ca.pem", "/nonexistent/ca.pem: cannot be opened"),
      ("CA_FILE", "/etc/hostname", "/etc/hostname: contains no certificate"),
      ("PROXY", "garbage://x", "socks5h"), ("PROXY", "http://", "socks5h"), ("PROXY", "a b", "socks5h"),
      ("FEEDS_URL", "http://", "is “http://”"), ("FEEDS_URL", "https:///feeds", "is “https:///feeds”"),
      ("FEEDS_URL", "http://a mirror", "is “http://a mirror”"), ("FEEDS_URL", "http://:80", "is “http://:80”"),
      ("FEEDS_URL", "mirror.example", "is “mirror.example”"),
      ("FEEDS_URL", "https://mirror.example/youtube", "use only scheme, host and port"),
      ("FEEDS_URL", "https://mirror.example:port", "use only scheme, host and port"),
      ("FEEDS_URL", "https://mirror.example:99999", "use only scheme, host and port"),
      ("FEEDS_URL", "https://mirror.example?a=b", "use only scheme, host and port"),
      ("FEEDS_URL", "http://[]:80", "use only scheme, host and port"),
    ])
  func refused(name: String, value: String, text: String) throws {
    sandbox.environment["METUBE_RSS_\(name)"] = value
    let outcome = try sandbox.run("poll")
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("METUBE_RSS_\(name)") && outcome.errors.contains(text), "\(outcome.errors)")
    #expect(sandbox.server.requests.isEmpty)
  }

  @Test(
    "An invalid Data API address is rejected, and the key is not sent",
    arguments: [
      "https://", "https:///", "https://:443", "https://a host", "api.example", "ftp://api.example",
      "https://api.example/v3", "https://api.example?key=", "https://api.example#x", "https://api.example:0",
    ])
  func dataAPI(value: String) throws {
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    sandbox.environment["METUBE_RSS_API_URL"] = value
    let outcome = try sandbox.run("enrich")
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("METUBE_RSS_API_URL is “\(value)”; use only scheme, host and port"))
    #expect(sandbox.server.requests.isEmpty)
  }

  @Test("A URL with a user is rejected without printing the password", arguments: ["FEEDS_URL", "API_URL"])
  func user(name: String) throws {
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    sandbox.environment["METUBE_RSS_\(name)"] = "https://me:secret@mirror.example"
    let outcome = try sandbox.run("enrich")
    let text = "METUBE_RSS_\(name) contains a user name"
    #expect(outcome.status == 64 && outcome.errors.contains(text), "\(outcome.errors)")
    #expect(!outcome.errors.contains("secret"))
  }

  @Test("A proxy's password is not printed")
  func password() throws {
    sandbox.environment["METUBE_RSS_PROXY"] = "ftp://me:secret@proxy.example"
    let outcome = try sandbox.run("poll")
    #expect(outcome.status == 64 && !outcome.errors.contains("secret"))
  }

  @Test("A proxy needs no scheme, and a certificate file may begin with other text")
  func accepted() throws {
    let pem = "For this house.\n-----BEGIN CERTIFICATE-----\nTUlJQg==\n-----END CERTIFICATE-----\n"
    sandbox.environment["METUBE_RSS_CA_FILE"] = sandbox.folder.write(pem.utf8, to: "ca.pem")
    sandbox.environment["METUBE_RSS_PROXY"] = sandbox.server.baseURL.split(separator: "/").last.map(String.init)
    sandbox.environment["no_proxy"] = "127.0.0.1"
    #expect(try sandbox.run("poll").status == 0)
  }
}
