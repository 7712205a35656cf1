import FixtureServer
import Testing

@Suite("Rules in the program")
struct RuleTests {
  private let sandbox: Sandbox
  private let ids = threeVideos.map(\.id)

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
  }

  @Test("A rule is tested, added, reported and removed; it applies to everything found before")
  func wholeLife() throws {
    let rule = ["block", "--contains", "bell"]
    let test = try sandbox.program.run(["rule", "test"] + rule)
    #expect(test.lines.first == "would hide 1 new video (block: title or description contains “bell”)")
    #expect(test.text.contains("How to Tune a Bell") && sandbox.events("ruleSet").isEmpty)
    #expect(try sandbox.program.run(["rule", "test", "--format", "ids"] + rule).lines == [ids[1]])
    #expect(try sandbox.program.run(["rule", "add"] + rule).lines.last == "hides 1 new video")
    #expect(try sandbox.list().map(\.video) == [ids[0], ids[2]])
    #expect(try sandbox.succeed("list").contains("1 hidden by rules"))
    #expect(try sandbox.list("--no-rules").count == 3)
    let lines = [
      "#  rule                                         now", "1  block: title or description contains “bell”  hides 1",
    ]
    #expect(try sandbox.run("rule", "list").lines == lines)
    #expect(try sandbox.succeed("rule", "remove", "1").hasPrefix("removed: block"))
    #expect(try sandbox.list().count == 3)
    #expect(try sandbox.succeed("undo") == "undone: 1 rule (1 change)\n")
    #expect(try sandbox.list().count == 2)
  }

  @Test("A video that one rule blocks and another allows is shown")
  func allow() throws {
    try sandbox.succeed("rule", "add", "block", "--matches", "a|e", "--in", "title")
    #expect(try sandbox.list().isEmpty)
    let added = try sandbox.succeed("rule", "add", "allow", "--matches", "^three")
    #expect(added.hasSuffix("shows 1 new video again\n"))
    #expect(try sandbox.list().map(\.video) == [ids[2]])
    let lines = try sandbox.run("rule", "list").lines
    #expect(lines.dropFirst().map { $0.hasSuffix("hides 2") || $0.hasSuffix("shows 1") } == [true, true])
  }

  @Test("A rule whose pattern is too complex for a text hides nothing there, and rule list says so")
  func complex() throws {
    let sandbox = try Sandbox()
    try sandbox.follow([("ddddddddddM", String(repeating: "a", count: 30) + "!")])
    try sandbox.succeed("rule", "add", "block", "--matches", "(a+)+$", "--in", "title")
    let outcome = try sandbox.program.run(["rule", "list"])
    #expect(outcome.status == 0 && outcome.lines.count == 2)
    #expect(outcome.errors.hasSuffix(": its pattern is too complex for 1 text, where it does not apply\n"))
    #expect(try sandbox.list().count == 1)
  }

  @Test(
    "A rule without conditions, or with invalid ones, is rejected",
    arguments: [
      ["--contains", ""], ["--contains", " "], ["--matches", ""], ["--matches", "|"], ["--matches", "a|"],
      ["--matches", "x*"], ["--matches", "."], ["--contains", (0...50).map(String.init).joined(separator: " ")],
      ["--tag", ""], ["--min-duration", "5m", "--max-duration", "2m"], ["--short", "--no-short"],
      ["--in", "title", "--short"], ["--in", "title"],
    ])
  func refused(conditions: [String]) throws {
    for command in ["add", "test"] {
      #expect(try sandbox.program.run(["rule", command, "block"] + conditions).status == 64, "\(conditions)")
    }
    #expect(sandbox.events("ruleSet").isEmpty)
  }

  @Test("A tag that nothing has is reported, because it may come later")
  func unknownTag() throws {
    let outcome = try sandbox.run("rule", "add", "block", "--short", "--tag", "nwes")
    #expect(outcome.status == 0 && outcome.errors.contains("no channel you follow has the tag “nwes”"))
  }

  @Test("Marking all skips what rules hide")
  func marks() throws {
    try sandbox.succeed("rule", "add", "block", "--contains", "bell")
    #expect(try sandbox.succeed("watched", "--all") == "2 videos watched\n")
    #expect(try sandbox.succeed("watched", "--all", "--no-rules") == "1 video watched\n")
  }

  @Test("The list of rules has every format but URLs, and an ID in it removes the rule")
  func formats() throws {
    try sandbox.succeed("rule", "add", "block", "--contains", "bell, book", "--older-than", "2d", "--no-live")
    let id = try #require(sandbox.run("rule", "list", "--format", "ids").lines.first)
    let line =
      #"{"rule":"\#(id)","verdict":"block","contains":"bell, book","matches":null,"field":null,"minDuration":null,"#
      + #""maxDuration":null,"short":null,"live":"no","olderThanSeconds":172800,"tag":null,"channel":null,"videos":0}"#
    #expect(try sandbox.run("rule", "list", "--format", "jsonl").lines == [line])
    #expect(try sandbox.run("rule", "list", "--format", "json").lines == ["[", line, "]"])
    let csv = try sandbox.run("rule", "list", "--format", "csv").lines
    #expect(
      csv.last == "\(id),block,\"bell, book\",,,,,,no,172800,,,0" && csv.first?.hasPrefix("rule,verdict,") == true)
    #expect(
      try sandbox.run("rule", "list", "--format", "tsv").lines.last
        == csv.last.map { _ in
          "\(id)\tblock\tbell, book\t\t\t\t\t\tno\t172800\t\t\t0"
        })
    #expect(try sandbox.run("rule", "list", "--format", "urls").status == 64)
    try sandbox.succeed("rule", "remove", id)
    #expect(try sandbox.run("rule", "list", "--format", "ids").lines.isEmpty)
  }

  @Test("A rule without conditions and an invalid pattern are rejected with 64, an unknown rule with 1")
  func refused() throws {
    for arguments in [
      ["add", "block"], ["add", "block", "--in", "title"], ["add", "block", "--matches", "(a"], ["add", "hide"],
      ["add", "block", "--matches", "[z-a]"], ["test", "allow"], ["add", "block", "--older-than", "soon"],
    ] { #expect(try sandbox.program.run(["rule"] + arguments).status == 64, "\(arguments)") }
    #expect(try sandbox.run("rule", "remove", "1").status == 1)
    #expect(try sandbox.succeed("rule", "list") == "No rules: see metube-rss rule add --help.\n")
  }
}
