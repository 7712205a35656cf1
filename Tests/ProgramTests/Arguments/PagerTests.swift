import Testing

@Suite("The pager")
struct PagerTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
  }

  private func shown(_ arguments: String..., on output: Program.Output = .terminal(columns: 60)) throws -> String {
    try sandbox.program.run(arguments, output: output).text
  }

  @Test("The pager is on by default on a terminal with a person, except a dumb one or with an empty PAGER")
  func usual() throws {
    sandbox.environment["PAGER"] = "sed s/^/paged:/"
    sandbox.environment["TERM"] = "xterm"
    func shown(_ arguments: String...) throws -> Program.Outcome {
      try sandbox.program.run(arguments, output: .terminal(columns: 60), isInteractive: true)
    }
    #expect(try shown("list").text.contains("paged:"))
    #expect(try !shown("list", "--no-pager").text.contains("paged:"))
    sandbox.environment["PAGER"] = "no-such-pager"
    let missing = try shown("list")
    #expect(missing.text.contains("How to Tune a Bell") && missing.errors.isEmpty)
    for (name, value) in [("PAGER", ""), ("TERM", "dumb")] {
      sandbox.environment["PAGER"] = "sed s/^/paged:/"
      sandbox.environment[name] = value
      let outcome = try shown("list")
      #expect(outcome.text.contains("How to Tune a Bell") && !outcome.text.contains("paged:") && outcome.errors.isEmpty)
    }
  }

  @Test("The pager is off by default in a script, whose input is not the terminal")
  func unrequested() throws {
    sandbox.environment["PAGER"] = "sed s/^/paged:/"
    sandbox.environment["TERM"] = "xterm"
    #expect(try !shown("list").contains("paged:"))
  }

  @Test(
    "--pager shows long output through PAGER, as wide as the terminal",
    arguments: ["list", "channels", "status"])
  func requested(command: String) throws {
    sandbox.environment["NO_COLOR"] = "1"
    sandbox.environment["PAGER"] = "sed s/^/paged:/"
    let lines = try shown(command, "--pager").split(whereSeparator: \.isNewline)
    #expect(lines.count > 1 && lines.allSatisfy { $0.hasPrefix("paged:") })
    #expect(command == "status" || lines.allSatisfy { $0.count <= 66 })
  }

  @Test("METUBE_RSS_PAGER always enables it, except with --no-pager")
  func always() throws {
    sandbox.environment["METUBE_RSS_PAGER"] = "tr a-z A-Z"
    #expect(try shown("list").contains("HOW TO TUNE A BELL"))
    #expect(try shown("why", "bbbbbbbbbbE").contains("NOTHING HIDES IT"))
    #expect(try shown("list", "--no-pager").contains("How to Tune a Bell"))
  }

  @Test("The pager is never used for a pipe or a file")
  func pipe() throws {
    sandbox.environment["METUBE_RSS_PAGER"] = "tr a-z A-Z"
    #expect(try shown("list", "--pager", on: .captured).contains("How to Tune a Bell"))
  }

  @Test("Quitting the pager early is not a failure; a failing or missing one is reported, and nothing is lost")
  func leftOrMissing() throws {
    sandbox.environment["METUBE_RSS_PAGER"] = "true"
    let left = try sandbox.run("list", output: .terminal(columns: 60))
    #expect(left.status == 0 && left.errors.isEmpty)
    sandbox.environment["METUBE_RSS_PAGER"] = "no-such-pager -x"
    let missing = try sandbox.run("list", output: .terminal(columns: 60))
    #expect(missing.status == 0 && missing.errors.contains("no-such-pager: No such file or directory"))
    #expect(missing.text.contains("How to Tune a Bell"))
    sandbox.environment["METUBE_RSS_PAGER"] = "false"
    let failed = try sandbox.run("list", output: .terminal(columns: 60))
    #expect(failed.status == 0 && failed.errors.contains("false: exited with status 1"))
    #expect(failed.text.contains("How to Tune a Bell"))
    sandbox.environment["METUBE_RSS_PAGER"] = "less 'x"
    #expect(try shown("list").contains("How to Tune a Bell"))
  }
}
