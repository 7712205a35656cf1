/// The ID of something that can be followed: a channel or playlist of YouTube, or a feed of any other site.
package enum SubscriptionID: Hashable, Sendable {
  case channel(ChannelID)
  case playlist(PlaylistID)
  case feed(FeedID)

  /// Parses the ID of a channel, a playlist or a feed; nil for other texts. Automatic playlists of a channel count
  /// as playlists here.
  package init?(_ text: some StringProtocol) {
    if let channel = ChannelID(text) {
      self = .channel(channel)
    } else if let playlist = PlaylistID(text) {
      self = .playlist(playlist)
    } else if let feed = FeedID(text) {
      self = .feed(feed)
    } else {
      return nil
    }
  }

  /// The channel; nil for anything else.
  package var channel: ChannelID? {
    if case .channel(let id) = self { id } else { nil }
  }

  /// The feed of another site; nil for what is YouTube's.
  package var feed: FeedID? {
    if case .feed(let id) = self { id } else { nil }
  }

  /// Whether it is a playlist, whose videos belong to their channels too.
  package var isPlaylist: Bool {
    if case .playlist = self { true } else { false }
  }

  /// Whether it is a channel or playlist of YouTube.
  package var isYouTube: Bool { feed == nil }

  /// The page on YouTube: `https://www.youtube.com/channel/UC…` or `…/playlist?list=PL…`; empty for a feed, whose page is
  /// a property of its channel.
  package var url: String {
    switch self {
    case .channel(let id): "https://www.youtube.com/channel/\(id)"
    case .playlist(let id): "https://www.youtube.com/playlist?list=\(id)"
    case .feed: ""
    }
  }
}

extension SubscriptionID: Comparable {
  package static func < (left: SubscriptionID, right: SubscriptionID) -> Bool {
    switch (left, right) {
    case (.channel(let left), .channel(let right)): left < right
    case (.playlist(let left), .playlist(let right)): left < right
    case (.feed(let left), .feed(let right)): left < right
    case (.channel, .playlist): false  // "PL…" sorts before "UC…".
    case (.playlist, .channel): true
    case (.feed, _): false
    case (_, .feed): true
    }
  }
}

extension SubscriptionID: CustomStringConvertible {
  package var description: String {
    switch self {
    case .channel(let id): id.description
    case .playlist(let id): id.description
    case .feed(let id): id.description
    }
  }
}

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
    case (.playlist, .channel), (_, .playlist), (_, .feed): nil
    case (_, .channel(let id)): channelPlaylist.map { "/feeds/videos.xml?playlist_id=\(PlaylistID(of: id, form: $0))" }
    }
  }

  /// YouTube's URL of this kind of feed for `subscription`; nil if the two are incompatible.
  package func url(of subscription: SubscriptionID) -> String? {
    path(of: subscription).map { "https://www.youtube.com\($0)" }
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
