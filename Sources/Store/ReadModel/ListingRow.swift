import Core
import SQLDrivers

/// A video as lists look at it: where it stands in their orders, and its class as time goes by.
struct ListingRow: Equatable {
  var n: Int64
  var video: VideoKey
  /// The number of its channel.
  var channel: Int64
  var published: Int64
  /// Seconds since 1970.
  var found: Int64
  /// Whether it may be new to the user, now or later.
  var isOpen: Bool
  var timeline: ClassTimeline
  /// When rules hide it; nil if never.
  var blocked: Range<Int64>?
  var isInPlaylists: Bool
  /// Its length in seconds, if known.
  var duration: Int?

  /// Rules that say nothing of ages hide a video at all times.
  static let always: Range<Int64> = .min..<(.max)

  /// Whether its class never changes by itself and its channel is its only source: such a video is one of `listing`.
  var isPlain: Bool { timeline.later.isEmpty && !isInPlaylists && (blocked == nil || blocked == ListingRow.always) }

  /// The class of a plain video.
  var plainClass: VideoClass { blocked == nil ? timeline.first : timeline.first.blocked }

  /// The class at a moment.
  func at(_ now: Timestamp) -> VideoClass {
    let known = timeline.at(now)
    return blocked?.contains(now.seconds) ?? false ? known.blocked : known
  }
}

extension ListingRow {
  /// Selects what `init` reads; a condition may follow.
  static let query: SQL = """
    \(columns)
    FROM video v LEFT JOIN decision d ON d.owner = ?1 AND d.video = v.id LEFT JOIN block b ON b.owner = ?1 AND b.n = v.n
    """
  private static let columns: SQL = """
    SELECT v.n, v.id, v.channel, v.published, v.found, v.link, v.feeds, v.duration, v.live, v.scheduled, v.started,
      v.enriched_at, v.upcoming_first, v.upcoming_last, v.removed, v.removed_at, d.status, d.until, d.status_at,
      EXISTS (SELECT 1 FROM playlist_video p WHERE p.video = v.id), b.since, b.until, v.moved
    """

  /// Of the video with ID ?2, or number ?2.
  static let queryByID: SQL = "\(query) WHERE v.id = ?2"
  static let queryByNumber: SQL = "\(query) WHERE v.n = ?2"
  /// Of those whose IDs or numbers are in the array ?2, which repeats none, on PostgreSQL in one round trip.
  static let queryByIDs = queryOfMany("id")
  static let queryByNumbers: SQL = "\(queryOfMany("n")) ORDER BY v.n"

  private static func queryOfMany(_ key: SQL) -> SQL {
    """
    \(columns)
    FROM \(Database.rows(of: "video", where: "\(key) = one.value", in: "?2"))
      LEFT JOIN LATERAL (SELECT * FROM decision WHERE owner = ?1 AND video = v.id LIMIT 1) d ON true
      LEFT JOIN LATERAL (SELECT * FROM block WHERE owner = ?1 AND n = v.n LIMIT 1) b ON true
    """
  }

  /// The row of a video; nil if it was not found.
  init?(_ row: Statement) {
    guard let found = row.eventID(4) else { return nil }
    let key = VideoKey(column: row.int(1))
    var video = Video(listed: key, link: Link(rawValue: row.bits(5)) ?? .unknown)
    if video.id.isEntry {
      (video.found, video.publishedMoved) = (found, row.timestamp(22))
      video.entry?.announced = row.timestamp(9)
    }
    video.feeds = FeedForms(rawValue: row.bits(6))
    video.duration = row.optionalInt(7).map { Int($0) }
    if let enriched = row.eventID(11) {
      let response = VideoEnriched(
        video: video.id, duration: nil, live: nil, scheduled: row.timestamp(9), started: row.timestamp(10))
      video.enriched = LWWRegister(response, by: enriched)
      video.live = row.value(8, Live.self) ?? .unknown
    }
    if let first = row.eventID(12), let last = row.eventID(13) { video.upcoming = (first, last) }
    if let event = row.eventID(15) { video.removed = LWWRegister(row.bool(14), by: event) }
    if let status = row.value(16, Status.self) {
      video.statusSet = StatusSet(video: video.id, status: status, until: row.timestamp(17))
      video.statusChanged = row.eventID(18)
    }
    n = row.int(0)
    self.video = key
    channel = row.int(2)
    published = row.int(3)
    self.found = found.timestamp.seconds
    isOpen = video.mayBeNew
    timeline = ClassTimeline(video)
    isInPlaylists = row.bool(19)
    duration = video.duration
    blocked = row.optionalInt(20).map { $0..<max($0, row.int(21)) }
  }
}

extension ListingRow {
  /// Selects what `init(firstSight:)` reads, of every video that was found.
  static let firstSights: SQL =
    "SELECT n, id, channel, published, found, link, feeds FROM video WHERE found IS NOT NULL"

  /// The row of a video with no more than its first sight; nil if it was not found.
  init?(firstSight row: Statement) {
    guard let found = row.eventID(4) else { return nil }
    let key = VideoKey(column: row.int(1))
    var video = Video(listed: key, link: Link(rawValue: row.bits(5)) ?? .unknown)
    video.feeds = FeedForms(rawValue: row.bits(6))
    self.init(
      n: row.int(0), video: key, channel: row.int(2), published: row.int(3), found: found.timestamp.seconds,
      isOpen: true, timeline: ClassTimeline(video), blocked: nil, isInPlaylists: false, duration: nil)
  }
}

extension Video {
  /// A video or an entry as far as lists need to know which it is: of an entry's ID they have the upper half alone.
  fileprivate init(listed key: VideoKey, link: Link) {
    let video = VideoID(column: key.column)
    self.init(id: link.isEntry ? VideoID(entry: video.high, 1) : video)
    if link.isEntry { entry = EntryDetails() }
    self.link = link
  }
}
