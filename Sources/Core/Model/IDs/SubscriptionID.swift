/// The ID of something that can be followed: a channel or a playlist.
package enum SubscriptionID: Hashable, Sendable {
  case channel(ChannelID)
  case playlist(PlaylistID)

  /// Parses a channel or playlist ID; nil if it is neither. Automatic playlists of a channel count as playlists here.
  package init?(_ text: some StringProtocol) {
    if let channel = ChannelID(text) {
      self = .channel(channel)
    } else if let playlist = PlaylistID(text) {
      self = .playlist(playlist)
    } else {
      return nil
    }
  }

  /// The channel; nil for a playlist.
  package var channel: ChannelID? {
    if case .channel(let id) = self { id } else { nil }
  }

  /// The web page: `https://www.youtube.com/channel/UC…` or `…/playlist?list=PL…`.
  package var url: String {
    switch self {
    case .channel(let id): "https://www.youtube.com/channel/\(id)"
    case .playlist(let id): "https://www.youtube.com/playlist?list=\(id)"
    }
  }
}

extension SubscriptionID: Comparable {
  package static func < (left: SubscriptionID, right: SubscriptionID) -> Bool {
    switch (left, right) {
    case (.channel(let left), .channel(let right)): left < right
    case (.playlist(let left), .playlist(let right)): left < right
    case (.channel, .playlist): false  // "PL…" sorts before "UC…".
    case (.playlist, .channel): true
    }
  }
}

extension SubscriptionID: CustomStringConvertible {
  package var description: String {
    switch self {
    case .channel(let id): id.description
    case .playlist(let id): id.description
    }
  }
}
