/// What the log says of a video. Every member is a last-writer-wins register, but for those of the first sight, where
/// the earliest event wins.
///
/// Kept small, for there are a million of them: one stamp is shared by all that the same event said, and what few
/// videos have stands apart, as does the title. Of a video in a snapshot these two are read when they are asked for.
package struct Video: Sendable {
  package let id: VideoID
  /// The first sight of it; nil while only a decision about it is known (from another device, or a history file).
  package internal(set) var found: EventID?
  package internal(set) var channel: ChannelID
  /// `published` at the first sight.
  package internal(set) var published: Timestamp
  package internal(set) var link: Link
  package internal(set) var description: Description?
  /// Whether the feed last said 0 views.
  package internal(set) var hasZeroViews: Bool
  /// The feeds it was seen in.
  package internal(set) var feeds: FeedForms
  /// The status that was set last.
  var statusValue: Status
  /// The event that set the status.
  var statusStamp: EventID?
  /// The event behind title, link, description, thumbnail and views, but for those that are stamped apart.
  var shared: EventID?
  /// What views ask of the rare members.
  var glance: Glance
  private var words: Words

  /// Where the members of no fixed width are.
  private enum Words: Sendable {
    case kept(title: String, rare: Rare?)
    case stored(VideoSnapshot, row: Int)
  }

  /// A video of which nothing is known yet.
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

  /// A video of a snapshot, by the record of a row; title and rare members stay where they are.
  init(_ record: VideoRecord, in snapshot: VideoSnapshot, row: Int) {
    // Each member once and in place: a million of them are made for one question.
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

// MARK: What is read when it is asked for

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

  /// What the title is known by in the index of texts.
  package var titleKey: TextKey {
    switch words {
    case .kept(var title, _): title.withUTF8 { TextKey(title: UnsafeRawBufferPointer($0)) }
    case .stored(let snapshot, let row): snapshot.titleKey(of: row)
    }
  }

  /// Changes what few videos have.
  mutating func updateRare(_ update: (inout RareMembers) -> Void) {
    var members = rare?.members ?? RareMembers()
    update(&members)
    glance = Glance(of: members)
    words = .kept(title: title, rare: Rare(members))
  }

  /// What few videos have; nil where this one has nothing of it.
  var rare: Rare? {
    switch words {
    case .kept(_, let rare): rare
    case .stored(let snapshot, let row): glance.hasMembers ? Rare(snapshot.rareMembers(of: row)) : nil
    }
  }
}

// MARK: What YouTube showed

extension Video {
  /// Where `published` moved to after the first sight, as live streams do.
  package var publishedMoved: Timestamp? { rare?.members.moved?.value }
  /// `published` as the feed last said it.
  package var publishedLatest: Timestamp { publishedMoved ?? published }
  /// The thumbnail's address, where it is not the usual one.
  package var unusualThumbnail: String? { rare?.members.thumbnail }
  /// The thumbnail's address: what the feed said, else YouTube's usual one.
  package var thumbnail: String { unusualThumbnail ?? "https://i.ytimg.com/vi/\(id)/hqdefault.jpg" }
  /// The channel's name as a playlist's feed said it.
  package var channelTitle: String? { rare?.members.channelTitle?.value }
  /// The followed playlists it was seen in, sorted.
  package var playlists: [PlaylistID] { glance.hasPlaylists ? rare?.members.playlists ?? [] : [] }
  /// The last answer of the Data API about it.
  package var enriched: Register<VideoEnriched>? { rare?.members.enriched }
  /// Its length in seconds, once an answer of the Data API gave one.
  package var duration: Int? { glance.duration }
  /// Whether the Data API said that it is gone, and no feed showed it since.
  package var isRemoved: Bool { glance.isRemoved }
  /// The event that last said whether it is gone; nil where none did.
  package var removalChanged: EventID? { rare?.members.removed?.id }
  /// Where it stands as a stream or premiere: proof, never the hint of 0 views.
  package var live: Live { glance.live }
  /// The address a person would open.
  package var url: String {
    link == .short ? "https://www.youtube.com/shorts/\(id)" : "https://www.youtube.com/watch?v=\(id)"
  }
  /// The latest event after the first sight that changed what a reader sees: title, link, description or duration; nil
  /// where none did. A second device's first sight is no change.
  package var visiblyChanged: EventID? { rare?.members.visiblyChanged }
}

extension Video: Equatable {
  /// Two videos are equal when every register is, wherever it is kept.
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
