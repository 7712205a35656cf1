import Core
import SQLDrivers

/// Videos out of their rows.
extension ReadModel {
  /// The video with this ID; also one that is only described or decided on.
  package func video(_ id: VideoID) throws -> Video? {
    try read(about: EventSubject(id)) { (database) throws(DatabaseError) in
      try video(id, in: database)
    }
  }

  /// The videos with these IDs that were found, in this order, and a state that knows what they come from; with
  /// `alsoUnseen` also those that are only described or decided on.
  package func videos(
    _ ids: some Sequence<VideoID>, alsoUnseen: Bool
  ) throws -> (videos: [Video], sources: State) {
    let videos = try read { (database) throws(DatabaseError) in
      let known = database.isPostgres ? try known(among: ids, in: database) : [:]
      var videos: [Video] = []
      for id in ids {
        let video = database.isPostgres ? known[id] : try video(id, in: database)
        guard let video, alsoUnseen || video.found != nil else { continue }
        videos.append(video)
      }
      return videos
    }
    return (videos, try state(of: videos.flatMap(\.sources)))
  }

  private func video(_ id: VideoID, in database: Database) throws(DatabaseError) -> Video? {
    let row = try database.first(VideoColumns.query, user, id) { VideoInRow($0) }
    // A video and an entry may share the 64 bits that a row keeps.
    guard let row, row.video.id == id else { return nil }
    return try completed(row, database)
  }

  /// The known ones of many videos, on PostgreSQL in one round trip, but for those in collections and playlists.
  private func known(
    among ids: some Sequence<VideoID>, in database: Database
  ) throws(DatabaseError) -> [VideoID: Video] {
    var rows: [VideoInRow] = []
    try database.forEach(VideoColumns.queryByIDs, user, Database.array(ids.lazy.map(\.column))) {
      rows.append(VideoInRow($0))
    }
    var videos: [VideoID: Video] = [:]
    for row in rows { videos[row.video.id] = try completed(row, database) }
    return videos
  }

  /// The video with its collections and playlists.
  private func completed(_ row: VideoInRow, _ database: Database) throws(DatabaseError) -> Video {
    var video = row.video
    if video.id.isEntry { try readAliases(of: &video, database) }
    if row.isInCollections { try readMemberships(of: &video, database) }
    if row.isInPlaylists {
      try database.forEach(
        "SELECT id FROM playlist_video CROSS JOIN channel ON n = playlist WHERE video = ?", video.id
      ) { row in
        if let playlist = PlaylistID(row.text(0)) { video.playlists.append(playlist) }
      }
      video.playlists.sort()
    }
    return video
  }

  private func readAliases(of video: inout Video, _ database: Database) throws(DatabaseError) {
    var aliases: [VideoID] = []
    try database.forEach("SELECT video, alias FROM entry_alias WHERE video = ?", video.id) {
      aliases.append($0.video(0, entry: 1))
    }
    video.entry?.aliases = aliases.sorted()
  }

  private func readMemberships(of video: inout Video, _ database: Database) throws(DatabaseError) {
    try database.forEach(
      "SELECT name, member, member_at FROM collection INDEXED BY collection_video WHERE owner = ? AND video = ?", user,
      video.id
    ) { row in
      guard let event = row.eventID(2) else { return }
      // Names that differ only in their encoding are one key.
      var membership = video.memberships[row.text(0)]
      membership.set(row.bool(1), by: event)
      video.memberships[row.text(0)] = membership
    }
  }

  /// The title of a video, by its feed or as described; nil if nothing says it.
  package func title(of id: VideoID) throws -> String? {
    if id.isEntry { return try found(id)?.title }
    return try read(aboutFeedsOf: [id]) { (database) throws(DatabaseError) in
      let own = try database.first("SELECT title FROM video WHERE id = ? AND \(ReadModel.isFoundVideo)", id) {
        $0.text(0)
      }
      if let own { return own }
      let described = try database.first("SELECT title FROM described WHERE owner = ? AND video = ?", user, id) {
        $0.optionalText(0)
      }
      return described ?? nil
    }
  }

  /// The video with this ID, if it was found.
  package func found(_ id: VideoID) throws -> Video? {
    try video(id).flatMap { $0.found == nil ? nil : $0 }
  }

  /// Whether a video was found.
  package func isFound(_ id: VideoID) throws -> Bool {
    if id.isEntry { return try found(id) != nil }
    return try read(aboutFeedsOf: [id]) { (database) throws(DatabaseError) in
      try database.integer("SELECT 1 FROM video WHERE id = ? AND \(ReadModel.isFoundVideo)", id) != nil
    }
  }

  /// Whether a row is that of a video that was found: an entry may have its key.
  static let isFoundVideo: SQL = "found IS NOT NULL AND link < \(number: Int(Link.videoFile.rawValue))"

  /// How many videos were found; those with only a decision are not counted.
  package func videoCount() throws -> Int {
    try read { (database) throws(DatabaseError) in
      let count = try database.integer(
        """
        SELECT (SELECT CAST(coalesce(sum(count), 0) AS bigint) FROM tally WHERE owner = ?1)
          + (SELECT count(*) FROM special WHERE owner = ?1)
        """, user)
      return Int(count ?? 0)
    }
  }
}

/// A video as one row has it, without its collections and playlists.
private struct VideoInRow {
  var video: Video
  let isInCollections: Bool
  let isInPlaylists: Bool

  /// Reads what `VideoColumns` selects.
  init(_ row: Statement) {
    video = Video(id: row.video(41, entry: 49))
    VideoColumns.fill(&video, from: row)
    if video.id.isEntry { video.entry = EntryDetails(row) }
    DecisionColumns.fill(&video, from: row)
    if let event = row.eventID(48) { video.described = LWWRegister(VideoDescribed(row, of: video.id), by: event) }
    (isInCollections, isInPlaylists) = (row.bool(0), row.bool(1))
  }
}

extension EntryDetails {
  /// Reads what `VideoColumns` selects.
  fileprivate init(_ row: Statement) {
    self.init()
    func register<Value>(_ column: Int, _ value: (Int) -> Value?) -> LWWRegister<Value>? {
      guard let event = row.eventID(column + 1), let value = value(column) else { return nil }
      return LWWRegister(value, by: event)
    }
    feed = row.subscription(3)?.feed
    key = row.text(50)
    announced = row.timestamp(23)
    link = register(51, row.optionalText)
    media = register(53) { MediaColumn.files(row.text($0)) }
    image = register(55, row.optionalText)
    author = register(57, row.optionalText)
    season = register(59) { row.optionalInt($0).map { Int($0) } }
    episode = register(61) { row.optionalInt($0).map { Int($0) } }
    isExplicit = register(63, row.bool)
  }
}

extension VideoDescribed {
  /// Reads what `VideoColumns` selects.
  fileprivate init(_ row: Statement, of video: VideoID) {
    self.init(
      video: video, title: row.optionalText(42), channel: row.subscription(43)?.channel,
      channelTitle: row.optionalText(44), published: row.timestamp(45), duration: row.optionalInt(46).map { Int($0) },
      source: row.text(47))
  }
}

/// What YouTube showed of a video.
private enum VideoColumns {
  /// Selects what is known of video ?2 and what user ?1 decided; no row if nothing is.
  static let query: SQL = """
    \(columns)
    FROM (SELECT ?2 AS id, EXISTS (SELECT 1 FROM collection WHERE owner = ?1 AND video = ?2) AS is_in_collections) q
      LEFT JOIN video v ON v.id = ?2 LEFT JOIN decision d ON d.owner = ?1 AND d.video = ?2
      LEFT JOIN described x ON x.owner = ?1 AND x.video = ?2 LEFT JOIN entry e ON e.video = ?2
    WHERE \(isKnown)
    """
  /// Selects the rows of the videos in the array ?2, on PostgreSQL. With plain joins it may plan to read everything
  /// that the user decided; whatever has a limit is looked up for each video.
  static let queryByIDs: SQL = """
    \(columns)
    FROM (
      SELECT one.id, c.video IS NOT NULL AS is_in_collections FROM unnest(CAST(?2 AS bigint[])) one(id)
        LEFT JOIN LATERAL (SELECT video FROM collection WHERE owner = ?1 AND video = one.id LIMIT 1) c ON true) q
      LEFT JOIN LATERAL (SELECT * FROM video WHERE id = q.id LIMIT 1) v ON true
      LEFT JOIN LATERAL (SELECT * FROM decision WHERE owner = ?1 AND video = q.id LIMIT 1) d ON true
      LEFT JOIN LATERAL (SELECT * FROM described WHERE owner = ?1 AND video = q.id LIMIT 1) x ON true
      LEFT JOIN LATERAL (SELECT * FROM entry WHERE video = q.id LIMIT 1) e ON true
    WHERE \(isKnown)
    """

  private static let isKnown: SQL =
    "v.id IS NOT NULL OR d.owner IS NOT NULL OR x.owner IS NOT NULL OR q.is_in_collections OR e.id IS NOT NULL"
  private static let columns: SQL = """
    SELECT q.is_in_collections, EXISTS (SELECT 1 FROM playlist_video WHERE video = q.id),
      v.found, (SELECT id FROM channel WHERE n = v.channel), v.published, v.title, v.link,
      v.text, v.text_file, v.text_offset, v.text_length,
      CASE WHEN v.text_file IS NULL THEN (SELECT text FROM text WHERE fingerprint = v.text) END,
      v.zero_views, v.feeds, v.moved, v.changed, v.thumbnail, v.channel_title, v.duration, v.live, v.enriched_at,
      v.enriched_duration, v.enriched_live, v.scheduled, v.started, v.ended, v.upcoming_first, v.upcoming_last,
      v.removed, v.removed_at,
      d.status, d.until, d.watched_at, d.reason, d.status_at, d.saved, d.saved_at, d.progress, d.progress_at, d.note,
      d.note_at, q.id, x.title, x.channel, x.channel_title, x.published, x.duration, x.source, x.described_at,
      e.id, e.key, e.link, e.link_at, e.media, e.media_at, e.image, e.image_at, e.author, e.author_at, e.season,
      e.season_at, e.episode, e.episode_at, e.explicit, e.explicit_at
    """

  static func fill(_ video: inout Video, from row: Statement) {
    video.found = row.eventID(2)
    if let channel = row.subscription(3)?.channel { video.channel = channel }
    video.published = row.timestamp(4) ?? Timestamp(seconds: 0)
    video.title = row.text(5)
    video.link = Link(rawValue: row.bits(6)) ?? .unknown
    video.description = description(row)
    video.hasZeroViews = row.bool(12)
    video.feeds = FeedForms(rawValue: row.bits(13))
    video.publishedMoved = row.timestamp(14)
    video.visiblyChanged = row.eventID(15)
    video.unusualThumbnail = row.optionalText(16)
    video.channelTitle = row.optionalText(17)
    video.duration = row.optionalInt(18).map { Int($0) }
    video.live = row.value(19, Live.self) ?? .unknown
    if let event = row.eventID(20) {
      let response = VideoEnriched(
        video: video.id, duration: row.optionalInt(21).map { Int($0) }, live: row.value(22, Live.self),
        scheduled: row.timestamp(23), started: row.timestamp(24), ended: row.timestamp(25))
      video.enriched = LWWRegister(response, by: event)
    }
    if let first = row.eventID(26), let last = row.eventID(27) { video.upcoming = (first, last) }
    if let event = row.eventID(29) { video.removed = LWWRegister(row.bool(28), by: event) }
  }

  private static func description(_ row: Statement) -> Description? {
    guard let fingerprint = row.optionalInt(7) else { return nil }
    guard let file = row.optionalInt(8) else { return Description(row.text(11)) }
    let range = LogRange(
      file: UInt32(clamping: file), length: UInt32(clamping: row.int(10)), offset: UInt64(clamping: row.int(9)))
    return Description(fingerprint: UInt64(bitPattern: fingerprint), range: range)
  }
}

/// What the user decided about a video, in the same row.
private enum DecisionColumns {
  static func fill(_ video: inout Video, from row: Statement) {
    if let status = row.value(30, Status.self) {
      video.statusSet = StatusSet(
        video: video.id, status: status, until: row.timestamp(31), at: row.timestamp(32), reason: row.optionalText(33))
      video.statusChanged = row.eventID(34)
    }
    if let event = row.eventID(36) { video.saved = LWWRegister(row.bool(35), by: event) }
    if let event = row.eventID(38) { video.progressSet = LWWRegister(Int(row.int(37)), by: event) }
    if let event = row.eventID(40) { video.noteSet = LWWRegister(row.text(39), by: event) }
  }
}
