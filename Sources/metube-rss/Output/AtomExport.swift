import Core

/// The Atom feed of some rows.
enum AtomExport {
  /// The whole document; `filter` says in canonical words what the rows are restricted to.
  static func bytes(of rows: [VideoRow], filter: String, _ session: Session) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let feed = AtomFeed(
      id: StableID.feed(filter: filter), title: "Subscriptions", updated: AtomFeed.updated(of: rows), selfLink: nil)
    feed.appendStart(to: &bytes)
    for row in rows { feed.append(row, description: try session.text(of: row.description), to: &bytes) }
    feed.appendEnd(to: &bytes)
    return bytes
  }
}
