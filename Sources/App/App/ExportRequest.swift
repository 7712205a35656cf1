import Core
import EventLog
import Exporters
import Platform
import ReadModel

/// Which videos to write for another program.
package struct ExportRequest: Equatable, Sendable {
  var filter = VideoFilter()
  /// Empty for every status.
  var status: Set<Status> = []
  /// Also videos of unfollowed channels, and videos removed from YouTube.
  var all = false

  package init(filter: VideoFilter = VideoFilter(), status: Set<Status> = [], all: Bool = false) {
    (self.filter, self.status, self.all) = (filter, status, all)
  }

  /// The selected videos, newest first, at most `limit` of them; 0 is all. `tags`, if given, replace those of the filter.
  package func videos(in session: Session, limit: Int, tags: [String]?) throws -> ExportedVideos {
    var query = try session.query(for: filter, alsoUnfollowed: all, areTagsKnown: false)
    query.statuses = status.isEmpty ? Set(Status.allCases) : status
    query.alsoGone = query.alsoGone || all
    query.limit = limit
    if let tags { query.tags = Set(tags) }
    let selection = try session.select(query, search: filter.search)
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

  /// The filters in a canonical form that does not depend on how they were typed; empty for everything. A limit is not a
  /// filter: it sets how far back the same feed goes.
  private func restriction(of query: VideoQuery) -> String {
    var lines = (query.subscriptions ?? []).sorted().map { "channel \($0)" }
    lines += query.tags.sorted().map { "tag \($0)" }
    if all { lines.append("all") }
    lines += status.map { "status \($0.rawValue)" }.sorted()
    if let search = filter.search { lines.append("search \(search)") }
    if let since = filter.since { lines.append("since \(since)") }
    if let until = filter.until { lines.append("until \(until)") }
    // Without a choice each channel's own setting applies, which may show Shorts.
    if let shorts = query.shorts { lines.append("shorts \(shorts.rawValue)") }
    if query.savedOnly { lines.append("saved") }
    if query.startedOnly { lines.append("started") }
    if query.streamsOnly { lines.append("live") }
    if let length = query.minimumLength { lines.append("min-duration \(length)") }
    if let length = query.maximumLength { lines.append("max-duration \(length)") }
    if let upcoming = query.upcoming, upcoming != .hide { lines.append("upcoming \(upcoming.rawValue)") }
    lines += filter.kind.map { "kind \($0.rawValue)" }.sorted()
    if let platform = filter.platform { lines.append("platform \(platform.rawValue)") }
    if filter.noRules { lines.append("no-rules") }
    return lines.joined(separator: "\n")
  }
}

/// The videos of one export; rows are read in parts, so that a long export takes little memory.
package struct ExportedVideos {
  /// In export order.
  package let videos: [VideoID]
  /// The feed title shown by feed readers.
  package let title: String
  /// The filter in canonical form; empty for everything.
  package let filter: String
  /// The session they come from.
  package let session: Session
  /// The WebSub hub that feeds name; nil for none.
  package var webSubHub: String? = nil
  /// Whether links of entries are written whose feed's address seems to contain a secret.
  package var alsoPrivate = false

  package init(videos: [VideoID], title: String, filter: String, session: Session, webSubHub: String? = nil) {
    (self.videos, self.title, self.filter, self.session, self.webSubHub) = (videos, title, filter, session, webSubHub)
  }

  /// How many videos are read at once.
  private static let part = 500

  /// Calls `body` with each row; a part of them is read when its first one is needed.
  private func forEachRow(withViews: Bool = false, _ body: (VideoRow) throws -> Void) throws {
    let state = try session.state
    var rest = videos[...]
    while !rest.isEmpty {
      let part = try session.query { try $0.videos(rest.prefix(ExportedVideos.part), alsoUnseen: false) }.videos
      let rows = part.compactMap { VideoRow($0, in: state, at: session.now) }
      for row in withViews ? session.withViews(rows) : rows {
        try body(row.isPrivate && !alsoPrivate ? row.withoutLinks : row)
      }
      rest = rest.dropFirst(ExportedVideos.part)
    }
  }

  /// Writes an Atom feed: the notices first, then the videos. `address` is its public URL; nil if unpublished.
  package func writeAtom(_ notices: [FeedNotice], address: String?, to output: inout Output) throws {
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
  package func writeJSONFeed(address: String?, to output: inout Output) throws {
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
  package func writeCSV(to output: inout Output) throws {
    var bytes: [UInt8] = []
    SeparatedValues.commas.append(VideoRow.columns, to: &bytes)
    try write(&bytes, to: &output) { row, bytes in SeparatedValues.commas.append(row, to: &bytes) }
  }

  /// Writes JSON Lines: one object per video.
  package func writeLines(to output: inout Output) throws {
    var bytes: [UInt8] = []
    try write(&bytes, to: &output, withViews: true) { row, bytes in bytes += row.json.object + [10] }
  }

  /// Writes the bytes so far and each row that `append` adds to them; leaves them empty.
  private func write(
    _ bytes: inout [UInt8], to output: inout Output, withViews: Bool = false,
    _ append: (VideoRow, inout [UInt8]) throws -> Void
  ) throws {
    output.write(bytes)
    bytes.removeAll(keepingCapacity: true)
    try forEachRow(withViews: withViews) { row in
      guard !output.isBroken else { return }
      try append(row, &bytes)
      output.write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
  }
}
