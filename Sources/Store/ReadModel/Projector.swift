import Core
import SQLDrivers

/// Applies events to the tables: the only fold. Order-free: whatever the order, repetition or interleaving in which the
/// same events are applied, the rows are the same, because each value is a last-writer-wins register.
///
/// Works within a transaction of its model and ends with `finish`, which updates what lists read.
struct Projector {
  let database: Database
  let user: Int64
  /// Whether the tables know of no video yet, so that listings are made at the end for all videos.
  let isFirstBuild: Bool
  /// The numbers of the subscriptions met so far.
  var numbers: [SubscriptionID: Int64] = [:]
  /// Whether the tables had entries of feeds before.
  let hasEntries: Bool
  /// The entries that have keys, nil for none, as far as that was looked up; see `claim`.
  var holders: [VideoKey: VideoID?] = [:]
  /// In a first build, which has no index for it, the videos in collections.
  var collected: Set<VideoKey> = []
  /// Videos that are known to have no row; see `lookUp`.
  var missing: Set<VideoKey> = []
  /// In a first build the first sights that are inserted together, and what else came of the same videos meanwhile.
  private var waiting: [Sight] = []
  private var waitingVideos: Set<VideoKey> = []
  private var deferred: [(event: Event, file: Int, line: UInt64)] = []
  /// Videos that changed, with what lists had of them before.
  var touched: [VideoKey: ListingRow?] = [:]
  /// In a first build the videos for which lists read more than the columns of their first sight.
  var unusual: Set<Int64> = []
  /// Touched videos whose title or description changed.
  var textChanges: Set<VideoID> = []
  /// Whether a rule, or a tag that a rule may name, changed.
  var areRulesStale = false
  /// The events applied so far, and the count at which PostgreSQL analyzes the tables next.
  private var (applied, nextAnalysis) = (0, 250)

  init(_ database: Database, user: Int64, isFirstBuild: Bool, hasEntries: Bool) {
    (self.database, self.user) = (database, user)
    (self.isFirstBuild, self.hasEntries) = (isFirstBuild, hasEntries)
  }

  /// Applies an event whose line begins at `line` of a file.
  mutating func apply(_ event: Event, file: Int, line: UInt64) throws(DatabaseError) {
    try noteGrowth()
    if isFirstBuild, try waits(event, file: file, line: line) { return }
    try applyNow(event, file: file, line: line)
  }

  /// Has PostgreSQL analyze the tables when many events were applied: by itself it analyzes what is committed, and a plan
  /// that it cached while they were empty reads all rows of the owner to find one.
  private mutating func noteGrowth() throws(DatabaseError) {
    applied += 1
    guard database.isPostgres, applied == nextAnalysis else { return }
    nextAnalysis *= 4
    try analyze()
  }

  /// Has PostgreSQL analyze the tables in which events look videos up, but for those with known statistics of many
  /// rows.
  func analyze() throws(DatabaseError) {
    let tables = ["video", "channel", "decision", "playlist_video", "block"]
    try PostgresSearch.analyze(tables + ["entry", "described", "collection"], in: database)
  }

  private mutating func applyNow(_ event: Event, file: Int, line: UInt64) throws(DatabaseError) {
    let id = event.id
    if let undone = event.undoes { try database.send("INSERT OR IGNORE INTO undone VALUES (?)", undone) }
    if try !applyVideo(event, file: file, line: line) { try index(event, file: file, line: line) }
    switch event.body {
    case .channelFollowed(let followed): try apply(followed, id)
    case .channelUnfollowed(let subscription): try set(.followed, false, id, of: subscription)
    case .channelChanged(let change): try apply(change, id)
    case .channelEnriched(let enriched): try apply(enriched, id)
    case .handleFollowed(let followed): try apply(followed, of: followed.handle, by: event)
    case .handleUnfollowed(let unfollowed): try apply(nil, of: unfollowed.handle, by: event)
    case .handleResolved(let resolved):
      try database.send(
        """
        INSERT INTO handle(owner, handle, resolved, resolved_at) VALUES (?, ?, ?, ?)
        ON CONFLICT(owner, /*indexed*/ handle) DO UPDATE SET resolved = excluded.resolved, resolved_at = excluded.resolved_at
        WHERE handle.resolved_at IS NULL OR handle.resolved_at < excluded.resolved_at
        """, user, resolved.handle, resolved.subscription, id)
    case .ruleSet(let rule): try apply(rule, of: rule.id, id)
    case .ruleRemoved(let removed): try apply(nil, of: removed.rule, id)
    case .collectionChanged(let change): try apply(change, id)
    case .preferenceSet(let set): try apply(set, id)
    case .runFinished(let run): try apply(run, id)
    case .feedFollowed, .feedUnfollowed, .feedChanged, .feedMerged, .entriesKnown: try applyFeed(event)
    case .gapFound(let gap):
      try database.send(
        """
        INSERT INTO gap(id, channel, after, before) VALUES (?, ?, ?, ?)
        ON CONFLICT(/*owner,*/ id) DO UPDATE SET channel = excluded.channel, after = excluded.after, before = excluded.before
        """, id, gap.subscription, gap.after, gap.before)
    case .gapClosed(let closed):
      try database.send(
        "INSERT INTO gap(id, closed) VALUES (?, 1) ON CONFLICT(/*owner,*/ id) DO UPDATE SET closed = 1", closed.gap)
    case .actionUndone: break  // Noted above.
    case .videoFound, .videoChanged, .videoEnriched, .videoRemoved, .videoDescribed, .statusSet, .savedSet,
      .collectionSet, .progressSet, .noteSet, .entryFound, .entryChanged:
      break
    }
  }

  /// Puts off a first sight, or an event about a video whose first sight waits; returns whether it did.
  private mutating func waits(_ event: Event, file: Int, line: UInt64) throws(DatabaseError) -> Bool {
    guard let video = event.body.video else { return false }
    if waitingVideos.contains(VideoKey(video)) {
      deferred.append((event, file, line))
      return true
    }
    guard event.undoes == nil, case .videoFound(let found) = event.body, Sight.saysAll(of: found) else { return false }
    waiting.append(try sight(found, event.id, file: file, line: line))
    _ = try claim(video)
    waitingVideos.insert(VideoKey(video))
    if waiting.count == Sight.maximum { try applyWaiting() }
    return true
  }

  /// Applies what was put off.
  mutating func applyWaiting() throws(DatabaseError) {
    guard !waiting.isEmpty else { return }
    let (sights, events) = (waiting.sorted { $0.event.video < $1.event.video }, deferred)
    waiting.removeAll(keepingCapacity: true)
    waitingVideos.removeAll(keepingCapacity: true)
    deferred = []
    for start in stride(from: 0, to: sights.count, by: Sight.batch) {
      let batch = sights[start..<min(start + Sight.batch, sights.count)]
      if batch.count < Sight.batch {
        for sight in batch { if try !apply(sight) { try index(sight) } }
      } else if try !insert(batch) {
        for sight in batch { if try !merge(sight) { try index(sight) } }
      }
    }
    if database.isPostgres, !events.isEmpty { try analyze() }
    for (event, file, line) in events { try applyNow(event, file: file, line: line) }
  }

  /// The number of a subscription in this database, given at its first mention.
  mutating func number(of id: SubscriptionID) throws(DatabaseError) -> Int64 {
    if let number = numbers[id] { return number }
    let number: Int64
    if let known = try database.integer("SELECT n FROM channel WHERE id = ?", id) {
      number = known
    } else {
      number = try database.inserted("INSERT INTO channel(id) VALUES (?) RETURNING n", id)
    }
    numbers[id] = number
    return number
  }

  /// Notes where an event's line is, if it is looked up by its subject or its action.
  func index(_ event: Event, file: Int, line: UInt64) throws(DatabaseError) {
    guard let subject = EventSubject(event.body) else { return }
    let action = event.indexedAction
    try database.send(
      "INSERT OR IGNORE INTO event(subject, file, line, action, device) VALUES (?, ?, ?, ?, ?)", subject.column, file,
      Int64(line), action, action == nil ? nil : Int64(bitPattern: event.id.device.letters))
  }
}

// MARK: Subscriptions

extension Projector {
  private mutating func apply(_ followed: ChannelFollowed, _ id: EventID) throws(DatabaseError) {
    let channel = followed.subscription
    try set(.followed, true, id, of: channel)
    if let title = followed.title { try set(.title, title, id, of: channel) }
    if let tags = followed.tags { try set(.tags, TagList.column(tags), id, of: channel) }
    if let feed = followed.feed { try set(.feed, feed.rawValue, id, of: channel) }
    if let date = followed.seenBefore { try set(.seenBefore, date, id, of: channel) }
    if followed.tags != nil { areRulesStale = true }
  }

  private mutating func apply(_ change: ChannelChanged, _ id: EventID) throws(DatabaseError) {
    try apply(settings: change, id)
    guard let name = change.name else { return }
    try setName(name, id, of: change.subscription)
  }

  /// Writes the name that a feed says.
  mutating func setName(_ name: String, _ id: EventID, of subscription: SubscriptionID) throws(DatabaseError) {
    try database.send(
      """
      UPDATE channel SET name = ?2, name_at = ?3 WHERE n = ?1 AND (name_at IS NULL OR name_at < ?3)
      """, number(of: subscription), name, id)
  }

  /// Writes what the user chose.
  mutating func apply(settings change: ChannelChanged, _ id: EventID) throws(DatabaseError) {
    let channel = change.subscription
    if let title = change.title { try set(.title, title, id, of: channel) }
    if let tags = change.tags { try set(.tags, TagList.column(tags), id, of: channel) }
    if let feed = change.feed { try set(.feed, feed.rawValue, id, of: channel) }
    if let shorts = change.shorts { try set(.shorts, shorts.rawValue, id, of: channel) }
    if let live = change.live { try set(.live, live.rawValue, id, of: channel) }
    if let order = change.order { try set(.order, order.rawValue, id, of: channel) }
    if change.tags != nil { areRulesStale = true }
  }

  private mutating func apply(_ enriched: ChannelEnriched, _ id: EventID) throws(DatabaseError) {
    try database.run(
      """
      UPDATE channel SET avatar = ?2, subscribers = ?3, videos = ?4, enriched_at = ?5
      WHERE n = ?1 AND (enriched_at IS NULL OR enriched_at < ?5)
      """, number(of: .channel(enriched.channel)), enriched.avatar, enriched.subscribers, enriched.videos, id)
  }

  mutating func set(
    _ register: SubscriptionRegister, _ value: some Bindable, _ id: EventID, of subscription: SubscriptionID
  ) throws(DatabaseError) {
    try database.send(register.sql, user, number(of: subscription), value, id)
  }

  private func apply(_ followed: HandleFollowed?, of handle: String, by event: Event) throws(DatabaseError) {
    try database.send(
      """
      INSERT INTO handle(owner, handle, followed, title, tags, seen_before, action, followed_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT(owner, /*indexed*/ handle) DO UPDATE SET
        followed = excluded.followed, title = excluded.title, tags = excluded.tags,
        seen_before = excluded.seen_before, action = excluded.action, followed_at = excluded.followed_at
      WHERE handle.followed_at IS NULL OR handle.followed_at < excluded.followed_at
      """, user, handle, followed != nil, followed?.title, followed?.tags.map(TagList.column), followed?.seenBefore,
      event.action, event.id)
  }
}

// MARK: Collections, rules and runs

extension Projector {
  private func apply(_ change: CollectionChanged, _ id: EventID) throws(DatabaseError) {
    guard change.kept != nil || change.text != nil else { return }
    try database.send(
      """
      INSERT INTO collection_register AS c(owner, name, kept, kept_at, text, text_at)
      VALUES (?1, ?2, ?3, iif(?3 IS NULL, NULL, ?5), ?4, iif(?4 IS NULL, NULL, ?5))
      ON CONFLICT(owner, /*indexed*/ name) DO UPDATE SET
        kept = iif(?3 IS NOT NULL AND ?5 > coalesce(c.kept_at, x''), ?3, c.kept),
        kept_at = iif(?3 IS NOT NULL, max(coalesce(c.kept_at, x''), ?5), c.kept_at),
        text = iif(?4 IS NOT NULL AND ?5 > coalesce(c.text_at, x''), ?4, c.text),
        text_at = iif(?4 IS NOT NULL, max(coalesce(c.text_at, x''), ?5), c.text_at)
      """, user, change.collection, change.kept, change.text, id)
  }

  /// A value that was unset is NULL.
  private func apply(_ set: PreferenceSet, _ id: EventID) throws(DatabaseError) {
    try database.send(
      """
      INSERT INTO preference(owner, name, channel, value, value_at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT(owner, /*indexed*/ name, channel) DO UPDATE SET value = excluded.value, value_at = excluded.value_at
      WHERE preference.value_at < excluded.value_at
      """, user, set.name, set.channel?.description ?? "", set.value, id)
  }

  private mutating func apply(_ rule: Rule?, of id: String, _ event: EventID) throws(DatabaseError) {
    areRulesStale = true
    // The earliest event about a rule is the one that made it.
    try database.send(
      """
      INSERT INTO rule(owner, id, made, changed, verdict, contains, matches, field, minimum_length, maximum_length,
        short, live, age, tag, subscription)
      VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
      ON CONFLICT(owner, /*indexed*/ id) DO UPDATE SET
        made = min(rule.made, excluded.made), changed = excluded.changed, verdict = excluded.verdict, contains = excluded.contains, matches = excluded.matches, field = excluded.field,
        minimum_length = excluded.minimum_length, maximum_length = excluded.maximum_length, short = excluded.short,
        live = excluded.live, age = excluded.age, tag = excluded.tag, subscription = excluded.subscription
      WHERE rule.changed < excluded.changed
      """, user, id, event, rule?.verdict.rawValue, rule?.contains, rule?.matches, rule?.field?.rawValue,
      rule?.minimumLength, rule?.maximumLength, rule?.short, rule?.live, rule?.age, rule?.tag, rule?.subscription)
    try database.send("UPDATE rule SET made = ?3 WHERE owner = ?1 AND id = ?2 AND made > ?3", user, id, event)
  }

  /// Which channels failed or recovered is left to the log, or the room a run takes would have no bound.
  private func apply(_ run: RunFinished, _ id: EventID) throws(DatabaseError) {
    try database.send(
      "INSERT OR IGNORE INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", id, run.checked, run.notDue, run.failed,
      run.new, run.changed, run.gaps, run.outage, run.stopped?.rawValue, run.milliseconds, run.bytes,
      run.unrequested)
  }

  /// Drops the runs but the last ones.
  func dropOldRuns() throws(DatabaseError) {
    try database.send(
      "DELETE FROM run WHERE id <= (SELECT id FROM run ORDER BY id DESC LIMIT 1 OFFSET ?)", RecentRuns.maximum)
  }
}

/// Tags as one column: each after a newline, a newline or backslash within one escaped by a backslash.
///
/// Scalars, not characters: the last `\r` of a tag and the newline behind it are one character.
enum TagList {
  static func column(_ tags: [String]) -> String {
    var column = String.UnicodeScalarView()
    for tag in tags {
      column.append("\n")
      for scalar in tag.unicodeScalars {
        if scalar == "\n" || scalar == "\\" { column.append("\\") }
        column.append(scalar == "\n" ? "n" : scalar)
      }
    }
    return String(column)
  }

  static func tags(_ column: String) -> [String] {
    var (tags, tag) = ([String](), String.UnicodeScalarView())
    var isEscaped = false
    for scalar in column.unicodeScalars.dropFirst() {
      switch scalar {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "\n":
        tags.append(String(tag))
        tag = String.UnicodeScalarView()
      default: tag.append(isEscaped && scalar == "n" ? "\n" : scalar)
      }
      isEscaped = false
    }
    return column.isEmpty ? [] : tags + [String(tag)]
  }
}

/// What an event is looked up by, as 64 bits: a video ID, or a hash of what else it is about. Two subjects may collide,
/// so each event that is found must be compared.
struct EventSubject: Hashable {
  let column: Int64

  init(_ video: VideoID) { column = video.column }

  /// All preferences together: they are read together.
  static let preferences = EventSubject("preference")

  private init(_ name: String) { column = Int64(bitPattern: Fingerprint.of(name)) }

  /// The subject of an event; nil if it is not looked up.
  init?(_ body: EventBody) {
    if let video = body.video {
      self.init(video)
      return
    }
    switch body {
    case .channelFollowed(let followed): self.init("channel \(followed.subscription)")
    case .channelUnfollowed(let subscription): self.init("channel \(subscription)")
    case .channelChanged(let change): self.init("channel \(change.subscription)")
    case .feedFollowed(let followed): self.init("channel \(followed.feed)")
    case .feedUnfollowed(let feed): self.init("channel \(feed)")
    case .feedChanged(let change): self.init("channel \(change.feed)")
    case .handleFollowed(let followed): self.init("name \(followed.handle)")
    case .handleUnfollowed(let unfollowed): self.init("name \(unfollowed.handle)")
    case .ruleSet(let rule): self.init("rule \(rule.id)")
    case .ruleRemoved(let removed): self.init("rule \(removed.rule)")
    case .collectionChanged(let change): self.init("collection \(change.collection)")
    case .preferenceSet: self = .preferences
    default: return nil
    }
  }
}
