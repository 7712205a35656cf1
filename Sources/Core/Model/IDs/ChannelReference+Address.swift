/// Parsing of URLs that name a channel or a playlist.
extension ChannelReference {
  /// Parses a URL; throws if it names nothing to follow.
  ///
  /// On hosts other than YouTube only a complete ID counts, under the paths Invidious and Piped use: 128 valid bits in
  /// the right place are no coincidence.
  init(address: WebAddress) throws(ReferenceError) {
    guard address.isYouTube else {
      self = try ChannelReference.elsewhere(address)
      return
    }
    if let feed = try ChannelReference.feed(address) {
      self = feed
    } else if let list = address.value("list"), ["playlist", "watch", "embed"].contains(address.path.first) {
      try self.init(playlist: list)
    } else if address.isShortener {
      throw .namesNothing
    } else {
      self = try ChannelReference.page(path: address.path)
    }
  }

  /// `/feeds/videos.xml?channel_id=…`, `?playlist_id=…`, `?user=…`, the same below `/xml` (the hub's topic URL), and
  /// `/feeds/base/users/NAME/uploads` of the old API.
  private static func feed(_ address: WebAddress) throws(ReferenceError) -> ChannelReference? {
    let path = address.path.first == "xml" ? address.path.dropFirst() : address.path[...]
    guard path.first == "feeds" else { return nil }
    if let id = address.value("channel_id") { return .subscription(.channel(try channelID(id)), .channel) }
    if let id = address.value("playlist_id") { return try ChannelReference(playlist: id) }
    if let name = address.value("user") { return .name(try .user(valid(name))) }
    let parts = Array(path)
    return parts.count > 3 && parts[2] == "users" ? .name(try .user(valid(parts[3]))) : nil
  }

  /// `/channel/UC…`, `/@handle`, `/user/name`, `/c/name` or `/name`, with or without a tab (`/videos`, `/about`).
  private static func page(path: [String]) throws(ReferenceError) -> ChannelReference {
    guard let first = path.first else { throw .namesNothing }
    if first.hasPrefix("@") { return .name(try .handle(valid(first.dropFirst()))) }
    guard path.count > 1, let second = path.dropFirst().first else {
      guard !pagesOfNoChannel.contains(first) else { throw .namesNothing }
      return .name(try .custom(valid(first)))
    }
    switch first {
    case "channel": return .subscription(.channel(try channelID(second)), .channel)
    case "user": return .name(try .user(valid(second)))
    case "c": return .name(try .custom(valid(second)))
    default:
      guard tabs.contains(second), !pagesOfNoChannel.contains(first) else { throw .namesNothing }
      return .name(try .custom(valid(first)))
    }
  }

  /// `HOST/feed/channel/UC…`, `HOST/feed/playlist/PL…`, `HOST/channel/UC…` and `HOST/feeds/videos.xml?…`.
  private static func elsewhere(_ address: WebAddress) throws(ReferenceError) -> ChannelReference {
    if address.path == ["feeds", "videos.xml"], let feed = try feed(address) { return feed }
    let path = Array(address.path.first == "feed" ? address.path.dropFirst() : address.path[...])
    guard path.count >= 2 else { throw .notYouTube }
    if path[0] == "channel", let id = ChannelID(path[1]) { return .subscription(.channel(id), .channel) }
    let isPlaylist = address.path.count > path.count && path[0] == "playlist" && isTellingPlaylist(path[1])
    guard isPlaylist else { throw .notYouTube }
    return try ChannelReference(playlist: path[1])
  }

  /// Tabs that may follow a channel's name in the path.
  private static let tabs: Set<String> = [
    "about", "community", "featured", "live", "playlists", "podcasts", "releases", "shorts", "streams", "videos",
  ]

  /// First path components that are YouTube's own pages and therefore not channel names.
  private static let pagesOfNoChannel: Set<String> = [
    "about", "account", "attribution_link", "browse", "c", "channel", "clip", "e", "embed", "feed", "feeds", "gaming",
    "hashtag", "howyoutubeworks", "kids", "live", "movies", "music", "new", "playlist", "podcasts", "post", "premium",
    "redirect", "results", "shorts", "signin", "source", "sports", "storefront", "t", "trending", "upload", "user", "v",
    "watch",
  ]
}
