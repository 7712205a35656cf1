import TestSupport
import Testing

@Suite("Row numbers of the last table")
struct NumberTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
  }

  private func showTable(_ arguments: String...) throws -> Program.Outcome {
    try sandbox.program.run(["list"] + arguments, output: .terminal(columns: 80))
  }

  private func status(of id: String) throws -> String? { try sandbox.everything().first { $0.video == id }?.status }

  @Test("A number marks the video that it had in the last table on a terminal, and the reply repeats the title")
  func marks() throws {
    #expect(try showTable().text.contains("How to Tune a Bell"))
    let reply = try sandbox.succeed("watched", "2")
    #expect(reply == "watched: How to Tune a Bell  bbbbbbbbbbE\n1 video watched\n")
    #expect(try status(of: "bbbbbbbbbbE") == "watched")
  }

  @Test("A shorter table replaces the numbers of a longer one")
  func shorter() throws {
    _ = try showTable()
    _ = try showTable("--limit", "1", "--oldest")
    try sandbox.succeed("skip", "1")
    #expect(try status(of: "ccccccccccI") == "skipped")
    let beyond = try sandbox.run("skip", "2")
    #expect(beyond.status == 1 && beyond.errors.contains("2: the last table has rows 1 to 1"))
  }

  @Test("A table without rows keeps the numbers of the one before")
  func empty() throws {
    _ = try showTable()
    #expect(try showTable("--search", "nothing like it").text.contains("Nothing matches."))
    try sandbox.succeed("skip", "3")
    #expect(try status(of: "ccccccccccI") == "skipped")
  }

  @Test("A table written to a pipe or a file changes no numbers")
  func pipe() throws {
    _ = try showTable()
    try sandbox.succeed("list", "--oldest")
    try sandbox.succeed("watched", "1")
    #expect(try status(of: "-bcdefghijA") == "watched")
  }

  @Test("Unknown numbers are reported, and the others are marked")
  func unknown() throws {
    let early = try sandbox.run("watched", "1")
    #expect(early.status == 1 && early.errors.contains("1: no numbered table yet"))
    _ = try showTable()
    let outcome = try sandbox.run("watched", "0", "3", "4")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("0: the last table has rows 1 to 3"))
    #expect(outcome.errors.contains("4: the last table has rows 1 to 3"))
    #expect(try status(of: "ccccccccccI") == "watched")
  }

  @Test("Ranges and lists of numbers are accepted, each video once")
  func ranges() throws {
    _ = try showTable()
    #expect(try sandbox.succeed("save", "1-2").hasSuffix("2 videos saved\n"))
    #expect(try sandbox.succeed("save", "1-2,3,2").hasSuffix("1 video saved; 2 unchanged\n"))
    #expect(try sandbox.succeed("unsave", "3,1").hasPrefix("no longer saved: Three Quiet Gears"))
    let beyond = try sandbox.run("save", "2-999999999", "3-1")
    #expect(beyond.status == 1)
    #expect(beyond.errors.contains("2-999999999: the last table has rows 1 to 3"))
    #expect(beyond.errors.contains("“3-1” is not a row number, a range such as 1-3, a video ID or a URL"))
  }

  @Test("list --next is the next page with the same options, until the end")
  func next() throws {
    #expect(try sandbox.run("list", "--next").errors.contains("--next: no list to continue"))
    let first = try showTable("--limit", "1", "--oldest")
    #expect(first.text.contains("Three Quiet Gears") && first.text.hasSuffix("more: metube-rss list --next\n"))
    #expect(try showTable("--next").text.contains("How to Tune a Bell"))
    try sandbox.succeed("watched", "1")
    #expect(try status(of: "bbbbbbbbbbE") == "watched")
    // Options given with it change the page.
    let last = try showTable("--next", "--limit", "5")
    #expect(last.text.contains("A Lantern in March") && !last.text.contains("more:"))
    let end = try showTable("--next")
    #expect(end.status == 1 && end.errors.contains("--next: the last list showed everything"))
    // Also if that was because nothing matched, not a list before it.
    _ = try showTable("--limit", "1", "--oldest")
    _ = try showTable("--search", "nothing of this kind")
    #expect(try showTable("--next").errors.contains("--next: the last list showed everything"))
    // A pipe neither stores a page nor names what is not stored.
    #expect(try sandbox.succeed("list", "--limit", "1").contains("more: add --after"))
    #expect(try showTable("--next").status == 1)
  }

  @Test("A table has numbers only where they are stored")
  func notRemembered() throws {
    #expect(try sandbox.run("list").lines[1].hasPrefix("published"))
    sandbox.folder.write("x".utf8, to: "state/numbers/x")
    #expect(try showTable("--color", "never").lines[1].hasPrefix("published"))
  }

  @Test("After a day the numbers expire")
  func old() throws {
    _ = try showTable()
    let list = String(decoding: try #require(sandbox.folder.read("state/numbers")), as: UTF8.self)
    let shown = try #require(list.split(separator: "\n").first.flatMap { Int($0) })
    sandbox.folder.write("\(shown - 86_400)\n\(list.drop { $0 != "\n" }.dropFirst())".utf8, to: "state/numbers")
    let outcome = try sandbox.run("watched", "1")
    #expect(outcome.status == 1 && outcome.errors.contains("over a day old"))
  }
}
