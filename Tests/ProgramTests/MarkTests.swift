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

  @Test("watched, skip and unwatched give their statuses, and each says how many changed")
  func statusesGiven() throws {
    #expect(try sandbox.succeed("watched", ids[0], ids[1]) == "2 videos watched\n")
    #expect(try sandbox.succeed("skip", ids[2]).hasSuffix("1 video skipped\n"))
    #expect(try statuses() == ["watched", "watched", "skipped"])
    #expect(try sandbox.succeed("watched", ids[0], ids[1], ids[2]) == "1 video watched; 2 already so\n")
    #expect(try sandbox.succeed("unwatched", ids[0], ids[1], ids[2]) == "3 videos new again\n")
    #expect(try statuses() == ["new", "new", "new"])
  }

  @Test("What changes nothing writes nothing")
  func nothing() throws {
    let log = sandbox.log
    #expect(try sandbox.succeed("unwatched", ids[0]).hasSuffix("0 videos new again; 1 already so\n"))
    #expect(sandbox.log == log)
  }

  @Test("A video named twice is marked once")
  func twice() throws {
    #expect(try sandbox.succeed("watched", ids[0], ids[0], "https://youtu.be/\(ids[0])").hasSuffix("1 video watched\n"))
    #expect(sandbox.events("statusSet").count == 1)
  }

  @Test("- reads ids from standard input, a pipe from list marks all it showed")
  func standardInput() throws {
    let shown = try sandbox.succeed("list", "--format", "ids")
    #expect(try sandbox.succeed("skip", "-", input: shown) == "3 videos skipped\n")
    #expect(try sandbox.succeed("unwatched", "-", input: "\(ids[2])  \(ids[1])\n\n").hasPrefix("2 videos"))
    #expect(try statuses() == ["skipped", "new", "new"])
  }

  @Test("Unknown ids are told, each; the others are done; the status is 1")
  func unknown() throws {
    let outcome = try sandbox.run("watched", "dQw4w9WgXcQ", ids[1], "nonsense", "https://example.com/")
    #expect(outcome.status == 1)
    #expect(outcome.errors.split(separator: "\n").count == 3)
    for name in ["dQw4w9WgXcQ: no such video", "nonsense: ", "https://example.com/: "] {
      #expect(outcome.errors.contains(name))
    }
    #expect(try statuses() == ["new", "watched", "new"])
  }

  @Test("A byte order mark before the first id on standard input is no part of it")
  func byteOrderMark() throws {
    #expect(try sandbox.succeed("skip", "-", input: "\u{feff}\(ids[1])\r\n").hasSuffix("1 video skipped\n"))
  }

  @Test("Of many names that are of no video the first ten are told, the others counted")
  func manyUnknown() throws {
    let words = (1...5000).map { "word\($0)" }.joined(separator: " ")
    let outcome = try sandbox.run("watched", "-", input: words + " " + ids[1])
    let lines = outcome.errors.split(separator: "\n")
    #expect(outcome.status == 1 && lines.count == 11)
    #expect(lines.last == "metube-rss: and 4990 more names of no known video")
    #expect(try statuses() == ["new", "watched", "new"])
  }

  @Test("Undo takes back the last action, and again the one before, until there is none")
  func undo() throws {
    try sandbox.succeed("watched", ids[0], ids[1])
    try sandbox.succeed("skip", ids[0])
    #expect(try sandbox.succeed("undo").hasPrefix("taken back: 1 mark; 1 change\n"))
    #expect(try statuses() == ["watched", "watched", "new"])
    #expect(try sandbox.succeed("undo").hasPrefix("taken back: 2 marks; 2 changes\n"))
    #expect(try statuses() == ["new", "new", "new"])
    #expect(try sandbox.succeed("undo", "--yes").hasPrefix("taken back: 1 follow; 1 change\n"))
    #expect(try sandbox.succeed("channels", "--format", "ids").isEmpty)
    let outcome = try sandbox.run("undo")
    #expect(outcome.status == 1 && outcome.errors.contains("no action to take back"))
  }

  @Test("A poll in between is not what undo takes back")
  func undoAfterPoll() throws {
    try sandbox.succeed("watched", ids[0])
    try sandbox.succeed("poll", "--force", "--rate", "0")
    try sandbox.succeed("undo")
    #expect(try statuses() == ["new", "new", "new"])
  }

  @Test("The first thing done after an undo is what the next undo takes back")
  func undoThenMark() throws {
    try sandbox.succeed("watched", ids[0])
    try sandbox.succeed("undo")
    try sandbox.succeed("skip", ids[2])
    try sandbox.succeed("undo")
    #expect(try statuses() == ["new", "new", "new"])
  }

  @Test("A mark stays through a poll that finds the video changed")
  func changed() throws {
    try sandbox.succeed("skip", ids[1])
    let channel = SyntheticChannel(number: 0)
    sandbox.server.serve(channel.id, .feed(FixtureFeed.of(channel, threeVideos.map { ($0.id, $0.title + "!") }).xml))
    #expect(try sandbox.poll("--force").changed == 3)
    #expect(try statuses() == ["new", "skipped", "new"])
    #expect(try sandbox.everything().allSatisfy { $0.title.hasSuffix("!") })
  }
}
