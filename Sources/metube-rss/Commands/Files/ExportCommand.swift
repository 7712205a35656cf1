import ArgumentParser
import Core

/// `export`: writes videos or subscriptions in formats of other programs.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write videos or subscriptions for other programs.",
    discussion: """
      Each poll refreshes the exports defined in settings, each under a name of your
      choice:
        METUBE_RSS_EXPORT_ALL=atom --output ~/feeds/youtube.atom
        METUBE_RSS_EXPORT_TAGS=atom --all-tags ~/feeds

      Examples:
        metube-rss export atom --output ~/feeds/youtube.atom
        metube-rss export csv --limit 0 > videos.csv
        metube-rss export opml --output subscriptions.opml
      """,
    subcommands: [
      ExportAtomCommand.self, ExportJSONFeedCommand.self, ExportCSVCommand.self, ExportLinesCommand.self,
      ExportOPMLCommand.self, ExportTakeoutCSVCommand.self, ExportNewPipeCommand.self, ExportFreeTubeCommand.self,
      ExportNewsboatCommand.self,
    ])
}
