import ArgumentParser
import Core

/// `export`: what others can read.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write what other programs can read.",
    discussion: """
      Exports that a poll refreshes at its end are settings, each under a name of
      your choice:
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
