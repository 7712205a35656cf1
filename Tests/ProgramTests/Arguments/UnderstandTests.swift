import FixtureServer
import Testing

@Suite("show, why and history")
struct UnderstandTests {
  private let sandbox: Sandbox
  private let ids = threeVideos.map(\.id)

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
  }

  /// The texts under a label on a screen.
  private func texts(_ label: String, _ screen: String) -> [String] {
    screen.split(separator: "\n").filter { $0.hasPrefix(label + " ") }
      .map { String($0.dropFirst(label.count).drop { $0 == " " }) }
  }

  @Test("show has what is known and from which source, and ends with the description")
  func show() throws {
    try sandbox.succeed("save", ids[1])
    try sandbox.succeed("progress", ids[1], "12:34")
    try sandbox.succeed("note", ids[1], "the gears")
    let screen = try sandbox.succeed("show", ids[1])
    #expect(screen.hasPrefix("How to Tune a Bell\nhttps://www.youtube.com/watch?v=\(ids[1])\n"))
    #expect(texts("found", screen).first?.contains("in the channel feed, on device ") == true)
    #expect(texts("Short", screen) == ["unknown: no evidence, so it is shown"])
    #expect(texts("live", screen) == ["unknown"])
    #expect(texts("saved", screen) == ["yes"])
    #expect(texts("progress", screen) == ["12:34"] && texts("note", screen) == ["the gears"])
    #expect(screen.hasSuffix("\nAbout How to Tune a Bell.\n"))
    #expect(try sandbox.run("show", ids[1], "--format", "ids").lines == [ids[1]])
  }

  @Test("why says that a video is listed, or gives each reason why not and what shows it")
  func why() throws {
    #expect(texts("listed", try sandbox.succeed("why", ids[0])) == ["yes: it is new, and nothing hides it"])
    try sandbox.succeed("skip", ids[0])
    try sandbox.succeed("rule", "add", "block", "--contains", "lantern")
    try sandbox.succeed("unfollow", SyntheticChannel(number: 0).id)
    let screen = try sandbox.succeed("why", ids[0])
    #expect(texts("listed", screen) == ["no"])
    #expect(
      texts("because", screen) == [
        "it is skipped (list --status skipped shows it)", "its channel is not followed (list --all shows it)",
        "a rule hides it: block, title or description contains “lantern” (list --no-rules shows it)",
      ])
  }

  @Test("why says how it was recognised as a Short")
  func short() throws {
    let channel = SyntheticChannel(number: 0)
    var feed = FixtureFeed.of(channel, threeVideos)
    feed.entries[0].isShort = true
    sandbox.server.serve(channel.id, .feed(feed.xml))
    _ = try sandbox.poll("--force")
    let screen = try sandbox.succeed("why", ids[0])
    #expect(texts("Short", screen) == ["yes: the feed's link is /shorts/"])
    #expect(texts("because", screen) == ["it is a Short, by its link (list --shorts show shows it)"])
  }

  @Test("A video's history has every mark with its time and device, including undone ones")
  func marks() throws {
    try sandbox.succeed("watched", ids[2])
    try sandbox.succeed("undo")
    try sandbox.succeed("snooze", "2099-12-24", ids[2])
    let history = texts("history", try sandbox.succeed("why", ids[2]))
    #expect(history.count == 4)
    let ends = ["found in the channel feed", "watched", "new (undo)", "snoozed until 2099-12-24 00:00"]
    for (line, end) in zip(history, ends) { #expect(line.hasSuffix(end), "\(line)") }
    let devices = Set(history.map { $0.split(separator: " ")[2] })
    #expect(devices.count == 1 && devices.first?.count == 8)
  }

  @Test("Times are local for people, and UTC in formats for programs")
  func localTimes() throws {
    sandbox.environment["TZ"] = "XYZ-13"
    #expect(try sandbox.succeed("snooze", "2099-12-24", ids[2]).hasPrefix("snoozed until 2099-12-24 00:00: "))
    #expect(texts("status", try sandbox.succeed("why", ids[2])) == ["snoozed until 2099-12-24 00:00"])
    #expect(texts("published", try sandbox.succeed("show", ids[0])).first?.hasPrefix("2026-10-31 13:00") == true)
    let json = try sandbox.succeed("why", ids[2], "--format", "json")
    #expect(json.contains("snoozed until 2099-12-23T11:00:00Z"))
    #expect(try sandbox.list("--snoozed").first?.snoozedUntil == "2099-12-23T11:00:00Z")
  }

  @Test("why of an empty standard input says so")
  func emptyInput() throws {
    let outcome = try sandbox.run("why", "-")
    #expect(outcome.status == 1 && outcome.errors == "metube-rss: -: standard input has no video ID\n")
  }

  @Test("A video without a note or a position says so")
  func noNote() throws {
    #expect(try sandbox.run("note", ids[0]).errors == "metube-rss: no note on this video\n")
    #expect(try sandbox.run("progress", ids[0]).errors == "metube-rss: no position recorded for this video\n")
  }

  @Test("An unknown video ends show and why with 1")
  func unknown() throws {
    let outcome = try sandbox.run("show", "dQw4w9WgXcQ")
    #expect(outcome.status == 1 && outcome.errors.contains("metube-rss save keeps it"), "\(outcome.errors)")
    #expect(try sandbox.run("why", "nonsense").status == 1)
  }

  @Test("history has watched videos, most recent first, and none skipped or marked new again")
  func history() throws {
    #expect(
      try sandbox.run("history").lines == [
        "Nothing watched yet; use metube-rss watched VIDEO or metube-rss play VIDEO."
      ])
    try sandbox.succeed("watched", ids[2], ids[0])
    try sandbox.succeed("skip", ids[1])
    #expect(Set(try sandbox.run("history", "--format", "ids").lines) == [ids[0], ids[2]])
    #expect(try sandbox.run("history", "--limit", "1", "--format", "urls").lines.count == 1)
    #expect(try sandbox.run("history", "--until", "1h", "--format", "ids").lines.isEmpty)
    let lines = try sandbox.run("history", "--since", "1h", "--format", "jsonl").lines
    #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("{\"watchedAt\":\"2") })
    #expect(
      try sandbox.run("history", "--format", "csv").lines.first == "watchedAt,video,channel,channelTitle,title,url")
    #expect(try sandbox.succeed("history").contains("A Lantern in March"))
    try sandbox.succeed("undo")
    try sandbox.succeed("unwatched", ids[2])
    #expect(try sandbox.run("history", "--format", "ids").lines == [ids[0]])
  }
}
