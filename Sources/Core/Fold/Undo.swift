/// What an undo appends: the values that stood before.
package enum Undo {
  /// The bodies that bring what an action's events touched from `state` back to what it is `before`, the state without
  /// that action. What was decided anew since then stays: only registers that the action still holds are taken back.
  package static func bodies(
    takingBack events: [Event], from state: State, to before: State
  ) -> [EventBody] {
    var bodies: [EventBody] = []
    for event in events {
      if let body = body(takingBack: event, from: state, to: before), !bodies.contains(body) { bodies.append(body) }
    }
    return bodies
  }

  /// The same, with `whole` as all that is known, YouTube's answers too: what had been skipped while it was still to come
  /// and was new again before the action is so after the undo, though skipped by the decisions alone.
  package static func bodies(
    takingBack events: [Event], from state: State, to before: State, in whole: State
  ) -> [EventBody] {
    bodies(takingBack: events, from: state, to: before).compactMap { body in
      guard case .statusSet(let set) = body else { return body }
      if set.status == .skipped, let stamp = before.videos[set.video]?.statusChanged,
        whole.videos[set.video]?.isNewAgain(skippedBy: stamp) == true
      {
        return .statusSet(StatusSet(video: set.video, status: .new, reason: StatusSet.undone))
      }
      // Another device decided the same: there is nothing to take back.
      return set == state.videos[set.video]?.statusSet ? nil : body
    }
  }

  private static func body(takingBack event: Event, from state: State, to before: State) -> EventBody? {
    switch event.body {
    case .statusSet(let set):
      guard state.videos[set.video]?.statusChanged == event.id else { return nil }
      guard let video = before.videos[set.video], video.statusChanged != nil else {
        return .statusSet(StatusSet(video: set.video, status: .new, reason: StatusSet.undone))
      }
      return .statusSet(video.statusSet)
    case .savedSet(let set):
      let saved = before.videos[set.video]?.isSaved ?? false
      guard state.videos[set.video]?.isSaved == set.saved, saved != set.saved else { return nil }
      return .savedSet(SavedSet(video: set.video, saved: saved))
    case .collectionSet(let set):
      guard state.isMember(set) == set.member, before.isMember(set) != set.member else { return nil }
      return .collectionSet(CollectionSet(video: set.video, collection: set.collection, member: !set.member))
    case .progressSet(let set):
      let seconds = before.videos[set.video]?.progress ?? 0
      guard state.videos[set.video]?.progress == set.seconds, seconds != set.seconds else { return nil }
      return .progressSet(ProgressSet(video: set.video, seconds: seconds))
    case .noteSet(let set):
      let text = before.videos[set.video]?.note ?? ""
      guard state.videos[set.video]?.note == set.text, text != set.text else { return nil }
      return .noteSet(NoteSet(video: set.video, text: text))
    case .channelFollowed(let followed): return refollow(followed.subscription, event, state, before)
    case .channelUnfollowed(let subscription): return refollow(subscription, event, state, before)
    case .channelChanged(let change): return restore(change, event.id, state, before)
    case .ruleSet(let rule): return restore(rule: rule.id, event, state, before)
    case .ruleRemoved(let removed): return restore(rule: removed.rule, event, state, before)
    case .handleFollowed(let followed): return refollow(followed.handle, event, state, before)
    case .handleUnfollowed(let unfollowed): return refollow(unfollowed.handle, event, state, before)
    case .handleResolved, .videoFound, .videoChanged, .videoEnriched, .videoRemoved, .runFinished,
      .gapFound, .gapClosed:
      return nil
    }
  }

  private static func restore(rule id: String, _ event: Event, _ state: State, _ before: State) -> EventBody? {
    guard state.rule(id).changed == event.id else { return nil }
    return before.rule(id).rule.map { .ruleSet($0) } ?? .ruleRemoved(RuleRemoved(rule: id))
  }

  private static func refollow(
    _ id: SubscriptionID, _ event: Event, _ state: State, _ before: State
  ) -> EventBody? {
    guard let now = state.channels[id], now.followChanged == event.id else { return nil }
    let wasFollowed = before.channels[id]?.isFollowed ?? false
    guard wasFollowed != now.isFollowed else { return restoreSeenLimit(of: now, event.id, before) }
    return wasFollowed
      ? .channelFollowed(ChannelFollowed(subscription: id, title: nil, tags: nil)) : .channelUnfollowed(id)
  }

  /// Takes back the date before which videos count as seen; a date before all of them where there was none.
  private static func restoreSeenLimit(of now: Channel, _ event: EventID, _ before: State) -> EventBody? {
    let earlier = before.channels[now.id]?.seenBefore ?? Timestamp(seconds: 0)
    guard now.isFollowed, now.seenLimit?.id == event, now.seenBefore != earlier else { return nil }
    return .channelFollowed(ChannelFollowed(subscription: now.id, title: nil, tags: nil, seenBefore: earlier))
  }

  private static func refollow(
    _ handle: String, _ event: Event, _ state: State, _ before: State
  ) -> EventBody? {
    guard let now = state.handles[handle], now.followChanged == event.id else { return nil }
    let followed = before.handles[handle]?.followed
    guard followed != now.followed else { return nil }
    return followed.map { .handleFollowed($0) } ?? .handleUnfollowed(HandleUnfollowed(handle: handle))
  }

  private static func restore(
    _ change: ChannelChanged, _ event: EventID, _ state: State, _ before: State
  ) -> EventBody? {
    guard let now = state.channels[change.subscription] else { return nil }
    let channel = before.channels[change.subscription] ?? Channel(id: change.subscription)
    var back = ChannelChanged(subscription: change.subscription)
    if now.givenTitle?.id == event { back.title = channel.chosenTitle ?? "" }
    if now.tagList?.id == event { back.tags = channel.tags }
    if now.feedChoice?.id == event { back.feed = channel.feed }
    if now.shortsChoice?.id == event { back.shorts = channel.shorts }
    if now.liveChoice?.id == event { back.live = channel.live }
    if now.orderChoice?.id == event { back.order = channel.order }
    return back.isDecision ? .channelChanged(back) : nil
  }
}

extension State {
  fileprivate func isMember(_ set: CollectionSet) -> Bool {
    videos[set.video]?.collections.contains(set.collection) ?? false
  }
}
