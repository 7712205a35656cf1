import FixtureServer
import Glibc
import Testing

@Suite("The program run for new videos")
struct HookTests {
  private let sandbox: Sandbox
  private let channel = SyntheticChannel(number: 0)
  private var seen: String { sandbox.folder.path + "/seen" }

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serve(channel.id, .feed(FixtureFeed.of(channel, threeVideos).xml))
    try sandbox.succeed("follow", channel.id)
  }

  @Test("It gets what list shows, once, and is not run if nothing is new")
  func lines() throws {
    sandbox.environment["METUBE_RSS_ON_NEW"] = "tee '\(seen)'"
    let polled = try sandbox.run("poll", "--quiet")
    #expect(polled.status == 0 && polled.output.isEmpty)
    #expect(sandbox.folder.read("seen") == Array(try sandbox.succeed("list", "--format", "jsonl").utf8))
    unlink(seen)
    #expect(try sandbox.poll("--force").exit == 0)
    #expect(sandbox.folder.read("seen") == nil)
  }

  @Test("It gets only new videos, without Shorts and those seen before")
  func newOnes() throws {
    _ = try sandbox.poll()
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
    #expect(try sandbox.poll().reported?.contains("METUBE_RSS_ON_NEW") == false)
    #expect(sandbox.folder.read("seen")?.isEmpty == false)
  }

  @Test("The Data API key is not in its environment")
  func noKey() throws {
    sandbox.environment["METUBE_RSS_API_KEY"] = "a-secret"
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_ON_NEW"] = "sh -c 'env > \(seen)'"
    _ = try sandbox.poll()
    let text = String(decoding: try #require(sandbox.folder.read("seen")), as: UTF8.self)
    #expect(text.contains("METUBE_RSS_HOME=") && !text.contains("a-secret"))
  }

  @Test(
    "Its failure is reported and harms nothing",
    arguments: [
      ("false", "status 1"), ("/nonexistent/program", "cannot be started: No such file"),
      ("sh -c 'kill -9 $$'", "signal 9"),
      ("sh 'x", "quote"), ("sh -c 'sleep 60 & sleep 60'", "timed out after 1 second"),
    ])
  func failing(line: String, words: String) throws {
    sandbox.environment["METUBE_RSS_ON_NEW"] = line
    sandbox.environment["METUBE_RSS_ON_NEW_SECONDS"] = "1"
    let polled = try sandbox.poll()
    #expect(polled.exit == 0 && polled.new == 3 && polled.seconds < 1)
    let reported = try #require(polled.reported)
    #expect(reported.contains("METUBE_RSS_ON_NEW") && reported.contains(words), "\(reported)")
    #expect(try sandbox.list().count == 3)
  }

  @Test("An interrupt ends it, and is reported")
  func interrupt() throws {
    sandbox.environment["METUBE_RSS_ON_NEW"] = "sh -c 'touch \(seen); sleep 60 & sleep 60'"
    let running = try sandbox.program.start(["poll", "--rate", "0"])
    for _ in 0..<2_000 where sandbox.folder.read("seen") == nil { usleep(5_000) }
    running.signal(SIGINT)
    let outcome = try running.finish(within: 8)
    #expect(outcome.status == 0 && outcome.errors.contains("METUBE_RSS_ON_NEW: sh was interrupted"))
    #expect(try sandbox.list().count == 3)
  }

  @Test("A program that reads nothing and closes the pipe is not a failure")
  func deaf() throws {
    sandbox.environment["METUBE_RSS_ON_NEW"] = "true"
    #expect(try sandbox.poll().reported == "")
  }

  // MARK: Once each

  /// The videos passed to the program since the last call.
  private func given() -> [String] {
    defer { unlink(seen) }
    let text = String(decoding: sandbox.folder.read("seen") ?? [], as: UTF8.self)
    return text.split(separator: "\n").map { String($0.dropFirst(#"{"video":""#.count).prefix(11)) }.sorted()
  }

  private var all: [String] { threeVideos.map(\.id).sorted() }

  /// Starts a poll that waits for another channel, whose feed never arrives.
  private func startSlowly() throws -> Running {
    sandbox.environment["METUBE_RSS_ON_NEW"] = "tee \(seen)"
    let other = SyntheticChannel(number: 1).id
    try sandbox.succeed("follow", other)
    sandbox.server.fail(.hangBeforeAnswer, on: .key(other), times: .always)
    return try sandbox.program.start(["poll", "--rate", "0"])
  }

  private func wait(until isSo: () -> Bool) { for _ in 0..<4_000 where !isSo() { usleep(5_000) } }

  @Test("The next poll passes on what an interrupted one found")
  func interruptedPoll() throws {
    let running = try startSlowly()
    wait { sandbox.server.requests.count == 2 }
    usleep(300_000)
    running.signal(SIGTERM)
    #expect(try running.finish().status == 1)
    #expect(given().isEmpty)
    sandbox.server.heal()
    _ = try sandbox.poll("--force")
    #expect(given() == all)
    _ = try sandbox.poll("--force")
    #expect(given().isEmpty)
  }

  @Test("The next poll passes on what a killed one found")
  func killedPoll() throws {
    let running = try startSlowly()
    wait { !sandbox.events("videoFound").isEmpty }
    running.signal(SIGKILL)
    _ = try running.finish()
    #expect(given().isEmpty)
    sandbox.server.heal()
    _ = try sandbox.poll("--force")
    #expect(given() == all)
  }

  @Test(
    "Videos it could not get, or requests again, come with the next poll; those it failed on do not",
    arguments: [("sh -c 'exit 75'", true), ("/nonexistent/program", true), ("false", false)])
  func again(line: String, isAgain: Bool) throws {
    sandbox.environment["METUBE_RSS_ON_NEW"] = line
    _ = try sandbox.poll()
    sandbox.environment["METUBE_RSS_ON_NEW"] = "tee \(seen)"
    _ = try sandbox.poll("--force")
    #expect(given() == (isAgain ? all : []))
  }

  @Test("If it was not configured for a poll, or is new, it starts with videos found from then on")
  func begins() throws {
    _ = try sandbox.poll()
    sandbox.environment["METUBE_RSS_ON_NEW"] = "tee \(seen)"
    _ = try sandbox.poll("--force")
    #expect(given().isEmpty)
  }
}
