import FixtureServer
import Testing

@Suite("Marking and undoing")
struct MarkTests {
  private let sandbox: Sandbox
  private let ids = threeVideos.map(\.id)

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
  }

  private func statuses() throws -> [String] { try sandbox.everything().map(\.status) }

  @Test("watched, skip and unwatched set their statuses, and each reports how many changed")
  func statusesGiven() throws {
    #expect(try sandbox.succeed("watched", ids[0], ids[1]).hasSuffix("\n2 videos watched\n"))
    #expect(try sandbox.succeed("skip", ids[2]).hasSuffix("1 video skipped\n"))
    #expect(try statuses() == ["watched", "watched", "skipped"])
    let again = try sandbox.succeed("watched", ids[0], ids[1], ids[2]).split(separator: "\n")
    #expect(again.map { String($0.prefix { $0 != ":" }) }.dropLast() == ["no change", "no change", "watched"])
    #expect(again.last == "1 video watched; 2 unchanged")
    #expect(try sandbox.succeed("unwatched", ids[0], ids[1], ids[2]).hasSuffix("3 videos new again\n"))
    #expect(try statuses() == ["new", "new", "new"])
  }

  @Test("A mark that changes nothing writes nothing")
  func nothing() throws {
    let log = sandbox.log
    #expect(try sandbox.succeed("unwatched", ids[0]).hasSuffix("0 videos new again; 1 unchanged\n"))
    #expect(sandbox.log == log)
  }

  @Test("A video named twice is marked once")
  func twice() throws {
    #expect(try sandbox.succeed("watched", ids[0], ids[0], "https://youtu.be/\(ids[0])").hasSuffix("1 video watched\n"))
    #expect(sandbox.events("statusSet").count == 1)
  }

  @Test("- reads IDs from standard input; a pipe from list marks everything it showed")
  func standardInput() throws {
    let shown = try sandbox.succeed("list", "--format", "ids")
    #expect(try sandbox.succeed("skip", "-", input: shown).hasSuffix("3 videos skipped\n"))
    #expect(try sandbox.succeed("unwatched", "-", input: "\(ids[2])  \(ids[1])\n\n").hasSuffix("2 videos new again\n"))
    #expect(try statuses() == ["skipped", "new", "new"])
  }

  @Test("Arguments that name no video are reported; the others are marked; the status is 1")
  func unknown() throws {
    let outcome = try sandbox.run("watched", ids[1], "nonsense", "https://example.com/")
    #expect(outcome.status == 1)
    #expect(outcome.errors.split(separator: "\n").count == 2)
    for name in ["“nonsense” is not", "https://example.com/: "] {
      #expect(outcome.errors.contains(name))
    }
    #expect(try statuses() == ["new", "watched", "new"])
  }

  @Test("A byte order mark before the first ID on standard input is skipped")
  func byteOrderMark() throws {
    #expect(try sandbox.succeed("skip", "-", input: "\u{feff}\(ids[1])\r\n").hasSuffix("1 video skipped\n"))
  }

  @Test("The first ten of many unknown IDs are reported, the others counted")
  func manyUnknown() throws {
    let words = (1...5000).map { "word\($0)" }.joined(separator: " ")
    let outcome = try sandbox.run("watched", "-", input: words + " " + ids[1])
    let lines = outcome.errors.split(separator: "\n")
    #expect(outcome.status == 1 && lines.count == 11)
    #expect(lines.last == "metube-rss: and 4990 more names that matched no known video")
    #expect(try statuses() == ["new", "watched", "new"])
  }

  @Test("Undo reverts the last action, then the one before, until there are no more")
  func undo() throws {
    try sandbox.succeed("watched", ids[0], ids[1])
    try sandbox.succeed("skip", ids[0])
    #expect(try sandbox.succeed("undo").hasPrefix("undone: 1 mark (1 change)\n"))
    #expect(try statuses() == ["watched", "watched", "new"])
    #expect(try sandbox.succeed("undo").hasPrefix("undone: 2 marks (2 changes)\n"))
    #expect(try statuses() == ["new", "new", "new"])
    #expect(try sandbox.succeed("undo", "--yes").hasPrefix("undone: 1 follow (1 change)\n"))
    #expect(try sandbox.succeed("channels", "--format", "ids").isEmpty)
    let outcome = try sandbox.run("undo")
    #expect(outcome.status == 1 && outcome.errors.contains("no action to undo"))
  }

  @Test("Undo skips a poll in between")
  func undoAfterPoll() throws {
    try sandbox.succeed("watched", ids[0])
    try sandbox.succeed("poll", "--force", "--rate", "0")
    try sandbox.succeed("undo")
    #expect(try statuses() == ["new", "new", "new"])
  }

  @Test("After an undo, the next action is the next to be undone")
  func undoThenMark() throws {
    try sandbox.succeed("watched", ids[0])
    try sandbox.succeed("undo")
    try sandbox.succeed("skip", ids[2])
    try sandbox.succeed("undo")
    #expect(try statuses() == ["new", "new", "new"])
  }

  @Test("A mark survives a poll that finds the video changed")
  func changed() throws {
    try sandbox.succeed("skip", ids[1])
    let channel = SyntheticChannel(number: 0)
    sandbox.server.serve(channel.id, .feed(FixtureFeed.of(channel, threeVideos.map { ($0.id, $0.title + "!") }).xml))
    #expect(try sandbox.poll("--force").changed == 3)
    #expect(try statuses() == ["new", "skipped", "new"])
    #expect(try sandbox.everything().allSatisfy { $0.title.hasSuffix("!") })
  }
}
