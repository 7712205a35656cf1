import App
import ArgumentParser
import Arguments
import Core
import Messages
import Platform
import ReadModel
import Terminal

/// `history`: lists the watched videos with their times.
struct HistoryCommand: PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List the videos you watched, most recent first.",
    discussion: """
      Examples:
        metube-rss history
        metube-rss history --since 30d --limit 0 --format csv
        metube-rss history --search 'tune a bell'
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var paging: PagerOptions
  @OptionGroup var formatting: FormatOptions
  @Option(text: "Only watched since: 3d, 12h, 2026-11-01.", value: "time") var since: String?
  @Option(text: "Only watched before: 3d, 12h, 2026-11-01.", value: "time") var until: String?
  @Option(text: "Only with every word in the title or channel.", value: "words") var search: String?
  @Option(name: [.customShort("n"), .long], help: "How many videos to show; 0 is all.") var limit: Limit = 50

  func run(in session: Session, to output: inout Output) throws {
    let (rows, count) = try request.rows(in: session)
    write(rows, of: count, session, to: &output)
  }

  /// The request that the options describe.
  private var request: HistoryRequest {
    HistoryRequest(since: since, until: until, search: search, limit: limit.count)
  }

  private func write(_ rows: [WatchedRow], of count: Int, _ session: Session, to output: inout Output) {
    guard formatting.format == .table else { return RowFormat.write(rows, as: formatting.format, to: &output) }
    guard count > 0 || since != nil || until != nil || search != nil else {
      return output.write("Nothing watched yet; use metube-rss watched VIDEO or metube-rss play VIDEO.\n")
    }
    output.write("\(rows.count) of \(UserMessages.count(count, "video")) watched\n")
    output.write(TextTable.watched(rows, at: session.local), for: Terminal(formatting.color))
  }
}
