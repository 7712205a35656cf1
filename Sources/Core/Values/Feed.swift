/// What one feed document says, as it says it.
package struct Feed: Equatable, Sendable {
  /// The feed's own title: a channel's name, but "Videos" for `UULF…` and "Shorts" for `UUSH…`.
  package var title: String
  /// The author's name: the channel's name in every form of feed; nil in a push.
  package var authorName: String?
  /// The channel in the author's address, which is right where the feed's own id is not.
  package var authorChannel: ChannelID?
  /// The feed's `yt:channelId`; its `UC` was there until 2022-08, the whole was empty from 2022-11 to 2023-03, and
  /// the `UC` is missing since 2023-12: all three are understood, and nil means it was empty or missing.
  package var channel: ChannelID?
  /// The feed's `yt:playlistId`, of a playlist's feed.
  package var playlist: PlaylistID?
  /// The entries in the order of the document.
  package var entries: [Entry]
  /// Videos that a push says were deleted or made private (`at:deleted-entry`, RFC 6721).
  package var deletedEntries: [DeletedEntry]

  package init(
    title: String, authorName: String?, authorChannel: ChannelID?, channel: ChannelID?, playlist: PlaylistID?,
    entries: [Entry], deletedEntries: [DeletedEntry]
  ) {
    self.title = title
    self.authorName = authorName
    self.authorChannel = authorChannel
    self.channel = channel
    self.playlist = playlist
    self.entries = entries
    self.deletedEntries = deletedEntries
  }
}

/// One entry of a feed: a video.
package struct Entry: Equatable, Sendable {
  package var video: VideoID
  package var channel: ChannelID
  package var title: String
  /// `https://www.youtube.com/watch?v=…`, or `…/shorts/…` of a Short.
  package var link: String
  package var authorName: String
  package var published: Timestamp
  package var updated: Timestamp
  // Written out, for a `T?` is nil before it is assigned: the initializer would copy every text once more.

  /// `media:title`; nil in a push, which has no `media:group`.
  package var mediaTitle: Optional<String>
  package var thumbnail: Optional<String>
  package var description: Optional<String>
  package var views: Optional<Int64>
  /// `media:starRating/@count`: the likes.
  package var likes: Optional<Int64>

  package init(
    video: VideoID, channel: ChannelID, title: String, link: String, authorName: String, published: Timestamp,
    updated: Timestamp, mediaTitle: String?, thumbnail: String?, description: String?, views: Int64?, likes: Int64?
  ) {
    self.video = video
    self.channel = channel
    self.title = title
    self.link = link
    self.authorName = authorName
    self.published = published
    self.updated = updated
    self.mediaTitle = mediaTitle
    self.thumbnail = thumbnail
    self.description = description
    self.views = views
    self.likes = likes
  }
}

/// A video that a push says is gone.
package struct DeletedEntry: Equatable, Sendable {
  package var video: VideoID
  package var when: Timestamp
  /// The channel in `at:by/uri`, where it is given.
  package var channel: ChannelID?

  package init(video: VideoID, when: Timestamp, channel: ChannelID?) {
    self.video = video
    self.when = when
    self.channel = channel
  }
}
