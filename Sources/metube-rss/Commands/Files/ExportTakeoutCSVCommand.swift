import ArgumentParser
import Core
import Exporters

/// `export takeout-csv`: writes the subscriptions as Google Takeout CSV.
struct ExportTakeoutCSVCommand: SubscriptionExporting {
  static let configuration = CommandConfiguration(
    commandName: "takeout-csv", abstract: "Write your subscriptions as Google Takeout CSV.",
    discussion: """
      Exports channels with their titles; the format supports neither tags nor
      playlists.

      Examples:
        metube-rss export takeout-csv --output subscriptions.csv
      """)
  @OptionGroup var options: SubscriptionExportOptions

  static func document(of state: State) -> SubscriptionDocument { .takeoutCSV(of: state) }
}
