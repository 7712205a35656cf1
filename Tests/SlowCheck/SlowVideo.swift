import Core

/// What is known of one video, with every mark and answer kept, so that each question is answered from what happened.
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
  /// What the Data API answered, and when.
  var answers: [(at: EventID, live: Live?, started: Int64?)] = []
  var mark: (at: EventID, status: Status, until: Int64?)?

  /// The title and the description as a search sees them.
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

  /// Whether it was known to be still to come when it was skipped, as far as one knows since.
  private func wasSkippedBeforeItCame(_ skipped: EventID) -> Bool {
    guard answers.contains(where: { $0.at < skipped && $0.live == .upcoming }) else { return false }
    if answers.contains(where: { $0.at > skipped && $0.live == .upcoming }) { return true }
    guard let began = answers.last?.started else { return false }
    return skipped.timestamp.seconds < began
  }

  var isShort: Bool { link.has("/shorts/") || forms.contains(.shorts) }
  var isStream: Bool { live == .upcoming || live == .live || live == .ended }
  func isToCome(at now: Timestamp) -> Bool {
    live == .upcoming && (scheduled.map { now.seconds < $0 + 86_400 } ?? true)
  }
}

/// What is known of one subscription.
struct SlowChannel {
  var isFollowed = false
  var chosenTitle: String?
  var name: String?
  var tags: [String] = []
  var listsShorts = false
  var hidesStreams = false
  var isOldestFirst = false
}
