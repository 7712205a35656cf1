/// A video was seen for the first time, with the feed and the link that showed it as evidence.
package struct VideoFound: Equatable, Sendable {
  package var video: VideoID
  package var channel: ChannelID
  /// The channel's name, where the channel itself may not be followed.
  package var channelTitle: String?
  package var feed: FeedForm
  /// The followed playlist it was found in.
  package var playlist: PlaylistID?
  package var title: String
  /// The address in the feed: a Short's is `…/shorts/ID`.
  package var link: String
  package var published: Timestamp
  /// nil where it is one of YouTube's usual addresses.
  package var thumbnail: String?
  /// Whether the feed said 0 views: a hint that it is upcoming, or only minutes old.
  package var zeroViews: Bool
  /// The status it begins with, where that is not new.
  package var status: Status?
  /// Why it begins with that status: `seenBefore`, `backfill`.
  package var reason: String?
  package var description: Description?

  package init(
    video: VideoID, channel: ChannelID, channelTitle: String?, feed: FeedForm, playlist: PlaylistID?, title: String,
    link: String, published: Timestamp, thumbnail: String?, zeroViews: Bool, status: Status?, reason: String?,
    description: Description?
  ) {
    self.video = video
    self.channel = channel
    self.channelTitle = channelTitle
    self.feed = feed
    self.playlist = playlist
    self.title = title
    self.link = link
    self.published = published
    self.thumbnail = thumbnail
    self.zeroViews = zeroViews
    self.status = status
    self.reason = reason
    self.description = description
  }
}

/// Something a person would notice about a known video changed, or a feed gave new evidence of what it is.
package struct VideoChanged: Equatable, Sendable {
  package var video: VideoID
  /// A further feed it was seen in.
  package var feed: FeedForm?
  /// A further followed playlist it was seen in.
  package var playlist: PlaylistID?
  package var title: String?
  package var link: String?
  /// Where `published` moved to; live streams do that.
  package var published: Timestamp?
  package var thumbnail: String?
  package var zeroViews: Bool?
  package var description: Description?

  package init(
    video: VideoID, feed: FeedForm? = nil, playlist: PlaylistID? = nil, title: String? = nil, link: String? = nil,
    published: Timestamp? = nil, thumbnail: String? = nil, zeroViews: Bool? = nil, description: Description? = nil
  ) {
    self.video = video
    self.feed = feed
    self.playlist = playlist
    self.title = title
    self.link = link
    self.published = published
    self.thumbnail = thumbnail
    self.zeroViews = zeroViews
    self.description = description
  }

  /// Whether nothing changed.
  package var isEmpty: Bool { self == VideoChanged(video: video) }
}

/// The Data API answered about a video.
package struct VideoEnriched: Equatable, Sendable {
  package var video: VideoID
  /// Seconds; nil while a stream has no length yet.
  package var duration: Int?
  package var live: Live?
  /// When a stream or premiere is to begin.
  package var scheduled: Timestamp?
  package var started: Timestamp?
  package var ended: Timestamp?

  package init(
    video: VideoID, duration: Int?, live: Live?, scheduled: Timestamp? = nil, started: Timestamp? = nil,
    ended: Timestamp? = nil
  ) {
    self.video = video
    self.duration = duration
    self.live = live
    self.scheduled = scheduled
    self.started = started
    self.ended = ended
  }
}

/// YouTube no longer shows a video: it was deleted or made private; false when it is back.
package struct VideoRemoved: Equatable, Sendable {
  package var video: VideoID
  package var removed: Bool

  package init(video: VideoID, removed: Bool) {
    self.video = video
    self.removed = removed
  }
}
