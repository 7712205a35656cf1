import Testing

@Suite("What a slip on the command line is told")
struct UsageTests {
  private let program = Program(environment: ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"])

  private func told(_ arguments: String...) throws -> String {
    let outcome = try program.run(arguments)
    #expect(outcome.status == 64 && outcome.output.isEmpty, "\(arguments)")
    return outcome.errors
  }

  @Test("A command that is not there is named, with where to look")
  func unknownCommand() throws {
    #expect(try told("mark", "1") == "metube-rss: mark: no such command; metube-rss --help has them all\n")
    #expect(try told("lisst").contains("lisst: no such command"))
  }

  @Test("A wrong use of a command that is there is told in its own words")
  func wrongUse() throws {
    #expect(try told("list", "--mix", "--catch-up").contains("are two orders"))
    #expect(try !told("list", "--older-than", "3d").contains("no such command"))
  }

  @Test("Filters without --all are told to need it, whether or not videos are named")
  func filters() throws {
    #expect(try told("watched", "--channel", "x").contains("filters go with --all"))
    #expect(try told("skip", "--older-than", "3d", "dQw4w9WgXcQ").contains("filters go with --all"))
    #expect(try told("save").contains("name videos, or say --all"))
  }

  @Test(
    "A limit that is no number of videos is told what it takes",
    arguments: [
      ("list", 50), ("history", 50), ("export atom", 100), ("export json-feed", 100), ("export csv", 0),
      ("export jsonl", 0),
    ])
  func limit(command: String, usual: Int) throws {
    let words = command.split(separator: " ").map(String.init)
    for limit in ["-1", "many", "1.5"] {
      let outcome = try program.run(words + ["--limit=\(limit)"])
      #expect(outcome.status == 64, "\(command) \(limit)")
      #expect(outcome.errors.contains("The value '\(limit)' is invalid for '--limit <limit>'"), "\(command) \(limit)")
      #expect(outcome.errors.contains("0 is all. (default: \(usual))"), "\(command)")
    }
  }

  @Test("snooze with the video before the time is told the order")
  func snooze() throws {
    #expect(try told("snooze", "dQw4w9WgXcQ", "3d").contains("the time comes first: metube-rss snooze 3d dQw4w9WgXcQ"))
  }
}
