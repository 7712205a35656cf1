import ArgumentParser
import Core
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
    let (rows, count) = try rows(in: session)
    write(rows, of: count, session, to: &output)
  }

  /// The rows that the options select, and how many match whatever the limit.
  func rows(in session: Session) throws -> (rows: [WatchedRow], count: Int) {
    let since = try since.map { try TimeArgument($0, before: session.now, option: "--since").time }
    let until = try until.map { try TimeArgument($0, before: session.now, option: "--until").time }
    let words = search.map { SearchWords($0) }
    if words?.isEmpty == true { throw Failure(.usage, "--search: no words given, so it would match every video") }
    let most = words == nil ? limit.count : 0
    let history = try session.query { try $0.history(since: since, until: until, limit: most) }
    let videos = try session.rows(history.rows.map(\.video), alsoUnseen: true)
    let rows = zip(history.rows, videos).map { WatchedRow(watched: $0.watched, row: $1) }
    guard let words else { return (rows, history.count) }
    let matching = rows.filter { words.match(NormalizedText.bytes(of: "\($0.row.title)\n\($0.row.channelTitle)")) }
    return (limit.count == 0 ? matching : Array(matching.prefix(limit.count)), matching.count)
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
