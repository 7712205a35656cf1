import Core

/// Which events of one file say nothing that a later one of the same file does not say.
///
/// Only what YouTube said and runs that the fold no longer keeps: a decision of the person and the first sight of a video
/// are never superseded. Each file is looked at alone, so that it loses nothing when another device's file goes.
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
  }

  private var videos: [VideoID: Latest] = [:]
  private var names: [SubscriptionID: EventID] = [:]
  private var runs = RecentRuns()

  /// Takes note of an event that stays or is superseded.
  mutating func note(_ event: Event) {
    let id = event.id
    switch event.body {
    case .videoChanged(let change): videos[change.video, default: Latest()].note(change, id)
    case .videoEnriched(let enriched): videos[enriched.video, default: Latest()].note(enriched, id)
    case .videoRemoved(let removed): raise(&videos[removed.video, default: Latest()].removed, to: id)
    case .channelChanged(let change): if change.name != nil { raise(&names[change.subscription], to: id) }
    case .runFinished(let run): runs.note(run, by: id)
    case .videoFound, .channelFollowed, .channelUnfollowed, .handleFollowed, .handleUnfollowed, .handleResolved,
      .statusSet, .savedSet, .collectionSet, .progressSet, .noteSet, .ruleSet, .ruleRemoved,
      .actionUndone, .gapFound, .gapClosed:
      break
    }
  }

  /// Whether the events noted say all that this one says, and later.
  func isSuperseded(_ event: Event) -> Bool {
    let id = event.id
    switch event.body {
    case .videoChanged(let change): return videos[change.video]?.supersedes(change, id) ?? false
    case .videoEnriched(let enriched): return videos[enriched.video]?.supersedes(enriched, id) ?? false
    case .videoRemoved(let removed): return isBelow(id, videos[removed.video]?.removed)
    case .channelChanged(let change): return !change.isDecision && isBelow(id, names[change.subscription])
    case .runFinished: return runs.isSuperseded(id)
    case .videoFound, .channelFollowed, .channelUnfollowed, .handleFollowed, .handleUnfollowed, .handleResolved,
      .statusSet, .savedSet, .collectionSet, .progressSet, .noteSet, .ruleSet, .ruleRemoved,
      .actionUndone, .gapFound, .gapClosed:
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
    // A feed and a playlist are evidence that stays.
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
    // That it was still to come says how a later status is meant.
    event.live != .upcoming && isBelow(id, enriched) && (event.duration == nil || isBelow(id, duration))
      && (event.live == nil || isBelow(id, live))
  }
}

private func raise(_ latest: inout EventID?, to id: EventID) { latest = max(latest ?? id, id) }
private func isBelow(_ id: EventID, _ latest: EventID?) -> Bool { latest.map { id < $0 } ?? false }
