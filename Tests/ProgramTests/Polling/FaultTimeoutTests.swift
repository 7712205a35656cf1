import FixtureServer
import Testing

@Suite("Timeout settings")
struct FaultTimeoutTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(1)
  }

  @Test(
    "limit the wait for a response",
    arguments: [("TIMEOUT", "0.3"), ("STALL_TIMEOUT", "1")])
  func bounds(name: String, seconds: String) throws {
    sandbox.environment["METUBE_RSS_" + name] = seconds
    sandbox.server.fail(.hangInsideBody(after: 100), on: .all, times: .always)
    let polled = try sandbox.poll()
    // Sooner than the defaults, 20 and 60 seconds, would have ended it.
    #expect(polled.stopped == "offline" && polled.seconds < 20)
  }

  @Test(
    "that are not a number of seconds are rejected with what to write instead",
    arguments: ["TIMEOUT", "CONNECT_TIMEOUT", "STALL_TIMEOUT"], ["soon", "0", "-1", "nan", "1e9"])
  func refused(name: String, text: String) throws {
    sandbox.environment["METUBE_RSS_" + name] = text
    let outcome = try sandbox.run("poll")
    #expect(outcome.status == 64)
    #expect(outcome.errors == "metube-rss: METUBE_RSS_\(name) is “\(text)”; use seconds from 0.1 to 3600\n")
  }
}
