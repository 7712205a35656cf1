import Testing

@Suite("Help")
struct HelpTests {
  private let program = Help.program("metube-rss")

  @Test("Every command's --help has examples, each with an existing command", arguments: Help.programs)
  func examples(name: String) throws {
    let pages = try Help.pages(of: name)
    #expect(pages.count > 12)
    let commands = Set(pages.map { $0.words.joined(separator: " ") })
    for page in pages {
      #expect(page.outcome.status == 0 && page.outcome.errors.isEmpty)
      let examples = page.outcome.lines.drop { $0 != "Examples:" }.dropFirst().prefix { $0.hasPrefix("  ") }
      #expect(!examples.isEmpty, "\(page.words)")
      let calls = examples.flatMap {
        $0.split(separator: "\(name) ").dropFirst()
      }
      for call in calls {
        let first = String(call.prefix { $0 != " " })
        #expect(first.hasPrefix("-") || commands.contains(first), "\(page.words): \(first)")
      }
    }
  }

  @Test("No hand-written line of help is wrapped at 80 columns", arguments: Help.programs)
  func width(name: String) throws {
    for page in try Help.pages(of: name) {
      let shown = Set(page.outcome.lines)
      let written = (page.command.discussion ?? "").split(separator: "\n").map(String.init)
      #expect(written.filter { !shown.contains($0) } == [], "\(page.words)")
    }
  }

  @Test("No usage line is wider than 80 columns, in help and in errors", arguments: Help.programs)
  func narrow(name: String) throws {
    for page in try Help.pages(of: name) {
      let reported = try Help.program(name).run(page.words + ["--no-such-option"]).errors
      for line in page.outcome.lines + reported.split(separator: "\n").map(String.init) {
        #expect(line.count <= 80, "\(page.words): \(line)")
      }
    }
  }

  @Test("No option is left out of the usage")
  func usage() throws {
    let lines = try program.run(["poll", "--help"]).lines
    let start = try #require(lines.firstIndex { $0.hasPrefix("USAGE: ") })
    #expect(
      Array(lines[start...(start + 2)]) == [
        "USAGE: metube-rss poll [--home <dir>] [--now] [--force] [--jobs <n>]",
        "       [--rate <n>] [--deadline <seconds>] [--direct] [--hub-retries <n>]",
        "       [--api-fallback] [--format <format>] [--quiet] [<channel> ...]",
      ])
  }

  @Test("Every option has a description", arguments: Help.programs)
  func abstracts(name: String) throws {
    for (words, command) in try Help.of(name).paths where words.first != "help" {
      for argument in command.arguments { #expect(argument.abstract?.isEmpty == false, "\(words)") }
    }
  }

  @Test("--version prints the name and a number on standard output")
  func version() throws {
    let outcome = try program.run(["--version"])
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    let words = outcome.text.split(separator: " ")
    #expect(words.count == 2 && words[0] == "metube-rss" && words[1].split(separator: ".").count == 3)
  }

  @Test("-V is --version, and the short options of lists are -n and -q")
  func shortOptions() throws {
    #expect(try program.run(["-V"]).text == program.run(["--version"]).text)
    for (command, option) in [("list", "-n, --limit"), ("export csv", "-n, --limit"), ("poll", "-q, --quiet")] {
      let words = command.split(separator: " ").map(String.init)
      #expect(try program.run(words + ["--help"]).text.contains(option), "\(command)")
    }
  }

  @Test("Libraries for transfers, documents, archives and screens are not loaded at start")
  func lazyLibraries() throws {
    var program = program
    // The dynamic linker lists the libraries instead of running the program (ld.so(8)).
    program.environment["LD_TRACE_LOADED_OBJECTS"] = "1"
    let libraries = try program.run([]).text
    #expect(libraries.contains("libsqlite3"))
    for name in ["libcurl", "libxml2", "libarchive", "libncurses", "libtinfo", "libpq"] {
      #expect(!libraries.contains(name), "\(name)")
    }
  }

  @Test("The groups of commands have plain titles")
  func groups() throws {
    let text = try program.run(["--help"]).text
    #expect(text.contains("\nSUBSCRIPTIONS:\n") && text.contains("\nFILES:\n"))
  }

  @Test("Help and version need no files, not even a home folder")
  func noHome() throws {
    for arguments in [["--help"], ["--version"], ["help", "list"], []] {
      #expect(try Program(environment: [:]).run(arguments).status == 0)
    }
  }

  @Test("README and docs name only commands and options that exist")
  func readme() throws {
    let references = ["data-api", "files", "formats", "settings", "timer"].map { "reference/\($0)" }
    let names = (references + ["design/polling", "every-day"]).map { "docs/\($0).md" }
    let pages = try (["README.md"] + names).map { name in
      String(decoding: try #require(Files.read("\(Files.packageRoot)/\(name)")), as: UTF8.self)
    }
    let readme = pages.joined(separator: "\n")
    let help = try Help.of("metube-rss")
    let commands = Set(help.command.subcommands.map(\.commandName))
    let called = readme.split(separator: "metube-rss ").dropFirst().map { $0.prefix { $0.isLetter } }
    #expect(called.count > 10)
    #expect(called.filter { !$0.isEmpty && !commands.contains(String($0)) } == [])
    let all = try help.commands + Help.of("metube-hub").commands
    let options = Set(all.flatMap { $0.arguments.flatMap { ($0.names ?? []).map(\.name) } })
    let used = readme.split(separator: " --").dropFirst().map { $0.prefix { $0.isLetter || $0 == "-" } }
    #expect(used.count > 8)
    // Empty: the end of a comment in HTML.
    #expect(used.filter { !$0.isEmpty && !options.contains(String($0)) } == [])
  }
}
