import ArgumentParser
import Core
import Exporters

/// `export newpipe`: writes the subscriptions as JSON for NewPipe and its forks.
struct ExportNewPipeCommand: SubscriptionExporting {
  static let configuration = CommandConfiguration(
    commandName: "newpipe", abstract: "Write your subscriptions as JSON for NewPipe and its forks.",
    discussion: """
      Exports channels and handles with their titles; the format supports neither
      tags nor playlists. PipePipe, Tubular, LibreTube and Piped read it too.

      Examples:
        metube-rss export newpipe --output newpipe.json
      """)
  @OptionGroup var options: SubscriptionExportOptions

  static func document(of state: State) -> SubscriptionDocument { .newPipe(of: state) }
}
