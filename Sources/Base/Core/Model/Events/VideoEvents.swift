/// A video was found for the first time, with the feed and the link as evidence of its type.
package struct VideoFound: Equatable, Sendable {
  package var video: VideoID
  package var channel: ChannelID
  /// The channel's name, given if the channel itself may not be followed.
  package var channelTitle: String?
  package var feed: FeedForm
  /// The followed playlist it was found in.
  package var playlist: PlaylistID?
  package var title: String
  /// The URL in the feed: `…/shorts/ID` for a Short.
  package var link: String
  package var published: Timestamp
  /// The thumbnail URL; nil if it is one of YouTube's standard ones.
  package var thumbnail: String?
  /// Whether the feed reported 0 views: a hint that it is upcoming, or only minutes old.
  package var zeroViews: Bool
  /// The initial status; nil if it is new.
  package var status: Status?
  /// Why it has that initial status: `seenBefore`, `backfill`.
  package var reason: String?
  package var description: Description?

  package init(
    video: VideoID, channel: ChannelID, channelTitle: String?, feed: FeedForm, playlist: PlaylistID?, title: String,
    link: String, published: Timestamp, thumbnail: String?, zeroViews: Bool, status: Status?, reason: String?,
    description: Description?
  ) {
    (self.video, self.channel, self.channelTitle, self.feed) = (video, channel, channelTitle, feed)
    (self.playlist, self.title, self.link, self.published) = (playlist, title, link, published)
    (self.thumbnail, self.zeroViews, self.status, self.reason) = (thumbnail, zeroViews, status, reason)
    self.description = description
  }
}

/// A known video changed visibly, or a feed gave new evidence of its type.
package struct VideoChanged: Equatable, Sendable {
  package var video: VideoID
  /// Another feed it was seen in.
  package var feed: FeedForm?
  /// Another followed playlist it was seen in.
  package var playlist: PlaylistID?
  package var title: String?
  package var link: String?
  /// The new `published`; live streams change theirs.
  package var published: Timestamp?
  package var thumbnail: String?
  package var zeroViews: Bool?
  package var description: Description?

  package init(
    video: VideoID, feed: FeedForm? = nil, playlist: PlaylistID? = nil, title: String? = nil, link: String? = nil,
    published: Timestamp? = nil, thumbnail: String? = nil, zeroViews: Bool? = nil, description: Description? = nil
  ) {
    (self.video, self.feed, self.playlist, self.title, self.link) = (video, feed, playlist, title, link)
    (self.published, self.thumbnail, self.zeroViews, self.description) = (published, thumbnail, zeroViews, description)
  }

  /// Whether nothing changed.
  package var isEmpty: Bool { self == VideoChanged(video: video) }
}

/// YouTube returned details of a video, through the Data API or yt-dlp.
package struct VideoEnriched: Equatable, Sendable {
  package var video: VideoID
  /// Seconds; nil while a stream has no length yet.
  package var duration: Int?
  package var live: Live?
  /// The scheduled start of a stream or premiere.
  package var scheduled: Timestamp?
  package var started: Timestamp?
  package var ended: Timestamp?

  package init(
    video: VideoID, duration: Int?, live: Live?, scheduled: Timestamp? = nil, started: Timestamp? = nil,
    ended: Timestamp? = nil
  ) {
    (self.video, self.duration, self.live) = (video, duration, live)
    (self.scheduled, self.started, self.ended) = (scheduled, started, ended)
  }
}

/// YouTube no longer has a video (deleted or made private); `removed` is false when it is back.
package struct VideoRemoved: Equatable, Sendable {
  package var video: VideoID
  package var removed: Bool

  package init(video: VideoID, removed: Bool) {
    (self.video, self.removed) = (video, removed)
  }
}

/// What others than feeds and YouTube's API say of a video: a watch history or playlist that was imported, a program that
/// shared it, a page about it. No decision of the user, and no proof that YouTube has the video.
///
/// The latest description counts as a whole. What a feed shows counts more, whenever it shows it.
package struct VideoDescribed: Equatable, Sendable {
  package var video: VideoID
  package var title: String?
  package var channel: ChannelID?
  /// The channel's name.
  package var channelTitle: String?
  package var published: Timestamp?
  /// Seconds.
  package var duration: Int?
  /// Where it comes from: `history`, `playlist`, `share`, `YouTube`; another word is another source.
  package var source: String

  /// The source of what a watch history says.
  package static let history = "history"
  /// The source of what a playlist says.
  package static let playlist = "playlist"
  /// The source of what a program says that shared the video.
  package static let share = "share"
  /// The source of what YouTube says on request.
  package static let youTube = "YouTube"

  package init(
    video: VideoID, title: String? = nil, channel: ChannelID? = nil, channelTitle: String? = nil,
    published: Timestamp? = nil, duration: Int? = nil, source: String
  ) {
    (self.video, self.title, self.channel, self.channelTitle) = (video, title, channel, channelTitle)
    (self.published, self.duration, self.source) = (published, duration, source)
  }

  /// An earlier description completed by what only this one says; nil if that is nothing. What both say stays, so that
  /// two sources in turn change nothing.
  package func completing(_ earlier: VideoDescribed?) -> VideoDescribed? {
    let earlier = earlier ?? VideoDescribed(video: video, source: source)
    var whole = earlier
    whole.title = earlier.title ?? title
    whole.channel = earlier.channel ?? channel
    whole.channelTitle = earlier.channelTitle ?? channelTitle
    whole.published = earlier.published ?? published
    whole.duration = earlier.duration ?? duration
    guard whole != earlier else { return nil }
    whole.source = source
    return whole
  }
}
