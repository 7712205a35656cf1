import Core
import SQLDrivers

/// Counts and smaller lists.
extension ReadModel {
  /// How many videos of each subscription are new to the user at `now`, as `list` shows them, and when the newest one
  /// was published.
  package func channelCounts(at now: Timestamp) throws -> [SubscriptionID: ChannelCount] {
    try read { (database) throws(DatabaseError) in
      let scan = try ListScan(database, user: user, .unwatched, at: now, candidates: nil)
      var (selection, latest) = (VideoSelection(), [Int64: Int64]())
      var unwatched = try scan.countPlain(&selection)
      for row in try scan.special(&selection, { latest[$0.channel] = max(latest[$0.channel] ?? .min, $0.published) }) {
        for source in try scan.sources(of: row) { unwatched.add(1, of: source) }
      }
      try database.forEach(
        """
        SELECT p.playlist, max(v.published) FROM playlist_video p JOIN video v ON v.id = p.video
        WHERE v.found IS NOT NULL GROUP BY 1
        """
      ) { row in latest[row.int(0)] = max(latest[row.int(0)] ?? .min, row.int(1)) }
      var counts: [SubscriptionID: ChannelCount] = [:]
      counts.reserveCapacity(
        Int(try database.integer("SELECT count(*) FROM subscription WHERE owner = ? AND followed = 1", user) ?? 0))
      try database.forEach(ReadModel.newestPlain, user) { row in
        guard let id = row.subscription(0) else { return }
        let number = row.int(1)
        var count = ChannelCount()
        count.unwatched = unwatched[number]
        let times = [row.optionalInt(2), row.optionalInt(3), latest[number]].compactMap(\.self)
        count.lastPublished = times.max().map { Timestamp(seconds: $0) }
        counts[id] = count
      }
      return counts
    }
  }

  /// Each followed subscription with its number, and when its newest plain videos were published: one that may be new,
  /// and one that is not.
  private static let newestPlain: SQL = """
    SELECT c.id, c.n, \(newest(isOpen: 1)), \(newest(isOpen: 0))
    FROM subscription s CROSS JOIN channel c ON c.n = s.channel WHERE s.owner = ? AND s.followed = 1
    """

  private static func newest(isOpen: Int) -> SQL {
    """
    (SELECT published FROM listing l INDEXED BY listing_channel
      WHERE l.owner = s.owner AND l.channel = s.channel AND l.open = \(number: isOpen) ORDER BY published DESC LIMIT 1)
    """
  }

  /// What was watched since a time and before another, found or not, the most recent first, and within a second what
  /// was marked last; at most `limit` of it unless that is 0. And how much there is in all.
  package func history(
    since: Timestamp?, until: Timestamp?, limit: Int
  ) throws -> (rows: [(watched: Timestamp, video: VideoID)], count: Int) {
    try read { (database) throws(DatabaseError) in
      let part: SQL = """
        FROM decision d INDEXED BY decision_history WHERE d.owner = ?1 AND d.history >= ?2 AND d.history < ?3
        """
      let (earliest, latest) = (since?.seconds ?? .min, until?.seconds ?? .max)
      var rows: [(watched: Timestamp, video: VideoID)] = []
      try database.forEach(
        """
        SELECT d.history, d.video, (SELECT id FROM entry WHERE video = d.video) \(part)
        ORDER BY d.history DESC, d.status_at DESC LIMIT ?4
        """, user, earliest, latest, limit == 0 ? .max : limit
      ) { rows.append((Timestamp(seconds: $0.int(0)), $0.video(1, entry: 2))) }
      if limit == 0 || rows.count < limit { return (rows, rows.count) }
      return (rows, Int(try database.integer("SELECT count(*) \(part)", user, earliest, latest) ?? 0))
    }
  }

  /// The collections that exist, and how many videos each has.
  package func collections() throws -> [String: Int] {
    try read { (database) throws(DatabaseError) in
      var counts: [String: Int] = [:]
      try database.forEach("SELECT name FROM collection_register WHERE owner = ? AND kept = 1", user) {
        counts[$0.text(0)] = 0
      }
      try database.forEach("SELECT name, count(*) FROM collection WHERE owner = ? AND member = 1 GROUP BY name", user) {
        counts[$0.text(0)] = Int($0.int(1))
      }
      return counts
    }
  }

  /// The preferences of the user.
  package func preferences() throws -> PreferenceRegisters {
    try read(about: .preferences) { (database) throws(DatabaseError) in
      try PreferenceRegisters(database, user: user)
    }
  }

  /// The descriptions of collections, by name.
  package func collectionDescriptions() throws -> [String: String] {
    try read { (database) throws(DatabaseError) in
      var texts: [String: String] = [:]
      try database.forEach("SELECT name, text FROM collection_register WHERE owner = ? AND text != ''", user) {
        texts[$0.text(0)] = $0.text(1)
      }
      return texts
    }
  }

  /// The videos of a collection, found or not, in the order in which they came into it.
  package func members(of collection: String) throws -> [VideoID] {
    try ids(
      """
      SELECT c.video, e.id FROM collection c LEFT JOIN entry e ON e.video = c.video
      WHERE c.owner = ? AND c.name = ? AND c.member = 1 ORDER BY c.member_at, c.video
      """, collection)
  }

  /// The saved videos, the oldest first, then those that were not found.
  package func saved() throws -> [VideoID] {
    try ids(
      """
      SELECT d.video, e.id FROM decision d INDEXED BY decision_saved LEFT JOIN video v ON v.id = d.video
        LEFT JOIN entry e ON e.video = d.video
      WHERE d.owner = ? AND d.saved = 1 ORDER BY v.found IS NULL, v.published, d.video
      """)
  }

  /// The number of saved videos, found or not.
  package func savedCount() throws -> Int {
    try read { (database) throws(DatabaseError) in
      Int(try database.integer(ReadModel.savedCountQuery, user) ?? 0)
    }
  }

  /// Reads no rows of videos: a page of the file for each saved video costs every mark of a large user a tenth of a second.
  static let savedCountQuery: SQL = """
    SELECT count(*) FROM decision d INDEXED BY decision_saved WHERE d.owner = ? AND d.saved = 1
    """

  /// When the oldest known video of a channel was published.
  package func oldestPublished(of channel: ChannelID) throws -> Timestamp? {
    try read { (database) throws(DatabaseError) in
      try database.first(
        "SELECT min(published) FROM \(ReadModel.ofChannel) s", SubscriptionID.channel(channel), user
      ) { $0.timestamp(0) } ?? nil
    }
  }

  /// The videos of a subscription that were published before a time.
  package func videos(of subscription: SubscriptionID, before time: Timestamp) throws -> [VideoID] {
    try read { (database) throws(DatabaseError) in
      let source = subscription.isPlaylist ? ReadModel.ofPlaylist : ReadModel.ofChannel
      var ids: [VideoID] = []
      try database.forEach(
        """
        SELECT s.video, e.id FROM \(source) s LEFT JOIN entry e ON e.video = s.video WHERE s.published < ?3
        """, subscription, user, time
      ) { ids.append($0.video(0, entry: 1)) }
      return ids
    }
  }

  /// The found videos in rows after `row`, the first found first, and the last row now. Rows are of these tables only.
  package func arrived(after row: Int64) throws -> (videos: [VideoID], row: Int64) {
    try read { (database) throws(DatabaseError) in
      var found: [(id: EventID, video: VideoID)] = []
      var last = row
      try database.scan(
        """
        SELECT v.found, v.id, v.n, e.id FROM video v LEFT JOIN entry e ON e.video = v.id
        WHERE v.n > ? AND v.found IS NOT NULL
        """, row
      ) { row in
        if let id = row.eventID(0) { found.append((id, row.video(1, entry: 3))) }
        last = max(last, row.int(2))
      }
      return (found.sorted { ($0.id, $0.video) < ($1.id, $1.video) }.map(\.video), last)
    }
  }

  /// The videos of a subscription that were published before a time, whose status was never set, and that were found
  /// within a day after `limit`, or after the first one of the subscription if that came later.
  package func undecided(of subscription: SubscriptionID, before time: Timestamp, after limit: Timestamp) throws
    -> [VideoID]
  {
    let source = subscription.isPlaylist ? ReadModel.ofPlaylist : ReadModel.ofChannel
    return try read { (database) throws(DatabaseError) in
      var ids: [VideoID] = []
      try database.forEach(
        """
        SELECT s.video, e.id FROM \(source) s LEFT JOIN decision d ON d.owner = ?2 AND d.video = s.video
          LEFT JOIN entry e ON e.video = s.video
        WHERE s.published < ?3 AND d.status_at IS NULL
          AND s.found <= max(?4, (SELECT min(found) FROM \(source) f)) + 86400
        ORDER BY s.video
        """, subscription, user, time, limit
      ) { ids.append($0.video(0, entry: 1)) }
      return ids
    }
  }

  /// The found videos of channel ?1 as user ?2 has them, by the index of channels.
  static let ofChannel: SQL = """
    (SELECT video, n, published, found FROM listing INDEXED BY listing_channel
      WHERE owner = ?2 AND channel = (SELECT n FROM channel WHERE id = ?1)
    UNION ALL
    SELECT video, n, published, found FROM special
      WHERE owner = ?2 AND channel = (SELECT n FROM channel WHERE id = ?1))
    """
  /// The found videos of playlist ?1.
  private static let ofPlaylist: SQL = """
    (SELECT s.video, s.n, s.published, s.found FROM playlist_video p JOIN special s ON s.video = p.video
    WHERE s.owner = ?2 AND p.playlist = (SELECT n FROM channel WHERE id = ?1))
    """

  private func ids<each Parameter: Bindable>(
    _ sql: SQL, _ parameter: repeat each Parameter
  ) throws -> [VideoID] {
    let user = user
    return try read { (database) throws(DatabaseError) in
      var ids: [VideoID] = []
      try database.forEach(sql, user, repeat each parameter) { ids.append($0.video(0, entry: 1)) }
      return ids
    }
  }
}

// MARK: Feeds

extension ReadModel {
  /// What is known of the channels and videos of some feeds before they are compared, from one state of the tables.
  package func known(of feeds: [(videos: [VideoID], request: FeedRequest)]) throws -> [KnownFeed] {
    let channels = try feeds.map { try channel($0.request.subscription) }
    return try read(aboutFeedsOf: feeds.flatMap(\.videos)) { (database) throws(DatabaseError) in
      var known: [KnownFeed] = []
      for (feed, channel) in zip(feeds, channels) {
        let videos = try KnownVideo.read(feed.videos, in: feed.request.subscription, database)
        known.append(KnownFeed(channel: channel, videos: videos, newestPublished: nil, hasFoundSinceLimit: false))
      }
      return known
    }
  }

  /// Completes what is known of feeds with what only new videos make matter.
  package func completed(_ feeds: [KnownFeed], of subscriptions: [SubscriptionID]) throws -> [KnownFeed] {
    let complete = { [user] (database: Database) throws(DatabaseError) -> [KnownFeed] in
      var feeds = feeds
      for (index, subscription) in subscriptions.enumerated() {
        if subscription.channel != nil {
          feeds[index].newestPublished = try ReadModel.newestPublished(of: subscription, user, database)
        }
        guard let limit = feeds[index].channel?.seenLimit else { continue }
        feeds[index].hasFoundSinceLimit = try ReadModel.hasFound(since: limit, of: subscription, user, database)
      }
      return feeds
    }
    if feeds.contains(where: { $0.channel?.seenLimit != nil }) { return try read(complete) }
    return try read(aboutVideosOf: subscriptions.compactMap(\.channel), complete)
  }

  private static func newestPublished(
    of channel: SubscriptionID, _ user: Int64, _ database: Database
  ) throws(DatabaseError) -> Timestamp? {
    try database.first("SELECT max(published) FROM \(ofChannel) s", channel, user) { $0.timestamp(0) } ?? nil
  }

  /// Whether a subscription has videos that were found after the user set its date.
  private static func hasFound(
    since limit: LWWRegister<Timestamp>, of subscription: SubscriptionID, _ user: Int64, _ database: Database
  ) throws(DatabaseError) -> Bool {
    let source = subscription.isPlaylist ? ofPlaylist : ofChannel
    return try database.integer(
      """
      SELECT 1 FROM \(source) s JOIN video v ON v.n = s.n WHERE s.found >= ?3 AND v.found > ?4 LIMIT 1
      """, subscription, user, limit.id.timestamp, limit.id) != nil
  }
}

extension KnownVideo {
  /// As many as a feed has entries.
  fileprivate static let batch = 15

  /// Parameters: the IDs of a batch, NULL if there are fewer.
  fileprivate static let query: SQL = """
    SELECT id, title, link, coalesce(moved, published), zero_views, feeds, thumbnail, text, removed FROM video
    WHERE id IN (\(.repeated("?", batch))) AND \(ReadModel.isFoundVideo)
    """

  /// Those of some videos that were found, as seen in the feed of a subscription.
  fileprivate static func read(
    _ videos: [VideoID], in subscription: SubscriptionID, _ database: Database
  ) throws(DatabaseError) -> [VideoID: KnownVideo] {
    var known = Dictionary<VideoID, KnownVideo>(minimumCapacity: videos.count)
    for start in stride(from: 0, to: videos.count, by: batch) {
      let statement = try database.prepare(query)
      let some = videos[start...].prefix(batch)
      for video in some { video.bind(to: statement) }
      for _ in some.count..<batch { Int64?.none.bind(to: statement) }
      defer { statement.reset() }
      while try statement.step() {
        let video = KnownVideo(statement)
        known[video.id] = video
      }
    }
    guard case .playlist = subscription else { return known }
    for video in known.keys {
      let isIn = try database.integer(
        "SELECT 1 FROM playlist_video WHERE video = ? AND playlist = (SELECT n FROM channel WHERE id = ?)", video,
        subscription)
      known[video]?.isInPlaylist = isIn != nil
    }
    return known
  }

  fileprivate init(_ row: Statement) {
    self.init(
      id: VideoID(column: row.int(0)), title: row.text(1), link: Link(rawValue: row.bits(2)) ?? .unknown,
      publishedLatest: row.timestamp(3) ?? Timestamp(seconds: 0), hasZeroViews: row.bool(4),
      feeds: FeedForms(rawValue: row.bits(5)), unusualThumbnail: row.optionalText(6),
      descriptionFingerprint: row.optionalInt(7).map { UInt64(bitPattern: $0) }, isRemoved: row.bool(8),
      isInPlaylist: false)
  }
}

// MARK: For enrichment and hooks

extension ReadModel {
  /// The videos that YouTube may say more about.
  package func enrichmentCandidates() throws -> [EnrichmentCandidate] {
    try read { (database) throws(DatabaseError) in
      var candidates: [EnrichmentCandidate] = []
      try database.scan(
        """
        SELECT v.id, c.id, v.found, v.published, v.enriched_at IS NOT NULL FROM video v JOIN channel c ON c.n = v.channel
        WHERE v.found IS NOT NULL AND v.link < \(number: Int(Link.videoFile.rawValue))
          AND (v.duration IS NULL OR v.enriched_at IS NULL OR v.removed = 1 OR v.live IN ('upcoming', 'live'))
        """
      ) { row in
        candidates.append(
          EnrichmentCandidate(
            video: VideoID(column: row.int(0)), channel: row.subscription(1)?.channel,
            found: row.eventID(2)?.timestamp ?? Timestamp(seconds: 0),
            published: row.timestamp(3) ?? Timestamp(seconds: 0), isEnriched: row.bool(4)))
      }
      return candidates
    }
  }

  /// The videos that a device found after an event.
  package func finds(of device: DeviceID, after event: EventID) throws -> NumberSet {
    try read { (database) throws(DatabaseError) in
      var numbers = NumberSet()
      try database.scan("SELECT n, found FROM video WHERE found > ?", event) { row in
        if row.eventID(1)?.device == device { numbers.insert(row.int(0)) }
      }
      return numbers
    }
  }

  /// A copy of the tables in memory, for what-if questions.
  package func copyInMemory() throws -> ReadModel {
    let copy = try read { (database) throws(DatabaseError) in
      let copy = try Database(":memory:", .memory)
      try copy.copy(database)
      return copy
    }
    return ReadModel(copy, user: user, foldedText: foldedText)
  }
}
