import Core

/// The fold in memory that judges the read model: every event applied to plain values, clear and slow.
///
/// Order-free: whatever the order, repetition or interleaving in which the same events are applied, the values are the
/// same.
package struct SlowFold: Equatable, Sendable {
  package private(set) var state = State()
  /// Every video of which something is known; also those that were never found.
  package private(set) var videos: [VideoID: Video] = [:]
  /// Actions that an undo reverted.
  package private(set) var undone: Set<EventID> = []
  /// The keys of entries that are known but were not found.
  package private(set) var knownEntries: [FeedID: Set<UInt64>] = [:]
  private var stamps: [VideoID: VideoStamps] = [:]
  /// The videos and entries that have the 64 bits which tables keep of their IDs.
  private var holders: [UInt64: VideoID] = [:]
  private var actions: [DeviceID: Set<EventID>] = [:]

  package init() {}

  /// The fold of events in some order.
  package init(_ events: some Sequence<Event>) {
    for event in events { apply(event) }
  }

  /// The values as somebody who does not read the log sees them.
  package var decided: DecidedState { DecidedState(state: state, videos: videos) }

  /// The last actions of a device that were decisions and no undo, and were not undone, the latest first.
  package func decisions(of device: DeviceID) -> [EventID] {
    (actions[device] ?? []).sorted(by: >).prefix(State.undoDepth).filter { !undone.contains($0) }
  }

  /// Applies one event.
  package mutating func apply(_ event: Event) {
    let id = event.id
    noteAction(of: event)
    if let video = event.body.video { return applyVideo(event, video) }
    switch event.body {
    case .channelFollowed(let followed): update(followed.subscription) { $0.apply(followed, by: id) }
    case .channelUnfollowed(let subscription): update(subscription) { $0.follows.set(false, by: id) }
    case .channelChanged(let change):
      // A change of nothing makes no channel known.
      if change != ChannelChanged(subscription: change.subscription) {
        update(change.subscription) { $0.apply(change, by: id) }
      }
    case .channelEnriched(let enriched): update(.channel(enriched.channel)) { $0.enriched.set(enriched, by: id) }
    case .feedFollowed(let followed):
      if followed.isConsistent { update(.feed(followed.feed)) { $0.apply(followed, by: id) } }
    case .feedUnfollowed(let feed): update(.feed(feed)) { $0.follows.set(false, by: id) }
    case .feedChanged(let change):
      if change != FeedChanged(feed: change.feed) { update(.feed(change.feed)) { $0.apply(change, by: id) } }
    case .feedMerged(let merged): if let merged = merged.ordered { state.mergedFeeds.insert(merged) }
    case .entriesKnown(let known): knownEntries[known.feed, default: []].formUnion(known.keys)
    case .handleFollowed(let followed): decide(followed, of: followed.handle, by: event)
    case .handleUnfollowed(let unfollowed): decide(nil, of: unfollowed.handle, by: event)
    case .handleResolved(let resolved):
      state.handles[resolved.handle, default: Handle(handle: resolved.handle)].resolution
        .set(resolved.subscription, by: id)
    case .ruleSet(let rule): state.ruleRegisters[rule.id].set(rule, by: id)
    case .ruleRemoved(let removed): state.ruleRegisters[removed.rule].set(nil, by: id)
    case .collectionChanged(let change):
      // A change of nothing makes no collection known.
      if change.kept != nil || change.text != nil {
        state.collections[change.collection, default: CollectionRegister()].apply(change, by: id)
      }
    case .preferenceSet(let set): state.preferences.set(set.value, of: set.key, by: id)
    case .runFinished(let run): state.runs.note(run, by: id)
    case .gapFound(let gap): state.gaps[id] = gap
    case .gapClosed(let closed): state.closedGaps.insert(closed.gap)
    default: break
    }
  }

  /// Of two that share their 64 bits a video counts before an entry, and a lower ID before a higher one.
  private mutating func applyVideo(_ event: Event, _ id: VideoID) {
    if let holder = holders[id.high], holder != id {
      guard id < holder else { return }
      (videos[holder], stamps[holder]) = (nil, nil)
    }
    holders[id.high] = id
    var (video, stamps) = (videos[id] ?? Video(id: id), stamps[id] ?? VideoStamps())
    if id.isEntry, video.entry == nil { video.entry = EntryDetails() }
    stamps.apply(event, to: &video)
    (videos[id], self.stamps[id]) = (video, stamps)
  }

  private mutating func update(_ id: SubscriptionID, _ body: (inout Channel) -> Void) {
    body(&state.channels[id, default: Channel(id: id)])
  }

  private mutating func decide(_ followed: HandleFollowed?, of handle: String, by event: Event) {
    state.handles[handle, default: Handle(handle: handle)].decision
      .set(Handle.Decision(followed: followed, action: event.action), by: event.id)
  }

  private mutating func noteAction(of event: Event) {
    if let action = event.undoes {
      undone.insert(action)
    } else if event.body.isUserAction {
      actions[event.id.device, default: []].insert(event.action)
    }
  }
}

extension Channel {
  fileprivate mutating func apply(_ followed: ChannelFollowed, by id: EventID) {
    follows.set(true, by: id)
    if let title = followed.title { givenTitle.set(title, by: id) }
    if let tags = followed.tags { tagList.set(tags, by: id) }
    if let feed = followed.feed { feedChoice.set(feed, by: id) }
    if let date = followed.seenBefore { seenLimit.set(date, by: id) }
  }

  fileprivate mutating func apply(_ followed: FeedFollowed, by id: EventID) {
    apply(
      ChannelFollowed(
        subscription: self.id, title: followed.title, tags: followed.tags, seenBefore: followed.seenBefore), by: id)
    if !followed.url.isEmpty { feedDetails.address.set(followed.url, by: id) }
  }

  fileprivate mutating func apply(_ change: FeedChanged, by id: EventID) {
    apply(
      ChannelChanged(
        subscription: self.id, title: change.title, name: change.name, tags: change.tags, shorts: change.shorts,
        live: change.live, order: change.order), by: id)
    if let url = change.url { feedDetails.address.set(url, by: id) }
    if let site = change.site { feedDetails.site.set(site, by: id) }
    if let image = change.image { feedDetails.image.set(image, by: id) }
    if let language = change.language { feedDetails.language.set(language, by: id) }
    if let kind = change.keyKind { feedDetails.keyKind.set(kind, by: id) }
  }

  fileprivate mutating func apply(_ change: ChannelChanged, by id: EventID) {
    if let title = change.title { givenTitle.set(title, by: id) }
    if let name = change.name { feedName.set(name, by: id) }
    if let tags = change.tags { tagList.set(tags, by: id) }
    if let feed = change.feed { feedChoice.set(feed, by: id) }
    if let shorts = change.shorts { shortsChoice.set(shorts, by: id) }
    if let live = change.live { liveChoice.set(live, by: id) }
    if let order = change.order { orderChoice.set(order, by: id) }
  }
}
