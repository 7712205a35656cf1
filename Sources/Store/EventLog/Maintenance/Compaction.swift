import Core

/// Determines which events of one file are superseded by a later event of the same file.
///
/// Only YouTube's metadata and runs that the state no longer keeps can be superseded, never a user action or the first
/// sighting of a video. Each file is compacted on its own, so that it stays complete when another device's file goes
/// away.
struct Compaction {
  /// The last event of the file that wrote each register of a video.
  fileprivate struct Latest {
    var title: EventID?
    var link: EventID?
    var published: EventID?
    var thumbnail: EventID?
    var views: EventID?
    var description: EventID?
    var enriched: EventID?
    var duration: EventID?
    var live: EventID?
    var removed: EventID?
    var described: EventID?
  }

  private var videos: [VideoID: Latest] = [:]
  private var entries: [VideoID: LatestOfEntry] = [:]
  private var names: [SubscriptionID: EventID] = [:]
  private var feeds: [FeedID: LatestOfFeed] = [:]
  private var channels: [ChannelID: EventID] = [:]
  private var runs = RecentRuns()

  /// Records an event, whether or not it is superseded.
  mutating func note(_ event: Event) {
    let id = event.id
    switch event.body {
    case .videoChanged(let change): videos[change.video, default: Latest()].note(change, id)
    case .entryChanged(let change): entries[change.entry, default: LatestOfEntry()].note(change, id)
    case .feedChanged(let change): feeds[change.feed, default: LatestOfFeed()].note(change, id)
    case .videoEnriched(let enriched): videos[enriched.video, default: Latest()].note(enriched, id)
    case .videoRemoved(let removed): raise(&videos[removed.video, default: Latest()].removed, to: id)
    case .videoDescribed(let described): raise(&videos[described.video, default: Latest()].described, to: id)
    case .channelChanged(let change): if change.name != nil { raise(&names[change.subscription], to: id) }
    case .channelEnriched(let enriched): raise(&channels[enriched.channel], to: id)
    case .runFinished(let run): runs.note(run, by: id)
    case .videoFound, .channelFollowed, .channelUnfollowed, .handleFollowed, .handleUnfollowed, .handleResolved,
      .statusSet, .savedSet, .collectionSet, .collectionChanged, .progressSet, .noteSet, .ruleSet, .ruleRemoved,
      .preferenceSet, .actionUndone, .gapFound, .gapClosed, .feedFollowed, .feedUnfollowed, .feedMerged, .entryFound,
      .entriesKnown:
      break
    }
  }

  /// Whether later recorded events contain everything this one says.
  func isSuperseded(_ event: Event) -> Bool {
    let id = event.id
    switch event.body {
    case .videoChanged(let change): return videos[change.video]?.supersedes(change, id) ?? false
    case .entryChanged(let change): return entries[change.entry]?.supersedes(change, id) ?? false
    case .feedChanged(let change): return feeds[change.feed]?.supersedes(change, id) ?? false
    case .videoEnriched(let enriched): return videos[enriched.video]?.supersedes(enriched, id) ?? false
    case .videoRemoved(let removed): return isBelow(id, videos[removed.video]?.removed)
    case .videoDescribed(let described): return isBelow(id, videos[described.video]?.described)
    case .channelChanged(let change): return !change.isUserAction && isBelow(id, names[change.subscription])
    case .channelEnriched(let enriched): return isBelow(id, channels[enriched.channel])
    case .runFinished: return runs.isSuperseded(id)
    case .videoFound, .channelFollowed, .channelUnfollowed, .handleFollowed, .handleUnfollowed, .handleResolved,
      .statusSet, .savedSet, .collectionSet, .collectionChanged, .progressSet, .noteSet, .ruleSet, .ruleRemoved,
      .preferenceSet, .actionUndone, .gapFound, .gapClosed, .feedFollowed, .feedUnfollowed, .feedMerged, .entryFound,
      .entriesKnown:
      return false
    }
  }
}

extension Compaction.Latest {
  fileprivate mutating func note(_ change: VideoChanged, _ id: EventID) {
    if change.title != nil { raise(&title, to: id) }
    if change.link != nil { raise(&link, to: id) }
    if change.published != nil { raise(&published, to: id) }
    if change.thumbnail != nil { raise(&thumbnail, to: id) }
    if change.zeroViews != nil { raise(&views, to: id) }
    if change.description != nil { raise(&description, to: id) }
  }

  fileprivate func supersedes(_ change: VideoChanged, _ id: EventID) -> Bool {
    // A feed or a playlist is evidence that must stay.
    guard change.feed == nil, change.playlist == nil else { return false }
    let members: [(isSaid: Bool, latest: EventID?)] = [
      (change.title != nil, title), (change.link != nil, link), (change.published != nil, published),
      (change.thumbnail != nil, thumbnail), (change.zeroViews != nil, views), (change.description != nil, description),
    ]
    return members.allSatisfy { !$0.isSaid || isBelow(id, $0.latest) }
  }

  fileprivate mutating func note(_ event: VideoEnriched, _ id: EventID) {
    raise(&enriched, to: id)
    if event.duration != nil { raise(&duration, to: id) }
    if event.live != nil { raise(&live, to: id) }
  }

  fileprivate func supersedes(_ event: VideoEnriched, _ id: EventID) -> Bool {
    // Having been upcoming determines how a later status is interpreted.
    event.live != .upcoming && isBelow(id, enriched) && (event.duration == nil || isBelow(id, duration))
      && (event.live == nil || isBelow(id, live))
  }
}

/// Raises the last event of a register.
func raise(_ latest: inout EventID?, to id: EventID) { latest = max(latest ?? id, id) }
/// Whether an event is before the last one of a register.
func isBelow(_ id: EventID, _ latest: EventID?) -> Bool { latest.map { id < $0 } ?? false }
