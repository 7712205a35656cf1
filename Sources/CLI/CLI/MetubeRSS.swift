import ArgumentParser
import Arguments
import Core
import Glibc
import Messages
import Platform

/// The entry point: parses the command line, runs the command and exits with its status.
extension Program {
  package static func main() -> Never {
    prepare()
    exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  /// Runs one command line, given without the program's name, and returns the exit status.
  static func run(_ arguments: [String]) -> ExitStatus {
    let arguments = arguments == ["-V"] ? ["--version"] : arguments
    do {
      var command = try MetubeRSS.command(of: DashIDArguments.guardIDs(in: arguments))
      let pager = try (command as? any PagedCommand).flatMap { try Pager($0.paging, $0.common) }
      defer { pager?.finish() }
      try command.run()
      return .done
    } catch let status as ExitStatus {
      return status
    } catch let error as AppError {
      let failure = UserMessages.failure(error)
      StandardError.report(failure.message)
      return failure.status
    } catch let failure as Failure {
      StandardError.report(failure.message)
      return failure.status
    } catch Output.Closed.pipe {
      return .done  // The reader of the output has closed it.
    } catch {
      let command = MetubeRSS.command(in: arguments)
      if let name = command.first == "help" ? command.dropFirst().first : command.first,
        MetubeRSS.isUnknown(command: name)
      {
        let hint = UsageSuggestions.command(
          for: name, of: MetubeRSS.commands.compactMap { $0.configuration.commandName })
        let advice = hint.map { "did you mean metube-rss \($0)?" } ?? "see metube-rss --help"
        StandardError.report("“\(DisplayText(name).text)” is not a command; \(advice)")
        return .usage
      }
      return report(error, after: Array(command))
    }
  }

  /// Prints help and version to standard output, usage errors to standard error; returns the exit status.
  private static func report(_ error: any Error, after arguments: [String]) -> ExitStatus {
    let message = DashIDArguments.removeGuards(from: MetubeRSS.fullMessage(for: error))
    let text = UsageLine.broken(UsageSuggestions.replacingOptions(in: message), within: 80)
    guard MetubeRSS.exitCode(for: error) == .success else {
      // The parser does not expose the kind of error; only its message shows it.
      let isUnexpected = text.contains("nexpected argument") || text.contains("is invalid for '<verdict>'")
      let hint = isUnexpected ? UsageSuggestions.hint(after: arguments).map { $0 + "\n" } : nil
      let dash = DashHint.hint(for: message, arguments).map { $0 + "\n" }
      let own = text.hasPrefix("Error: ") ? "metube-rss: " + text.dropFirst("Error: ".count) : text
      StandardError.write(StandardError.harmless(own + "\n" + (hint ?? "") + (dash ?? "")))
      return .usage
    }
    return print(text)
  }
}

/// The command line's root.
struct MetubeRSS: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metube-rss",
    abstract: "Your YouTube subscriptions without YouTube: the channels' RSS feeds, newest first.",
    discussion: """
      All data is kept in plain text files of your own. No account or API key is
      needed.

      Files: the log in $XDG_DATA_HOME/metube-rss/log, settings in
      $XDG_CONFIG_HOME/metube-rss/env; or everything under --home, which may stand
      before or after the command. metube-rss config shows the settings in effect.
      Exit status: 0 success, 1 partial success, 64 usage error, 65 input not
      understood, 69 refused permanently, 74 disk or log error, 75 try again later.

      Examples:
        metube-rss import subscriptions.csv     import your subscriptions
        metube-rss poll                         check for new videos
        metube-rss list                         show them, newest first
        metube-rss watched 3                    mark number 3 of the last list
        metube-rss export atom --output ~/feed.atom
      """,
    version: Version.text,
    groupedSubcommands: [
      CommandGroup(
        name: "Subscriptions",
        subcommands: [
          ImportCommand.self,
          FollowCommand.self,
          UnfollowCommand.self,
          ChannelsCommand.self,
          ChannelCommand.self,
          LoginCommand.self,
          LogoutCommand.self,
        ]),
      CommandGroup(
        name: "Polling",
        subcommands: [
          PollCommand.self,
          EnrichCommand.self,
          StatusCommand.self,
          TimerCommand.self,
        ]),
      CommandGroup(
        name: "Videos",
        subcommands: [
          ListCommand.self,
          BrowseCommand.self,
          ShowCommand.self,
          WhyCommand.self,
          PlayCommand.self,
          WatchedCommand.self,
          SkipCommand.self,
          SnoozeCommand.self,
          UnwatchedCommand.self,
          SaveCommand.self,
          UnsaveCommand.self,
          ProgressCommand.self,
          NoteCommand.self,
          UndoCommand.self,
          HistoryCommand.self,
          CollectionCommand.self,
          RuleCommand.self,
        ]),
      CommandGroup(
        name: "Devices",
        subcommands: [
          SyncCommand.self,
          PairCommand.self,
        ]),
      CommandGroup(
        name: "Files",
        subcommands: [
          ExportCommand.self,
          LogCommand.self,
          ConfigCommand.self,
          PreferencesCommand.self,
        ]),
    ])
  // Subcommands that declare the same group get its values.
  @OptionGroup var common: CommonOptions
}

extension MetubeRSS {
  /// Parses a command line. One that begins with a command is parsed as that command alone, which saves a tenth of a
  /// `list`; help, completion scripts and errors need the whole.
  static func command(of arguments: [String]) throws -> any ParsableCommand {
    if let name = arguments.first,
      let command = commands.first(where: { $0.configuration.commandName == name }),
      let parsed = try? command.alone(arguments)
    {
      return parsed
    }
    return try parseAsRoot(arguments)
  }

  fileprivate static var commands: [any ParsableCommand.Type] {
    configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
  }

  /// A command line from its command on: without a leading `--home DIR`.
  fileprivate static func command(in arguments: [String]) -> ArraySlice<String> {
    var command = arguments[...]
    while let first = command.first, first == "--home" || first.hasPrefix("--home=") {
      command = command.dropFirst(first == "--home" ? 2 : 1)
    }
    return command
  }

  /// Whether the first word of a command line is neither a command nor an option.
  fileprivate static func isUnknown(command name: String) -> Bool {
    !name.hasPrefix("-") && name != "help" && !commands.contains { $0.configuration.commandName == name }
  }
}

extension ParsableCommand {
  /// Parses a command line that begins with this command's name, without the other commands; nil if that shows help.
  fileprivate static func alone(_ arguments: [String]) throws -> (any ParsableCommand)? {
    let subcommands = configuration.subcommands
    if subcommands.isEmpty { return try parseAsRoot(Array(arguments.dropFirst())) as? Self }
    let parsed = try RootOf<Self>.parseAsRoot(arguments)
    return ([self] + subcommands).contains { $0 == type(of: parsed) } ? parsed : nil
  }
}

/// A root with one command alone.
private struct RootOf<Command: ParsableCommand>: ParsableCommand {
  static var configuration: CommandConfiguration {
    var configuration = CommandConfiguration(commandName: "metube-rss", subcommands: [Command.self])
    // As if it were part of another command: the parser then looks for no request of a completion script.
    configuration._superCommandName = ""
    return configuration
  }
}
