import FixtureServer
import TestSupport
import Testing

@Suite("A feed's validators")
struct FaultValidatorTests {
  private let sandbox: Sandbox
  private let channel: SyntheticChannel

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.sendsETags = true
    channel = try sandbox.follow(threeVideos)
    sandbox.server.forgetRequests()
  }

  @Test("are sent with the next request, and 304 is a success")
  func notModified() throws {
    #expect(try sandbox.poll("--force").checked == 1)
    #expect(sandbox.server.requests.map { $0.headers["if-none-match"] != nil } == [true])
    #expect(try sandbox.poll("--force").exit == 0)
  }

  @Test("are not sent to another kind of feed, which would then remain unread")
  func otherForm() throws {
    try sandbox.succeed("channel", "set", channel.id, "--feed", "uploads")
    _ = try sandbox.poll("--force")
    #expect(sandbox.server.requests.map { $0.headers["if-none-match"] }.first == .some(nil))
  }

  @Test("that were not sent make a 304 an invalid response")
  func unrequested() throws {
    sandbox.server.sendsETags = false
    _ = try sandbox.poll("--force")
    sandbox.server.fail(.response(.empty(status: 304)), on: .all, times: .always)
    let polled = try sandbox.poll("--force")
    #expect(polled.checked == 0 && polled.exit == 75)
  }

  @Test(
    "that cannot be sent are not stored, and do not lock a feed out",
    arguments: ["\u{1}abc", String(repeating: "x", count: 20_000)])
  func poisonous(etag: String) throws {
    sandbox.server.sendsETags = false
    var response = Response.feed(FixtureFeed.of(channel, threeVideos).xml)
    response.headers["ETag"] = etag
    sandbox.server.serve(channel.id, response)
    for _ in 0..<2 { #expect(try sandbox.poll("--force").checked == 1) }
    #expect(try #require(sandbox.folder.read("state/poll")).count < 1000)
  }

  @Test("that cannot be sent and were stored by an earlier version are dropped")
  func kept() throws {
    let feed = #"{"v":1,"channel":"\#(channel.id)","asked":"2026-01-01T00:00:00Z","form":"channel","etag":"\u0001abc""#
    let lines = [#"{"v":1,"records":1"#, feed].map { Seal.line($0) + "\n" }
    sandbox.folder.write(lines.joined().utf8, to: "state/poll")
    let polled = try sandbox.poll("--force")
    #expect(polled.checked == 1 && polled.reported == "")
  }
}
