/// A channel or playlist to follow, as typed by the user or found in a file.
///
/// Accepts `UC…`, `PL…`, `UU…` (a channel's uploads), `@handle`, URLs of channels, playlists and their feeds on YouTube
/// in every spelling, and their feeds on Invidious and Piped. Example:
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
    let unpublished = ["RD", "WL", "LL", "LM"]  // mixes, watch later, liked videos, liked music
    guard !unpublished.contains(where: text.hasPrefix) else {
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
