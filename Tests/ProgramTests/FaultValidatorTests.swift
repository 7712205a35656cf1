import FixtureServer
import Testing

@Suite("Validators of a feed")
struct FaultValidatorTests {
  private let sandbox: Sandbox
  private let channel: SyntheticChannel

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.sendsETags = true
    channel = try sandbox.follow(threeVideos)
    sandbox.server.forgetRequests()
  }

  @Test("are sent with the next question, and 304 is an answer that is well")
  func notModified() throws {
    #expect(try sandbox.poll("--force").checked == 1)
    #expect(sandbox.server.requests.map { $0.headers["if-none-match"] != nil } == [true])
    #expect(try sandbox.poll("--force").exit == 0)
  }

  @Test("are not sent to another form of feed, which they would leave unread")
  func otherForm() throws {
    try sandbox.succeed("channel", "set", channel.id, "--feed", "uploads")
    _ = try sandbox.poll("--force")
    #expect(sandbox.server.requests.map { $0.headers["if-none-match"] }.first == .some(nil))
  }

  @Test("that were not sent make of a 304 an answer that says nothing")
  func unasked() throws {
    sandbox.server.sendsETags = false
    _ = try sandbox.poll("--force")
    sandbox.server.fail(.answer(.empty(status: 304)), on: .all, times: .always)
    let polled = try sandbox.poll("--force")
    #expect(polled.checked == 0 && polled.exit == 75)
  }
}
