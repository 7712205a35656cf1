/// The kind of feed a subscription is polled by; stored with each video as evidence of its type.
package enum FeedForm: String, CaseIterable, Sendable {
  /// `channel_id=UC…`: all uploads, newest first.
  case channel
  /// `playlist_id=UU…`: all uploads.
  case uploads
  /// `playlist_id=UULF…`: long videos only, without finished live streams.
  case videos
  /// `playlist_id=UUSH…`: Shorts only.
  case shorts
  /// `playlist_id=UULV…`: live streams only.
  case live
  /// `playlist_id=PL…`: a followed playlist, in its own order.
  case playlist

  /// The path and query of this kind of feed for `subscription`; nil if the two are incompatible.
  ///
  /// Example: `/feeds/videos.xml?channel_id=UCsXVk37bltHxD1rDPwtNM8Q`.
  package func path(of subscription: SubscriptionID) -> String? {
    switch (self, subscription) {
    case (.channel, .channel(let id)): "/feeds/videos.xml?channel_id=\(id)"
    case (.playlist, .playlist(let id)): "/feeds/videos.xml?playlist_id=\(id)"
    case (.playlist, .channel), (_, .playlist): nil
    case (_, .channel(let id)): channelPlaylist.map { "/feeds/videos.xml?playlist_id=\(PlaylistID(of: id, form: $0))" }
    }
  }

  /// The automatic playlist behind this kind of feed; nil if it is not one.
  package var channelPlaylist: ChannelPlaylist? {
    switch self {
    case .channel, .playlist: nil
    case .uploads: .uploads
    case .videos: .videos
    case .shorts: .shorts
    case .live: .live
    }
  }
}
