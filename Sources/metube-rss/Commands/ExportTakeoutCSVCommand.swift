import ArgumentParser
import Core

/// `export takeout-csv`: write what you follow as the CSV of Google Takeout.
struct ExportTakeoutCSVCommand: SubscriptionExporting {
  static let configuration = CommandConfiguration(
    commandName: "takeout-csv", abstract: "Write what you follow as the CSV of Google Takeout.",
    discussion: """
      Channels with their titles; the format has neither tags nor playlists.

      Examples:
        metube-rss export takeout-csv --output subscriptions.csv
      """)
  @OptionGroup var options: SubscriptionExportOptions

  static func document(of state: State) -> SubscriptionDocument { .takeoutCSV(of: state) }
}
