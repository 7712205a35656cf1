import App
import ArgumentParser
import Core
import Platform

/// `export json-feed`: writes the feed of `export atom` as JSON Feed.
struct ExportJSONFeedCommand: VideoExporting {
  static let configuration = CommandConfiguration(
    commandName: "json-feed", abstract: "Write one JSON Feed (1.1) of your subscriptions.",
    discussion: """
      Contains the same videos with the same IDs as export atom.

      Examples:
        metube-rss export json-feed --output ~/feeds/youtube.json
      """)
  @OptionGroup var options: ExportOptions
  @Option(name: [.customShort("n"), .long], help: "How many videos to write; 0 is all.") var limit: Limit = 100
  @Option(text: "The URL at which the feed is published.", value: "url") var url: String?

  func validate() throws { try PublishedAddress.check(url) }

  func write(_ videos: ExportedVideos, to output: inout Output) throws {
    try videos.writeJSONFeed(address: url, to: &output)
  }
}

/// `export csv`: writes the videos for spreadsheets.
struct ExportCSVCommand: VideoExporting {
  static let configuration = CommandConfiguration(
    commandName: "csv", abstract: "Write the videos as CSV for spreadsheets.",
    discussion: """
      Writes all videos, newest first, without Shorts unless --shorts show is given.
      A value that a spreadsheet would read as a formula is prefixed with an
      apostrophe.

      Examples:
        metube-rss export csv --output videos.csv
        metube-rss export csv --shorts show --watched > seen.csv
      """)
  @OptionGroup var options: ExportOptions
  @Option(name: [.customShort("n"), .long], help: "How many videos to write; 0 is all.") var limit: Limit = 0

  func write(_ videos: ExportedVideos, to output: inout Output) throws { try videos.writeCSV(to: &output) }
}

/// `export jsonl`: writes the videos for programs.
struct ExportLinesCommand: VideoExporting {
  static let configuration = CommandConfiguration(
    commandName: "jsonl", abstract: "Write the videos as JSON Lines, one object per line.",
    discussion: """
      Writes all videos, newest first, without Shorts unless --shorts show is given;
      the members are the same as in list --format jsonl.

      Examples:
        metube-rss export jsonl --output videos.jsonl
        metube-rss export jsonl --shorts show --since 30d | jq -r .title
      """)
  @OptionGroup var options: ExportOptions
  @Option(name: [.customShort("n"), .long], help: "How many videos to write; 0 is all.") var limit: Limit = 0

  func write(_ videos: ExportedVideos, to output: inout Output) throws { try videos.writeLines(to: &output) }
}
