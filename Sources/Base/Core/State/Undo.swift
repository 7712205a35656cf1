/// State and videos as some events make them.
package struct DecidedState: Sendable {
  package var state: State
  package var videos: [VideoID: Video]

  package init(state: State, videos: [VideoID: Video]) {
    (self.state, self.videos) = (state, videos)
  }
}

/// What an undo appends: the values that stood before.
package enum Undo {
  /// The event bodies that restore what an action changed, from `state` to `before`, the state without that action.
  /// Later user actions stay: only registers that the action still holds are restored, and only if that changes
  /// something.
  package static func bodies(
    takingBack events: [Event], from state: DecidedState, to before: DecidedState
  ) -> [EventBody] {
    // A register is held by one event, so two events never yield the same body; but two files may contain one event.
    var seen: Set<EventID> = []
    return events.flatMap { event -> [EventBody] in
      guard seen.insert(event.id).inserted else { return [] }
      let bodies = [
        body(takingBack: event, from: state, to: before), settings(takingBack: event, from: state, to: before),
      ]
      return bodies.compactMap(\.self)
    }
  }

  /// The bodies of the undo, with `whole` as the state including YouTube's data. A video that had been skipped while
  /// upcoming and had become new again before the action is new after the undo, although user actions alone would make
  /// it skipped.
  package static func bodies(
    takingBack events: [Event], from state: DecidedState, to before: DecidedState, in videos: [VideoID: Video]
  ) -> [EventBody] {
    bodies(takingBack: events, from: state, to: before).compactMap { body in
      guard case .statusSet(let set) = body else { return body }
      if set.status == .skipped, let stamp = before.videos[set.video]?.statusChanged,
        videos[set.video]?.isNewAgain(skippedBy: stamp) == true
      {
        return .statusSet(StatusSet(video: set.video, status: .new, reason: StatusSet.undone))
      }
      // Another device did the same: nothing to undo.
      return set == state.videos[set.video]?.statusSet ? nil : body
    }
  }

  private static func body(takingBack event: Event, from state: DecidedState, to before: DecidedState) -> EventBody? {
    switch event.body {
    case .statusSet, .savedSet, .collectionSet, .progressSet, .noteSet: return remark(event, state, before)
    case .channelFollowed(let followed): return refollow(followed.subscription, event, state, before)
    case .channelUnfollowed(let subscription): return refollow(subscription, event, state, before)
    case .channelChanged(let change): return restore(of: change.subscription, event.id, state, before)
    case .feedFollowed(let followed): return refollow(.feed(followed.feed), event, state, before)
    case .feedUnfollowed(let feed): return refollow(.feed(feed), event, state, before)
    case .feedChanged(let change): return restore(of: .feed(change.feed), event.id, state, before)
    case .ruleSet(let rule): return restore(rule: rule.id, event, state, before)
    case .ruleRemoved(let removed): return restore(rule: removed.rule, event, state, before)
    case .collectionChanged(let change): return restore(change, event.id, state, before)
    case .preferenceSet(let set): return restore(set, event.id, state, before)
    case .handleFollowed(let followed): return refollow(followed.handle, event, state, before)
    case .handleUnfollowed(let unfollowed): return refollow(unfollowed.handle, event, state, before)
    case .channelEnriched, .handleResolved, .videoFound, .videoChanged, .videoEnriched, .videoRemoved, .videoDescribed,
      .actionUndone,
      .runFinished, .gapFound, .gapClosed, .feedMerged, .entryFound, .entryChanged, .entriesKnown:
      return nil
    }
  }

  private static func restore(
    _ set: PreferenceSet, _ event: EventID, _ state: DecidedState, _ before: DecidedState
  ) -> EventBody? {
    let (now, was) = (state.state.preferences, before.state.preferences.text(set.key))
    guard now.changed(set.key) == event, now.text(set.key) != was else { return nil }
    return .preferenceSet(PreferenceSet(name: set.name, value: was, channel: set.channel))
  }

  private static func restore(rule id: String, _ event: Event, _ state: DecidedState, _ before: DecidedState)
    -> EventBody?
  {
    let (now, was) = (state.state.rule(id), before.state.rule(id).rule)
    guard now.changed == event.id, now.rule != was else { return nil }
    return was.map { .ruleSet($0) } ?? .ruleRemoved(RuleRemoved(rule: id))
  }

  private static func restore(
    _ change: CollectionChanged, _ event: EventID, _ state: DecidedState, _ before: DecidedState
  ) -> EventBody? {
    guard let now = state.state.collections[change.collection] else { return nil }
    let was = before.state.collections[change.collection] ?? CollectionRegister()
    let (wasKept, text) = (was.kept?.value ?? false, was.text?.value ?? "")
    let back = CollectionChanged(
      collection: change.collection, kept: now.kept?.id == event && now.kept?.value != wasKept ? wasKept : nil,
      text: now.text?.id == event && now.text?.value != text ? text : nil)
    return back.kept == nil && back.text == nil ? nil : .collectionChanged(back)
  }

  private static func refollow(
    _ id: SubscriptionID, _ event: Event, _ state: DecidedState, _ before: DecidedState
  ) -> EventBody? {
    guard let now = state.state.channels[id], now.followChanged == event.id else { return nil }
    let wasFollowed = before.state.channels[id]?.isFollowed ?? false
    guard wasFollowed != now.isFollowed else { return restoreSeenLimit(of: now, event.id, before) }
    return wasFollowed ? follow(now, seenBefore: nil) : .unfollowing(id)
  }

  /// The event that follows a subscription again, with what it has.
  private static func follow(_ channel: Channel, seenBefore: Timestamp?) -> EventBody {
    guard case .feed(let feed) = channel.id else {
      return .channelFollowed(
        ChannelFollowed(subscription: channel.id, title: nil, tags: nil, seenBefore: seenBefore))
    }
    let url = channel.address ?? ""
    let followed = FeedFollowed(feed: feed, url: url, title: nil, tags: nil, seenBefore: seenBefore)
    if followed.isConsistent { return .feedFollowed(followed) }
    // It has moved, and stays where it is now.
    return .feedFollowed(FeedFollowed(feed: feed, url: "", title: nil, tags: nil, seenBefore: seenBefore))
  }

  /// Takes back the date before which videos count as seen; a date before all of them where there was none.
  private static func restoreSeenLimit(of now: Channel, _ event: EventID, _ before: DecidedState) -> EventBody? {
    let earlier = before.state.channels[now.id]?.seenBefore ?? Timestamp(seconds: 0)
    guard now.isFollowed, now.seenLimit?.id == event, now.seenBefore != earlier else { return nil }
    return follow(now, seenBefore: earlier)
  }

  private static func refollow(
    _ handle: String, _ event: Event, _ state: DecidedState, _ before: DecidedState
  ) -> EventBody? {
    guard let now = state.state.handles[handle], now.followChanged == event.id else { return nil }
    let followed = before.state.handles[handle]?.followed
    guard followed != now.followed else { return nil }
    return followed.map { .handleFollowed($0) } ?? .handleUnfollowed(HandleUnfollowed(handle: handle))
  }

  /// What following anew brought besides: a title, tags and a feed instead of those it had before.
  private static func settings(takingBack event: Event, from state: DecidedState, to before: DecidedState) -> EventBody?
  {
    let id: SubscriptionID
    switch event.body {
    case .channelFollowed(let followed): id = followed.subscription
    case .feedFollowed(let followed): id = .feed(followed.feed)
    default: return nil
    }
    return before.state.channels[id] == nil ? nil : restore(of: id, event.id, state, before)
  }

  private static func restore(
    of id: SubscriptionID, _ event: EventID, _ state: DecidedState, _ before: DecidedState
  ) -> EventBody? {
    guard let now = state.state.channels[id] else { return nil }
    let channel = before.state.channels[id] ?? Channel(id: id)
    var back = ChannelChanged(subscription: id)
    let title = channel.chosenTitle ?? ""
    if now.givenTitle?.id == event, title != now.chosenTitle { back.title = title }
    if now.tagList?.id == event, channel.tags != now.tags { back.tags = channel.tags }
    if now.feedChoice?.id == event, channel.feed != now.feed { back.feed = channel.feed }
    let usual = state.state.preferences.usualShorts
    let shorts = channel.shorts(usual: usual)
    if now.shortsChoice?.id == event, shorts != now.shorts(usual: usual) { back.shorts = shorts }
    if now.liveChoice?.id == event, channel.live != now.live { back.live = channel.live }
    if now.orderChoice?.id == event, channel.order != now.order { back.order = channel.order }
    return back.isUserAction ? .changing(back) : nil
  }
}

// MARK: Marks

extension Undo {
  private static func remark(_ event: Event, _ state: DecidedState, _ before: DecidedState) -> EventBody? {
    guard let id = event.body.video, let now = state.videos[id], now.holds(event) else { return nil }
    let video = before.videos[id] ?? Video(id: id)
    switch event.body {
    case .statusSet:
      guard video.statusChanged != nil else {
        return .statusSet(StatusSet(video: id, status: .new, reason: StatusSet.undone))
      }
      return .statusSet(video.statusSet)
    case .savedSet:
      return video.isSaved == now.isSaved ? nil : .savedSet(SavedSet(video: id, saved: video.isSaved))
    case .collectionSet(let set):
      let was = video.collections.contains(set.collection)
      let back = CollectionSet(video: id, collection: set.collection, member: was)
      return was == set.member ? nil : .collectionSet(back)
    case .progressSet:
      return video.progress == now.progress ? nil : .progressSet(ProgressSet(video: id, seconds: video.progress))
    case .noteSet: return video.note == now.note ? nil : .noteSet(NoteSet(video: id, text: video.note))
    default: return nil
    }
  }
}

extension Video {
  /// Whether this event was the last to write the register it targets.
  fileprivate func holds(_ event: Event) -> Bool {
    switch event.body {
    case .statusSet: statusChanged == event.id
    case .savedSet: saved?.id == event.id
    case .collectionSet(let set): memberships[set.collection]?.id == event.id
    case .progressSet: progressSet?.id == event.id
    case .noteSet: noteSet?.id == event.id
    default: false
    }
  }
}
