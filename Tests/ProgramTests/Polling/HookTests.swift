import FixtureServer
import Glibc
import TestSupport
import Testing

@Suite("The program run for new videos")
struct HookTests {
  private let sandbox: Sandbox
  private let channel = SyntheticChannel(number: 0)
  private var seen: String { sandbox.folder.path + "/seen" }

  /// A sandbox that follows an empty channel, whose next feed has three videos.
  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serve(channel.id, .feed(FixtureFeed.of(channel, []).xml))
    try sandbox.succeed("follow", channel.id)
    try sandbox.succeed("poll", "--rate", "0")
    sandbox.server.serve(channel.id, .feed(FixtureFeed.of(channel, threeVideos).xml))
  }

  /// A poll of feeds checked just now, too.
  private func poll() throws -> Polled { try sandbox.poll("--force") }

  @Test("What the first response of a newly followed feed holds is not new; what comes later is")
  func firstResponse() throws {
    sandbox.environment["METUBE_RSS_ON_NEW"] = "tee '\(seen)'"
    let other = SyntheticChannel(number: 1)
    let old = [(id: "ffffffffffU", title: "Old")]
    sandbox.server.serve(other.id, .feed(FixtureFeed.of(other, old).xml))
    try sandbox.succeed("follow", other.id)
    #expect(try poll().new == 4)
    let first = String(decoding: try #require(sandbox.folder.read("seen")), as: UTF8.self)
    #expect(first.split(separator: "\n").count == 3 && !first.contains("\"Old\""))
    sandbox.server.serve(other.id, .feed(FixtureFeed.of(other, [(id: "gggggggggg0", title: "New")] + old).xml))
    #expect(try poll().new == 1)
    let second = String(decoding: try #require(sandbox.folder.read("seen")), as: UTF8.self)
    #expect(second.split(separator: "\n").count == 1 && second.contains("\"New\""))
  }

  @Test("The program gets what list shows, once, and is not run if nothing is new")
  func lines() throws {
    sandbox.environment["METUBE_RSS_ON_NEW"] = "tee '\(seen)'"
    let polled = try sandbox.run("poll", "--quiet", "--force")
    #expect(polled.status == 0 && polled.output.isEmpty)
    #expect(sandbox.folder.read("seen") == Array(try sandbox.succeed("list", "--format", "jsonl").utf8))
    unlink(seen)
    #expect(try sandbox.poll("--force").exit == 0)
    #expect(sandbox.folder.read("seen") == nil)
  }

  @Test("The program gets only new videos, without Shorts and those seen before")
  func newOnes() throws {
    _ = try poll()
    sandbox.environment["METUBE_RSS_ON_NEW"] = "tee \(seen)"
    var feed = FixtureFeed.of(
      channel, [(id: "dddddddddd0", title: "Fresh"), (id: "eeeeeeeeee4", title: "Short")] + threeVideos)
    feed.entries[1].isShort = true
    sandbox.server.serve(channel.id, .feed(feed.xml))
    #expect(try sandbox.poll("--force").new == 2)
    let text = String(decoding: try #require(sandbox.folder.read("seen")), as: UTF8.self)
    #expect(text.split(separator: "\n").count == 1 && text.contains("\"video\":\"dddddddddd0\""))
  }

  @Test(
    "In the settings file quotes may surround each word, or the whole value",
    arguments: ["'/usr/bin/tee' 'SEEN'", "\"'/usr/bin/tee' 'SEEN'\"", "'tee SEEN'", "tee 'SEEN'"])
  func quotes(value: String) throws {
    let path = sandbox.folder.path + "/seen"
    let line = value.split(separator: "SEEN", omittingEmptySubsequences: false).joined(separator: path)
    sandbox.folder.write("METUBE_RSS_ON_NEW=\(line)\n".utf8, to: "env")
    #expect(try poll().reported?.contains("METUBE_RSS_ON_NEW") == false)
    #expect(sandbox.folder.read("seen")?.isEmpty == false)
  }

  @Test("The Data API key is not in its environment")
  func noKey() throws {
    sandbox.environment["METUBE_RSS_API_KEY"] = "a-secret"
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_ON_NEW"] = "sh -c 'env > \(seen)'"
    _ = try poll()
    let text = String(decoding: try #require(sandbox.folder.read("seen")), as: UTF8.self)
    #expect(text.contains("METUBE_RSS_HOME=") && !text.contains("a-secret"))
  }

  @Test(
    "The program's failure is reported and harms nothing",
    arguments: [
      ("false", "status 1"), ("/nonexistent/program", "cannot be started: No such file"),
      ("sh -c 'kill -9 $$'", "signal 9"),
      ("sh 'x", "quote"), ("sh -c 'sleep 60 & sleep 60'", "timed out after 1 second"),
    ])
  func failing(line: String, text: String) throws {
    sandbox.environment["METUBE_RSS_ON_NEW"] = line
    sandbox.environment["METUBE_RSS_ON_NEW_SECONDS"] = "1"
    let polled = try poll()
    #expect(polled.exit == 0 && polled.new == 3)
    let reported = try #require(polled.reported)
    #expect(reported.contains("METUBE_RSS_ON_NEW") && reported.contains(text), "\(reported)")
    #expect(try sandbox.list().count == 3)
  }

  @Test("An interrupt ends it, and is reported")
  func interrupt() throws {
    sandbox.environment["METUBE_RSS_ON_NEW"] = "sh -c 'touch \(seen); sleep 60 & sleep 60'"
    let running = try sandbox.program.start(["poll", "--rate", "0", "--force"])
    wait { sandbox.folder.read("seen") != nil }
    running.signal(SIGINT)
    let outcome = try running.finish()
    #expect(outcome.status == 0 && outcome.errors.contains("METUBE_RSS_ON_NEW: sh was interrupted"))
    #expect(try sandbox.list().count == 3)
  }

  @Test("A program that reads nothing and closes the pipe is not a failure")
  func deaf() throws {
    sandbox.environment["METUBE_RSS_ON_NEW"] = "true"
    #expect(try poll().reported == "")
  }

  @Test("The program gets only what its own poll found, whatever happened to earlier polls", arguments: [true, false])
  func earlierPolls(isSet: Bool) throws {
    if isSet { sandbox.environment["METUBE_RSS_ON_NEW"] = "false" }
    _ = try poll()
    sandbox.environment["METUBE_RSS_ON_NEW"] = "tee \(seen)"
    #expect(try sandbox.poll("--force").exit == 0)
    #expect(sandbox.folder.read("seen") == nil)
  }
}
