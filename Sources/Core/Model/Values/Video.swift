/// The state of a video. Every member is a last-writer-wins register, except those of the first sighting, for which the
/// earliest event wins.
///
/// Kept small, because there are a million: members written by the same event share one stamp, and the title and rarely
/// used members are stored separately. For a video in a snapshot these two are read on demand.
package struct Video: Sendable {
  package let id: VideoID
  /// The event that found it; nil while only user actions are known (from another device, or a history file).
  package internal(set) var found: EventID?
  package internal(set) var channel: ChannelID
  /// `published` at the first sighting.
  package internal(set) var published: Timestamp
  package internal(set) var link: Link
  package internal(set) var description: Description?
  /// Whether the feed last reported 0 views.
  package internal(set) var hasZeroViews: Bool
  /// The kinds of feed it was seen in.
  package internal(set) var feeds: FeedForms
  /// The status that was set last.
  var statusValue: Status
  /// The event that set the status.
  var statusStamp: EventID?
  /// The event behind title, link, description, thumbnail and views, except for members with a stamp of their own.
  var shared: EventID?
  /// Flags that queries need from the rare members.
  var glance: Glance
  private var words: UserMessages

  /// Where the variable-length members are stored.
  private enum UserMessages: Sendable {
    case kept(title: String, rare: Rare?)
    case stored(VideoSnapshot, row: Int)
  }

  /// A video about which nothing is known yet.
  init(id: VideoID) {
    self.id = id
    channel = ChannelID(high: 0, low: 0)
    published = Timestamp(seconds: 0)
    link = .unknown
    hasZeroViews = false
    feeds = []
    statusValue = .new
    glance = Glance()
    words = .kept(title: "", rare: nil)
  }

  /// A video from a snapshot record; title and rare members stay in the snapshot.
  init(_ record: VideoRecord, in snapshot: VideoSnapshot, row: Int) {
    // Each member assigned once and in place: one query creates a million of these.
    id = record.id
    found = record.found
    channel = record.channel
    published = record.published
    link = record.link
    description = record.description
    hasZeroViews = record.hasZeroViews
    feeds = record.feeds
    statusValue = record.status
    statusStamp = record.statusStamp
    shared = record.shared
    glance = record.glance
    words = .stored(snapshot, row: row)
  }
}

// MARK: Members read on demand

extension Video {
  package internal(set) var title: String {
    get {
      switch words {
      case .kept(let title, _): title
      case .stored(let snapshot, let row): snapshot.title(of: row)
      }
    }
    set { words = .kept(title: newValue, rare: rare) }
  }

  /// The title's key in the search index.
  package var titleKey: TextKey {
    switch words {
    case .kept(var title, _): title.withUTF8 { TextKey(title: UnsafeRawBufferPointer($0)) }
    case .stored(let snapshot, let row): snapshot.titleKey(of: row)
    }
  }

  /// Updates the rare members.
  mutating func updateRare(_ update: (inout RareMembers) -> Void) {
    var members = rare?.members ?? RareMembers()
    update(&members)
    glance = Glance(of: members)
    words = .kept(title: title, rare: Rare(members))
  }

  /// The rare members; nil if there are none.
  var rare: Rare? {
    switch words {
    case .kept(_, let rare): rare
    case .stored(let snapshot, let row): glance.hasMembers ? Rare(snapshot.rareMembers(of: row)) : nil
    }
  }
}

// MARK: Facts from YouTube

extension Video {
  /// The latest `published` if it changed after the first sighting, as for live streams; nil if unchanged.
  package var publishedMoved: Timestamp? { rare?.members.moved?.value }
  /// `published` as last reported by the feed.
  package var publishedLatest: Timestamp { publishedMoved ?? published }
  /// The thumbnail URL; nil if it is the standard one.
  package var unusualThumbnail: String? { rare?.members.thumbnail }
  /// The thumbnail URL: the one in the feed, else YouTube's standard one.
  package var thumbnail: String { unusualThumbnail ?? "https://i.ytimg.com/vi/\(id)/hqdefault.jpg" }
  /// The channel's name according to a playlist feed.
  package var channelTitle: String? { rare?.members.channelTitle?.value }
  /// The followed playlists it was seen in, sorted.
  package var playlists: [PlaylistID] { glance.hasPlaylists ? rare?.members.playlists ?? [] : [] }
  /// The last Data API response about it.
  package var enriched: LWWRegister<VideoEnriched>? { rare?.members.enriched }
  /// Its duration in seconds; nil until the Data API returned one.
  package var duration: Int? { glance.duration }
  /// Whether the Data API reported it gone and no feed has shown it since.
  package var isRemoved: Bool { glance.isRemoved }
  /// The event that last set whether it is gone; nil if none.
  package var removalChanged: EventID? { rare?.members.removed?.id }
  /// Its state as a stream or premiere: from proof, never from the hint of 0 views.
  package var live: Live { glance.live }
  /// The web page.
  package var url: String {
    link == .short ? "https://www.youtube.com/shorts/\(id)" : "https://www.youtube.com/watch?v=\(id)"
  }
  /// The latest event that changed something a reader sees (title, link, description or duration); nil if none. A
  /// second device's first sighting is not a change.
  package var visiblyChanged: EventID? { rare?.members.visiblyChanged }
}

extension Video: Equatable {
  /// Two videos are equal if all their registers are, wherever they are stored.
  package static func == (left: Video, right: Video) -> Bool {
    left.id == right.id && left.found == right.found && left.channel == right.channel
      && left.published == right.published && left.title == right.title && left.link == right.link
      && left.description == right.description && left.hasZeroViews == right.hasZeroViews
      && left.feeds == right.feeds && left.statusValue == right.statusValue && left.statusStamp == right.statusStamp
      && left.equalApart(right)
  }

  private func equalApart(_ other: Video) -> Bool {
    var (mine, its) = (rare?.members ?? RareMembers(), other.rare?.members ?? RareMembers())
    for member in Member.allCases {
      if mine.stamps[member] ?? shared != its.stamps[member] ?? other.shared { return false }
    }
    (mine.stamps, its.stamps) = ([:], [:])
    return mine == its
  }
}

/// The type of a video according to its URL.
package enum Link: UInt8, Sendable {
  /// No URL is known.
  case unknown
  /// `/watch?v=ID`: not a Short, or a Short too new for YouTube to mark it yet.
  case watch
  /// `/shorts/ID`: a Short.
  case short

  /// Parses a link in a feed: `https://www.youtube.com/shorts/N2FOxjtv5ns`.
  package init(_ address: String) {
    let bytes = address.utf8.span
    self = Link.occurs("/shorts/", in: bytes) ? .short : Link.occurs("/watch?", in: bytes) ? .watch : .unknown
  }

  /// Compares bytes, because a search by characters takes longer than everything else in applying an event.
  private static func occurs(_ word: StaticString, in bytes: Span<UInt8>) -> Bool {
    let count = word.utf8CodeUnitCount
    for start in 0..<max(0, bytes.count - count + 1) where bytes[start] == word.utf8Start[0] {
      if (1..<count).allSatisfy({ bytes[start + $0] == word.utf8Start[$0] }) { return true }
    }
    return false
  }
}

/// A set of feed kinds.
package struct FeedForms: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The set containing one kind of feed.
  package init(_ form: FeedForm) {
    rawValue = FeedForm.allCases.firstIndex(of: form).map { 1 << UInt8($0) } ?? 0
  }

  /// The kinds in the set, in declaration order.
  package var forms: [FeedForm] { FeedForm.allCases.filter { contains(FeedForms($0)) } }
}
