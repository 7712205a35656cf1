import Core
import SQLDrivers

/// Videos that no feed has shown, but that something else described, such as an imported history.
extension ReadModel {
  /// Which of them to list.
  package struct DescribedQuery: Sendable {
    /// The statuses included; nil for all.
    package var statuses: Set<Status>?
    /// Only these channels; nil for all.
    package var channels: Set<ChannelID>?
    /// Only of channels that are followed.
    package var followedOnly: Bool
    package var savedOnly: Bool
    /// Only with every word in the title or the channel's name.
    package var words: SearchWords?

    package init(
      statuses: Set<Status>?, channels: Set<ChannelID>?, followedOnly: Bool, savedOnly: Bool, words: SearchWords?
    ) {
      (self.statuses, self.channels, self.followedOnly) = (statuses, channels, followedOnly)
      (self.savedOnly, self.words) = (savedOnly, words)
    }
  }

  /// Those that a query selects at `now`, the last watched first, then by ID.
  package func described(_ query: DescribedQuery, at now: Timestamp) throws -> [VideoID] {
    try read { (database) throws(DatabaseError) in
      var videos: [VideoID] = []
      try database.forEach(ReadModel.describedVideos, user) { row in
        if let statuses = query.statuses, !statuses.contains(ReadModel.status(row, at: now)) { return }
        if query.followedOnly, !row.bool(7) { return }
        if query.savedOnly, !row.bool(6) { return }
        if let channels = query.channels {
          guard let channel = row.subscription(3)?.channel, channels.contains(channel) else { return }
        }
        if let words = query.words, !words.match(NormalizedText.bytes(of: "\(row.text(1))\n\(row.text(2))")) { return }
        videos.append(VideoID(column: row.int(0)))
      }
      return videos
    }
  }

  private static let describedVideos: SQL = """
    SELECT x.video, coalesce(x.title, ''), coalesce(x.channel_title, ''), x.channel, d.status, d.until,
      coalesce(d.saved, 0), coalesce(s.followed, 0)
    FROM described x LEFT JOIN decision d ON d.owner = ?1 AND d.video = x.video LEFT JOIN channel c ON c.id = x.channel
      LEFT JOIN subscription s ON s.owner = ?1 AND s.channel = c.n
    WHERE x.owner = ?1 AND NOT EXISTS (SELECT 1 FROM video v WHERE v.id = x.video AND v.found IS NOT NULL)
    ORDER BY coalesce(d.history, 0) DESC, x.video
    """

  private static func status(_ row: Statement, at now: Timestamp) -> Status {
    var video = Video(id: VideoID(column: row.int(0)))
    if let status = row.value(4, Status.self) {
      video.statusSet = StatusSet(video: video.id, status: status, until: row.timestamp(5))
    }
    return video.status(at: now)
  }
}
