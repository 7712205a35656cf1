import FixtureServer
import TestSupport
import Testing

@Suite("Status messages")
struct StatusReportTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  @Test("An empty home suggests the next command")
  func empty() throws {
    #expect(try sandbox.succeed("list").contains("You follow nothing yet: metube-rss import FILE"))
    #expect(try sandbox.succeed("channels").contains("metube-rss import FILE"))
    #expect(try sandbox.succeed("status").contains("never polled; run metube-rss poll"))
    #expect(try sandbox.succeed("poll") == "You follow nothing yet: metube-rss import FILE, or follow CHANNEL.\n")
  }

  @Test("A followed name counts, and is reported once")
  func nameOnly() throws {
    try sandbox.succeed("follow", "@somebody")
    #expect(try sandbox.succeed("list").contains("Nothing polled yet: run metube-rss poll"))
    #expect(try sandbox.succeed("channels") == "1 handle to be looked up by the next poll: @somebody\n")
  }

  @Test("If channels are followed but none matches, the message does not suggest following some")
  func noneMeant() throws {
    try sandbox.follow(1)
    #expect(try sandbox.succeed("channels", "--failing") == "Nothing matches.\n")
    #expect(try sandbox.succeed("channels", "--tag", "nowhere") == "Nothing matches.\n")
  }

  @Test("Channels never polled are reported so")
  func notPolled() throws {
    try sandbox.follow(1)
    #expect(try sandbox.succeed("list").contains("Nothing polled yet: run metube-rss poll"))
  }

  @Test("Nothing new is reported so")
  func caughtUp() throws {
    try sandbox.follow(threeVideos)
    try sandbox.succeed("watched", "-", input: try sandbox.succeed("list", "--format", "ids"))
    #expect(try sandbox.succeed("list").contains("You're all caught up."))
  }

  @Test("An empty list after a stopped or partly failed poll says so, and does not claim that everything is seen")
  func notCaughtUp() throws {
    let channels = try sandbox.follow(12)
    _ = try sandbox.poll()
    try sandbox.succeed("watched", "--all")
    #expect(try sandbox.succeed("list").hasSuffix("You're all caught up.\n"))
    sandbox.server.fail(.status(404), on: .key(channels[0].id), times: .always)
    _ = try sandbox.poll("--force")
    let failed = try sandbox.succeed("list")
    #expect(failed.contains("1 feed not checked\n") && !failed.contains("You're all"))
    #expect(failed.hasSuffix("All caught up, except for failing feeds: see metube-rss channels --failing.\n"))
    sandbox.server.fail(.status(404), on: .all, times: .always)
    #expect(try sandbox.poll("--force").outage)
    let outage = try sandbox.succeed("list")
    #expect(outage.contains("Nothing new so far, but the last poll stopped: YouTube's feeds are failing"))
    #expect(!outage.contains("caught up"))
  }

  @Test("status counts, and says when and how the last poll ended")
  func status() throws {
    try sandbox.follow(3)
    _ = try sandbox.poll()
    let text = try sandbox.succeed("status")
    #expect(text.hasPrefix("3 subscriptions, 45 videos found\n"))
    #expect(text.contains("last poll just now: 3 checked, 45 new, 0 failed"))
    #expect(text.contains("log: \(sandbox.folder.path)/log ("))
    let json = try sandbox.succeed("status", "--format", "json")
    for member in ["\"gone\":[]", "\"due\":0", "\"nextDue\":\"2", "\"pausedUntil\":null", "\"logBytes\":"] {
      #expect(json.contains(member), "\(member)")
    }
    #expect(json.contains("\"subscriptions\":3") && json.contains("\"videos\":45") && json.contains("\"failing\":[]"))
  }

  @Test("status has the last polls, most recent first, with each one's results and why it stopped")
  func runs() throws {
    let channels = try sandbox.follow(12)
    _ = try sandbox.poll()
    #expect(try !sandbox.succeed("status").contains("polled"))
    sandbox.server.fail(.status(404), on: .key(channels[0].id), times: .always)
    _ = try sandbox.poll("--force")
    sandbox.server.fail(.status(404), on: .all, times: .always)
    _ = try sandbox.poll("--force")
    let lines = try sandbox.run("status").lines
    let rows = try lines[#require(lines.firstIndex { $0.hasPrefix("polled") })...].map { $0.split(separator: " ") }
    #expect(rows.map { $0.first } == ["polled", "just", "just", "just"] && rows[0].last == "end")
    #expect(rows[1].last == "outage" && rows[2][2...4] == ["11", "0", "1"] && rows[3][2...4] == ["12", "180", "0"])
    #expect(try sandbox.run("status", "--runs", "2").lines.filter { $0.hasPrefix("just now") }.count == 2)
    let json = try sandbox.succeed("status", "--format", "json")
    let runs = try #require(json.split(separator: "\"runs\":").last).split(separator: "},{")
    #expect(runs.count == 3 && runs[0].contains("\"outage\":true,\"stopped\":\"outage\""))
    #expect(runs[2].contains("\"checked\":12,\"notDue\":0,\"failed\":0,\"new\":180,\"changed\":0,\"gaps\":0,"))
    #expect(json.contains("\"pauseReason\":\"outage\",\"pausedSince\":\"2"))
    #expect(try sandbox.succeed("status", "--format", "json", "--runs", "0").contains("\"runs\":[]"))
    #expect(try sandbox.run("status", "--runs", "25").status == 64)
    try sandbox.succeed("log", "compact")
    #expect(try sandbox.run("status").lines.suffix(4) == lines.suffix(4))
  }

  @Test("channels shows each channel's new count, and its feed's last outcome")
  func channels() throws {
    let channel = try sandbox.follow(threeVideos)
    try sandbox.succeed("watched", "bbbbbbbbbbE")
    let line = try #require(sandbox.run("channels", "--format", "jsonl").lines.first)
    for member in [
      "\"channel\":\"\(channel.id)\"", "\"title\":\"\(channel.title)\"", "\"unwatched\":2", "\"failures\":0",
      "\"lastAnswer\":\"200\"", "\"verdict\":\"well\"", "\"lastPublished\":\"2026-10-31T00:00:00Z\"",
      "\"failingSince\":null",
    ] { #expect(line.contains(member), "\(member) in \(line)") }
  }

  @Test("--quiet prints nothing if nothing failed")
  func quiet() throws {
    try sandbox.follow(2)
    #expect(try sandbox.succeed("poll", "--quiet", "--rate", "0").isEmpty)
    sandbox.server.fail(.status(404), on: .key(SyntheticChannel(number: 0).id), times: .always)
    #expect(try !sandbox.run("poll", "--quiet", "--force", "--rate", "0").text.isEmpty)
  }

  @Test("The polite pace is kept: at most two requests a second, four at a time, one user agent")
  func manners() throws {
    try sandbox.follow(5)
    let polled = try sandbox.run("poll", "--format", "json")
    #expect(polled.status == 0)
    let seconds = polled.text.split(separator: "\"seconds\":").last.flatMap { Double($0.prefix { $0 != "," }) }
    // Four intervals of half a second, each varied by half.
    #expect(try #require(seconds) >= 1.0)
    let requests = sandbox.server.requests
    #expect(requests.count == 5)
    #expect(requests.allSatisfy { $0.headers["user-agent"]?.hasPrefix("metube-rss/") == true && $0.acceptsGzip })
  }

  @Test("status shows what is due, the log's size, and how many are new without those hidden by rules")
  func more() throws {
    let ids = threeVideos.map(\.id)
    try sandbox.follow(threeVideos)
    try sandbox.succeed("skip", ids[0])
    try sandbox.succeed("rule", "add", "block", "--contains", "bell")
    let text = try sandbox.succeed("status")
    #expect(text.contains("\n1 video new to you\n") && text.contains("\nthe next feed is due at "))
    let size = sandbox.folder.names(in: "log").reduce(0) { $0 + (sandbox.folder.read("log/\($1)")?.count ?? 0) }
    #expect(text.contains("/log (\(size / 1000) kB)\n"))
    #expect(try sandbox.run("channels", "--format", "jsonl").text.contains("\"unwatched\":1,"))
  }

  @Test("channels are sorted by the given key, ties by title")
  func sorted() throws {
    let channels = try sandbox.follow(3)
    _ = try sandbox.poll()
    try sandbox.succeed("watched", "--all", "--channel", channels[1].id)
    let titles = channels.sorted { $0.title.lowercased() < $1.title.lowercased() }.map(\.id)
    #expect(try sandbox.run("channels", "--format", "ids").lines == titles)
    #expect(try sandbox.run("channels", "--format", "ids", "--sort", "failures").lines == titles)
    #expect(try sandbox.run("channels", "--format", "ids", "--sort", "unwatched").lines.last == channels[1].id)
    #expect(try sandbox.succeed("channels").contains("every "))
    #expect(try sandbox.run("channels", "--sort", "mood").status == 64)
  }
}
