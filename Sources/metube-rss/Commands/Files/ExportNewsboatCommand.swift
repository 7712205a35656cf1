import ArgumentParser
import Core
import Exporters

/// `export newsboat`: writes the subscriptions as a newsboat urls file.
struct ExportNewsboatCommand: SubscriptionExporting {
  static let configuration = CommandConfiguration(
    commandName: "newsboat", abstract: "Write your subscriptions as a newsboat urls file.",
    discussion: """
      Exports the feeds of channels and playlists, with their titles and tags.

      Examples:
        metube-rss export newsboat --output ~/.newsboat/urls
      """)
  @OptionGroup var options: SubscriptionExportOptions

  static func document(of state: State) -> SubscriptionDocument { .newsboat(of: state) }
}
