import Testing

@Suite("Command-line errors")
struct UsageTests {
  private let program = Program(environment: ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"])

  private func reported(_ arguments: String...) throws -> String { try reported(arguments) }

  private func reported(_ arguments: [String]) throws -> String {
    let outcome = try program.run(arguments)
    #expect(outcome.status == 64 && outcome.output.isEmpty, "\(arguments)")
    return outcome.errors
  }

  @Test("An unknown command is named, with where to look")
  func unknownCommand() throws {
    #expect(try reported("zebra", "1") == "metube-rss: “zebra” is not a command; see metube-rss --help\n")
  }

  @Test(
    "Another program's command, a typo or a prefix gets a suggestion",
    arguments: [
      ("mark", "watched"), ("search", "list --search"), ("subscribe", "follow"), ("update", "poll"), ("LS", "list"),
      ("lisst", "list"), ("chanels", "channels"), ("pol", "poll"), ("hist", "history"), ("stauts", "status"),
      ("lsit", "list"), ("flolow", "follow"),
    ])
  func otherCommand(word: String, here: String) throws {
    #expect(try reported(word, "x") == "metube-rss: “\(word)” is not a command; did you mean metube-rss \(here)?\n")
  }

  @Test("A word instead of options gets a list of the options")
  func unexpectedWord() throws {
    #expect(try reported("list", "science").contains("list --tag TAG, list --search WORDS."))
    #expect(try reported("channels", "nasa").contains("list --channel NAME."))
    #expect(try reported("collection", "Trains").contains("collection show NAME."))
    for arguments in [["add", "a b"], ["add", "block", "a b"], ["block"]] {
      #expect(try reported(["rule"] + arguments).contains("rule add block --contains WORDS."), "\(arguments)")
    }
    #expect(try !reported("list", "--serch", "x").contains("Filter with options"))
  }

  @Test("A wrong use of an existing command gets that command's own message")
  func wrongUse() throws {
    #expect(try reported("list", "--mix", "--catch-up").contains("exclude each other"))
    #expect(try !reported("list", "--older-than", "3d").contains("is not a command"))
  }

  @Test("help for an unknown command is a usage error too")
  func unknownHelp() throws {
    #expect(try reported("help", "lisst") == "metube-rss: “lisst” is not a command; did you mean metube-rss list?\n")
    #expect(try program.run(["help", "list"]).text.contains("metube-rss list"))
  }

  @Test(
    "An option of another program gets ours as a suggestion",
    arguments: [
      ("--json", "--format json"), ("--reverse", "--oldest"), ("--count", "--limit"), ("--unread", "--unwatched"),
    ])
  func otherOption(there: String, here: String) throws {
    let message = "metube-rss: Unknown option '\(there)'. Did you mean '\(here)'?\n"
    #expect(try reported("list", there).hasPrefix(message))
  }

  @Test("An unknown format of export gets a list of formats")
  func unknownExport() throws {
    #expect(try reported("export", "rss").contains("Formats: atom, json-feed, csv"))
  }

  @Test("An empty --home is an error, not the usual folders")
  func emptyHome() throws {
    #expect(try reported("list", "--home", "").contains("--home: the folder's name is empty"))
    #expect(try reported("--home", "", "list").contains("--home: the folder's name is empty"))
  }

  @Test("Filters without --all get a hint to it, whether or not videos are named")
  func filters() throws {
    #expect(try reported("watched", "--channel", "x").contains("filters go with --all"))
    #expect(try reported("skip", "--older-than", "3d", "dQw4w9WgXcQ").contains("filters go with --all"))
    #expect(try reported("save").contains("give videos, or --all"))
  }

  @Test(
    "An invalid limit says what is accepted",
    arguments: [
      ("list", 50), ("history", 50), ("export atom", 100), ("export json-feed", 100), ("export csv", 0),
      ("export jsonl", 0),
    ])
  func limit(command: String, usual: Int) throws {
    let arguments = command.split(separator: " ").map(String.init)
    for limit in ["-1", "many", "1.5"] {
      let outcome = try program.run(arguments + ["--limit=\(limit)"])
      #expect(outcome.status == 64, "\(command) \(limit)")
      #expect(outcome.errors.contains("The value '\(limit)' is invalid for '--limit <limit>'"), "\(command) \(limit)")
      #expect(outcome.errors.contains("0 is all."), "\(command)")
    }
    #expect(try program.run(arguments + ["--help"]).text.contains("0 is all. (default: \(usual))"), "\(command)")
  }

  @Test("snooze with the video before the time says the right order")
  func snooze() throws {
    #expect(
      try reported("snooze", "dQw4w9WgXcQ", "3d").contains("the time comes first: metube-rss snooze 3d dQw4w9WgXcQ"))
    #expect(try reported("snooze", "4", "5", "3d").contains("the time comes first: metube-rss snooze 3d 4 5"))
  }
}
