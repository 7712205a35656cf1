import ArgumentParser
import Core

/// `export`: what others can read.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write what other programs can read.",
    discussion: """
      Examples:
        metube-rss export atom --output ~/feeds/youtube.atom
      """,
    subcommands: [ExportAtomCommand.self])
}

/// `export atom`: one feed of everything, for any feed reader.
struct ExportAtomCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "atom", abstract: "Write one Atom feed of what you follow, for any feed reader.",
    discussion: """
      The newest 100 videos of every status, without Shorts and without what is
      still to come: marking a video changes nothing in it. With --output the file is
      replaced as a whole, and left untouched when nothing changed.

      Examples:
        metube-rss export atom --output ~/feeds/youtube.atom
        metube-rss export atom --tag science --limit 20
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var filter: FilterOptions
  @Option(name: .long, help: "Only this status: new, watched, skipped or snoozed; may be given several times.")
  var status: [Status] = []
  @Option(name: .long, help: "How many to write; 0 is all.")
  var limit = 100
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"),
    transform: ArgumentShield.unguarded)
  var output: String?

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit takes 0 (all) or a number of videos") }
  }

  func run() throws {
    let session = try Session(common)
    let selecting = Selecting(session)
    var query = try selecting.query(filter)
    query.statuses = status.isEmpty ? Set(Status.allCases) : Set(status)
    query.limit = limit
    let selection = try selecting.select(query, search: filter.search)
    let rows = selection.videos.compactMap { VideoRow($0, in: session.state, at: session.now) }
    let bytes = try AtomExport.bytes(of: rows, filter: restriction(of: query), session)
    guard let output else { return try print(bytes) }
    let isWritten = try File.replace(output, with: bytes)
    Messages.tell("\(output): \(isWritten ? Words.count(rows.count, "video") + " written" : "nothing changed")")
  }

  /// What the feed is restricted to, in words that are the same however it was typed; empty for everything. A limit is
  /// no restriction: it says how far back the same feed goes.
  private func restriction(of query: VideoQuery) -> String {
    var words = (query.subscriptions ?? []).sorted().map { "channel \($0)" }
    words += query.tags.sorted().map { "tag \($0)" }
    words += Set(status).map { "status \($0.rawValue)" }.sorted()
    if let search = filter.search { words.append("search \(search)") }
    if let since = filter.since { words.append("since \(since)") }
    if let until = filter.until { words.append("until \(until)") }
    if query.shorts != .hide { words.append("shorts \(query.shorts.rawValue)") }
    if query.upcoming != .hide { words.append("upcoming \(query.upcoming.rawValue)") }
    return words.joined(separator: "\n")
  }

  private func print(_ bytes: [UInt8]) throws {
    var output = Output()
    output.write(bytes)
    try output.finish()
  }
}
