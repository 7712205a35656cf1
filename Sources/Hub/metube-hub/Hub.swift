import ArgumentParser
import Arguments
import Glibc
import HubCore
import Platform
import ReadModel
import SQLDrivers

/// The command line's root.
@main
struct Hub: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metube-hub",
    abstract: "Serves the log of metube-rss to browsers, readers and other programs.",
    discussion: """
      Without users it serves this machine alone: the same log that metube-rss uses,
      at the same time.

      Examples:
        metube-hub serve
        metube-hub serve --home /var/lib/metube-rss --listen 127.0.0.1:8080
      """,
    version: Version.hub,
    subcommands: [
      ServeCommand.self, DemoCommand.self, SetupCommand.self, UserCommand.self, TokenCommand.self, PairCommand.self,
      BackupCommand.self,
      StatusCommand.self, HubConfigCommand.self, MigrateCommand.self, MoveCommand.self, PollCommand.self,
      LogCommand.self,
    ])

  static func main() async {
    _ = ServiceNotifier.current
    FreedMemory.limit()
    Program.prepare(as: "metube-hub")
    do {
      var command = try parseAsRoot()
      do {
        if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
      } catch let error as DatabaseError { throw HubDatabase.failure(error) }
    } catch { Program.end(with: error, of: Hub.self) }
  }
}
