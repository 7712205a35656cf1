import ArgumentParser
import Core

/// `export newsboat`: write what you follow as the urls file of newsboat.
struct ExportNewsboatCommand: SubscriptionExporting {
  static let configuration = CommandConfiguration(
    commandName: "newsboat", abstract: "Write what you follow as the urls file of newsboat.",
    discussion: """
      The feeds of channels and playlists, with their titles and tags.

      Examples:
        metube-rss export newsboat --output ~/.newsboat/urls
      """)
  @OptionGroup var options: SubscriptionExportOptions

  static func document(of state: State) -> SubscriptionDocument { .newsboat(of: state) }
}
