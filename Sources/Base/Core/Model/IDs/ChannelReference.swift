/// A channel or playlist to follow, as typed by the user or found in a file.
///
/// Accepts `UC…`, `PL…`, `UU…` (a channel's uploads), `@handle`, URLs of channels, playlists and their feeds on YouTube
/// in every spelling, and their feeds on Invidious, Piped, RSSHub and RSS-Bridge. Example:
/// `https://www.youtube.com/feeds/videos.xml?playlist_id=UULFsXVk37bltHxD1rDPwtNM8Q`.
package enum ChannelReference: Hashable, Sendable {
  /// A channel or playlist by ID, with the kind of feed that a feed URL requested, else `.channel` or `.playlist`.
  case subscription(SubscriptionID, FeedForm)
  /// A channel by a name that has to be looked up.
  case name(ChannelName)

  /// Parses a string, ignoring surrounding whitespace; throws if it is not a valid reference.
  package init(_ text: some StringProtocol) throws(ReferenceError) {
    let text = text.withoutBlanks
    if let first = text.utf8.first, first == UInt8(ascii: "@") {
      self = .name(try .handle(ChannelReference.valid(text.dropFirst().prefix { !"/?#".contains($0) })))
    } else if let bare = try ChannelReference.bareID(text) {
      self = bare
    } else {
      try self.init(address: WebAddress(text))
    }
  }

  /// Parses a playlist ID; an automatic playlist of a channel stands for that channel.
  init(playlist text: some StringProtocol) throws(ReferenceError) {
    guard !ChannelReference.unpublished.contains(where: text.hasPrefix) else {
      throw .playlistWithoutFeed(text.cut(toScalars: ReferenceError.evidenceLength))
    }
    guard let playlist = PlaylistID(text) else {
      throw .badPlaylistID(text.cut(toScalars: ReferenceError.evidenceLength))
    }
    guard let (channel, list) = playlist.channelPlaylist, let form = ChannelReference.form(of: list) else {
      self = .subscription(.playlist(playlist), .playlist)
      return
    }
    self = .subscription(.channel(channel), form)
  }

  /// The first letters of mixes, watch later, liked videos and liked music.
  private static let unpublished = ["RD", "WL", "LL", "LM"]

  /// The kind of feed behind an automatic playlist; the uploads playlist maps to the channel feed.
  private static func form(of list: ChannelPlaylist) -> FeedForm? {
    switch list {
    case .uploads: .channel
    case .videos: .videos
    case .shorts: .shorts
    case .live: .live
    case .members: nil
    }
  }

  /// Parses a bare ID; nil if the text does not look like one.
  private static func bareID(_ text: Substring) throws(ReferenceError) -> ChannelReference? {
    guard text.utf8.allSatisfy({ SortableBase64.rank($0) != nil }) else { return nil }
    if text.hasPrefix("UC") { return .subscription(.channel(try channelID(text)), .channel) }
    return isTellingPlaylist(text) ? try ChannelReference(playlist: text) : nil
  }

  /// Whether a string is almost certainly a playlist ID even without a URL around it. Stricter than `PlaylistID`,
  /// because many words begin with two capitals ("PLAYLIST").
  static func isTellingPlaylist(_ text: some StringProtocol) -> Bool {
    text.utf8.count >= 18 && ["PL", "UU", "FL", "OLAK5uy_"].contains(where: text.hasPrefix)
  }

  /// Parses a channel ID; throws `badChannelID` if the text is not one.
  static func channelID(_ text: some StringProtocol) throws(ReferenceError) -> ChannelID {
    guard let id = ChannelID(text) else { throw .badChannelID(text.cut(toScalars: ReferenceError.evidenceLength)) }
    return id
  }

  /// Validates a handle or name; throws `badName` if the text cannot be one.
  static func valid(_ name: some StringProtocol) throws(ReferenceError) -> String {
    let name = String(name)
    guard ChannelName.isValid(name) else { throw .badName(name.cut(toScalars: ReferenceError.evidenceLength)) }
    return name
  }

  /// The channel or playlist that a text names by ID; nil if invalid or if it is a name that must be looked up.
  package static func subscription(in text: some StringProtocol) -> SubscriptionID? {
    do {
      guard case .subscription(let id, _) = try ChannelReference(text) else { return nil }
      return id
    } catch { return nil }
  }

  /// Whether a text refers to YouTube at all, even if it names nothing to follow: `…youtube.com/results?…`.
  package static func isYouTube(_ text: some StringProtocol) -> Bool {
    do {
      _ = try ChannelReference(text)
      return true
    } catch { return error != .notYouTube && error != .notAReference }
  }
}

/// Parsing of URLs that name a channel or a playlist.
extension ChannelReference {
  /// Parses a URL; throws if it names nothing to follow.
  ///
  /// On hosts other than YouTube only a complete ID counts, where mirrors and feed generators have it: 128 valid bits
  /// in the right position are no coincidence.
  init(address: WebAddress) throws(ReferenceError) {
    let video = VideoID(in: address)
    guard address.isYouTube else {
      if let video { throw .namesVideo(video) }
      self = try ChannelReference.elsewhere(address)
      return
    }
    let lists = video == nil ? ["playlist", "watch", "embed"] : ["watch"]
    if let feed = try ChannelReference.feed(address) {
      self = feed
    } else if let list = address.value("list"), lists.contains(address.path.first ?? ""),
      video == nil || !ChannelReference.unpublished.contains(where: list.hasPrefix)
    {
      try self.init(playlist: list)
    } else if let video {
      throw .namesVideo(video)
    } else if address.isShortener {
      throw .namesNothing
    } else {
      self = try ChannelReference.page(path: address.path)
    }
  }

  /// `/feeds/videos.xml?channel_id=…`, `?playlist_id=…`, `?user=…`, the same below `/xml` (the hub's topic URL), and
  /// `/feeds/base/users/NAME/uploads` and `/feeds/api/playlists/ID` of the old API.
  private static func feed(_ address: WebAddress) throws(ReferenceError) -> ChannelReference? {
    let path = address.path.first == "xml" ? address.path.dropFirst() : address.path[...]
    guard path.first == "feeds" else { return nil }
    if let id = address.value("channel_id") { return .subscription(.channel(try channelID(id)), .channel) }
    if let id = address.value("playlist_id") { return try ChannelReference(playlist: id) }
    if let name = address.value("user") { return .name(try .user(valid(name))) }
    let parts = Array(path)
    guard parts.count > 3 else { return nil }
    switch parts[2] {
    case "users":
      if let id = ChannelID(parts[3]) { return .subscription(.channel(id), .channel) }
      return .name(try .user(valid(parts[3])))
    case "playlists":
      // Before 2012 these IDs lacked their `PL`.
      return try ChannelReference(playlist: PlaylistID(parts[3]) == nil ? "PL" + parts[3] : parts[3])
    default: return nil
    }
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

  /// `HOST/channel/UC…`, `HOST/feeds/videos.xml?…`, below `/feed` (Invidious) or `/youtube` (RSSHub) also
  /// `/channel/UC…`, `/user/UC…` and `/playlist/PL…`, and the ID in the query of Piped and RSS-Bridge.
  private static func elsewhere(_ address: WebAddress) throws(ReferenceError) -> ChannelReference {
    if address.path == ["feeds", "videos.xml"], let feed = try feed(address) { return feed }
    if let bare = generated(address) { return bare }
    let isBelow = ["feed", "youtube"].contains(address.path.first)
    let path = Array(isBelow ? address.path.dropFirst() : address.path[...])
    guard path.count >= 2 else { throw .notYouTube }
    if path[0] == "channel" || isBelow && path[0] == "user", let id = ChannelID(path[1]) {
      return .subscription(.channel(id), .channel)
    }
    guard isBelow, path[0] == "playlist", isTellingPlaylist(path[1]) else { throw .notYouTube }
    return try ChannelReference(playlist: path[1])
  }

  /// The feed of one channel or playlist that a program makes on request: Piped's
  /// `/feed/unauthenticated/rss?channels=UC…`, RSS-Bridge's `/?bridge=YoutubeBridge&c=UC…` and `&p=PL…`.
  private static func generated(_ address: WebAddress) -> ChannelReference? {
    let bridge = address.value("bridge")?.lowercased()
    let isBridge = bridge == "youtube" || bridge == "youtubebridge"
    if let id = address.value(isBridge ? "c" : "channels").flatMap({ ChannelID($0) }) {
      return .subscription(.channel(id), .channel)
    }
    guard isBridge, let list = address.value("p"), isTellingPlaylist(list) else { return nil }
    return subscription(in: list).map { .subscription($0, $0.channel == nil ? .playlist : .channel) }
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

/// Why a text is not a reference to a channel, playlist or video. Evidence is truncated to 100 characters.
package enum ReferenceError: Error, Hashable, Sendable {
  /// Not an ID, a handle or a URL: `Technology Connections`.
  case notAReference
  /// A URL of another site, or not a web URL: `https://example.com/feed.xml`, `exec:~/bin/feed`.
  case notYouTube
  /// Not a channel ID, where one was expected: `UC789`.
  case badChannelID(String)
  /// Not a playlist ID, where one was expected.
  case badPlaylistID(String)
  /// Not a video ID, where one was expected.
  case badVideoID(String)
  /// Not a handle or name, where one was expected.
  case badName(String)
  /// A playlist that has no feed because it is private to its owner or generated per visitor: `WL`, `RD…`.
  case playlistWithoutFeed(String)
  /// A video, where a channel or playlist was expected.
  case namesVideo(VideoID)
  /// A YouTube page that is not a channel, playlist or video: `/results?search_query=…`.
  case namesNothing

  /// The maximum length of the evidence, in Unicode scalars.
  package static let evidenceLength = 100
}
