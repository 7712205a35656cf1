import Core

/// The facts about one video, with every mark and response kept, so that each query is evaluated from what happened.
struct SlowVideo {
  let id: VideoID
  var found: EventID
  var channel: ChannelID
  var channelTitle: String?
  var published: Int64
  var title = ""
  var description = ""
  var link = ""
  var forms: Set<FeedForm> = []
  var playlists: Set<PlaylistID> = []
  var isRemoved = false
  var isSaved = false
  var duration: Int?
  var live = Live.unknown
  var scheduled: Int64?
  /// The Data API's responses, with their times.
  var responses: [(at: EventID, live: Live?, started: Int64?)] = []
  var mark: (at: EventID, status: Status, until: Int64?)?

  /// The normalised title and description, as searched.
  var plainTitle = ""
  var plainDescription = ""

  init(_ body: VideoFound, by id: EventID) {
    self.id = body.video
    found = id
    channel = body.channel
    published = body.published.seconds
  }

  func status(at now: Timestamp) -> Status {
    guard let mark else { return .new }
    switch mark.status {
    case .new, .watched: return mark.status
    case .snoozed: return (mark.until ?? 0) > now.seconds ? .snoozed : .new
    case .skipped: return wasSkippedBeforeItCame(mark.at) && [.none, .live, .ended].contains(live) ? .new : .skipped
    }
  }

  /// Whether it was known to be upcoming when it was skipped, as far as known since.
  private func wasSkippedBeforeItCame(_ skipped: EventID) -> Bool {
    guard responses.contains(where: { $0.at < skipped && $0.live == .upcoming }) else { return false }
    if responses.contains(where: { $0.at > skipped && $0.live == .upcoming }) { return true }
    guard let began = responses.last?.started else { return false }
    return skipped.timestamp.seconds < began
  }

  var isShort: Bool { link.has("/shorts/") || forms.contains(.shorts) }
  var isStream: Bool { live == .upcoming || live == .live || live == .ended }
  func isToCome(at now: Timestamp) -> Bool {
    live == .upcoming && (scheduled.map { now.seconds < $0 + 86_400 } ?? true)
  }
}

/// The facts about one subscription.
struct SlowChannel {
  var isFollowed = false
  var chosenTitle: String?
  var name: String?
  var tags: [String] = []
  var listsShorts = false
  var hidesStreams = false
  var isOldestFirst = false
}
