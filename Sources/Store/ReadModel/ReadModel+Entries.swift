import Core
import SQLDrivers

/// What is known of feeds of other sites before their documents are compared.
extension ReadModel {
  /// What is known of a feed and its entries.
  package func known(of feed: FeedID) throws -> KnownWebFeed {
    KnownWebFeed(
      feed: feed, channel: try channel(.feed(feed)), entries: try entries(of: feed), keys: try knownEntries(of: feed))
  }

  /// Whether nothing was found or decided yet, and there is no rule; and whether there are entries of feeds.
  func contents() throws(DatabaseError) -> (isEmpty: Bool, hasEntries: Bool) {
    try database.first(
      """
      SELECT EXISTS (SELECT 1 FROM video) OR EXISTS (SELECT 1 FROM decision) OR EXISTS (SELECT 1 FROM collection)
        OR EXISTS (SELECT 1 FROM meta WHERE key = 'rules') OR EXISTS (SELECT 1 FROM entry), EXISTS (SELECT 1 FROM entry)
      """
    ) { (!$0.bool(0), $0.bool(1)) } ?? (true, false)
  }

  /// The first 64 bits of the IDs of entries of a feed that are known but were not found.
  package func knownEntries(of feed: FeedID) throws -> Set<UInt64> {
    try read { (database) throws(DatabaseError) in
      var keys: Set<UInt64> = []
      try database.forEach(
        "SELECT k.entry FROM known_entry k JOIN channel c ON c.n = k.channel WHERE c.id = ?", SubscriptionID.feed(feed)
      ) { keys.insert(UInt64(bitPattern: $0.int(0))) }
      return keys
    }
  }

  /// The entries of a feed that were found.
  package func entries(of feed: FeedID) throws -> [KnownEntry] {
    let source = SubscriptionID.feed(feed)
    return try read { (database) throws(DatabaseError) in
      var aliases: [VideoKey: [VideoID]] = [:]
      try database.forEach(ReadModel.aliases, source, user) { row in
        aliases[VideoKey(column: row.int(0)), default: []].append(row.video(0, entry: 1))
      }
      var entries: [KnownEntry] = []
      try database.forEach(ReadModel.entries, source, user) { row in
        var entry = KnownEntry(row)
        entry.aliases = (aliases[VideoKey(column: row.int(0))] ?? []).sorted()
        entries.append(entry)
      }
      return entries
    }
  }

  private static let aliases: SQL = """
    SELECT a.video, a.alias FROM \(ofChannel) s JOIN entry_alias a ON a.video = s.video
    """
  private static let entries: SQL = """
    SELECT v.id, e.id, v.title, coalesce(v.moved, v.scheduled, v.published), e.link, e.media, v.duration, e.image,
      e.author, e.season, e.episode, e.explicit, v.text, coalesce(e.key, '')
    FROM \(ofChannel) s JOIN video v ON v.n = s.n JOIN entry e ON e.video = v.id
    """
}

extension KnownEntry {
  /// Reads what `entries` selects.
  fileprivate init(_ row: Statement) {
    self.init(id: row.video(0, entry: 1), aliases: [], key: row.text(13), title: row.text(2), facts: EntryFacts())
    facts.published = row.timestamp(3)
    facts.link = row.optionalText(4)
    facts.media = row.optionalText(5).map(MediaColumn.files)
    facts.duration = row.optionalInt(6).map { Int($0) }
    facts.image = row.optionalText(7)
    facts.author = row.optionalText(8)
    facts.season = row.optionalInt(9).map { Int($0) }
    facts.episode = row.optionalInt(10).map { Int($0) }
    facts.isExplicit = row.optionalInt(11).map { $0 != 0 }
    facts.description = row.optionalInt(12).map { fingerprint in
      Description(
        fingerprint: UInt64(bitPattern: fingerprint), range: LogRange(file: 0, length: 0, offset: 0))
    }
  }
}
