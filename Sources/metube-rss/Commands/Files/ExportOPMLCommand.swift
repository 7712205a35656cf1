import ArgumentParser
import Core
import Exporters

/// `export opml`: writes the subscriptions as OPML, for any feed reader.
struct ExportOPMLCommand: SubscriptionExporting {
  static let configuration = CommandConfiguration(
    commandName: "opml", abstract: "Write your subscriptions as OPML, for any feed reader.",
    discussion: """
      Exports channels, playlists and handles with their titles, grouped in folders
      by first tag; the category attribute holds all tags.

      Examples:
        metube-rss export opml --output subscriptions.opml
        metube-rss export opml --output all.opml && newsboat -i all.opml
      """)
  @OptionGroup var options: SubscriptionExportOptions

  static func document(of state: State) -> SubscriptionDocument { .opml(of: state) }
}
