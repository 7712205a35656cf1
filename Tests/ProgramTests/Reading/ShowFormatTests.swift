import Testing

@Suite("User data in machine-readable formats")
struct ShowFormatTests {
  private let sandbox: Sandbox
  private let ids = threeVideos.map(\.id)

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
  }

  @Test("show has the note, progress and collections; lists keep their formats")
  func show() throws {
    try sandbox.succeed("note", ids[0], "look at 3:12")
    try sandbox.succeed("progress", ids[0], "1:30")
    try sandbox.succeed("collection", "add", "To cook", ids[0])
    let added = #","note":"look at 3:12","progressSeconds":90,"collections":["To cook"]}"#
    #expect(try sandbox.succeed("show", ids[0], "--format", "jsonl").hasSuffix(added + "\n"))
    #expect(try sandbox.succeed("show", ids[0], "--format", "json").contains(added))
    let bare = #","note":null,"progressSeconds":0,"collections":[]}"#
    #expect(try sandbox.succeed("show", ids[1], "--format", "jsonl").hasSuffix(bare + "\n"))
    #expect(try !sandbox.succeed("list", "--format", "jsonl").contains("progressSeconds"))
  }

  @Test("why has as an object whether a video is listed, what hides it and what happened")
  func why() throws {
    #expect(
      try sandbox.succeed("why", ids[1], "--format", "json").contains(#""listed":true,"because":[],"status":"new""#))
    try sandbox.succeed("rule", "add", "block", "--contains", "bell")
    let rule = try #require(sandbox.run("rule", "list", "--format", "ids").lines.first)
    let hidden = try sandbox.succeed("why", ids[1], "--format", "json")
    #expect(hidden.contains(#""listed":false,"because":[""#) && hidden.contains(#""rules":["\#(rule)"]"#))
    #expect(hidden.contains(#""history":[{"at":""#))
  }

  @Test("why fits a terminal of 20 columns, except for longer words")
  func narrow() throws {
    let text = try sandbox.program.run(["why", ids[1]], output: .terminal(columns: 20)).text
    let lines = text.split(whereSeparator: \.isNewline)
    #expect(lines.count > 5 && lines.allSatisfy { $0.count <= 20 || !$0.drop { $0 == " " }.contains(" ") })
  }

  @Test("Channels have their publishing interval, and are sorted by it, by tags and by state")
  func channels() throws {
    #expect(try sandbox.succeed("channels", "--format", "jsonl").contains(#","intervalSeconds":"#))
    #expect(try sandbox.succeed("channels", "--format", "csv").contains("order,intervalSeconds"))
    for order in ["habit", "tags", "verdict"] {
      #expect(try sandbox.run("channels", "--sort", order).status == 0)
    }
  }
}
