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

  /// The events that make it so. What is followed already only gains the tags it lacks.
  func bodies(in state: State) -> [EventBody] {
    var done: Set<String> = []
    return wishes.compactMap { wish in
      switch wish.reference {
      case .subscription(let id, let form):
        done.insert(id.description).inserted ? body(for: id, form: form, wish, in: state) : nil
      case .name(let name): done.insert(name.description).inserted ? body(for: name, wish, in: state) : nil
      }
    }
  }

  private func body(for id: SubscriptionID, form: FeedForm, _ wish: Wish, in state: State) -> EventBody? {
    if let channel = state.channels[id], channel.isFollowed {
      let lacking = wish.tags.filter { !channel.tags.contains($0) }
      guard !lacking.isEmpty else { return nil }
      return .channelChanged(ChannelChanged(subscription: id, tags: channel.tags + lacking))
    }
    let isUsual = form == .channel || form == .playlist
    return .channelFollowed(
      ChannelFollowed(
        subscription: id, title: wish.title, tags: wish.tags.isEmpty ? nil : wish.tags, feed: isUsual ? nil : form,
        seenBefore: seenBefore))
  }

  private func body(for name: ChannelName, _ wish: Wish, in state: State) -> EventBody? {
    let known = state.handles[name.description]
    if let subscription = known?.subscription {
      return body(for: subscription, form: .channel, wish, in: state)
    }
    guard known?.followed == nil else { return nil }
    return .handleFollowed(
      HandleFollowed(
        handle: name.description, title: wish.title, tags: wish.tags.isEmpty ? nil : wish.tags, seenBefore: seenBefore))
  }
}
