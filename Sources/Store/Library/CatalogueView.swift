import Core
import ReadModel

/// What a user sees of a catalogue, the log of what feeds reported, shared by all users of a hub: what concerns the
/// subscriptions that the user's own log names. Decisions in a catalogue are ignored.
///
/// The visible events do not depend on the order in which the two logs grow. So when the own log names something whose
/// events were left out before, all have to be read again: `isIncomplete`.
struct CatalogueView {
  private(set) var subscriptions: Set<SubscriptionID> = []
  private(set) var handles: Set<String> = []
  private(set) var videos: Set<VideoID> = []
  /// The subjects of omitted events.
  private var omitted = Omitted()
  /// Whether an earlier reader may have left out events that `omitted` does not name.
  private var isResumed = false
  /// Whether events were left out that are wanted now.
  private(set) var isIncomplete = false
  /// Videos wanted since then, which the earlier reader may have left out.
  private var unchecked: Set<VideoID> = []

  private struct Omitted {
    var subscriptions: Set<SubscriptionID> = []
    var handles: Set<String> = []
    var videos: Set<VideoID> = []
  }

  init() {}

  /// The view of the process that filled a model.
  init(resuming model: ReadModel) throws {
    (subscriptions, handles, videos) = try model.subjects()
    isResumed = true
  }

  /// The view of an owner who wants what these want, and knows some more videos.
  init(_ one: CatalogueView, _ other: CatalogueView, videos: Set<VideoID>) {
    subscriptions = one.subscriptions.union(other.subscriptions)
    handles = one.handles.union(other.handles)
    self.videos = one.videos.union(other.videos).union(videos)
  }

  /// The view by the subscriptions and handles of a model alone.
  init(sourcesOf model: ReadModel) throws { (subscriptions, handles) = try model.sources() }

  /// Keeps what is wanted and forgets what was omitted, before the logs are read from the beginning.
  mutating func restart() { (omitted, isResumed, isIncomplete, unchecked) = (Omitted(), false, false, []) }

  /// Finds out whether an earlier read left out events about videos that are wanted now. Nearly every video is named
  /// for the first time when it is found, so this is no reason to read everything again.
  mutating func check(wereNamed: (Set<VideoID>) throws -> Bool) {
    guard !isIncomplete, !unchecked.isEmpty else { return }
    // Reading everything again reports what cannot be read.
    isIncomplete = (try? wereNamed(unchecked)) ?? true
    unchecked = []
  }

  /// A text that changes when more is wanted: nothing is ever wanted no longer.
  var subjects: String { "\(subscriptions.count) \(handles.count) \(videos.count)" }

  // MARK: The own log

  /// Records what an event of the own log names.
  mutating func note(_ body: EventBody) {
    switch body {
    case .channelFollowed(let followed): want(followed.subscription)
    case .channelUnfollowed(let subscription): want(subscription)
    case .channelChanged(let change) where change.isUserAction: want(change.subscription)
    case .feedFollowed(let followed): if followed.isConsistent { want(.feed(followed.feed)) }
    case .feedUnfollowed(let feed): want(.feed(feed))
    case .feedChanged(let change) where change.isUserAction: want(.feed(change.feed))
    case .handleFollowed(let followed): want(followed.handle)
    case .handleUnfollowed(let unfollowed): want(unfollowed.handle)
    case .handleResolved(let resolved): want(resolved.handle)
    case .videoFound, .videoChanged, .videoEnriched, .videoRemoved, .entryFound, .entryChanged:
      if let video = body.video { want(video) }
    default: break
    }
  }

  private mutating func want(_ subscription: SubscriptionID) {
    guard subscriptions.insert(subscription).inserted else { return }
    if isResumed || omitted.subscriptions.contains(subscription) { isIncomplete = true }
  }

  private mutating func want(_ handle: String) {
    guard handles.insert(handle).inserted else { return }
    if isResumed || omitted.handles.contains(handle) { isIncomplete = true }
  }

  private mutating func want(_ video: VideoID) {
    guard videos.insert(video).inserted else { return }
    if omitted.videos.contains(video) { isIncomplete = true } else if isResumed { unchecked.insert(video) }
  }

  // MARK: The catalogue

  /// What the user sees of an event of the catalogue, read for the first time; nil if nothing.
  mutating func take(_ event: Event) -> Event? {
    switch event.body {
    case .videoFound(let found) where isWanted(found): want(found.video)
    case .videoChanged(let change) where isWanted(change.playlist): want(change.video)
    case .entryFound(let found) where isWanted(found): want(found.entry)
    default: break
    }
    let visible = visible(event)
    if visible != event { omit(event.body) }
    return visible
  }

  /// Records the subjects of an event that is left out wholly or in part.
  private mutating func omit(_ body: EventBody) {
    func omit(_ playlist: PlaylistID?) {
      if let playlist { omitted.subscriptions.insert(.playlist(playlist)) }
    }
    switch body {
    case .channelChanged(let change): omitted.subscriptions.insert(change.subscription)
    case .channelEnriched(let enriched): omitted.subscriptions.insert(.channel(enriched.channel))
    case .handleResolved(let resolved): omitted.handles.insert(resolved.handle)
    case .videoFound(let found):
      omitted.subscriptions.insert(.channel(found.channel))
      omit(found.playlist)
      omitted.videos.insert(found.video)
    case .videoChanged(let change):
      omit(change.playlist)
      omitted.videos.insert(change.video)
    case .feedChanged(let change): omitted.subscriptions.insert(.feed(change.feed))
    case .feedMerged(let merged): omitted.subscriptions.formUnion([.feed(merged.feed), .feed(merged.into)])
    case .entriesKnown(let known): omitted.subscriptions.insert(.feed(known.feed))
    case .entryFound(let found):
      omitted.subscriptions.insert(.feed(found.feed))
      omitted.videos.insert(found.entry)
    case .entryChanged(let change): omitted.videos.insert(change.entry)
    case .videoEnriched(let enriched): omitted.videos.insert(enriched.video)
    case .videoRemoved(let removed): omitted.videos.insert(removed.video)
    case .videoDescribed(let described): omitted.videos.insert(described.video)
    case .gapFound(let gap): omitted.subscriptions.insert(gap.subscription)
    case .gapClosed(let closed): omitted.subscriptions.insert(closed.subscription)
    default: break
    }
  }

  private func isWanted(_ playlist: PlaylistID?) -> Bool {
    playlist.map { subscriptions.contains(.playlist($0)) } ?? false
  }

  private func isWanted(_ found: VideoFound) -> Bool {
    subscriptions.contains(.channel(found.channel)) || isWanted(found.playlist) || videos.contains(found.video)
  }

  private func isWanted(_ found: EntryFound) -> Bool {
    subscriptions.contains(.feed(found.feed)) || videos.contains(found.entry)
  }

  /// What the user sees of an event of the catalogue, as far as is known now; nil if nothing.
  func visible(_ event: Event) -> Event? {
    var body = event.body
    switch body {
    case .videoFound(var found):
      guard isWanted(found) else { return nil }
      (found.status, found.reason) = (nil, nil)
      if !isWanted(found.playlist) { found.playlist = nil }
      body = .videoFound(found)
    case .videoChanged(var change):
      if !isWanted(change.playlist) { change.playlist = nil }
      guard videos.contains(change.video), !change.isEmpty else { return nil }
      body = .videoChanged(change)
    case .entryFound, .entryChanged, .entriesKnown, .feedMerged, .feedChanged:
      guard let seen = visibleOfFeed(body) else { return nil }
      body = seen
    case .videoEnriched(let enriched): guard videos.contains(enriched.video) else { return nil }
    case .videoRemoved(let removed): guard videos.contains(removed.video) else { return nil }
    case .videoDescribed(let described): guard videos.contains(described.video) else { return nil }
    case .channelChanged(let change):
      guard let name = change.name, subscriptions.contains(change.subscription) else { return nil }
      body = .channelChanged(ChannelChanged(subscription: change.subscription, name: name))
    case .channelEnriched(let enriched): guard subscriptions.contains(.channel(enriched.channel)) else { return nil }
    case .handleResolved(let resolved): guard handles.contains(resolved.handle) else { return nil }
    case .gapFound(let gap): guard subscriptions.contains(gap.subscription) else { return nil }
    case .gapClosed(let closed): guard subscriptions.contains(closed.subscription) else { return nil }
    case .runFinished(var run):
      (run.failing, run.recovered) = ([], [])
      body = .runFinished(run)
    case .channelFollowed, .channelUnfollowed, .handleFollowed, .handleUnfollowed, .feedFollowed, .feedUnfollowed,
      .statusSet, .savedSet,
      .collectionSet, .collectionChanged, .progressSet, .noteSet, .ruleSet, .ruleRemoved,
      .preferenceSet, .actionUndone:
      return nil
    }
    return Event(id: event.id, action: event.action, undoes: nil, body: body)
  }

  /// What the user sees of an event about a feed or an entry; nil if nothing.
  private func visibleOfFeed(_ body: EventBody) -> EventBody? {
    switch body {
    case .entryFound(var found):
      guard isWanted(found) else { return nil }
      // That its feed was renumbered concerns everybody; other marks are a person's own.
      if found.reason != EntryFound.renumbered { (found.status, found.reason) = (nil, nil) }
      return .entryFound(found)
    case .entryChanged(let change): guard videos.contains(change.entry) else { return nil }
    case .entriesKnown(let known): guard subscriptions.contains(.feed(known.feed)) else { return nil }
    case .feedMerged(let merged):
      guard subscriptions.contains(.feed(merged.feed)) || subscriptions.contains(.feed(merged.into)) else { return nil }
    case .feedChanged(var change):
      guard subscriptions.contains(.feed(change.feed)) else { return nil }
      // What a person chose is not the catalogue's.
      (change.title, change.tags, change.shorts, change.live, change.order) = (nil, nil, nil, nil, nil)
      // No private feed gets here; an address that looks like one's is nobody else's either.
      if change.url.flatMap({ WebURL($0) })?.hasSecret ?? false { change.url = nil }
      guard change != FeedChanged(feed: change.feed) else { return nil }
      return .feedChanged(change)
    default: return nil
    }
    return body
  }
}
