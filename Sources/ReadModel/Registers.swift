/// What writes a register of a subscription: user, channel, value, event.
struct SubscriptionRegister {
  let sql: SQL

  private init(_ column: StaticString) {
    sql = """
      INSERT INTO subscription(user, channel, \(column), \(column)_at) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET \(column) = excluded.\(column), \(column)_at = excluded.\(column)_at
      WHERE \(column)_at IS NULL OR \(column)_at < excluded.\(column)_at
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
  private init(_ column: StaticString, sharesFirstSight: Bool) {
    sql = """
      UPDATE video SET \(column) = ?2, \(column)_at = ?3
      WHERE id = ?1 AND ?3 > coalesce(\(column)_at, \(sharesFirstSight ? "found, " : "")x'')
      """
  }

  static let title = VideoRegister("title", sharesFirstSight: true)
  static let link = VideoRegister("link", sharesFirstSight: true)
  static let zeroViews = VideoRegister("zero_views", sharesFirstSight: true)
  static let thumbnail = VideoRegister("thumbnail", sharesFirstSight: true)
  static let channelTitle = VideoRegister("channel_title", sharesFirstSight: false)
  static let moved = VideoRegister("moved", sharesFirstSight: false)
  static let removed = VideoRegister("removed", sharesFirstSight: false)
}

/// What writes a register of a decision: user, video, value, event.
struct DecisionRegister {
  let sql: SQL

  private init(_ column: StaticString) {
    sql = """
      INSERT INTO decision(user, video, \(column), \(column)_at) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET \(column) = excluded.\(column), \(column)_at = excluded.\(column)_at
      WHERE \(column)_at IS NULL OR \(column)_at < excluded.\(column)_at
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
      upcoming_first = iif(?8, min(coalesce(upcoming_first, ?2), ?2), upcoming_first),
      upcoming_last = iif(?8, max(coalesce(upcoming_last, ?2), ?2), upcoming_last),
      changed = iif(?3 IS NULL, changed, max(coalesce(changed, ?2), ?2))
    WHERE id = ?1
    """
}

/// The columns of a first sight.
enum FirstSight {
  /// Makes the row, unless the video has one; and so many rows. Parameters in the order of the columns.
  static let insert: SQL = "\(insertion) \(values)"
  static let insertBatch: SQL = "\(insertion) \(Array(repeating: values, count: Sight.batch).joined(separator: ", "))"
  /// Not `ON CONFLICT DO NOTHING`: for several rows that first copies every page, so that all can be taken back.
  private static let insertion = """
    INSERT OR IGNORE INTO video(id, found, channel, published, title, link, zero_views, thumbnail,
      text, text_file, text_offset, text_length, feeds, file, line) VALUES
    """
  private static let values = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

  /// Merges it into a row that is there. Parameters: video, event, channel, title, link, zero views, thumbnail, the four
  /// of the text, feeds, whether the event is earlier than the row's first sight, published, file, line.
  static let merge: SQL = """
    UPDATE video SET \(registers), feeds = feeds | ?12, found = iif(?13, ?2, found), channel = iif(?13, ?3, channel),
      published = iif(?13, ?14, published), file = iif(?13, ?15, file), line = iif(?13, ?16, line)
    WHERE id = ?1
    """

  /// What a first sight leaves out is empty, or the order of events would matter.
  private static let registers = [
    register("title", ["title": 4]), register("link", ["link": 5]), register("zero_views", ["zero_views": 6]),
    register("thumbnail", ["thumbnail": 7]),
    register("text", ["text": 8, "text_file": 9, "text_offset": 10, "text_length": 11]),
  ].joined(separator: ", ")

  private static func register(_ name: String, _ columns: KeyValuePairs<String, Int>) -> String {
    // The event behind the register so far; a register never written is before every event.
    let current = "coalesce(\(name)_at, found, x'')"
    let assignments = columns.map { "\($0) = iif(?2 > \(current), ?\($1), \($0)), " }.joined()
    // NULL stands for the first sight.
    return assignments + "\(name)_at = nullif(max(?2, \(current)), min(coalesce(found, ?2), ?2))"
  }
}
