import Testing

@testable import HubPage

@Suite("Names of browsers")
struct UserAgentNameTests {
  @Test(
    "A header of a browser that names others too",
    arguments: [
      ("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"),
      (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36",
        "Chrome on Windows"
      ),
      (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
          + "Version/18.6 Mobile/15E148 Safari/604.1", "Safari on iPhone"
      ),
      ("newsboat/2.21", "newsboat/2.21"), ("", "An unknown program"),
    ])
  func text(_ agent: String, _ text: String) { #expect(UserAgentName.text(agent) == text) }
}
