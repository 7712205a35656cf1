import FoundationEssentials
import Testing

/// The command line as described by the program itself: `--experimental-dump-help` of swift-argument-parser.
struct Help: Decodable, Sendable {
  /// One command with its arguments and subcommands.
  struct Command: Decodable, Sendable {
    let commandName: String
    let discussion: String?
    private let own: [Argument]?
    private let nested: [Command]?
    private enum CodingKeys: String, CodingKey {
      case commandName, discussion
      case own = "arguments"
      case nested = "subcommands"
    }

    /// Its options, flags and arguments, but for hidden ones.
    var arguments: [Argument] { (own ?? []).filter { $0.shouldDisplay != false } }
    /// Its commands.
    var subcommands: [Command] { nested ?? [] }
  }

  /// An option, a flag or an argument.
  struct Argument: Decodable, Sendable {
    /// A spelling, without its dashes.
    struct Name: Decodable, Sendable {
      let kind: String
      let name: String
    }

    let kind: String
    let names: [Name]?
    let abstract: String?
    let shouldDisplay: Bool?
  }

  /// The names of the programs that have one.
  static let programs = ["metube-rss", "metube-hub"]

  let command: Command

  /// The description of a program, by its name.
  static func of(_ name: String) throws -> Help { try #require(descriptions.get()[name], "not one of the programs") }

  private static let descriptions = Result {
    try dumps.get().mapValues { try JSONDecoder().decode(Help.self, from: Data($0)) }
  }

  /// The same as JSON; a debug build takes a second to print it, so it is printed once.
  static func dump(of name: String) throws -> [UInt8] { try #require(dumps.get()[name], "not one of the programs") }

  private static let dumps = Result {
    try Dictionary(
      uniqueKeysWithValues: programs.map { ($0, try program($0).run(["--experimental-dump-help"]).output) })
  }

  /// A program without files of a user.
  static func program(_ name: String) -> Program {
    Program(path: "\(Files.folderOfTests)/\(name)", environment: ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"])
  }

  /// What each command of a program prints with `--help`, but for `help` itself; printed once.
  static func pages(of name: String) throws -> [Page] { try #require(printed.get()[name], "not one of the programs") }

  private static let printed = Result {
    try Dictionary(
      uniqueKeysWithValues: programs.map { name in
        let paths = try of(name).paths.filter { $0.words.first != "help" }
        return (
          name,
          try paths.map { words, command in
            Page(words: words, command: command, outcome: try program(name).run(words + ["--help"]))
          }
        )
      })
  }

  /// The help of one command.
  struct Page: Sendable {
    /// The words that call the command: empty, `export`, `export atom`.
    let words: [String]
    let command: Command
    /// What `--help` after these words led to.
    let outcome: Program.Outcome
  }

  /// Every command, beginning with the program itself.
  var commands: [Command] { paths.map(\.command) }

  /// Every command with the words that call it: empty, `export`, `export atom`.
  var paths: [(words: [String], command: Command)] { Help.paths(from: command, words: []) }

  private static func paths(from command: Command, words: [String]) -> [(words: [String], command: Command)] {
    [(words, command)] + command.subcommands.flatMap { paths(from: $0, words: words + [$0.commandName]) }
  }
}
