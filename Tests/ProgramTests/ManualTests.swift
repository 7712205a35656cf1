import Glibc
import Testing

/// Where python3 is, which makes the pages.
private let python: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first { access($0, X_OK) == 0 }

/// The manual pages as `make install` makes them, beside what the program says with `--help`.
@Suite("Manual pages", .enabled(if: python != nil))
struct ManualTests {
  private let folder = TemporaryFolder()
  private let help: Help

  init() throws {
    var program = Program(environment: ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"])
    help = try Help(of: program)
    let dump = try program.run(["--experimental-dump-help"]).output
    program.path = try #require(python)
    let outcome = try program.run([Files.packageRoot + "/scripts/manual.py", folder.path], input: dump)
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  /// The text of a page, without troff's escapes.
  private func page(_ words: [String]) throws -> String {
    let name = (["metube-rss"] + words).joined(separator: "-") + ".1"
    let text = String(decoding: try #require(folder.read(name), "no page \(name)"), as: UTF8.self)
    return text.split(separator: "\\-", omittingEmptySubsequences: false).joined(separator: "-")
      .split(separator: "\\e", omittingEmptySubsequences: false).joined(separator: "\\")
  }

  private var paths: [(words: [String], command: Help.Command)] { help.paths.filter { $0.words.first != "help" } }

  @Test("There is a page for every command and for nothing else")
  func complete() throws {
    let wanted = paths.map { (["metube-rss"] + $0.words).joined(separator: "-") + ".1" }
    #expect(TemporaryFolder.names(in: folder.path) == wanted.sorted())
  }

  @Test("Each page has the examples, the options and the words of --help, with values and defaults")
  func same() throws {
    for (words, command) in paths {
      let text = try page(words)
      for line in (command.discussion ?? "").split(separator: "\n") where line != "Examples:" {
        #expect(text.contains(line.drop { $0 == " " }), "\(words): \(line)")
      }
      #expect(text.contains("\n.SH EXAMPLES\n"), "\(words)")
      for argument in command.arguments {
        #expect(text.contains(argument.abstract ?? ""), "\(words): \(argument.abstract ?? "")")
        for name in argument.names ?? [] {
          #expect(text.contains(name.kind == "long" ? "--\(name.name)" : "-\(name.name)"), "\(words): \(name.name)")
        }
      }
      for name in command.subcommands.map(\.commandName) where name != "help" {
        #expect(text.contains("metube-rss-\((words + [name]).joined(separator: "-"))"), "\(words)")
      }
    }
    #expect(try page(["list"]).contains("(values: published, found; default: published)"))
    #expect(try page(["list"]).contains("--pager, --no-pager"))
  }

  @Test("man finds no fault with any page", .enabled(if: access("/usr/bin/man", X_OK) == 0))
  func flawless() throws {
    var man = Program(environment: [
      "HOME": folder.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "80",
    ])
    man.path = "/usr/bin/man"
    let pages = TemporaryFolder.names(in: folder.path).map { "\(folder.path)/\($0)" }
    for page in pages + [Files.packageRoot + "/man/metube-rss-log.5"] {
      let outcome = try man.run(["--warnings", "-E", "UTF-8", "-l", page])
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(page): \(outcome.errors)")
      #expect(outcome.lines.filter { $0.count > 80 } == [], "\(page)")
    }
  }
}
