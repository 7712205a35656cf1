import FoundationEssentials

/// The command line as described by the program itself: `--experimental-dump-help` of swift-argument-parser.
struct Help: Decodable {
  /// One command with its arguments and subcommands.
  struct Command: Decodable {
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
  struct Argument: Decodable {
    /// A spelling, without its dashes.
    struct Name: Decodable {
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

  /// The description of a program.
  init(of program: Program) throws {
    self = try JSONDecoder().decode(Help.self, from: Data(program.run(["--experimental-dump-help"]).output))
  }

  /// Every command, beginning with the program itself.
  var commands: [Command] { paths.map(\.command) }

  /// Every command with the words that call it: empty, `export`, `export atom`.
  var paths: [(words: [String], command: Command)] { Help.paths(from: command, words: []) }

  private static func paths(from command: Command, words: [String]) -> [(words: [String], command: Command)] {
    [(words, command)] + command.subcommands.flatMap { paths(from: $0, words: words + [$0.commandName]) }
  }
}
