import FixtureServer
import Testing

@Suite("Rules through the program")
struct RuleTests {
  private let sandbox: Sandbox
  private let ids = threeVideos.map(\.id)

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
  }

  @Test("A rule is tested, added, told and removed; it is about everything found before")
  func wholeLife() throws {
    let rule = ["block", "--contains", "bell"]
    let test = try sandbox.program.run(["rule", "test"] + rule)
    #expect(test.lines.first == "1 new video would be hidden: block: title or description contains “bell”")
    #expect(test.text.contains("How to Tune a Bell") && sandbox.events("ruleSet").isEmpty)
    #expect(try sandbox.program.run(["rule", "test", "--format", "ids"] + rule).lines == [ids[1]])
    #expect(try sandbox.program.run(["rule", "add"] + rule).lines.last == "1 new video hidden by it")
    #expect(try sandbox.list().map(\.video) == [ids[0], ids[2]])
    #expect(try sandbox.succeed("list").contains("1 hidden by rules"))
    #expect(try sandbox.list("--no-rules").count == 3)
    #expect(try sandbox.succeed("rule", "list") == "1  block: title or description contains “bell”; hides 1 now\n")
    #expect(try sandbox.succeed("rule", "remove", "1").hasPrefix("removed: block"))
    #expect(try sandbox.list().count == 3)
    #expect(try sandbox.succeed("undo") == "taken back: 1 rule; 1 change\n")
    #expect(try sandbox.list().count == 2)
  }

  @Test("What a rule blocks and another allows is shown")
  func allow() throws {
    try sandbox.succeed("rule", "add", "block", "--matches", "a|e", "--in", "title")
    #expect(try sandbox.list().isEmpty)
    let added = try sandbox.succeed("rule", "add", "allow", "--matches", "^three")
    #expect(added.hasSuffix("1 new video shown again by it\n"))
    #expect(try sandbox.list().map(\.video) == [ids[2]])
    let lines = try sandbox.run("rule", "list").lines
    #expect(lines.map { $0.hasSuffix("hides 2 now") || $0.hasSuffix("shows 1 now") } == [true, true])
  }

  @Test("Marking all leaves out what rules hide")
  func marks() throws {
    try sandbox.succeed("rule", "add", "block", "--contains", "bell")
    #expect(try sandbox.succeed("watched", "--all") == "2 videos watched\n")
    #expect(try sandbox.succeed("watched", "--all", "--no-rules") == "1 video watched\n")
  }

  @Test("A rule about nothing and a pattern that is none are refused with 64, an unknown rule with 1")
  func refused() throws {
    for arguments in [
      ["add", "block"], ["add", "block", "--in", "title"], ["add", "block", "--matches", "(a"], ["add", "hide"],
      ["add", "block", "--matches", #"(a)\1"#], ["test", "allow"], ["add", "block", "--older-than", "soon"],
    ] { #expect(try sandbox.program.run(["rule"] + arguments).status == 64, "\(arguments)") }
    #expect(try sandbox.run("rule", "remove", "1").status == 1)
    #expect(try sandbox.succeed("rule", "list") == "No rules: see metube-rss rule add --help.\n")
  }
}
