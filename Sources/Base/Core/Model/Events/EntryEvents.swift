/// A file that belongs to an entry: an episode, a video, a picture.
package struct EntryMedia: Hashable, Sendable {
  package var url: String
  /// The media type, as the feed says it: `audio/mpeg`; empty if unknown.
  package var type: String
  /// The size in bytes; nil if unknown.
  package var length: Int?

  package init(url: String, type: String, length: Int?) { (self.url, self.type, self.length) = (url, type, length) }
}

/// What a feed says of an entry besides its title. A nil member was not said.
package struct EntryFacts: Equatable, Sendable {
  /// The URL of its page.
  package var link: String?
  /// When it was published, as the feed says: it may be in the future.
  package var published: Timestamp?
  /// Its files, the default one first.
  package var media: [EntryMedia]?
  /// Seconds.
  package var duration: Int?
  /// The URL of its picture.
  package var image: String?
  package var author: String?
  package var season: Int?
  package var episode: Int?
  package var isExplicit: Bool?
  /// Plain text: what the feed says of it, or the beginning of that.
  package var description: Description?

  package init() {}
}

/// An entry of a feed was found for the first time.
package struct EntryFound: Equatable, Sendable {
  /// Its ID, derived from the feed and the key.
  package var entry: VideoID
  package var feed: FeedID
  /// What identifies it within the feed; its kind is the feed's.
  package var key: String
  package var title: String
  package var facts: EntryFacts
  /// The initial status; nil if it is new.
  package var status: Status?
  /// Why it has that initial status: `seenBefore`, `renumbered`.
  package var reason: String?

  package init(
    entry: VideoID, feed: FeedID, key: String, title: String, facts: EntryFacts, status: Status?, reason: String?
  ) {
    (self.entry, self.feed, self.key, self.title) = (entry, feed, key, title)
    (self.facts, self.status, self.reason) = (facts, status, reason)
  }

  /// The reason of entries that are old but seem new, because their feed renumbered all of them.
  package static let renumbered = "renumbered"
}

/// A known entry changed, or was seen under another key.
package struct EntryChanged: Equatable, Sendable {
  package var entry: VideoID
  package var title: String?
  package var facts: EntryFacts
  /// The ID derived from another key that the entry has now.
  package var alias: VideoID?

  package init(entry: VideoID, title: String? = nil, facts: EntryFacts = EntryFacts(), alias: VideoID? = nil) {
    (self.entry, self.title, self.facts, self.alias) = (entry, title, facts, alias)
  }

  /// Whether nothing changed.
  package var isEmpty: Bool { self == EntryChanged(entry: entry) }

  /// Whether the change is visible to the user: a title, link, file, length or description.
  package var isVisible: Bool {
    title != nil || facts.link != nil || facts.media != nil || facts.duration != nil || facts.description != nil
  }
}

/// What an entry is, by its default file.
package enum MediaKind: String, CaseIterable, Sendable {
  /// Also every video of YouTube.
  case video
  case audio
  /// A page to be read.
  case article

  /// The kind of an entry with these files, the default one first.
  package init(_ media: [EntryMedia]) {
    guard let file = media.first else { self = .article; return }
    let type = file.type.lowercased()
    if type.hasPrefix("audio/") {
      self = .audio
    } else if type.hasPrefix("video/") || MediaKind.playlists.contains(type) {
      self = .video
    } else {
      self = MediaKind(ending: file.url)
    }
  }

  /// Types of lists that players play as a video.
  private static let playlists: Set<String> = ["application/x-mpegurl", "application/vnd.apple.mpegurl"]

  /// The kind by the name of a file, for feeds that say nothing or `application/octet-stream`.
  private init(ending url: String) {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let ending = path.split(separator: "/").last.flatMap { $0.split(separator: ".").last }?.lowercased() ?? ""
    let isAudio = MediaKind.audioEndings.contains(ending)
    self = isAudio ? .audio : MediaKind.videoEndings.contains(ending) ? .video : .article
  }

  private static let audioEndings: Set<String> = ["mp3", "m4a", "m4b", "aac", "ogg", "oga", "opus", "flac", "wav"]
  private static let videoEndings: Set<String> = ["mp4", "m4v", "mov", "mkv", "webm", "ogv", "m3u8"]
}
