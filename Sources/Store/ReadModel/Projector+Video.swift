import Core
import SQLDrivers

/// Videos: what YouTube showed, and what the user decided.
extension Projector {
  /// Applies an event about a video; does nothing with any other. Returns whether the event's line needs no entry in the
  /// index, because the video's own row has it.
  mutating func applyVideo(_ event: Event, file: Int, line: UInt64) throws(DatabaseError) -> Bool {
    guard let video = event.body.video else { return false }
    let id = event.id
    guard try claim(video) else { return false }
    if !isFirstBuild {
      try touch(video)
    } else if video.isEntry || event.body.changesListing {
      unusual.insert(video.column)
    }
    switch event.body {
    case .videoFound(let found): return try apply(found, id, file: file, line: line)
    case .entryFound(let found): try apply(found, id)
    case .entryChanged(let change): try apply(change, id)
    case .videoChanged(let change): try apply(change, id)
    case .videoEnriched(let enriched): try apply(enriched, id)
    case .videoRemoved(let removed):
      try makeRow(video)
      try setRegister(.removed, removed.removed, id, of: video)
    case .videoDescribed(let described): try apply(described, id)
    case .statusSet(let set): try apply(set, id)
    case .savedSet(let set): try decide(.saved, set.saved, id, video)
    case .progressSet(let set): try decide(.progress, set.seconds, id, video)
    case .noteSet(let set): try decide(.note, set.text, id, video)
    case .collectionSet(let set):
      if isFirstBuild { collected.insert(VideoKey(video)) }
      try database.send(
        """
        INSERT INTO collection VALUES (?, ?, ?, ?, ?)
        ON CONFLICT(owner, /*indexed*/ name, video) DO UPDATE SET member = excluded.member, member_at = excluded.member_at
        WHERE collection.member_at < excluded.member_at
        """, user, set.collection, video, set.member, id)
    default: break
    }
    return false
  }

  mutating func makeRow(_ video: VideoID) throws(DatabaseError) {
    missing.remove(VideoKey(video))
    // An insertion that is ignored would use up a number in PostgreSQL.
    try database.send(
      "INSERT OR IGNORE INTO video(id) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM video WHERE id = ?1)", video)
  }

  /// Applies a first sight and what it says besides. Returns whether the video's row has the line's position.
  private mutating func apply(
    _ event: VideoFound, _ id: EventID, file: Int, line: UInt64
  ) throws(DatabaseError) -> Bool {
    let ownsLine = try apply(sight(event, id, file: file, line: line))
    noteTextChange(event.video)
    if let name = event.channelTitle { try setRegister(.channelTitle, name, id, of: event.video) }
    if let playlist = event.playlist { try insert(event.video, into: playlist) }
    if let status = event.status {
      try apply(StatusSet(video: event.video, status: status, reason: event.reason), id)
    }
    return ownsLine
  }

  // MARK: Changes

  private mutating func apply(_ event: VideoChanged, _ id: EventID) throws(DatabaseError) {
    let video = event.video
    try makeRow(video)
    if let feed = event.feed {
      try database.send("UPDATE video SET feeds = feeds | ?2 WHERE id = ?1", video, Int(FeedForms(feed).rawValue))
    }
    if let playlist = event.playlist { try insert(video, into: playlist) }
    if let title = event.title { try setRegister(.title, title, id, of: video) }
    if let link = event.link { try setRegister(.link, Int(Link(link).rawValue), id, of: video) }
    if let views = event.zeroViews { try setRegister(.zeroViews, views, id, of: video) }
    if let thumbnail = event.thumbnail { try setRegister(.thumbnail, thumbnail, id, of: video) }
    if let published = event.published { try setRegister(.moved, published, id, of: video) }
    if let text = event.description {
      let range = try textRange(of: text)
      try database.send(
        """
        UPDATE video SET text = ?3, text_file = ?4, text_offset = ?5, text_length = ?6, text_at = ?2
        WHERE id = ?1 AND ?2 > coalesce(text_at, found, x'')
        """, video, id, Int64(bitPattern: text.fingerprint), range?.file, range?.offset, range?.length)
    }
    if event.title != nil || event.description != nil { noteTextChange(video) }
    if event.title != nil || event.link != nil || event.description != nil { try noteVisibleChange(id, of: video) }
  }

  private mutating func apply(_ event: VideoEnriched, _ id: EventID) throws(DatabaseError) {
    let video = event.video
    func update() throws(DatabaseError) {
      try database.run(
        Enrichment.write, video, id, event.duration, event.live?.rawValue, event.scheduled, event.started,
        event.ended, event.live == .upcoming)
    }
    try update()
    guard database.changes == 0 else { return }
    try makeRow(video)
    try update()
  }

  private func apply(_ event: VideoDescribed, _ id: EventID) throws(DatabaseError) {
    try database.send(
      """
      INSERT INTO described(owner, video, title, channel, channel_title, published, duration, source, described_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT(owner, video) DO UPDATE SET
        title = excluded.title, channel = excluded.channel, channel_title = excluded.channel_title,
        published = excluded.published, duration = excluded.duration, source = excluded.source,
        described_at = excluded.described_at
      WHERE described.described_at < excluded.described_at
      """, user, event.video, event.title, event.channel.map { SubscriptionID.channel($0) }, event.channelTitle,
      event.published, event.duration, event.source, id)
  }

  /// In a first build nothing was made of texts yet.
  mutating func noteTextChange(_ video: VideoID) {
    if !isFirstBuild { textChanges.insert(video) }
  }

  func noteVisibleChange(_ id: EventID, of video: VideoID) throws(DatabaseError) {
    try database.send("UPDATE video SET changed = max(coalesce(changed, ?2), ?2) WHERE id = ?1", video, id)
  }

  private func setRegister(
    _ register: VideoRegister, _ value: some Bindable, _ id: EventID, of video: VideoID
  ) throws(DatabaseError) {
    try database.send(register.sql, video, value, id)
  }

  private mutating func insert(_ video: VideoID, into playlist: PlaylistID) throws(DatabaseError) {
    try database.send("INSERT OR IGNORE INTO playlist_video VALUES (?, ?)", video, number(of: .playlist(playlist)))
  }

  // MARK: Decisions

  func apply(_ set: StatusSet, _ id: EventID) throws(DatabaseError) {
    let history = set.status == .watched ? set.at ?? id.timestamp : nil
    try database.send(
      """
      INSERT INTO decision(owner, video, status, until, watched_at, reason, status_at, history)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT(owner, video) DO UPDATE SET
        status = excluded.status, until = excluded.until, watched_at = excluded.watched_at, reason = excluded.reason, status_at = excluded.status_at, history = excluded.history
      WHERE decision.status_at IS NULL OR decision.status_at < excluded.status_at
      """, user, set.video, set.status.rawValue, set.until, set.at, set.reason, id, history)
  }

  private func decide(
    _ register: DecisionRegister, _ value: some Bindable, _ id: EventID, _ video: VideoID
  ) throws(DatabaseError) {
    try database.send(register.sql, user, video, value, id)
  }
}

extension EventBody {
  /// Whether lists depend on it besides what the columns of a first sight say.
  fileprivate var changesListing: Bool {
    switch self {
    case .statusSet, .videoEnriched, .videoRemoved: true
    case .videoFound(let found): found.status != nil || found.playlist != nil
    case .videoChanged(let change): change.playlist != nil
    default: false
    }
  }
}

/// Writes a register of a subscription: user, channel, value, event.
struct SubscriptionRegister {
  let sql: SQL

  private init(_ column: SQL) {
    sql = """
      INSERT INTO subscription AS s(owner, channel, \(column), \(column)_at) VALUES (?, ?, ?, ?)
      ON CONFLICT(owner, channel) DO UPDATE SET \(column) = excluded.\(column), \(column)_at = excluded.\(column)_at
      WHERE s.\(column)_at IS NULL OR s.\(column)_at < excluded.\(column)_at
      """
  }

  static let followed = SubscriptionRegister("followed")
  static let title = SubscriptionRegister("title")
  static let tags = SubscriptionRegister("tags")
  static let feed = SubscriptionRegister("feed")
  static let shorts = SubscriptionRegister("shorts")
  static let live = SubscriptionRegister("live")
  static let order = SubscriptionRegister("list_order")
  static let seenBefore = SubscriptionRegister("seen_before")
}

/// What writes a register of a video: video, value, event.
struct VideoRegister {
  let sql: SQL

  /// Those of the first sight stand at `found` while their own event is NULL.
  private init(_ column: SQL, sharesFirstSight: Bool) {
    sql = """
      UPDATE video SET \(column) = ?2, \(column)_at = ?3
      WHERE id = ?1 AND ?3 > coalesce(\(column)_at, \("found, ", if: sharesFirstSight)x'')
      """
  }

  static let title = VideoRegister("title", sharesFirstSight: true)
  static let entryTitle = VideoRegister("title", sharesFirstSight: false)
  static let entryLink = VideoRegister("link", sharesFirstSight: false)
  static let duration = VideoRegister("duration", sharesFirstSight: false)
  static let link = VideoRegister("link", sharesFirstSight: true)
  static let zeroViews = VideoRegister("zero_views", sharesFirstSight: true)
  static let thumbnail = VideoRegister("thumbnail", sharesFirstSight: true)
  static let channelTitle = VideoRegister("channel_title", sharesFirstSight: false)
  static let moved = VideoRegister("moved", sharesFirstSight: false)
  static let removed = VideoRegister("removed", sharesFirstSight: false)
}

/// Writes a register of a decision: user, video, value, event.
struct DecisionRegister {
  let sql: SQL

  private init(_ column: SQL) {
    sql = """
      INSERT INTO decision AS d(owner, video, \(column), \(column)_at) VALUES (?, ?, ?, ?)
      ON CONFLICT(owner, video) DO UPDATE SET \(column) = excluded.\(column), \(column)_at = excluded.\(column)_at
      WHERE d.\(column)_at IS NULL OR d.\(column)_at < excluded.\(column)_at
      """
  }

  static let saved = DecisionRegister("saved")
  static let progress = DecisionRegister("progress")
  static let note = DecisionRegister("note")
}

/// The registers that a response of the Data API writes: video, event, duration, live, scheduled, started, ended, whether
/// it is still to come.
enum Enrichment {
  /// Every register that a response writes, each by the event that is its own so far.
  static let write: SQL = """
    UPDATE video SET
      enriched_duration = iif(?2 > coalesce(enriched_at, x''), ?3, enriched_duration),
      enriched_live = iif(?2 > coalesce(enriched_at, x''), ?4, enriched_live),
      scheduled = iif(?2 > coalesce(enriched_at, x''), ?5, scheduled),
      started = iif(?2 > coalesce(enriched_at, x''), ?6, started),
      ended = iif(?2 > coalesce(enriched_at, x''), ?7, ended),
      enriched_at = max(coalesce(enriched_at, ?2), ?2),
      duration = iif(?3 IS NOT NULL AND ?2 > coalesce(duration_at, x''), ?3, duration),
      duration_at = iif(?3 IS NULL, duration_at, max(coalesce(duration_at, ?2), ?2)),
      live = iif(?4 IS NOT NULL AND ?2 > coalesce(live_at, x''), ?4, live),
      live_at = iif(?4 IS NULL, live_at, max(coalesce(live_at, ?2), ?2)),
      upcoming_first = iif(?8 = 1, min(coalesce(upcoming_first, ?2), ?2), upcoming_first),
      upcoming_last = iif(?8 = 1, max(coalesce(upcoming_last, ?2), ?2), upcoming_last),
      changed = iif(?3 IS NULL, changed, max(coalesce(changed, ?2), ?2))
    WHERE id = ?1
    """
}

/// The columns of a first sight.
enum FirstSight {
  /// Makes the row, unless the video has one; and so many rows. Parameters in the order of the columns.
  static let insert: SQL = "\(insertion) \(values)"
  static let insertBatch: SQL = "\(insertion) \(.repeated(values, Sight.batch))"
  /// Not `ON CONFLICT DO NOTHING`: for several rows that first copies every page, so that all can be taken back.
  private static let insertion: SQL = """
    INSERT OR IGNORE INTO video(id, found, channel, published, title, link, zero_views, thumbnail,
      text, text_file, text_offset, text_length, feeds, file, line) VALUES
    """
  private static let values: SQL = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

  /// Merges it into a row that is there. Parameters: video, event, channel, title, link, zero views, thumbnail, the four
  /// of the text, feeds, whether the event is earlier than the row's first sight, published, file, line.
  static let merge: SQL = """
    UPDATE video SET \(registers), feeds = feeds | ?12, found = iif(?13 = 1, ?2, found),
      channel = iif(?13 = 1, ?3, channel), published = iif(?13 = 1, ?14, published), file = iif(?13 = 1, ?15, file),
      line = iif(?13 = 1, ?16, line)
    WHERE id = ?1
    """

  /// What a first sight leaves out is empty, or the order of events would matter.
  private static let registers = SQL.joined([
    register("title", ["title": 4]), register("link", ["link": 5]), register("zero_views", ["zero_views": 6]),
    register("thumbnail", ["thumbnail": 7]),
    register("text", ["text": 8, "text_file": 9, "text_offset": 10, "text_length": 11]),
  ])

  private static func register(_ name: SQL, _ columns: KeyValuePairs<SQL, Int>) -> SQL {
    // The event behind the register so far; a register never written is before every event.
    let current: SQL = "coalesce(\(name)_at, found, x'')"
    let assignments = columns.map { column, parameter -> SQL in
      "\(column) = iif(?2 > \(current), ?\(number: parameter), \(column))"
    }
    // NULL stands for the first sight.
    return "\(.joined(assignments)), \(name)_at = nullif(max(?2, \(current)), min(coalesce(found, ?2), ?2))"
  }
}
