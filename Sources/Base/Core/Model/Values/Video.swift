/// Everything the log says of a video or an entry, read from the read model's rows.
///
/// Values of the first sight (`found`, `channel`, `published`) come from the earliest event that found it; every other
/// one is a last-writer-wins register.
package struct Video: Equatable, Sendable {
  package let id: VideoID
  /// The first sight of it; nil while only a decision about it is known (from another device, or a history file).
  package var found: EventID?
  package var channel = ChannelID(high: 0, low: 0)
  /// `published` at the first sight.
  package var published = Timestamp(seconds: 0)
  package var title = ""
  package var link = Link.unknown
  package var description: Description?
  /// Whether the feed last said 0 views.
  package var hasZeroViews = false
  /// The feeds it was seen in.
  package var feeds: FeedForms = []
  /// Where `published` moved to after the first sight, as live streams do.
  package var publishedMoved: Timestamp?
  /// The latest event after the first sight that changed what a reader sees: title, link, description or duration. A
  /// second device's first sight is not a change.
  package var visiblyChanged: EventID?
  /// The thumbnail's URL, unless it is the usual one.
  package var unusualThumbnail: String?
  /// The channel's name as a playlist's feed said it.
  package var channelTitle: String?
  /// The followed playlists it was seen in, sorted.
  package var playlists: [PlaylistID] = []
  /// The last response of the Data API about it.
  package var enriched: LWWRegister<VideoEnriched>?
  /// What others than feeds and the API said of it last; see `knownTitle` and `knownChannel`.
  package var described: LWWRegister<VideoDescribed>?
  /// Its length in seconds, once a response of the Data API gave one.
  package var duration: Int?
  /// Where it stands as a stream or premiere: proof, never the hint of 0 views.
  package var live = Live.unknown
  /// The first and the last proof that it was still to come.
  package var upcoming: (first: EventID, last: EventID)? {
    get { upcomingProof.map { ($0.first, $0.last) } }
    set { upcomingProof = newValue.map { UpcomingProof(first: $0.first, last: $0.last) } }
  }
  private var upcomingProof: UpcomingProof?
  /// What is known of an entry of another feed alone; nil for a video of YouTube.
  package var entry: EntryDetails? {
    get { if case .known(let details) = entryBox { details } else { nil } }
    set { entryBox = newValue.map { .known($0) } ?? .none }
  }
  private var entryBox = EntryBox.none
  /// Whether the Data API said that it is gone, and no feed showed it since.
  package var removed: LWWRegister<Bool>?

  /// The status that was set last, whether or not a snooze is over.
  package var statusSet: StatusSet
  /// The event that set the status; nil while it was never set.
  package var statusChanged: EventID?
  package var saved: LWWRegister<Bool>?
  package var progressSet: LWWRegister<Int>?
  package var noteSet: LWWRegister<String>?
  /// Every collection it was ever put into, and whether it still is in it.
  package var memberships: [String: LWWRegister<Bool>] = [:]

  /// A video without any known property.
  package init(id: VideoID) {
    self.id = id
    statusSet = StatusSet(video: id, status: .new)
  }

  /// Kept apart, because videos of YouTube have none.
  private indirect enum EntryBox: Equatable { case none, known(EntryDetails) }

  private struct UpcomingProof: Equatable {
    var first: EventID
    var last: EventID
  }
}

extension Video {
  /// `published` as the feed last said it.
  package var publishedLatest: Timestamp { publishedMoved ?? published }
  /// The thumbnail's URL: what the feed said if it is one of YouTube's hosts, else YouTube's usual one; empty for an
  /// entry, whose publisher would see who reads; see `EntryDetails.image`.
  package var thumbnail: String {
    guard let id = id.youTube else { return "" }
    return unusualThumbnail.flatMap { Thumbnail.isOfYouTube($0) ? $0 : nil }
      ?? "https://i.ytimg.com/vi/\(id)/hqdefault.jpg"
  }
  /// Whether it may be upcoming: the feed reported 0 views, nothing else is known, and it is less than a day old.
  package func maybeUpcoming(at now: Timestamp) -> Bool {
    hasZeroViews && live == .unknown && now.seconds(since: publishedLatest) < 86_400
  }
  /// Its title in its feed, else as described; empty if unknown.
  package var knownTitle: String { title.isEmpty && found == nil ? described?.value.title ?? "" : title }
  /// Its channel, by its feed or as described; nil if unknown.
  package var knownChannel: ChannelID? {
    if id.isEntry { return nil }
    return found == nil ? described?.value.channel : channel
  }
  /// Its channel, or the feed of an entry, as far as known.
  package var source: SubscriptionID? {
    id.isEntry ? entry?.feed.map { .feed($0) } : knownChannel.map { .channel($0) }
  }
  /// When it was published, by its feed or as described; nil if unknown.
  package var knownPublished: Timestamp? { found == nil ? described?.value.published : published }
  /// Its length in seconds, by YouTube or as described; nil if unknown.
  package var knownDuration: Int? { duration ?? (found == nil ? described?.value.duration : nil) }
  /// Its channel or feed, as far as known, and the followed playlists it was seen in.
  package var sources: [SubscriptionID] { (source.map { [$0] } ?? []) + playlists.map { .playlist($0) } }
  package var isRemoved: Bool { removed?.value ?? false }
  /// The event that last said whether it is gone; nil if none did.
  package var removalChanged: EventID? { removed?.id }
  /// The URL a person would open; empty for an entry without a link.
  package var url: String {
    guard let id = id.youTube else { return entry?.page ?? "" }
    return link == .short ? "https://www.youtube.com/shorts/\(id)" : "https://www.youtube.com/watch?v=\(id)"
  }
  /// Whether it is proven to be a stream or premiere: to come, on or over.
  package var isStream: Bool {
    switch live {
    case .upcoming, .live, .ended: true
    case .none, .unknown: false
    }
  }
  package var isSaved: Bool { saved?.value ?? false }
  /// When it was saved; nil if it is not.
  package var savedAt: Timestamp? { isSaved ? saved?.id.timestamp : nil }
  /// The names of the collections it is in, sorted.
  package var collections: [String] { memberships.filter(\.value.value).keys.sorted() }
  /// Seconds watched so far.
  package var progress: Int { progressSet?.value ?? 0 }
  package var note: String { noteSet?.value ?? "" }
  /// The end of the snooze, over or not.
  package var snoozedUntil: Timestamp? { statusSet.status == .snoozed ? statusSet.until : nil }
}

/// What is known of an entry of a feed besides what every video has.
package struct EntryDetails: Equatable, Sendable {
  /// The feed that it was first found in; nil while only a decision about it is known.
  package var feed: FeedID?
  /// What identified it in its feed then.
  package var key = ""
  /// The date that its feed gave it then, if that was more than a day ahead: until then it waits.
  package var announced: Timestamp?
  /// The URL of its page.
  package var link: LWWRegister<String>?
  /// Its files, the default one first.
  package var media: LWWRegister<[EntryMedia]>?
  /// The URL of its picture.
  package var image: LWWRegister<String>?
  package var author: LWWRegister<String>?
  package var season: LWWRegister<Int>?
  package var episode: LWWRegister<Int>?
  package var isExplicit: LWWRegister<Bool>?
  /// The IDs that other keys would give it, sorted.
  package var aliases: [VideoID] = []

  package init() {}

  /// Its files, the default one first.
  package var files: [EntryMedia] { media?.value ?? [] }

  /// The URL of its first file that can be played; nil if it has none.
  package var playable: String? {
    files.first { MediaKind([$0]) != .article && WebLink.isSafe($0.url) }?.url
  }

  /// The URL of its page, else of its default file; nil if neither is safe to open.
  package var page: String? {
    ([link?.value] + files.prefix(1).map(\.url)).compactMap(\.self).first(where: WebLink.isSafe)
  }

  /// How far ahead a date may be before the entry waits for it, seconds: a day.
  package static let lead: Int64 = 86_400
}

extension Video {
  /// Until when an entry waits, because its feed dates it more than a day after it was found; nil if it does not.
  package var waitsUntil: Timestamp? {
    guard id.isEntry, let found, let date = publishedMoved ?? entry?.announced else { return nil }
    return date.seconds(since: found.timestamp) > EntryDetails.lead ? date : nil
  }

  /// Whether it is a video, a sound or a page to be read.
  package var kind: MediaKind { link.kind }
}

/// The type of a video according to its URL, or of an entry according to its files.
package enum Link: UInt8, Sendable {
  /// No URL is known.
  case unknown
  /// `/watch?v=ID`: not a Short, or a Short too new for YouTube to mark it yet.
  case watch
  /// `/shorts/ID`: a Short.
  case short
  /// An entry whose default file is a video.
  case videoFile
  /// An entry whose default file is a sound.
  case soundFile
  /// An entry without such a file.
  case article

  /// The type of an entry with these files.
  package init(_ media: [EntryMedia]) {
    switch MediaKind(media) {
    case .video: self = .videoFile
    case .audio: self = .soundFile
    case .article: self = .article
    }
  }

  /// Whether it is the type of an entry.
  package var isEntry: Bool { rawValue >= Link.videoFile.rawValue }

  /// What it stands for.
  package var kind: MediaKind {
    switch self {
    case .unknown, .watch, .short, .videoFile: .video
    case .soundFile: .audio
    case .article: .article
    }
  }

  /// Parses a link in a feed: `https://www.youtube.com/shorts/N2FOxjtv5ns`.
  package init(_ address: String) {
    // Compares bytes, because a search by characters takes longer than everything else in applying an event.
    let bytes = address.utf8.span
    let isShort = bytes.firstIndex(of: "/shorts/", from: 0) != nil
    self = isShort ? .short : bytes.firstIndex(of: "/watch?", from: 0) != nil ? .watch : .unknown
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
