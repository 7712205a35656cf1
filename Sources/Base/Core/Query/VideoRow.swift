/// One video as shown by every view; the members and their order are the contract of `--format jsonl`.
package struct VideoRow: Equatable, Sendable {
  package var video: VideoID
  package var channel: ChannelID
  package var channelTitle: String
  package var title: String
  package var url: String
  package var published: Timestamp
  package var found: Timestamp
  package var status: Status
  package var snoozedUntil: Timestamp?
  package var saved: Bool
  package var short: ShortVerdict.Value
  package var live: Live
  package var durationSeconds: Int?
  package var tags: [String]
  package var thumbnail: String
  /// When it was saved; nil if it is not.
  package var savedAt: Timestamp?
  /// How often it was viewed; only filled for JSON, and nil if unknown.
  package var views: Int?
  /// Whether it may be upcoming: the feed reported 0 views and nothing is known. Not part of the contract.
  package var maybeUpcoming: Bool
  /// The playback position in seconds; 0 if not started. Not part of the contract.
  package var progress: Int
  /// The description or its location. Not part of the contract.
  package var description: Description?
  /// When something a reader sees changed after the first sighting; nil if nothing did. Not part of the contract.
  package var visiblyChanged: Timestamp?

  /// Whether its status is known: not on a device that has a hub, but nothing of it yet. Then it counts as new, and is
  /// shown as `unknown`.
  package var isStatusKnown = true
  /// Whether a feed has shown it. Not part of the contract.
  package var isSeen = true
  /// Its channel, or the feed of an entry, and when it was published; nil if no feed has shown it and nothing else says it.
  package var knownChannel: SubscriptionID?
  package var knownPublished: Timestamp?
  /// What is known of an entry of another feed alone; nil for a video of YouTube.
  package var entry: EntryDetails?
  package var platform = VideoPlatform.youtube
  /// Whether the address of an entry's feed seems to contain a secret; its links may then contain it too.
  package var isPrivate = false

  package init(
    video: VideoID, channel: ChannelID, channelTitle: String, title: String, url: String, published: Timestamp,
    found: Timestamp, status: Status, snoozedUntil: Timestamp?, saved: Bool, short: ShortVerdict.Value, live: Live,
    durationSeconds: Int?, tags: [String], thumbnail: String, maybeUpcoming: Bool, progress: Int,
    description: Description?, visiblyChanged: Timestamp?
  ) {
    (self.video, self.channel, self.channelTitle) = (video, channel, channelTitle)
    (self.title, self.url, self.published) = (title, url, published)
    (self.found, self.status, self.snoozedUntil) = (found, status, snoozedUntil)
    (self.saved, self.short, self.live) = (saved, short, live)
    (self.durationSeconds, self.tags, self.thumbnail) = (durationSeconds, tags, thumbnail)
    (self.maybeUpcoming, self.progress, self.description) = (maybeUpcoming, progress, description)
    self.visiblyChanged = visiblyChanged
    (knownChannel, knownPublished) = (.channel(channel), published)
  }
}

extension VideoRow {
  /// The row of a video at `now`; nil if it was never found.
  package init?(_ video: Video, in state: State, at now: Timestamp) {
    guard let found = video.found else { return nil }
    self.init(
      video: video.id, channel: video.channel,
      channelTitle: state.channelTitle(of: video),
      title: video.title, url: video.url, published: video.published, found: found.timestamp,
      status: video.status(at: now), snoozedUntil: video.status(at: now) == .snoozed ? video.snoozedUntil : nil,
      saved: video.isSaved, short: ShortVerdict(of: video).value, live: video.live,
      durationSeconds: video.duration, tags: state.tags(of: video), thumbnail: video.thumbnail,
      maybeUpcoming: video.maybeUpcoming(at: now), progress: video.progress,
      description: video.description,
      visiblyChanged: video.visiblyChanged?.timestamp)
    note(video, in: state)
  }

  /// Takes what every row has besides.
  private mutating func note(_ video: Video, in state: State) {
    (savedAt, knownChannel) = (video.savedAt, video.source)
    guard video.id.isEntry else { return }
    let feed = video.source.flatMap { state.channels[$0] }
    (entry, isPrivate) = (video.entry ?? EntryDetails(), feed?.isPrivate ?? false)
    platform = VideoPlatform.platform(ofFeedAt: feed?.address, video.kind)
  }

  /// The row of a video that no feed has shown: of an imported history, saved by its address, and the like.
  package init(unseen video: Video, in state: State, at now: Timestamp) {
    self.init(
      video: video.id, channel: video.knownChannel ?? video.channel, channelTitle: state.channelTitle(of: video),
      title: video.knownTitle, url: video.url, published: video.knownPublished ?? Timestamp(seconds: 0),
      found: Timestamp(seconds: 0), status: video.status(at: now),
      snoozedUntil: video.status(at: now) == .snoozed ? video.snoozedUntil : nil, saved: video.isSaved,
      short: ShortVerdict(of: video).value, live: video.live,
      durationSeconds: video.knownDuration, tags: state.tags(of: video), thumbnail: video.thumbnail,
      maybeUpcoming: false, progress: video.progress, description: nil,
      visiblyChanged: nil)
    (isSeen, knownPublished) = (false, video.knownPublished)
    note(video, in: state)
  }

  /// The title for display; the ID if nothing in the title is visible.
  package var shownTitle: String { DisplayText(title).isBlank ? video.description : title }
}

/// A watched video, as shown by `history`.
package struct WatchedRow: Equatable, Sendable {
  /// When it was watched: from a history file, else when it was marked.
  package var watched: Timestamp
  package var row: VideoRow

  package init(watched: Timestamp, row: VideoRow) {
    (self.watched, self.row) = (watched, row)
  }
}

/// A video that YouTube may say more about than its feed: without a length, of an unsettled stream, or removed.
package struct EnrichmentCandidate: Sendable {
  package let video: VideoID
  package let channel: ChannelID?
  package let found: Timestamp
  package let published: Timestamp
  /// Whether anything but the feed has said something about it.
  package let isEnriched: Bool

  /// A candidate with these values.
  package init(video: VideoID, channel: ChannelID?, found: Timestamp, published: Timestamp, isEnriched: Bool) {
    (self.video, self.channel, self.found) = (video, channel, found)
    (self.published, self.isEnriched) = (published, isEnriched)
  }
}
