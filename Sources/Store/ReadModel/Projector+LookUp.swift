import Core
import SQLDrivers

/// What the tables have of the subjects of many events, read before the events are applied: on PostgreSQL a few round
/// trips instead of some for each event. No other process writes the tables meanwhile.
extension Projector {
  /// Reads what the tables have of the subscriptions and videos that events name; does nothing on SQLite.
  mutating func lookUp(_ events: [ReadModel.PendingEvent]) throws(DatabaseError) {
    guard database.isPostgres else { return }
    try number(events.compactMap { $0.event.body.numberedSubscription })
    let videos = Set(events.compactMap { $0.event.body.video.map { VideoKey($0) } })
    if !isFirstBuild, !videos.isEmpty {
      let rows = try listingRows(of: videos)
      for video in videos where touched[video] == nil { touched[video] = .some(rows[video]) }
    }
    try lookUpHolders(of: videos)
    try lookUpRows(of: Set(events.compactMap { $0.event.body.foundVideo }))
  }

  /// Gives subscriptions their numbers, in the order of their first mention.
  private mutating func number(_ subscriptions: [SubscriptionID]) throws(DatabaseError) {
    var new: [SubscriptionID] = []
    var isNew: Set<SubscriptionID> = []
    for id in subscriptions where numbers[id] == nil && isNew.insert(id).inserted { new.append(id) }
    guard !new.isEmpty else { return }
    var ids = Dictionary(new.map { ($0.description, $0) }) { first, _ in first }
    func note(_ row: Statement) { if let id = ids.removeValue(forKey: row.text(0)) { numbers[id] = row.int(1) } }
    try database.forEach(
      "SELECT v.id, v.n FROM \(Database.rows(of: "channel", where: "id = one.value", of: "text"))",
      Database.array(ids.keys), body: note)
    let missing = new.map(\.description).filter { ids[$0] != nil }
    guard !missing.isEmpty else { return }
    try database.forEach(
      "INSERT INTO channel(id) SELECT unnest(CAST(? AS text[])) RETURNING id, n", Database.array(missing), body: note)
  }

  /// Notes which of some videos have no row.
  private mutating func lookUpRows(of videos: Set<VideoKey>) throws(DatabaseError) {
    guard !videos.isEmpty else { return }
    missing = videos
    try database.forEach(ReadModel.knownVideos, Database.array(videos.lazy.map(\.column))) {
      missing.remove(VideoKey(column: $0.int(0)))
    }
  }

  /// Notes which entries have some keys.
  private mutating func lookUpHolders(of videos: Set<VideoKey>) throws(DatabaseError) {
    guard hasEntries, !videos.isEmpty else { return }
    var found: [VideoKey: VideoID] = [:]
    try database.forEach(
      "SELECT v.video, v.id FROM \(Database.rows(of: "entry", where: "video = one.value"))",
      Database.array(videos.lazy.map(\.column))
    ) { found[VideoKey(column: $0.int(0))] = $0.video(0, entry: 1) }
    for video in videos { holders.updateValue(found[video], forKey: video) }
  }
}

extension EventBody {
  /// The subscription that gets a number at this event, if it has none; nil of events that give none.
  fileprivate var numberedSubscription: SubscriptionID? {
    switch self {
    case .channelFollowed(let followed): followed.subscription
    case .channelUnfollowed(let subscription): subscription
    case .feedFollowed(let followed): .feed(followed.feed)
    case .feedUnfollowed(let feed): .feed(feed)
    case .entryFound(let found): .feed(found.feed)
    case .videoFound(let found): .channel(found.channel)
    default: nil
    }
  }

  fileprivate var foundVideo: VideoKey? {
    if case .videoFound(let found) = self { VideoKey(found.video) } else { nil }
  }
}
