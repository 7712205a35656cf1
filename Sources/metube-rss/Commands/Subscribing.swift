import Core

/// Subscriptions to be followed, as events that say only what is not so yet.
struct Subscribing {
  private struct Wish {
    var reference: ChannelReference
    var title: String?
    var tags: [String]
  }

  private var wishes: [Wish] = []
  private let tags: [String]
  private let seenBefore: Timestamp?

  /// Nothing yet; each is to have these tags, and its videos of before then count as watched.
  init(tags: [String], seenBefore: Timestamp?) {
    self.tags = tags
    self.seenBefore = seenBefore
  }

  /// How many were added.
  var count: Int { wishes.count }

  /// Adds one, with what is known of it.
  mutating func add(_ reference: ChannelReference, title: String? = nil, tags: [String] = []) {
    let all = tags + self.tags.filter { !tags.contains($0) }
    wishes.append(Wish(reference: reference, title: title, tags: all))
  }

  /// The events that make it so. What is followed already only gains the tags it lacks, and the date before which its
  /// videos count as seen; those known of it are marked watched.
  func bodies(in state: State) -> [EventBody] {
    var done: Set<String> = []
    var ids: Set<SubscriptionID> = []
    let bodies = wishes.flatMap { wish -> [EventBody] in
      switch wish.reference {
      case .subscription(let id, let form):
        guard done.insert(id.description).inserted else { return [] }
        ids.insert(id)
        return self.bodies(for: id, form: form, wish, in: state)
      case .name(let name):
        guard done.insert(name.description).inserted else { return [] }
        if let id = state.handles[name.description]?.subscription { ids.insert(id) }
        return self.bodies(for: name, wish, in: state)
      }
    }
    return bodies + marks(of: ids, in: state)
  }

  private func bodies(for id: SubscriptionID, form: FeedForm, _ wish: Wish, in state: State) -> [EventBody] {
    if let channel = state.channels[id], channel.isFollowed {
      var bodies: [EventBody] = []
      let lacking = wish.tags.filter { !channel.tags.contains($0) }
      if !lacking.isEmpty {
        bodies.append(.channelChanged(ChannelChanged(subscription: id, tags: channel.tags + lacking)))
      }
      // Before its first poll there is nothing to mark: the date does that.
      if let seenBefore, channel.name == nil, channel.seenBefore != seenBefore {
        let followed = ChannelFollowed(subscription: id, title: nil, tags: nil, seenBefore: seenBefore)
        bodies.append(.channelFollowed(followed))
      }
      return bodies
    }
    let isUsual = form == .channel || form == .playlist
    return [
      .channelFollowed(
        ChannelFollowed(
          subscription: id, title: wish.title, tags: wish.tags.isEmpty ? nil : wish.tags, feed: isUsual ? nil : form,
          seenBefore: seenBefore))
    ]
  }

  private func bodies(for name: ChannelName, _ wish: Wish, in state: State) -> [EventBody] {
    let known = state.handles[name.description]
    if let subscription = known?.subscription {
      return bodies(for: subscription, form: .channel, wish, in: state)
    }
    if let followed = known?.followed, seenBefore == nil || followed.seenBefore == seenBefore { return [] }
    let earlier = known?.followed
    return [
      .handleFollowed(
        HandleFollowed(
          handle: name.description, title: wish.title ?? earlier?.title,
          tags: wish.tags.isEmpty ? earlier?.tags : wish.tags, seenBefore: seenBefore))
    ]
  }

  /// The marks on what is known of channels from before the date: the person's act, to be undone like any.
  private func marks(of ids: Set<SubscriptionID>, in state: State) -> [EventBody] {
    guard let seenBefore, ids.contains(where: { state.channels[$0]?.name != nil }) else { return [] }
    let seen = state.videos.filter { video in
      guard video.published < seenBefore, video.statusSet.status == .new else { return false }
      return ids.contains(.channel(video.channel)) || video.playlists.contains { ids.contains(.playlist($0)) }
    }
    return seen.map { .statusSet(StatusSet(video: $0.id, status: .watched)) }
  }
}
