/// What the log says of a video. Every member is a last-writer-wins register, but for those of the first sight, where
/// the earliest event wins.
///
/// Kept small, for there are a million of them: one stamp is shared by all that the same event said, and what few
/// videos have stands apart in `rare`.
package struct Video: Sendable {
  package let id: VideoID
  /// The first sight of it; nil while only a decision about it is known (from another device, or a history file).
  package private(set) var found: EventID?
  package private(set) var channel: ChannelID
  /// `published` at the first sight.
  package private(set) var published: Timestamp
  package private(set) var title: String
  package private(set) var link: Link
  package private(set) var description: Description?
  /// Whether the feed last said 0 views.
  package private(set) var hasZeroViews: Bool
  /// The feeds it was seen in.
  package private(set) var feeds: FeedForms
  private var statusValue: Status
  private var statusStamp: EventID?
  /// The event behind title, link, description, thumbnail and views, but for those that `rare` stamps.
  private var shared: EventID?
  private var rare: Rare?

  /// A video of which nothing is known yet.
  init(id: VideoID) {
    self.id = id
    channel = ChannelID(high: 0, low: 0)
    published = Timestamp(seconds: 0)
    title = ""
    link = .unknown
    hasZeroViews = false
    feeds = []
    statusValue = .new
  }
}

/// What the address of a video says of it.
package enum Link: UInt8, Sendable {
  /// None is known.
  case unknown
  /// `/watch?v=ID`: no Short, or a Short so fresh that YouTube does not say so yet.
  case watch
  /// `/shorts/ID`: a Short.
  case short

  /// What a link in a feed says: `https://www.youtube.com/shorts/N2FOxjtv5ns`.
  package init(_ address: String) {
    var address = address
    self = address.withUTF8 { bytes in
      Link.occurs("/shorts/", in: bytes) ? .short : Link.occurs("/watch?", in: bytes) ? .watch : .unknown
    }
  }

  /// Bytes, not characters: a search for characters takes longer than all else that folds an event.
  private static func occurs(_ word: StaticString, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let count = word.utf8CodeUnitCount
    for start in 0..<max(0, bytes.count - count + 1) where bytes[start] == word.utf8Start[0] {
      if (1..<count).allSatisfy({ bytes[start + $0] == word.utf8Start[$0] }) { return true }
    }
    return false
  }
}

/// A set of feed forms.
package struct FeedForms: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The set of this one form.
  package init(_ form: FeedForm) {
    rawValue = FeedForm.allCases.firstIndex(of: form).map { 1 << UInt8($0) } ?? 0
  }

  /// The forms in the set, in the order of their declaration.
  package var forms: [FeedForm] { FeedForm.allCases.filter { contains(FeedForms($0)) } }
}

/// What few videos have.
private final class Rare: Sendable {
  let members: Members

  init(_ members: Members) { self.members = members }

  struct Members: Equatable, Sendable {
    var stamps: [Video.Member: EventID] = [:]
    var moved: Register<Timestamp>?
    var visiblyChanged: EventID?
    var thumbnail: String?
    var channelTitle: Register<String>?
    var playlists: [PlaylistID] = []
    var enriched: Register<VideoEnriched>?
    var duration: Register<Int>?
    var live: Register<Live>?
    var removed: Register<Bool>?
    var until: Timestamp?
    var watchedAt: Timestamp?
    var reason: String?
    var saved: Register<Bool>?
    var collections: [String: Register<Bool>] = [:]
    var progress: Register<Int>?
    var note: Register<String>?
  }
}

extension Video {
  /// The members that an event may say apart from one another.
  enum Member: Hashable, Sendable { case title, link, description, thumbnail, views }

  private var members: Rare.Members { rare?.members ?? Rare.Members() }

  private mutating func updateRare(_ update: (inout Rare.Members) -> Void) {
    var members = members
    update(&members)
    rare = Rare(members)
  }

  /// Whether an event may write a member; if so, the member is stamped with it.
  private mutating func claim(_ member: Member, by id: EventID) -> Bool {
    guard let shared else { return claimApart(member, by: id, over: nil) }
    let stamp = rare?.members.stamps[member] ?? shared
    return id == shared && stamp == shared ? true : claimApart(member, by: id, over: stamp)
  }

  private mutating func claimApart(_ member: Member, by id: EventID, over stamp: EventID?) -> Bool {
    let current = stamp ?? rare?.members.stamps[member]
    if let current, id <= current { return false }
    updateRare { $0.stamps[member] = id }
    return true
  }
}

// MARK: What YouTube showed

extension Video {
  mutating func apply(_ event: VideoFound, by id: EventID) {
    if found.map({ id < $0 }) ?? true {
      found = id
      channel = event.channel
      published = event.published
    }
    if shared == nil, rare?.members.stamps.isEmpty ?? true { shared = id }
    feeds.insert(FeedForms(event.feed))
    if claim(.title, by: id) { title = event.title }
    if claim(.link, by: id) { link = Link(event.link) }
    if claim(.views, by: id) { hasZeroViews = event.zeroViews }
    // A first sight says every member: what it leaves out is empty, else the order of events would matter.
    if claim(.description, by: id) { description = event.description }
    if claim(.thumbnail, by: id), event.thumbnail != unusualThumbnail {
      updateRare { $0.thumbnail = event.thumbnail }
    }
    if let name = event.channelTitle { updateRare { $0.channelTitle.set(name, by: id) } }
    if let playlist = event.playlist { insert(playlist) }
    if let status = event.status {
      apply(StatusSet(video: self.id, status: status, reason: event.reason), by: id)
    }
  }

  mutating func apply(_ event: VideoChanged, by id: EventID) {
    if let feed = event.feed { feeds.insert(FeedForms(feed)) }
    if let playlist = event.playlist { insert(playlist) }
    if let value = event.title, claim(.title, by: id) { title = value }
    if let value = event.link, claim(.link, by: id) { link = Link(value) }
    if let value = event.zeroViews, claim(.views, by: id) { hasZeroViews = value }
    if let value = event.description, claim(.description, by: id) { description = value }
    if let value = event.thumbnail, claim(.thumbnail, by: id) { updateRare { $0.thumbnail = value } }
    if let value = event.published { updateRare { $0.moved.set(value, by: id) } }
    if event.title != nil || event.link != nil || event.description != nil { noteVisibleChange(by: id) }
  }

  mutating func apply(_ event: VideoEnriched, by id: EventID) {
    updateRare { rare in
      rare.enriched.set(event, by: id)
      if let duration = event.duration { rare.duration.set(duration, by: id) }
      if let live = event.live { rare.live.set(live, by: id) }
    }
    if event.duration != nil { noteVisibleChange(by: id) }
  }

  private mutating func noteVisibleChange(by id: EventID) {
    updateRare { $0.visiblyChanged = max($0.visiblyChanged ?? id, id) }
  }

  mutating func apply(_ event: VideoRemoved, by id: EventID) {
    updateRare { $0.removed.set(event.removed, by: id) }
  }

  private mutating func insert(_ playlist: PlaylistID) {
    guard !members.playlists.contains(playlist) else { return }
    updateRare { $0.playlists = ($0.playlists + [playlist]).sorted() }
  }

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
  package var playlists: [PlaylistID] { rare?.members.playlists ?? [] }
  /// The last answer of the Data API about it.
  package var enriched: Register<VideoEnriched>? { rare?.members.enriched }
  /// Its length in seconds, once an answer of the Data API gave one.
  package var duration: Int? { rare?.members.duration?.value }
  /// Whether the Data API said that it is gone.
  package var isRemoved: Bool { rare?.members.removed?.value ?? false }
  /// Where it stands as a stream or premiere: proof, never the hint of 0 views.
  package var live: Live { rare?.members.live?.value ?? .unknown }
  /// The address a person would open.
  package var url: String {
    link == .short ? "https://www.youtube.com/shorts/\(id)" : "https://www.youtube.com/watch?v=\(id)"
  }
  /// The latest event after the first sight that changed what a reader sees: title, link, description or duration; nil
  /// where none did. A second device's first sight is no change.
  package var visiblyChanged: EventID? { rare?.members.visiblyChanged }
}

// MARK: What the person made of it

extension Video {
  mutating func apply(_ event: StatusSet, by id: EventID) {
    if let stamp = statusStamp, id <= stamp { return }
    statusStamp = id
    statusValue = event.status
    guard rare != nil || event.until != nil || event.at != nil || event.reason != nil else { return }
    updateRare { rare in
      rare.until = event.until
      rare.watchedAt = event.at
      rare.reason = event.reason
    }
  }

  mutating func apply(_ event: SavedSet, by id: EventID) { updateRare { $0.saved.set(event.saved, by: id) } }
  mutating func apply(_ event: CollectionSet, by id: EventID) {
    updateRare { rare in
      var membership = rare.collections[event.collection]
      membership.set(event.member, by: id)
      rare.collections[event.collection] = membership
    }
  }
  mutating func apply(_ event: ProgressSet, by id: EventID) { updateRare { $0.progress.set(event.seconds, by: id) } }
  mutating func apply(_ event: NoteSet, by id: EventID) { updateRare { $0.note.set(event.text, by: id) } }

  /// The status that was set last, whether or not a snooze is over.
  package var statusSet: StatusSet {
    StatusSet(
      video: id, status: statusValue, until: rare?.members.until, at: rare?.members.watchedAt,
      reason: rare?.members.reason)
  }
  /// The event that set the status; nil while it was never set.
  package var statusChanged: EventID? { statusStamp }

  /// The status at a moment: a snooze that is over is new again.
  package func status(at now: Timestamp) -> Status {
    guard statusValue == .snoozed else { return statusValue }
    return (snoozedUntil.map { $0 <= now } ?? true) ? .new : .snoozed
  }

  /// The end of the snooze, over or not.
  package var snoozedUntil: Timestamp? { statusValue == .snoozed ? rare?.members.until : nil }
  package var isSaved: Bool { rare?.members.saved?.value ?? false }
  /// The collections it is in, and since which event; in no order.
  package var memberships: [(name: String, since: EventID)] {
    guard let rare, !rare.members.collections.isEmpty else { return [] }
    return rare.members.collections.filter(\.value.value).map { ($0.key, $0.value.id) }
  }
  /// The names of the collections it is in, sorted.
  package var collections: [String] { memberships.map(\.name).sorted() }
  /// Seconds watched so far.
  package var progress: Int { rare?.members.progress?.value ?? 0 }
  package var note: String { rare?.members.note?.value ?? "" }
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
    var (mine, its) = (members, other.members)
    for member in [Member.title, .link, .description, .thumbnail, .views] {
      if mine.stamps[member] ?? shared != its.stamps[member] ?? other.shared { return false }
    }
    (mine.stamps, its.stamps) = ([:], [:])
    return mine == its
  }
}
