import Core

/// The Atom feed of some rows.
enum AtomExport {
  /// The whole document.
  static func bytes(of rows: [VideoRow], _ session: Session) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let feed = AtomFeed(
      id: "tag:metube-rss,2026:feed", title: "Subscriptions", updated: AtomFeed.updated(of: rows), selfLink: nil)
    feed.appendStart(to: &bytes)
    for row in rows { feed.append(row, description: try session.text(of: row.description), to: &bytes) }
    feed.appendEnd(to: &bytes)
    return bytes
  }
}
