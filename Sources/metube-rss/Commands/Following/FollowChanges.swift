import Core
import ReadModel

/// Builds the follow events for channels, playlists and handles; skips whatever the state already contains.
struct FollowChanges {
  private struct Wish {
    var reference: ChannelReference
    var title: String?
    var tags: [String]
  }

  private var wishes: [Wish] = []
  private let tags: [String]
  private let seenBefore: Timestamp?

  /// Starts empty. Every subscription gets `tags`, and its videos published before `seenBefore` count as watched.
  init(tags: [String], seenBefore: Timestamp?) {
    self.tags = tags
    self.seenBefore = seenBefore
  }

  /// The number of subscriptions added.
  var count: Int { wishes.count }

  /// Adds a subscription, with its title and tags if known.
  mutating func add(_ reference: ChannelReference, title: String? = nil, tags: [String] = []) {
    let all = tags + self.tags.filter { !tags.contains($0) }
    wishes.append(Wish(reference: reference, title: title, tags: all))
  }

  /// The events to append. A subscription already followed only gains missing tags and the `seenBefore` date; its known
  /// videos from before that date are marked watched.
  func bodies(in model: ReadModel) throws -> [EventBody] {
    let state = try model.state()
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
    return bodies + (try marks(of: ids, in: model))
  }

  private func bodies(for id: SubscriptionID, form: FeedForm, _ wish: Wish, in state: State) -> [EventBody] {
    if let channel = state.channels[id], channel.isFollowed {
      var bodies: [EventBody] = []
      let lacking = wish.tags.filter { !channel.tags.contains($0) }
      if !lacking.isEmpty {
        bodies.append(.channelChanged(ChannelChanged(subscription: id, tags: channel.tags + lacking)))
      }
      // Before the first poll there are no videos to mark, so record the date instead.
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

  /// Events that mark known videos from before the date as watched; a user action, so `undo` reverts it.
  private func marks(of ids: Set<SubscriptionID>, in model: ReadModel) throws -> [EventBody] {
    let state = try model.state()
    guard let seenBefore, ids.contains(where: { state.channels[$0]?.name != nil }) else { return [] }
    var bodies: [EventBody] = []
    for video in Set(try ids.flatMap { try model.videos(of: $0, before: seenBefore) }).sorted() {
      guard try model.video(video)?.statusSet.status == .new else { continue }
      bodies.append(.statusSet(StatusSet(video: video, status: .watched)))
    }
    return bodies
  }
}
