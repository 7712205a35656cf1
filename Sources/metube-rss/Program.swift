import ArgumentParser
import Core
import Glibc

/// The program: reads the command line, runs the command, and ends with a status that means something.
@main
enum Program {
  static func main() {
    // First of all: whatever is opened takes the lowest number that is free.
    guard StandardStreams.fill() else {
      Messages.tell("a standard file is closed, and /dev/null cannot be opened in its place")
      exit(ExitStatus.disk.rawValue)
    }
    // A closed pipe and a file-size limit are errors of the write, to be told, not the death of the program.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // Where the parent ignored it, nobody could tell how a player or another child ended.
    signal(SIGCHLD, SIG_DFL)
    guard !CommandLine.arguments.isEmpty else {
      // Swift finds them there, and would show the help to whoever asked for anything else.
      Messages.tell("the command line cannot be read: /proc is not mounted")
      exit(ExitStatus.usage.rawValue)
    }
    exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  /// Runs one command line, without the program's name, and returns the exit status.
  static func run(_ arguments: [String]) -> ExitStatus {
    do {
      var command = try MetubeRSS.parseAsRoot(ArgumentShield.guardIDs(in: arguments))
      let pager = try (command as? any PagedCommand).flatMap { try Pager($0.paging, $0.common) }
      defer { pager?.finish() }
      try command.run()
      return .done
    } catch let status as ExitStatus {
      return status
    } catch let failure as Failure {
      Messages.tell(failure.message)
      return failure.status
    } catch Output.Closed.pipe {
      return .done  // Whoever read the output has read enough.
    } catch {
      if let name = arguments.first, MetubeRSS.isUnknown(command: name) {
        let hint = UsageHints.command(for: name, of: MetubeRSS.commands.compactMap { $0.configuration.commandName })
        let advice = hint.map { "perhaps metube-rss \($0)" } ?? "metube-rss --help has them all"
        Messages.tell("\(DisplayText(name).text): no such command; \(advice)")
        return .usage
      }
      return tell(error, after: arguments)
    }
  }

  /// Prints help, a version or a complaint about the command line, each where it belongs.
  private static func tell(_ error: any Error, after arguments: [String]) -> ExitStatus {
    let message = ArgumentShield.removeGuards(from: MetubeRSS.fullMessage(for: error))
    let text = UsageLine.broken(message, within: 80)
    guard MetubeRSS.exitCode(for: error) == .success else {
      // The parser's own words are all that says what it met.
      let isUnexpected = text.contains("nexpected argument") || text.contains("is invalid for '<verdict>'")
      let hint = isUnexpected ? UsageHints.words(after: arguments).map { $0 + "\n" } : nil
      let dash = DashHint.hint(for: message, arguments).map { $0 + "\n" }
      Messages.write(Messages.harmless(text + "\n" + (hint ?? "") + (dash ?? "")))
      return .usage
    }
    do {
      var output = Output()
      output.write(text + "\n")
      try output.finish()
      return .done
    } catch let failure as Failure {
      Messages.tell(failure.message)
      return failure.status
    } catch { return .done }
  }
}

/// The command line's root.
struct MetubeRSS: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metube-rss",
    abstract: "Your YouTube subscriptions without YouTube: from the channels' feeds, in time order.",
    discussion: """
      Everything is kept in plain text files of yours; no account and no API key
      are needed.

      Examples:
        metube-rss import subscriptions.csv     take over what you follow
        metube-rss poll                         ask the feeds what is new
        metube-rss list                         read it, the newest first
        metube-rss watched 3                    mark number 3 of the last list
        metube-rss export atom --output ~/feed.atom

      Files: the log in $XDG_DATA_HOME/metube-rss/log, settings in
      $XDG_CONFIG_HOME/metube-rss/env; or all of it under --home.
      Exit status: 0 done, 1 in part, 64 usage, 65 input not understood,
      69 refused for good, 74 disk or log, 75 try again later.
      """,
    version: Version.text,
    groupedSubcommands: [
      CommandGroup(
        name: "What you follow",
        subcommands: [
          ImportCommand.self,
          FollowCommand.self,
          UnfollowCommand.self,
          ChannelsCommand.self,
          ChannelCommand.self,
        ]),
      CommandGroup(
        name: "Asking YouTube",
        subcommands: [
          PollCommand.self,
          EnrichCommand.self,
          StatusCommand.self,
          TimerCommand.self,
        ]),
      CommandGroup(
        name: "Reading and deciding",
        subcommands: [
          ListCommand.self,
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
        name: "Files",
        subcommands: [
          ExportCommand.self,
          LogCommand.self,
        ]),
    ])
}

extension MetubeRSS {
  fileprivate static var commands: [any ParsableCommand.Type] {
    configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
  }

  /// Whether the first word of a command line is neither a command nor an option.
  fileprivate static func isUnknown(command name: String) -> Bool {
    !name.hasPrefix("-") && name != "help" && !commands.contains { $0.configuration.commandName == name }
  }
}

/// The program's version.
enum Version {
  static let text = "metube-rss 0.1.0"
  /// What YouTube and proxies see of us, with a place to complain to.
  static let userAgent = "metube-rss/0.1.0 (+https://github.com/metube-rss/metube-rss)"
}
