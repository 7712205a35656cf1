import Testing

@Suite("What a slip on the command line is told")
struct UsageTests {
  private let program = Program(environment: ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"])

  private func told(_ arguments: String...) throws -> String { try told(arguments) }

  private func told(_ arguments: [String]) throws -> String {
    let outcome = try program.run(arguments)
    #expect(outcome.status == 64 && outcome.output.isEmpty, "\(arguments)")
    return outcome.errors
  }

  @Test("A command that is not there is named, with where to look")
  func unknownCommand() throws {
    #expect(try told("zebra", "1") == "metube-rss: zebra: no such command; metube-rss --help has them all\n")
  }

  @Test(
    "A command of another program's, a slip or a beginning is told what it is here",
    arguments: [
      ("mark", "watched"), ("search", "list --search"), ("subscribe", "follow"), ("update", "poll"), ("LS", "list"),
      ("lisst", "list"), ("chanels", "channels"), ("pol", "poll"), ("hist", "history"), ("stauts", "status"),
    ])
  func otherCommand(word: String, here: String) throws {
    #expect(try told(word, "x") == "metube-rss: \(word): no such command; perhaps metube-rss \(here)\n")
  }

  @Test("A word where options are meant is told the options")
  func unexpectedWord() throws {
    #expect(try told("list", "science").contains("list --tag TAG, list --search WORDS."))
    #expect(try told("channels", "nasa").contains("list --channel NAME."))
    #expect(try told("collection", "Trains").contains("collection show NAME."))
    for words in [["add", "a b"], ["add", "block", "a b"], ["block"]] {
      #expect(try told(["rule"] + words).contains("rule add block --contains WORDS."), "\(words)")
    }
    #expect(try !told("list", "--serch", "x").contains("narrow"))
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
      #expect(outcome.errors.contains("0 is all."), "\(command)")
    }
    #expect(try program.run(words + ["--help"]).text.contains("0 is all. (default: \(usual))"), "\(command)")
  }

  @Test("snooze with the video before the time is told the order")
  func snooze() throws {
    #expect(try told("snooze", "dQw4w9WgXcQ", "3d").contains("the time comes first: metube-rss snooze 3d dQw4w9WgXcQ"))
    #expect(try told("snooze", "4", "5", "3d").contains("the time comes first: metube-rss snooze 3d 4 5"))
  }
}
