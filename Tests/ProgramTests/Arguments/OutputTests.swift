import Testing

@Suite("Standard output")
struct OutputTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
  }

  /// Commands that show something and change nothing.
  static let questions = [
    ["list"], ["list", "--format", "jsonl"], ["list", "--format", "json"], ["list", "--format", "csv"],
    ["list", "--format", "tsv"], ["list", "--format", "ids"], ["list", "--format", "urls"], ["channels"],
    ["channels", "--format", "json"], ["status"], ["status", "--format", "json"], ["export", "atom"], ["--help"],
    ["--version"], ["list", "--help"], ["poll"],
  ]

  @Test("A full disk behind standard output is noticed, and the status is 74", arguments: questions)
  func full(arguments: [String]) throws {
    let outcome = try sandbox.program.run(arguments, output: .file("/dev/full"))
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("standard output: No space left on device"))
  }

  @Test("A closed reader is not a failure, and no message is printed", arguments: questions)
  func closed(arguments: [String]) throws {
    let outcome = try sandbox.program.run(arguments, output: .closedPipe)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
  }

  @Test("A mark that cannot be reported is made all the same")
  func markUntold() throws {
    #expect(try sandbox.run("watched", "bbbbbbbbbbE", output: .file("/dev/full")).status == 74)
    #expect(try sandbox.list().count == 2)
  }

  @Test("Only a terminal gets colours and links; NO_COLOR, --color never and TERM=dumb disable them")
  func colours() throws {
    func hasEscapes(_ arguments: [String] = [], _ variables: [String: String] = [:], to output: Program.Output) throws
      -> Bool
    {
      var program = sandbox.program
      program.environment["TERM"] = "xterm"
      program.environment.merge(variables) { $1 }
      return try program.run(["list"] + arguments, output: output).output.contains(0x1b)
    }
    let terminal = Program.Output.terminal(columns: 80)
    #expect(try hasEscapes(to: terminal))
    #expect(try !hasEscapes(to: .captured))
    #expect(try hasEscapes(["--color", "always"], to: .captured))
    #expect(try !hasEscapes([], ["NO_COLOR": "1"], to: terminal))
    #expect(try !hasEscapes(["--color", "never"], to: terminal))
    #expect(try !hasEscapes([], ["TERM": "dumb"], to: terminal))
  }

  @Test("A table fits the terminal's width and is complete in a pipe", arguments: [40, 80, 200] as [UInt16])
  func width(columns: UInt16) throws {
    let title = String(repeating: "long ", count: 19) + "title"
    try sandbox.follow([(id: "dddddddddd0", title: title)])
    let outcome = try sandbox.program.run(["list", "--color", "never"], output: .terminal(columns: columns))
    #expect(outcome.lines.dropFirst().allSatisfy { $0.count <= columns })
    #expect(outcome.lines.contains { $0.contains("long") })
    #expect(try sandbox.succeed("list").contains(title))
  }
}
