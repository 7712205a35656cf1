import ArgumentParser
import Core

/// `export opml`: write what you follow as OPML, for any feed reader.
struct ExportOPMLCommand: SubscriptionExporting {
  static let configuration = CommandConfiguration(
    commandName: "opml", abstract: "Write what you follow as OPML, for any feed reader.",
    discussion: """
      Channels, playlists and names, with their titles, in a folder for each first
      tag; all tags stand in category.

      Examples:
        metube-rss export opml --output subscriptions.opml
        metube-rss export opml --output all.opml && newsboat -i all.opml
      """)
  @OptionGroup var options: SubscriptionExportOptions

  static func document(of state: State) -> SubscriptionDocument { .opml(of: state) }
}
