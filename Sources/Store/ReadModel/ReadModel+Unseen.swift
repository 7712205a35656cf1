import Core
import SQLDrivers

/// Videos that no feed has shown: the user decided on them, or something else described them, such as an imported
/// history.
extension ReadModel {
  /// Which of them to list.
  package struct UnseenQuery: Sendable {
    /// The statuses included; nil for all.
    package var statuses: Set<Status>?
    /// Only these channels; nil for all.
    package var channels: Set<ChannelID>?
    /// Only of channels that are followed.
    package var followedOnly: Bool
    package var savedOnly: Bool
    /// Only those that were begun.
    package var startedOnly: Bool
    /// Only with every word in the title or the channel's name.
    package var words: SearchWords?

    package init(
      statuses: Set<Status>?, channels: Set<ChannelID>?, followedOnly: Bool, savedOnly: Bool, startedOnly: Bool,
      words: SearchWords?
    ) {
      (self.statuses, self.channels, self.followedOnly) = (statuses, channels, followedOnly)
      (self.savedOnly, self.startedOnly, self.words) = (savedOnly, startedOnly, words)
    }
  }

  /// Those that a query selects at `now`, the last watched first, then by ID.
  package func unseen(_ query: UnseenQuery, at now: Timestamp) throws -> [UnseenVideo] {
    try read { (database) throws(DatabaseError) in
      var videos: [UnseenVideo] = []
      try database.forEach(ReadModel.unseenVideos(query), user) { row in
        if let statuses = query.statuses, !statuses.contains(ReadModel.status(row, at: now)) { return }
        if query.followedOnly, !row.bool(7) { return }
        if query.savedOnly, !row.bool(6) { return }
        if query.startedOnly, row.int(8) <= 0 { return }
        if let channels = query.channels {
          guard let channel = row.subscription(3)?.channel, channels.contains(channel) else { return }
        }
        if let words = query.words, !words.match(NormalizedText.bytes(of: "\(row.text(1))\n\(row.text(2))")) { return }
        let channel = row.subscription(3)?.channel
        videos.append(UnseenVideo(id: row.video(0, entry: 16), watched: row.int(9), channel: channel))
      }
      return videos
    }
  }

  /// Selects what `unseen` reads, of the smallest set that has all of them.
  private static func unseenVideos(_ query: UnseenQuery) -> SQL {
    """
    SELECT q.video, coalesce(x.title, ''), coalesce(x.channel_title, ''), x.channel, d.status, d.until,
      coalesce(d.saved, 0), coalesce(s.followed, 0), coalesce(d.progress, 0), coalesce(d.history, 0),
      d.status_at, v.live, v.upcoming_first, v.upcoming_last, v.started, v.enriched_at, e.id
    FROM (\(candidates(query))) q LEFT JOIN video v ON v.id = q.video LEFT JOIN entry e ON e.video = q.video
      LEFT JOIN described x ON x.owner = ?1 AND x.video = q.video
      LEFT JOIN decision d ON d.owner = ?1 AND d.video = q.video LEFT JOIN channel c ON c.id = x.channel
      LEFT JOIN subscription s ON s.owner = ?1 AND s.channel = c.n
    ORDER BY coalesce(d.history, 0) DESC, e.id IS NOT NULL, q.video
    """
  }

  private static func candidates(_ query: UnseenQuery) -> SQL {
    if query.savedOnly { return unseen("decision q INDEXED BY decision_saved", "q.saved = 1") }
    if query.startedOnly { return unseen("decision q", "q.progress > 0") }
    let described = unseen("described q", "q.video IS NOT NULL")
    // Only those have words.
    if query.words?.isEmpty == false { return described }
    let decided = unseen("decision q", "q.status != 'new'")
    // New is whatever has no other status.
    if query.statuses?.contains(.new) == false { return decided }
    return """
      \(described) UNION \(decided)
      UNION \(unseen("decision q", "(q.saved = 1 OR q.progress > 0 OR q.note != '')"))
      UNION \(unseen("collection q", "q.member = 1"))
      """
  }

  /// Selects the videos of a user's rows that no feed has shown.
  private static func unseen(_ rows: SQL, _ condition: SQL) -> SQL {
    "SELECT q.video FROM \(rows) LEFT JOIN video w ON w.id = q.video WHERE q.owner = ?1 AND \(condition) AND w.found IS NULL"
  }

  /// The videos that no feed has shown and that the user decided on one by one, by ID: not those of an imported history.
  package func decidedUnseen() throws -> [VideoID] {
    try read { (database) throws(DatabaseError) in
      var videos: [VideoID] = []
      try database.forEach(
        """
        SELECT q.video, e.id FROM (
          SELECT video FROM decision
          WHERE owner = ?1 AND (saved = 1 OR progress > 0 OR note != '' OR status != 'new' AND reason IS NULL)
          UNION SELECT video FROM collection WHERE owner = ?1 AND member = 1) q
          LEFT JOIN entry e ON e.video = q.video
        WHERE NOT EXISTS (SELECT 1 FROM video v WHERE v.id = q.video AND v.found IS NOT NULL)
        ORDER BY e.id IS NOT NULL, q.video
        """, user
      ) { videos.append($0.video(0, entry: 1)) }
      return videos
    }
  }

  private static func status(_ row: Statement, at now: Timestamp) -> Status {
    var video = Video(id: VideoID(column: row.int(0)))
    if let status = row.value(4, Status.self) {
      video.statusSet = StatusSet(video: video.id, status: status, until: row.timestamp(5))
      video.statusChanged = row.eventID(10)
    }
    // What was skipped while it was still to come.
    video.live = row.value(11, Live.self) ?? .unknown
    if let first = row.eventID(12), let last = row.eventID(13) { video.upcoming = (first, last) }
    if let event = row.eventID(15) {
      let response = VideoEnriched(video: video.id, duration: nil, live: nil, started: row.timestamp(14))
      video.enriched = LWWRegister(response, by: event)
    }
    return video.status(at: now)
  }

  /// The videos that were begun, found or not, the one whose position was set last first.
  package func started() throws -> [(video: VideoID, event: EventID)] {
    try read { (database) throws(DatabaseError) in
      var videos: [(video: VideoID, event: EventID)] = []
      try database.forEach(
        """
        SELECT d.video, d.progress_at, e.id FROM decision d LEFT JOIN entry e ON e.video = d.video
        WHERE d.owner = ? AND d.progress > 0 ORDER BY d.progress_at DESC
        """, user
      ) { row in
        if let event = row.eventID(1) { videos.append((row.video(0, entry: 2), event)) }
      }
      return videos
    }
  }
}

/// A video that no feed has shown, where it stands in lists.
package struct UnseenVideo: Equatable, Sendable {
  package let id: VideoID
  /// When it was watched, seconds since 1970; 0 if it was not.
  package let watched: Int64
  /// Its channel, if something described it.
  package let channel: ChannelID?

  package init(id: VideoID, watched: Int64, channel: ChannelID?) {
    (self.id, self.watched, self.channel) = (id, watched, channel)
  }

  /// The position of a video that may have left the list.
  package init(_ video: Video) {
    let event = video.statusChanged?.timestamp
    let watched = video.statusSet.status == .watched ? video.statusSet.at ?? event : nil
    self.init(id: video.id, watched: watched?.seconds ?? 0, channel: video.knownChannel)
  }

  /// Whether lists have it before another one.
  package func precedes(_ other: UnseenVideo) -> Bool {
    watched != other.watched ? watched > other.watched : id < other.id
  }
}
