import ArgumentParser
import Core

/// `export json-feed`: the same feed as JSON.
struct ExportJSONFeedCommand: ExportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "json-feed", abstract: "Write one JSON Feed (1.1) of what you follow.",
    discussion: """
      The same videos under the same ids as in export atom.

      Examples:
        metube-rss export json-feed --output ~/feeds/youtube.json
      """)
  @OptionGroup var options: ExportOptions
  @Option(name: .long, help: "How many to write; 0 is all.")
  var limit: Limit = 100
  @Option(
    name: .long, help: ArgumentHelp("The address at which the feed is published.", valueName: "url"),
    transform: ArgumentShield.unguarded)
  var url: String?

  func validate() throws {
    try PublishedAddress.check(url)
  }

  func export(_ session: Session) throws -> String? {
    let videos = try options.videos(in: session, limit: limit.count, tags: nil)
    return try options.write(videos) { try videos.writeJSONFeed(address: url, to: &$0) }
  }
}

/// `export csv`: for spreadsheets.
struct ExportCSVCommand: ExportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "csv", abstract: "Write the videos as a table for spreadsheets.",
    discussion: """
      All of them, the newest first, without Shorts unless --shorts show is given. A
      value that a spreadsheet would take for a formula begins with an apostrophe.

      Examples:
        metube-rss export csv --output videos.csv
        metube-rss export csv --shorts show --watched > seen.csv
      """)
  @OptionGroup var options: ExportOptions
  @Option(name: .long, help: "How many to write; 0 is all.")
  var limit: Limit = 0

  func export(_ session: Session) throws -> String? {
    let videos = try options.videos(in: session, limit: limit.count, tags: nil)
    return try options.write(videos) { try videos.writeCSV(to: &$0) }
  }
}

/// `export jsonl`: for programs.
struct ExportLinesCommand: ExportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "jsonl", abstract: "Write the videos as JSON, an object a line.",
    discussion: """
      All of them, the newest first, without Shorts unless --shorts show is given;
      the members are those of list --format jsonl.

      Examples:
        metube-rss export jsonl --output videos.jsonl
        metube-rss export jsonl --shorts show --since 30d | jq -r .title
      """)
  @OptionGroup var options: ExportOptions
  @Option(name: .long, help: "How many to write; 0 is all.")
  var limit: Limit = 0

  func export(_ session: Session) throws -> String? {
    let videos = try options.videos(in: session, limit: limit.count, tags: nil)
    return try options.write(videos) { try videos.writeLines(to: &$0) }
  }
}
