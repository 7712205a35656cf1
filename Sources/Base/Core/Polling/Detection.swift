/// The differences between a feed and the state.
package struct Detection: Equatable, Sendable {
  /// The events to append: found, changed, gap.
  package var events: [EventBody] = []
  /// The number of videos found.
  package var new = 0
  /// The number of known videos that changed visibly.
  package var changed = 0
  /// Whether a full feed contained no known video.
  package var hasGap = false
}

extension Feed {
  /// The channel whose feed this is, if it is not the requested one; nil if it is. A playlist feed may contain videos
  /// of any channel.
  package func foreignChannel(requested: FeedRequest) -> ChannelID? {
    guard let owner = requested.subscription.channel else { return nil }
    if let entry = entries.first(where: { $0.channel != owner }) { return entry.channel }
    guard entries.isEmpty, let other = authorChannel ?? channel, other != owner else { return nil }
    return other
  }
}

extension Feed {
  /// Whether all that this feed says is known, so that there is nothing to append.
  package func isKnown(requested: FeedRequest, to known: KnownFeed) -> Bool {
    for entry in entries {
      guard let video = known.videos[entry.video], !video.isRemoved else { return false }
      guard VideoChanged(from: video, to: entry, requested: requested).isEmpty else { return false }
    }
    let name = name(requested: requested) ?? ""
    return name.isEmpty || known.channel?.name == name
  }

  /// The subscription's name according to this kind of feed. The title of a feed of one kind of videos is that kind,
  /// not the channel's name.
  fileprivate func name(requested: FeedRequest) -> String? {
    switch requested.subscription {
    case .channel: authorName ?? (requested.form == .channel ? title : nil)
    case .playlist: title
    case .feed: nil
    }
  }
}

extension Feed {
  /// The date before which what is found in this feed counts as seen; nil if the feed was read since the person set it,
  /// because what comes later with an old date was made public only now. `answered` is when it was read last.
  fileprivate func seenBefore(for channel: Channel, in known: KnownFeed, answered: Timestamp?) -> Timestamp? {
    guard let limit = channel.seenLimit else { return nil }
    guard channel.name != nil else { return limit.value }
    if let answered, answered > limit.id.timestamp { return nil }
    return known.hasFoundSinceLimit ? nil : limit.value
  }
}

/// The maximum number of entries in a feed; a feed with this many may omit older ones.
package let fullFeedCount = 15

extension Detection {
  /// Compares a feed with the state. Videos are matched by ID alone, never by date: premieres and videos made public
  /// late arrive with an old `published`.
  ///
  /// `answered` is when the same feed was read before, as far as this machine knows.
  package init(of feed: Feed, requested: FeedRequest, answered: Timestamp?, known: KnownFeed) {
    let channel = known.channel
    let isFirst = channel?.name == nil
    let seenBefore = channel.flatMap { feed.seenBefore(for: $0, in: known, answered: answered) }
    var seen: Set<VideoID> = []
    var matched = 0
    for entry in feed.entries where seen.insert(entry.video).inserted {
      if let video = known.videos[entry.video] {
        matched += 1
        note(entry, of: video, requested: requested)
      } else {
        let status: Status? = seenBefore.map { entry.published < $0 } == true ? .watched : nil
        events.append(.videoFound(VideoFound(entry, requested: requested, status: status)))
        new += 1
      }
    }
    // Oldest first, so that the log reads chronologically.
    events.reverse()
    noteName(of: feed, requested: requested, in: channel)
    guard !isFirst, matched == 0, seen.count >= fullFeedCount else { return }
    // A feed of some sorts only proves nothing of the others, unless it is the one the person chose.
    guard [.channel, .uploads, channel?.feed].contains(requested.form) else { return }
    noteGap(before: feed.entries, requested: requested, after: known.newestPublished)
  }

  private mutating func note(_ entry: Entry, of video: KnownVideo, requested: FeedRequest) {
    let change = VideoChanged(from: video, to: entry, requested: requested)
    if !change.isEmpty { events.append(.videoChanged(change)) }
    // A video in a feed exists, whatever the Data API said.
    if video.isRemoved { events.append(.videoRemoved(VideoRemoved(video: video.id, removed: false))) }
    if change.isVisible || video.isRemoved { changed += 1 }
  }

  private mutating func noteName(of feed: Feed, requested: FeedRequest, in channel: Channel?) {
    guard let name = feed.name(requested: requested), !name.isEmpty, channel?.name != name else { return }
    events.append(.channelChanged(ChannelChanged(subscription: requested.subscription, name: name)))
  }

  /// A followed playlist has its own order, so its feed proves nothing about what is missing.
  private mutating func noteGap(before entries: [Entry], requested: FeedRequest, after newest: Timestamp?) {
    guard requested.subscription.channel != nil, let oldest = entries.map(\.published).min() else { return }
    guard let newest, newest < oldest else { return }
    hasGap = true
    events.append(.gapFound(GapFound(subscription: requested.subscription, after: newest, before: oldest)))
  }
}

extension VideoFound {
  /// Creates the event for a new entry.
  init(_ entry: Entry, requested: FeedRequest, status: Status?) {
    let playlist: PlaylistID? = if case .playlist(let id) = requested.subscription { id } else { nil }
    self.init(
      video: entry.video, channel: entry.channel, channelTitle: playlist == nil ? nil : entry.authorName,
      feed: requested.form, playlist: playlist, title: entry.title, link: entry.link, published: entry.published,
      thumbnail: entry.thumbnail.flatMap { Thumbnail.isUsual($0, of: entry.video) ? nil : $0 },
      zeroViews: entry.views == 0, status: status, reason: status == nil ? nil : "seenBefore",
      description: entry.description.flatMap { $0.isEmpty ? nil : Description($0) })
  }
}

extension VideoChanged {
  /// What an entry says differently from what is known. Views, likes and `updated` are left out: they move in every
  /// response without anything to see.
  init(from video: KnownVideo, to entry: Entry, requested: FeedRequest) {
    self.init(video: video.id)
    if !video.feeds.contains(FeedForms(requested.form)) { feed = requested.form }
    if case .playlist(let id) = requested.subscription, !video.isInPlaylist { playlist = id }
    if entry.title != video.title { title = entry.title }
    let target = Link(entry.link)
    if target != video.link, target != .unknown { link = entry.link }
    if entry.published != video.publishedLatest { published = entry.published }
    // Only the end of the hint matters: a count that drops back to 0 is YouTube's churn.
    if video.hasZeroViews, let views = entry.views, views > 0 { zeroViews = false }
    if let text = entry.description.map({ Description($0) }),
      text.fingerprint != video.descriptionFingerprint ?? Description("").fingerprint
    {
      description = text
    }
    if let address = entry.thumbnail, !Thumbnail.isUsual(address, of: video.id), address != video.unusualThumbnail {
      thumbnail = address
    }
  }

  /// Whether the change is visible to the user: a title, description, link or date.
  var isVisible: Bool { title != nil || description != nil || link != nil || published != nil }
}

/// The requests that may fill a gap: a channel's feeds of long videos, Shorts and streams hold 15 entries each, its
/// main feed 15 in all.
package struct GapBackfill: Equatable, Sendable {
  /// The `gapFound` event to be closed.
  package let gap: EventID
  private let found: GapFound
  private var open: Set<FeedForm> = [.videos, .shorts, .live]
  private var missing: Set<FeedForm> = []

  package init(_ gap: EventID, _ found: GapFound) {
    (self.gap, self.found) = (gap, found)
  }

  /// The feeds to request; empty for a playlist, which has no such feeds.
  package var feedRequests: [FeedRequest] {
    guard found.subscription.channel != nil else { return [] }
    return [.videos, .shorts, .live].map { FeedRequest(subscription: found.subscription, form: $0) }
  }

  /// Records a feed, or nil if it is missing because the channel has no such videos. A feed that is not full, or that
  /// reaches back beyond the gap, leaves out no video of its kind.
  package mutating func note(_ entries: [Entry]?, of form: FeedForm) {
    guard let entries else {
      missing.insert(form)
      return
    }
    if entries.count < fullFeedCount || entries.contains(where: { $0.published <= found.after }) { open.remove(form) }
  }

  /// The event that closes the gap, once every feed was read back to it; nil until then. A missing feed counts only if
  /// another one was read: in an outage all are missing.
  package var closing: EventBody? {
    missing.count < 3 && open.isSubset(of: missing)
      ? .gapClosed(GapClosed(subscription: found.subscription, gap: gap)) : nil
  }
}

/// What is known of the videos and the channel of a feed before it is read.
package struct KnownFeed: Equatable, Sendable {
  /// The subscription; nil if nothing is known of it.
  package var channel: Channel?
  /// The known ones of the feed's videos.
  package var videos: [VideoID: KnownVideo]
  /// When the newest known video of the channel was published.
  package var newestPublished: Timestamp?
  /// Whether a video of the subscription was found after the user said from which date on videos count as unseen.
  package var hasFoundSinceLimit: Bool

  package init(
    channel: Channel?, videos: [VideoID: KnownVideo], newestPublished: Timestamp?, hasFoundSinceLimit: Bool
  ) {
    (self.channel, self.videos) = (channel, videos)
    (self.newestPublished, self.hasFoundSinceLimit) = (newestPublished, hasFoundSinceLimit)
  }
}

/// What a feed may change of a known video.
package struct KnownVideo: Equatable, Sendable {
  package var id: VideoID
  package var title: String
  package var link: Link
  /// `published` as a feed last said it.
  package var publishedLatest: Timestamp
  package var hasZeroViews: Bool
  package var feeds: FeedForms
  /// The thumbnail's URL, unless it is the usual one.
  package var unusualThumbnail: String?
  package var descriptionFingerprint: UInt64?
  package var isRemoved: Bool
  /// Whether it was seen in the playlist whose feed is read.
  package var isInPlaylist: Bool

  package init(
    id: VideoID, title: String, link: Link, publishedLatest: Timestamp, hasZeroViews: Bool, feeds: FeedForms,
    unusualThumbnail: String?, descriptionFingerprint: UInt64?, isRemoved: Bool, isInPlaylist: Bool
  ) {
    (self.id, self.title) = (id, title)
    (self.link, self.publishedLatest) = (link, publishedLatest)
    (self.hasZeroViews, self.feeds) = (hasZeroViews, feeds)
    (self.unusualThumbnail, self.descriptionFingerprint) = (unusualThumbnail, descriptionFingerprint)
    (self.isRemoved, self.isInPlaylist) = (isRemoved, isInPlaylist)
  }
}
