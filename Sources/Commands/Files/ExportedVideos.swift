import Core
import Exporters

/// The videos of one export; rows are built lazily, so that a long export takes little memory.
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

  /// The number of videos.
  var count: Int { videos.count }

  /// Calls `body` with each row; each is read when it is needed.
  func forEachRow(_ body: (VideoRow) throws -> Void) throws {
    let state = try session.state
    for id in videos {
      if let row = try session.video(id).flatMap({ VideoRow($0, in: state, at: session.now) }) { try body(row) }
    }
  }
}

/// Streams videos as a document in an interchange format.
extension ExportedVideos {
  /// Writes an Atom feed: the notices first, then the videos. `address` is its public URL; nil if unpublished.
  func writeAtom(_ notices: [FeedNotice], address: String?, to output: inout Output) throws {
    var newest = AtomFeed.updated(of: [])
    try forEachRow { newest = max(newest, AtomFeed.updated(of: [$0])) }
    let updated = notices.map(\.began).max().map { max($0, newest) } ?? newest
    var feed = AtomFeed(id: StableID.feed(filter: filter), title: title, updated: updated, selfLink: address)
    feed.hubLink = webSubHub
    var bytes: [UInt8] = []
    feed.appendStart(to: &bytes)
    for notice in notices { feed.append(notice, to: &bytes) }
    try writeRows(to: &output, &bytes) { row, bytes in
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
    try writeRows(to: &output, &bytes) { row, bytes in
      feed.append(row, description: try session.text(of: row.description), to: &bytes)
    }
    feed.appendEnd(to: &bytes)
    output.write(bytes)
  }

  /// Writes CSV: a header, then one row per video.
  func writeCSV(to output: inout Output) throws {
    var bytes: [UInt8] = []
    SeparatedValues.commas.append(VideoRow.columns, to: &bytes)
    try writeRows(to: &output, &bytes) { row, bytes in SeparatedValues.commas.append(row.values, to: &bytes) }
    output.write(bytes)
  }

  /// Writes JSON Lines: one object per video.
  func writeLines(to output: inout Output) throws {
    var bytes: [UInt8] = []
    try writeRows(to: &output, &bytes) { row, bytes in bytes += row.json.object + [10] }
    output.write(bytes)
  }

  /// Appends each row to `bytes` and flushes them to `output` in chunks.
  private func writeRows(
    to output: inout Output, _ bytes: inout [UInt8], _ append: (VideoRow, inout [UInt8]) throws -> Void
  ) throws {
    try forEachRow { row in
      guard !output.isBroken else { return }
      try append(row, &bytes)
      if bytes.count >= ExportedVideos.piece {
        output.write(bytes)
        bytes.removeAll(keepingCapacity: true)
      }
    }
  }

  private static let piece = 65_536
}
