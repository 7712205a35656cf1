import FixtureServer
import Testing

@Suite("Marking by filter, snoozing, saving, notes and progress")
struct MarkManyTests {
  private let sandbox: Sandbox
  private let ids = threeVideos.map(\.id)

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
  }

  private func statuses() throws -> [String] { try sandbox.everything().map(\.status) }

  @Test("--all marks what the filters match, --older-than by age")
  func all() throws {
    #expect(try sandbox.succeed("watched", "--all", "--search", "bell") == "1 video watched\n")
    #expect(try statuses() == ["new", "watched", "new"])
    let oldest = try #require(sandbox.everything().last).published
    #expect(try sandbox.succeed("skip", "--all", "--until", oldest) == "0 videos skipped\n")
    #expect(try sandbox.succeed("skip", "--all", "--older-than", "0s") == "2 videos skipped\n")
    #expect(try sandbox.succeed("skip", "--all", "--older-than", "5000w") == "0 videos skipped\n")
    #expect(try statuses() == ["skipped", "watched", "skipped"])
  }

  @Test("unwatched --all covers every status but new, --status one")
  func allBack() throws {
    try sandbox.succeed("watched", ids[0])
    try sandbox.succeed("skip", ids[1])
    try sandbox.succeed("snooze", "3d", ids[2])
    #expect(try sandbox.succeed("unwatched", "--all", "--status", "skipped") == "1 video new again\n")
    #expect(try statuses() == ["watched", "new", "snoozed"])
    #expect(try sandbox.succeed("unwatched", "--all") == "2 videos new again\n")
  }

  @Test("Filters without --all, with IDs, or neither of both, are rejected with 64")
  func refused() throws {
    let log = sandbox.log
    let wrong = [
      ["watched"], ["watched", "--all", ids[0]], ["skip", ids[0], "--older-than", "3d"],
      ["skip", ids[0], "--tag", "x"],
      ["skip", "--all", "--older-than", "3d", "--until", "3d"], ["skip", "--all", "--older-than", "soon"],
      ["snooze", "2001-01-01", ids[0]], ["snooze", "soon", ids[0]], ["progress", ids[0], "halfway"],
      ["watched", "--all", "--search", ""], ["list", "--search", " \"\" "],
      ["list", "--search", (0...50).map(String.init).joined(separator: " ")],
    ]
    for arguments in wrong { #expect(try sandbox.program.run(arguments).status == 64, "\(arguments)") }
    #expect(sandbox.log == log)
  }

  @Test("A search may repeat its words")
  func repeatedWords() throws {
    let words = Array(repeating: "bell", count: 5000).joined(separator: " ")
    #expect(try sandbox.list("--search", words).map(\.video) == [ids[1]])
  }

  @Test("A snoozed video is hidden for a duration or until a date, and reported so")
  func snooze() throws {
    #expect(try sandbox.succeed("snooze", "3d", ids[0], ids[1]).contains("\n2 videos snoozed until "))
    #expect(try sandbox.list().map(\.video) == [ids[2]])
    try sandbox.succeed("snooze", "2099-12-24", ids[0])
    let snoozed = try sandbox.list("--snoozed")
    #expect(snoozed.map(\.video) == [ids[0], ids[1]])
    #expect(snoozed[0].snoozedUntil == "2099-12-24T00:00:00Z" && snoozed[0].status == "snoozed")
  }

  @Test("Saving is independent of the status, and reports videos saved already")
  func save() throws {
    try sandbox.succeed("watched", ids[0])
    #expect(try sandbox.succeed("save", ids[0], ids[1]).hasSuffix("\n2 videos saved\n"))
    #expect(try sandbox.succeed("save", ids[1], ids[2]).hasSuffix("\n1 video saved; 1 unchanged\n"))
    #expect(try sandbox.everything().map(\.saved) == [true, true, true])
    #expect(try statuses() == ["watched", "new", "new"])
    #expect(try sandbox.succeed("unsave", "--all", "--status", "watched") == "1 video no longer saved\n")
    #expect(try sandbox.everything().map(\.saved) == [false, true, true])
  }

  @Test("A note is stored, shown and removed; so is the progress")
  func noteAndProgress() throws {
    #expect(try sandbox.succeed("note", ids[1], "the part on\ngears").hasPrefix("noted: How to Tune a Bell"))
    #expect(try sandbox.succeed("note", ids[1]) == "the part on gears\n")
    #expect(try sandbox.succeed("note", ids[1], "the part on\ngears").hasPrefix("no change"))
    #expect(try sandbox.succeed("note", ids[1], "").hasPrefix("note removed"))
    #expect(try sandbox.run("note", ids[1]).text.isEmpty)
    #expect(try sandbox.succeed("progress", ids[0], "12:34").hasPrefix("12:34: A Lantern"))
    #expect(try sandbox.succeed("progress", ids[0], "754").hasPrefix("no change"))
    #expect(try sandbox.succeed("progress", ids[0]) == "12:34\n")
    #expect(try sandbox.succeed("progress", ids[0], "0").hasPrefix("progress cleared"))
    #expect(try sandbox.run("progress", ids[0]).text.isEmpty)
    #expect(sandbox.events("progressSet").count == 2)
    #expect(try sandbox.succeed("note", "dQw4w9WgXcQ", "x").contains("no feed has shown"))
  }

  @Test("Undo reverts each kind of mark, one after the other, even with polls and lists in between")
  func undo() throws {
    let before = try sandbox.everything()
    try sandbox.succeed("watched", ids[0])
    try sandbox.succeed("snooze", "2099-12-24", ids[0], ids[1])
    try sandbox.succeed("save", ids[2])
    try sandbox.succeed("note", ids[2], "first")
    try sandbox.succeed("note", ids[2], "second")
    try sandbox.succeed("progress", ids[2], "90s")
    try sandbox.succeed("skip", "--all")
    #expect(try statuses() == ["snoozed", "snoozed", "skipped"])
    try sandbox.succeed("undo")
    #expect(try statuses() == ["snoozed", "snoozed", "new"])
    try sandbox.succeed("poll", "--force", "--rate", "0")
    try sandbox.succeed("undo")
    #expect(sandbox.events("progressSet").last?.contains("\"seconds\":0") == true)
    try sandbox.succeed("undo")
    #expect(try sandbox.succeed("note", ids[2]) == "first\n")
    try sandbox.succeed("undo")
    #expect(try sandbox.run("note", ids[2]).text.isEmpty)
    try sandbox.succeed("undo")
    #expect(try sandbox.everything().allSatisfy { !$0.saved })
    try sandbox.succeed("undo")
    #expect(try statuses() == ["watched", "new", "new"])
    try sandbox.succeed("undo")
    #expect(try sandbox.everything() == before)
  }
}
