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
