import ArgumentParser
import Core

/// `export newpipe`: write what you follow as JSON for NewPipe and its kin.
struct ExportNewPipeCommand: SubscriptionExporting {
  static let configuration = CommandConfiguration(
    commandName: "newpipe", abstract: "Write what you follow as JSON for NewPipe and its kin.",
    discussion: """
      Channels and names with their titles; the format has neither tags nor
      playlists. PipePipe, Tubular, LibreTube and Piped read it too.

      Examples:
        metube-rss export newpipe --output newpipe.json
      """)
  @OptionGroup var options: SubscriptionExportOptions

  static func document(of state: State) -> SubscriptionDocument { .newPipe(of: state) }
}
