import FixtureServer
import Testing

/// One way for a feed to fail, and the message for it.
struct FeedFault: CustomTestStringConvertible {
  let name: String
  let fault: Fault
  let reason: String
  var status: Int?
  /// The requests in one run: 5xx and broken responses are retried once, at the end. libcurl itself retries when a kept
  /// connection breaks.
  var requests = 1...1

  var testDescription: String { name }

  /// Every fault that ends by itself.
  static let all = [
    FeedFault(name: "404", fault: .status(404), reason: "HTTP 404", status: 404),
    FeedFault(name: "500", fault: .status(500), reason: "HTTP 500", status: 500, requests: 2...2),
    FeedFault(
      name: "an HTML page with status 200", fault: .response(.html("<!DOCTYPE html><title>x</title>", status: 200)),
      reason: "an HTML page", status: 200),
    FeedFault(name: "a reset", fault: .reset, reason: "reset", requests: 2...6),
    FeedFault(name: "a truncated body", fault: .truncatedBody, reason: "was truncated", requests: 2...2),
    FeedFault(
      name: "another channel's feed", fault: .response(.feed(SyntheticChannel(number: 99).feed(generation: 0).xml)),
      reason: "another channel (\(SyntheticChannel(number: 99).id))", status: 200),
    FeedFault(name: "an empty body", fault: .response(.feed("")), reason: "empty", status: 200),
    FeedFault(
      name: "half a feed", fault: .response(.feed("<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry>")),
      reason: "damaged XML", status: 200),
    FeedFault(
      name: "a gzip bomb", fault: .gzipBomb(bytes: 1 << 28), reason: "larger than 1048576 bytes"),
    FeedFault(
      name: "a redirect to a file", fault: .response(.redirect(to: "file:///etc/passwd")),
      reason: "a redirect to a non-HTTP URL"),
  ]
}

@Suite("A feed that fails")
struct PollFailureTests {
  private let sandbox: Sandbox
  private let channels: [SyntheticChannel]
  private var bad: SyntheticChannel { channels[2] }

  init() throws {
    sandbox = try Sandbox()
    channels = try sandbox.follow(5)
    #expect(try sandbox.poll().new == 75)
    sandbox.server.forgetRequests()
  }

  /// Lets every channel publish one more video.
  private func publish() {
    for (number, channel) in channels.enumerated() {
      var feed = channel.feed(generation: 0)
      let id = "newvideo00\(Array("AEIMQ")[number])"
      feed.entries.insert(.of(id, "New at \(channel.title)", published: 1_793_500_000), at: 0)
      feed.entries.removeLast()
      sandbox.server.serve(channel.id, .feed(feed.xml))
    }
  }

  @Test("stops no other, is reported once, and is not retried beyond use", arguments: FeedFault.all)
  func one(expected: FeedFault) throws {
    publish()
    sandbox.server.fail(expected.fault, on: .key(bad.id), times: .always)
    let polled = try sandbox.poll("--force")
    #expect(polled.checked == 4 && polled.new == 4 && polled.failed == 1 && !polled.outage && polled.stopped == nil)
    #expect(polled.exit == 1, "the feed worked before")
    let failure = try #require(polled.failures.first)
    #expect(failure.channel == bad.id && failure.status == expected.status)
    #expect(failure.reason.contains(expected.reason), "\(failure.reason)")
    let reported = try #require(polled.reported)
    #expect(
      reported.split(separator: "\n").count == 1 && reported.contains(bad.title) && reported.contains(expected.reason))
    #expect(expected.requests.contains(sandbox.server.requestCount(bad.id)))
    #expect(try sandbox.everything().count == 79)
  }

  @Test("is not reported again the next time, and recovers with its next response")
  func known() throws {
    sandbox.server.fail(.status(404), on: .key(bad.id), times: .always)
    #expect(try sandbox.poll("--force").exit == 1)
    #expect(try sandbox.poll("--force").exit == 0)
    #expect(try sandbox.run("channels", "--failing", "--format", "ids").lines == [bad.id])
    #expect(try sandbox.succeed("status").contains("failing: \(bad.title) (HTTP 404, 2 times, since "))
    sandbox.server.heal()
    #expect(try sandbox.poll("--force").exit == 0)
    #expect(try sandbox.succeed("channels", "--failing", "--format", "ids").isEmpty)
  }

  @Test("that hangs delays no other, and a deadline ends the wait without blame")
  func hang() throws {
    publish()
    sandbox.server.fail(.hangBeforeResponse, on: .key(bad.id), times: .always)
    // A busy machine may need longer than a second for the other four.
    var new = 0
    var polled = try sandbox.poll("--force", "--deadline", "1")
    for seconds in [4, 16, 64] where polled.checked < 4 {
      new += polled.new
      polled = try sandbox.poll("--force", "--deadline", "\(seconds)")
    }
    #expect(polled.checked == 4 && new + polled.new == 4)
    #expect(polled.failures.isEmpty && polled.stopped == "deadline" && polled.exit == 1)
    sandbox.server.heal()
    #expect(try sandbox.poll("--force").new == 1)
  }

  @Test("keeps the videos found before")
  func keeps() throws {
    let before = try sandbox.everything()
    sandbox.server.fail(.status(500), on: .key(bad.id), times: .always)
    _ = try sandbox.poll("--force")
    #expect(try sandbox.everything() == before)
  }
}

@Suite("YouTube fails as a whole")
struct OutageTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(30)
    #expect(try sandbox.poll().new == 450)
    sandbox.server.forgetRequests()
  }

  @Test(
    "403 and 429 stop the run with 75, and the next one waits",
    arguments: [
      (Fault.status(403), "refused", "is refusing this IP address"),
      (.response(.tooManyRequests(retryAfter: 120)), "tooMany", "too many requests"),
    ])
  func refused(fault: Fault, reason: String, text: String) throws {
    sandbox.server.fail(fault, on: .all, times: .always)
    let polled = try sandbox.poll("--force", "--jobs", "1")
    #expect(polled.exit == 75 && polled.stopped == reason)
    #expect(sandbox.server.requests.count == 1)

    sandbox.server.heal()
    let next = try sandbox.run("poll", "--rate", "0", "--all")
    #expect(next.status == 75 && next.text.contains("retry after 2"))
    #expect(sandbox.server.requests.count == 1)
    #expect(try sandbox.run("status").text.contains(text))
    let paused = try sandbox.poll("--all")
    #expect(paused.exit == 75 && paused.pauseReason == reason && paused.pausedUntil != nil)
    let healed = try sandbox.poll("--force")
    #expect(healed.checked == 30 && healed.pauseReason == nil && healed.pausedUntil == nil)
  }

  @Test("404 for every feed is an outage: 75, few requests, no channel blamed, nothing hidden", arguments: [404, 500])
  func outage(status: Int) throws {
    let before = try sandbox.everything()
    sandbox.server.fail(.status(status), on: .all, times: .always)
    let polled = try sandbox.poll("--force")
    #expect(polled.exit == 75 && polled.outage && polled.stopped == "outage")
    #expect(sandbox.server.requests.count < 30)
    #expect(try sandbox.succeed("channels", "--failing", "--format", "ids").isEmpty)
    #expect(try sandbox.everything() == before)
  }

  @Test("A missing network is reported as such, with 75")
  func offline() throws {
    sandbox.server.stop()
    let polled = try sandbox.poll("--force")
    #expect(polled.exit == 75 && polled.stopped == "offline" && polled.checked == 0)
    #expect(try sandbox.everything().count == 450)
  }
}
