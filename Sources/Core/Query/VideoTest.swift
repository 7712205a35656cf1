/// A query made ready for many videos.
struct VideoTest {
  private let query: VideoQuery
  private let now: Timestamp
  /// A bit for each status asked for.
  private let statuses: UInt8
  private let hasStatuses: Bool
  private let alsoGone: Bool
  /// What of a video's sources is asked for.
  private let requested: SourceMarks
  private let channels: ChannelMarks
  private let playlists: [PlaylistID: SourceMarks]
  /// What holds of a channel of which nothing is known.
  private let others: SourceMarks

  /// What a query asks of where a video comes from. A video comes from its channel and from the playlists it was seen
  /// in, and has the marks of all of them.
  struct SourceMarks: OptionSet {
    let rawValue: UInt64
    static let isFollowed = SourceMarks(rawValue: 1)
    static let listsShorts = SourceMarks(rawValue: 2)
    static let hidesStreams = SourceMarks(rawValue: 4)
    /// It is among the subscriptions asked for.
    static let isWanted = SourceMarks(rawValue: 8)
    /// It has one of the tags asked for.
    static let isTagged = SourceMarks(rawValue: 16)
  }

  /// What `query` asks at `now`.
  init(_ query: VideoQuery, in state: State, at now: Timestamp) {
    self.query = query
    self.now = now
    hasStatuses = query.statuses != nil
    alsoGone = query.alsoGone || !hasStatuses
    requested = alsoGone ? [.isWanted, .isTagged] : [.isFollowed, .isWanted, .isTagged]
    statuses = (query.statuses ?? []).reduce(0) { $0 | VideoTest.bit($1) }
    var (channels, playlists): ([ChannelID: UInt64], [PlaylistID: SourceMarks]) = ([:], [:])
    for source in Set(state.channels.keys).union(query.subscriptions ?? []) {
      let marks = VideoTest.marks(of: source, query, state)
      switch source {
      case .channel(let id): channels[id] = marks.rawValue
      case .playlist(let id): playlists[id] = marks
      }
    }
    self.channels = ChannelMarks(channels)
    self.playlists = playlists
    var others: SourceMarks = query.subscriptions == nil ? .isWanted : []
    if query.tags.isEmpty { others.insert(.isTagged) }
    self.others = others
  }

  private static func marks(of source: SubscriptionID, _ query: VideoQuery, _ state: State) -> SourceMarks {
    var marks: SourceMarks = []
    if query.subscriptions?.contains(source) ?? true { marks.insert(.isWanted) }
    if query.tags.isEmpty { marks.insert(.isTagged) }
    guard let channel = state.channels[source] else { return marks }
    if channel.isFollowed { marks.insert(.isFollowed) }
    if channel.shorts == .show { marks.insert(.listsShorts) }
    if channel.live == .hide { marks.insert(.hidesStreams) }
    if channel.tags.contains(where: query.tags.contains) { marks.insert(.isTagged) }
    return marks
  }

  private static func bit(_ status: Status) -> UInt8 {
    switch status {
    case .new: 1
    case .watched: 2
    case .skipped: 4
    case .snoozed: 8
    }
  }

  /// Whether a video has a status asked for.
  func hasStatus(_ video: borrowing Video) -> Bool {
    !hasStatuses || statuses & VideoTest.bit(video.status(at: now)) != 0
  }

  /// Whether a video matches all of the query but its status, its lengths and what it hides.
  func matches(_ video: borrowing Video) -> Bool {
    if let since = query.since, video.published < since { return false }
    if let until = query.until, video.published >= until { return false }
    if query.savedOnly, !video.isSaved { return false }
    if query.streamsOnly, !video.isStream { return false }
    if !alsoGone, video.isRemoved { return false }
    return marks(of: video).isSuperset(of: requested)
  }

  private func marks(of video: borrowing Video) -> SourceMarks {
    var marks = channels[video.channel].map { SourceMarks(rawValue: $0) } ?? others
    guard video.glance.hasPlaylists else { return marks }
    for playlist in video.playlists { marks.formUnion(playlists[playlist] ?? others) }
    return marks
  }

  /// What becomes of a video that matches; its texts have no say in it.
  func fate(of video: borrowing Video) -> VideoQuery.Fate {
    if query.asksForLength {
      guard let length = video.duration else { return .unknownLength }
      if !query.matches(length: length) { return .otherLength }
    }
    let (isShort, isStream) = (ShortVerdict(of: video).answer == .yes, video.isStream)
    let chosen: SourceMarks = isShort || isStream ? marks(of: video) : []
    return query.fate(
      isUpcoming: video.isUpcoming(at: now), isShort: isShort, isStream: isStream,
      areShortsListed: chosen.contains(.listsShorts), areStreamsHidden: chosen.contains(.hidesStreams))
  }

  // MARK: Classes

  /// Whether the videos of a class match a query that only classes decide.
  func matches(_ aClass: VideoClass) -> Bool {
    if hasStatuses, statuses & VideoTest.bit(aClass.status) == 0 { return false }
    let marks = channels[aClass.channel].map { SourceMarks(rawValue: $0) } ?? others
    return marks.isSuperset(of: requested)
  }

  /// What becomes of the videos of a class that match.
  func fate(of aClass: VideoClass) -> VideoQuery.Fate {
    let marks = channels[aClass.channel].map { SourceMarks(rawValue: $0) } ?? others
    return query.fate(
      isUpcoming: false, isShort: aClass.isShort, isStream: aClass.isStream,
      areShortsListed: marks.contains(.listsShorts), areStreamsHidden: marks.contains(.hidesStreams))
  }
}
