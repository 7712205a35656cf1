/// The content of one feed document, unmodified.
package struct Feed: Equatable, Sendable {
  /// The feed's own title: a channel's name, but "Videos" for `UULF…` and "Shorts" for `UUSH…`.
  package var title: String
  /// The author's name: the channel's name in every kind of feed; nil in a push notification.
  package var authorName: String?
  /// The channel in the author's URL, which is correct where the feed's own ID is not.
  package var authorChannel: ChannelID?
  /// The feed's `yt:channelId`; nil if empty or absent. It had its `UC` until 2022-08, was empty from 2022-11 to
  /// 2023-03, and lacks the `UC` since 2023-12; all three forms are accepted.
  package var channel: ChannelID?
  /// The `yt:playlistId` of a playlist feed.
  package var playlist: PlaylistID?
  /// The entries in document order.
  package var entries: [Entry]
  /// Videos that a push notification reports as deleted or made private (`at:deleted-entry`, RFC 6721).
  package var deletedEntries: [DeletedEntry]

  package init(
    title: String, authorName: String?, authorChannel: ChannelID?, channel: ChannelID?, playlist: PlaylistID?,
    entries: [Entry], deletedEntries: [DeletedEntry]
  ) {
    (self.title, self.authorName, self.authorChannel, self.channel) = (title, authorName, authorChannel, channel)
    (self.playlist, self.entries, self.deletedEntries) = (playlist, entries, deletedEntries)
  }
}

/// One feed entry: a video.
package struct Entry: Equatable, Sendable {
  package var video: VideoID
  package var channel: ChannelID
  package var title: String
  /// `https://www.youtube.com/watch?v=…`, or `…/shorts/…` for a Short.
  package var link: String
  package var authorName: String
  package var published: Timestamp
  package var updated: Timestamp
  // Written as `Optional<T>`, since a `T?` is set to nil before its assignment: the initializer would copy each string
  // again.

  /// `media:title`; nil in a push notification, which has no `media:group`.
  package var mediaTitle: Optional<String>
  package var thumbnail: Optional<String>
  package var description: Optional<String>
  package var views: Optional<Int64>
  /// `media:starRating/@count`: the number of likes.
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

/// A video that a push notification reports as gone.
package struct DeletedEntry: Equatable, Sendable {
  package var video: VideoID
  package var when: Timestamp
  /// The channel in `at:by/uri`; nil if absent.
  package var channel: ChannelID?

  package init(video: VideoID, when: Timestamp, channel: ChannelID?) {
    (self.video, self.when, self.channel) = (video, when, channel)
  }
}
