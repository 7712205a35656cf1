import Core
import SQLDrivers

// Feeds of other sites, and their entries.

extension Projector {
  /// Applies an event about a feed as a whole.
  mutating func applyFeed(_ event: Event) throws(DatabaseError) {
    switch event.body {
    case .feedFollowed(let followed): if followed.isConsistent { try apply(followed, event.id) }
    case .feedUnfollowed(let feed): try set(.followed, false, event.id, of: .feed(feed))
    case .feedChanged(let change): try apply(change, event.id)
    case .feedMerged(let merged): try apply(merged)
    case .entriesKnown(let known): try apply(known)
    default: break
    }
  }

  private mutating func apply(_ followed: FeedFollowed, _ id: EventID) throws(DatabaseError) {
    let feed = SubscriptionID.feed(followed.feed)
    try set(.followed, true, id, of: feed)
    if !followed.url.isEmpty { try set(.url, followed.url, id, of: feed) }
    if let date = followed.seenBefore { try set(.seenBefore, date, id, of: feed) }
    try apply(settings: ChannelChanged(subscription: feed, title: followed.title, tags: followed.tags), id)
  }

  private mutating func apply(_ change: FeedChanged, _ id: EventID) throws(DatabaseError) {
    let feed = SubscriptionID.feed(change.feed)
    let settings = ChannelChanged(
      subscription: feed, title: change.title, tags: change.tags, shorts: change.shorts, live: change.live,
      order: change.order)
    try apply(settings: settings, id)
    if let name = change.name { try setName(name, id, of: feed) }
    if let url = change.url { try set(.url, url, id, of: feed) }
    if let site = change.site { try set(.site, site, id, of: feed) }
    if let image = change.image { try set(.image, image, id, of: feed) }
    if let language = change.language { try set(.language, language, id, of: feed) }
    if let kind = change.keyKind { try set(.keyKind, kind.rawValue, id, of: feed) }
  }

  private func apply(_ merged: FeedMerged) throws(DatabaseError) {
    guard let merged = merged.ordered else { return }
    try database.send(
      "INSERT OR IGNORE INTO feed_merge VALUES (?, ?)", merged.feed.description, merged.into.description)
  }

  private mutating func apply(_ known: EntriesKnown) throws(DatabaseError) {
    let feed = try number(of: .feed(known.feed))
    for key in known.keys {
      try database.send("INSERT OR IGNORE INTO known_entry VALUES (?, ?)", feed, Int64(bitPattern: key))
    }
  }

  private mutating func set(
    _ register: FeedRegister, _ value: String, _ id: EventID, of feed: SubscriptionID
  ) throws(DatabaseError) {
    try database.send(register.sql, number(of: feed), value, id)
  }
}

// MARK: Entries

extension Projector {
  /// Makes what the tables have under a key that of a video or an entry, before an event about it is applied. Returns
  /// false if another ID counts before it: of a video of which anything is known, or of an entry with a lower ID.
  mutating func claim(_ id: VideoID) throws(DatabaseError) -> Bool {
    let key = VideoKey(id)
    if let holder = try holder(of: key) {
      guard holder != id else { return true }
      guard id < holder else { return false }
      try forgetEntry(key)
    } else if id.isEntry, try isKnown(key) {
      return false
    }
    guard id.isEntry else { return true }
    try database.send("INSERT INTO entry(video, id) VALUES (?, ?)", key, EntryColumn(id))
    holders[key] = id
    return true
  }

  /// The entry that has a key; nil if none has.
  private mutating func holder(of key: VideoKey) throws(DatabaseError) -> VideoID? {
    if let known = holders[key] { return known }
    guard hasEntries else { return nil }
    let holder = try database.first("SELECT video, id FROM entry WHERE video = ?", key) { $0.video(0, entry: 1) }
    holders.updateValue(holder, forKey: key)
    return holder
  }

  /// Whether anything is known of the video that has a key.
  private func isKnown(_ key: VideoKey) throws(DatabaseError) -> Bool {
    if collected.contains(key) { return true }
    if isFirstBuild { return try database.integer("SELECT \(Projector.isKnown)", user, key) == 1 }
    return try database.integer(
      "SELECT \(Projector.isKnown) OR EXISTS (SELECT 1 FROM collection WHERE owner = ?1 AND video = ?2)", user, key)
      == 1
  }

  /// Of a video beside collections.
  private static let isKnown: SQL = """
    EXISTS (SELECT 1 FROM video WHERE id = ?2) OR EXISTS (SELECT 1 FROM decision WHERE owner = ?1 AND video = ?2)
      OR EXISTS (SELECT 1 FROM described WHERE owner = ?1 AND video = ?2)
    """

  /// Forgets what is known of the entry that has a key.
  private mutating func forgetEntry(_ key: VideoKey) throws(DatabaseError) {
    if isFirstBuild { unusual.insert(key.column) } else { try touch(key) }
    // A number may be given again.
    for table: SQL in ["block", "hit", "text_limit"] + (database.isPostgres ? ["title"] : []) {
      try database.send("DELETE FROM \(table) WHERE n = (SELECT n FROM video WHERE id = ?)", key)
    }
    for table: SQL in ["entry", "entry_alias", "decision", "collection", "described"] {
      try database.send("DELETE FROM \(table) WHERE video = ?", key)
    }
    try database.send("DELETE FROM video WHERE id = ?", key)
    holders.updateValue(nil, forKey: key)
    collected.remove(key)
  }

  mutating func apply(_ event: EntryFound, _ id: EventID) throws(DatabaseError) {
    let (entry, facts) = (event.entry, event.facts)
    try makeRow(entry)
    let found = id.timestamp
    let isAhead = facts.published.map { $0.seconds(since: found) > EntryDetails.lead } ?? false
    try database.send(
      """
      UPDATE video SET found = ?2, channel = ?3, published = ?4, scheduled = ?5
      WHERE id = ?1 AND (found IS NULL OR found > ?2)
      """, entry, id, number(of: .feed(event.feed)), min(facts.published ?? found, found),
      isAhead ? facts.published : nil)
    try database.send(
      "UPDATE entry SET key = ?2, key_at = ?3 WHERE video = ?1 AND (key_at IS NULL OR key_at > ?3)", entry, event.key,
      id)
    try database.send(
      "UPDATE video SET link = ?2 WHERE id = ?1 AND link = 0", entry, Int(Link([EntryMedia]()).rawValue))
    try set(.entryTitle, event.title, id, of: entry)
    try apply(facts, id, of: entry)
    noteTextChange(entry)
    if let status = event.status { try apply(StatusSet(video: entry, status: status, reason: event.reason), id) }
  }

  mutating func apply(_ event: EntryChanged, _ id: EventID) throws(DatabaseError) {
    let entry = event.entry
    try makeRow(entry)
    if let title = event.title { try set(.entryTitle, title, id, of: entry) }
    if let published = event.facts.published { try set(.moved, published, id, of: entry) }
    try apply(event.facts, id, of: entry)
    if let alias = event.alias {
      try database.send("INSERT OR IGNORE INTO entry_alias VALUES (?, ?)", entry, EntryColumn(alias))
    }
    if event.title != nil || event.facts.description != nil { noteTextChange(entry) }
    if event.isVisible { try noteVisibleChange(id, of: entry) }
  }

  /// Writes the registers that an event says something of; the date is another matter.
  private func apply(_ facts: EntryFacts, _ id: EventID, of entry: VideoID) throws(DatabaseError) {
    if let link = facts.link { try set(.page, link, id, of: entry) }
    if let media = facts.media {
      try set(.media, MediaColumn.text(media), id, of: entry)
      try set(.entryLink, Int(Link(media).rawValue), id, of: entry)
    }
    if let duration = facts.duration { try set(.duration, duration, id, of: entry) }
    if let image = facts.image { try set(.image, image, id, of: entry) }
    if let author = facts.author { try set(.author, author, id, of: entry) }
    if let season = facts.season { try set(.season, season, id, of: entry) }
    if let episode = facts.episode { try set(.episode, episode, id, of: entry) }
    if let isExplicit = facts.isExplicit { try set(.explicit, isExplicit, id, of: entry) }
    guard let text = facts.description else { return }
    let range = try textRange(of: text)
    try database.send(
      """
      UPDATE video SET text = ?3, text_file = ?4, text_offset = ?5, text_length = ?6, text_at = ?2
      WHERE id = ?1 AND ?2 > coalesce(text_at, x'')
      """, entry, id, Int64(bitPattern: text.fingerprint), range?.file, range?.offset, range?.length)
  }

  private func set(
    _ register: EntryRegister, _ value: some Bindable, _ id: EventID, of entry: VideoID
  ) throws(DatabaseError) {
    try database.send(register.sql, entry, value, id)
  }

  private func set(
    _ register: VideoRegister, _ value: some Bindable, _ id: EventID, of entry: VideoID
  ) throws(DatabaseError) {
    try database.send(register.sql, entry, value, id)
  }
}

/// Writes a register of a feed: number, value, event.
struct FeedRegister {
  let sql: SQL

  private init(_ column: SQL, isFirst: Bool) {
    sql = """
      INSERT INTO feed AS f(channel, \(column), \(column)_at) VALUES (?, ?, ?)
      ON CONFLICT(/*owner,*/ channel) DO UPDATE SET \(column) = excluded.\(column), \(column)_at = excluded.\(column)_at
      WHERE f.\(column)_at IS NULL OR f.\(column)_at \(isFirst ? ">" : "<") excluded.\(column)_at
      """
  }

  static let url = FeedRegister("url", isFirst: false)
  static let site = FeedRegister("site", isFirst: false)
  static let image = FeedRegister("image", isFirst: false)
  static let language = FeedRegister("language", isFirst: false)
  static let keyKind = FeedRegister("key_kind", isFirst: true)
}

/// Writes a register of an entry: entry, value, event.
struct EntryRegister {
  let sql: SQL

  private init(_ column: SQL) {
    sql = """
      UPDATE entry SET \(column) = ?2, \(column)_at = ?3
      WHERE video = ?1 AND (\(column)_at IS NULL OR \(column)_at < ?3)
      """
  }

  static let page = EntryRegister("link")
  static let media = EntryRegister("media")
  static let image = EntryRegister("image")
  static let author = EntryRegister("author")
  static let season = EntryRegister("season")
  static let episode = EntryRegister("episode")
  static let explicit = EntryRegister("explicit")
}

/// The files of an entry as one column: three tags for each; see `TagList`.
enum MediaColumn {
  static func text(_ files: [EntryMedia]) -> String {
    TagList.column(files.flatMap { [$0.url, $0.type, $0.length.map { "\($0)" } ?? ""] })
  }

  static func files(_ column: String) -> [EntryMedia] {
    let texts = TagList.tags(column)
    return stride(from: 0, to: texts.count - 2, by: 3).map { index in
      EntryMedia(url: texts[index], type: texts[index + 1], length: Int(texts[index + 2]))
    }
  }
}
