import ArgumentParser
import Core
import EventLog
import Exporters
import ReadModel

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
      ExportFreeTubeHistoryCommand.self, ExportFreeTubePlaylistsCommand.self,
    ])

  /// The names of the formats.
  static var formats: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }
}

/// An export that the user runs as a command and that a poll refreshes at its end.
protocol ExportingCommand: ParsableCommand {
  var common: CommonOptions { get }
  /// The output folder; nil for standard output.
  var writtenFolder: String? { get }

  /// Writes the export; returns the message for the user, if any.
  func export(_ session: Session) throws -> String?
  /// What the user should know about an export besides, if anything.
  func remark(_ session: Session) throws -> String?
}

extension ExportingCommand {
  func run() throws {
    let session = try Session(common, reports: true)
    if let words = try export(session) { StandardError.report(words) }
    if let words = try remark(session) { StandardError.report(words) }
  }
}

/// The output file of an export.
struct OutputOption: ParsableArguments {
  @Option(
    name: .shortAndLong, text: "Write to this file instead of standard output, which is also -.", value: "file",
    completion: .file())
  var output: String?

  /// The path of the file; nil for standard output.
  private var path: String? { output == "-" ? nil : output }

  /// The folder of the file, which is replaced atomically; for a symbolic link, the target's folder. Nil for standard
  /// output.
  var folder: String? { path.map { File.folder(of: File.absolute($0)) } }

  /// Writes `count` of a noun to the file, or to standard output; returns the message for the user, if any.
  func write(_ count: Int, _ noun: String, _ home: Home, _ body: (inout Output) throws -> Void) throws -> String? {
    guard let path else {
      var output = Output()
      try body(&output)
      try output.finish()
      return nil
    }
    try home.refuse(output: path)
    let isWritten = try File.replace(path, body)
    return "\(path): \(isWritten ? UserMessages.count(count, noun) + " written" : "nothing changed")"
  }
}

extension Home {
  /// Throws with exit status 64 if a file to write is one of the program's own: the log, for example.
  func refuse(output path: String) throws {
    let file = File.absolute(path)
    let folder = File.absolute(File.folder(of: file)) + "/"
    let own = [folders.log, "\(data)/backups", state, cache].map(File.absolute)
    guard
      let refused = own.first(where: { folder.hasPrefix("\($0)/") })
        ?? (file == File.absolute(settings) ? settings : nil)
    else { return }
    throw Failure(.usage, "\(path): \(refused) belongs to metube-rss itself; write to another folder")
  }
}

/// Selects the videos of an export and its output file.
struct ExportOptions: ParsableArguments {
  @OptionGroup var common: CommonOptions
  @OptionGroup var filter: FilterOptions
  @OptionGroup var statuses: StatusOptions
  @Flag(help: "Include videos of unfollowed channels and videos removed from YouTube.") var all = false
  @OptionGroup var file: OutputOption

  /// The selected videos, newest first, at most `limit` of them; 0 is all. `tags`, if given, replace those of the
  /// options.
  func videos(in session: Session, limit: Int, tags: [String]?) throws -> ExportedVideos {
    var query = try session.query(for: filter, alsoUnfollowed: all, areTagsKnown: false)
    query.statuses = statuses.given.isEmpty ? Set(Status.allCases) : statuses.given
    query.alsoGone = query.alsoGone || all
    query.limit = limit
    if let tags { query.tags = Set(tags) }
    let selection = try session.select(query, filter)
    return ExportedVideos(
      videos: selection.ids, title: title(of: query, try session.state), filter: restriction(of: query),
      session: session)
  }

  /// A title that distinguishes this feed from others in a reader's list.
  private func title(of query: VideoQuery, _ state: State) -> String {
    let channels = (query.subscriptions ?? []).sorted().map { state.channels[$0]?.title ?? $0.description }
    let parts = channels + query.tags.sorted() + [filter.search].compactMap(\.self)
    return parts.isEmpty ? "Subscriptions" : "Subscriptions: \(parts.joined(separator: ", "))"
  }

  /// The export's filters in a canonical form that does not depend on how they were typed; empty for everything. A
  /// limit is not a filter: it sets how far back the same feed goes.
  private func restriction(of query: VideoQuery) -> String {
    var words = (query.subscriptions ?? []).sorted().map { "channel \($0)" }
    words += query.tags.sorted().map { "tag \($0)" }
    if all { words.append("all") }
    words += statuses.given.map { "status \($0.rawValue)" }.sorted()
    if let search = filter.search { words.append("search \(search)") }
    if let since = filter.since { words.append("since \(since)") }
    if let until = filter.until { words.append("until \(until)") }
    // Without the option each channel's own setting applies, which may show Shorts.
    if let shorts = query.shorts { words.append("shorts \(shorts.rawValue)") }
    if query.savedOnly { words.append("saved") }
    if query.streamsOnly { words.append("live") }
    if let length = query.minimumLength { words.append("min-duration \(length)") }
    if let length = query.maximumLength { words.append("max-duration \(length)") }
    if let upcoming = query.upcoming, upcoming != .hide { words.append("upcoming \(upcoming.rawValue)") }
    if filter.noRules { words.append("no-rules") }
    return words.joined(separator: "\n")
  }
}

/// An export of videos.
protocol VideoExporting: ExportingCommand {
  var options: ExportOptions { get }
  var limit: Limit { get }
  /// Writes the videos in the format of this export.
  func write(_ videos: ExportedVideos, to output: inout Output) throws
}

extension VideoExporting {
  var common: CommonOptions { options.common }
  var writtenFolder: String? { options.file.folder }

  func export(_ session: Session) throws -> String? { try exportFile(session) }

  /// Writes the videos to the file of the options; returns the message for the user, if any.
  func exportFile(_ session: Session) throws -> String? {
    let videos = try options.videos(in: session, limit: limit.count, tags: nil)
    return try options.file.write(videos.videos.count, "video", session.home) { try write(videos, to: &$0) }
  }

  func remark(_ session: Session) throws -> String? {
    let known = try TagNames(session.state)
    let unknown = options.filter.tag.filter { known.spelt($0).isEmpty }
    return unknown.isEmpty ? nil : "--tag: no channel has the tag “\(unknown.joined(separator: "”, “"))”"
  }
}

/// The videos of one export; rows are read in parts, so that a long export takes little memory.
struct ExportedVideos {
  /// In export order.
  let videos: [VideoID]
  /// The feed title shown by feed readers.
  let title: String
  /// The filter in canonical form; empty for everything.
  let filter: String
  /// The session they come from.
  let session: Session
  /// The WebSub hub that feeds name; nil for none.
  var webSubHub: String? = nil

  /// How many videos are read at once.
  private static let part = 500

  /// Calls `body` with each row; a part of them is read when its first one is needed.
  private func forEachRow(_ body: (VideoRow) throws -> Void) throws {
    let state = try session.state
    var rest = videos[...]
    while !rest.isEmpty {
      let part = try session.query { try $0.videos(rest.prefix(ExportedVideos.part), alsoUnseen: false) }.videos
      for video in part { if let row = VideoRow(video, in: state, at: session.now) { try body(row) } }
      rest = rest.dropFirst(ExportedVideos.part)
    }
  }

  /// Writes an Atom feed: the notices first, then the videos. `address` is its public URL; nil if unpublished.
  func writeAtom(_ notices: [FeedNotice], address: String?, to output: inout Output) throws {
    var updated = notices.map(\.began).max() ?? AtomFeed.updated(of: [])
    try forEachRow { updated = max(updated, AtomFeed.updated(of: [$0])) }
    var feed = AtomFeed(id: StableID.feed(filter: filter), title: title, updated: updated, selfLink: address)
    feed.hubLink = webSubHub
    var bytes: [UInt8] = []
    feed.appendStart(to: &bytes)
    for notice in notices { feed.append(notice, to: &bytes) }
    try write(&bytes, to: &output) { row, bytes in
      feed.append(row, description: try session.text(of: row.description), to: &bytes)
    }
    feed.appendEnd(to: &bytes)
    output.write(bytes)
  }

  /// Writes a JSON Feed. `address` is its public URL; nil if unpublished.
  func writeJSONFeed(address: String?, to output: inout Output) throws {
    var feed = JSONFeed(title: title, feedLink: address)
    feed.hubLink = webSubHub
    var bytes: [UInt8] = []
    feed.appendStart(to: &bytes)
    try write(&bytes, to: &output) { row, bytes in
      feed.append(row, description: try session.text(of: row.description), to: &bytes)
    }
    feed.appendEnd(to: &bytes)
    output.write(bytes)
  }

  /// Writes CSV: a header, then one row per video.
  func writeCSV(to output: inout Output) throws {
    var bytes: [UInt8] = []
    SeparatedValues.commas.append(VideoRow.columns, to: &bytes)
    try write(&bytes, to: &output) { row, bytes in SeparatedValues.commas.append(row, to: &bytes) }
  }

  /// Writes JSON Lines: one object per video.
  func writeLines(to output: inout Output) throws {
    var bytes: [UInt8] = []
    try write(&bytes, to: &output) { row, bytes in bytes += row.json.object + [10] }
  }

  /// Writes the bytes so far and each row that `append` adds to them; leaves them empty.
  private func write(
    _ bytes: inout [UInt8], to output: inout Output, _ append: (VideoRow, inout [UInt8]) throws -> Void
  ) throws {
    output.write(bytes)
    bytes.removeAll(keepingCapacity: true)
    try forEachRow { row in
      guard !output.isBroken else { return }
      try append(row, &bytes)
      output.write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
  }
}
