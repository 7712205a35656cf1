import Core
import ReadModel

/// Builds the follow events for channels, playlists and handles; skips whatever the state already contains.
package struct FollowChanges {
  private struct Wish {
    var reference: ChannelReference
    var title: String?
    var tags: [String]
  }

  /// A feed of another site.
  private struct FeedWish {
    var url: WebURL
    var title: String?
    var tags: [String]
  }

  private var wishes: [Wish] = []
  private var feeds: [FeedWish] = []
  /// Feeds of other sites that were followed before.
  private var again: [FeedID] = []
  private let tags: [String]
  private let seenBefore: Timestamp?
  /// The account that brings what is followed; nil if the person chose it.
  private let source: String?

  /// Starts empty. Every subscription gets `tags`, and its videos published before `seenBefore` count as watched.
  package init(tags: [String], seenBefore: Timestamp?, source: String? = nil) {
    self.tags = tags
    self.seenBefore = seenBefore
    self.source = source
  }

  /// The subscriptions added.
  var references: [ChannelReference] {
    wishes.map(\.reference) + again.map { .subscription(.feed($0), .channel) }
  }

  /// Adds a subscription, with its title and tags if known.
  package mutating func add(_ reference: ChannelReference, title: String? = nil, tags: [String] = []) {
    wishes.append(Wish(reference: reference, title: title, tags: all(tags)))
  }

  /// Adds a feed of another site, with its title and tags if known.
  package mutating func add(feed url: WebURL, title: String?, tags: [String]) {
    feeds.append(FeedWish(url: url, title: title, tags: all(tags)))
  }

  /// Adds a feed of another site that is known, to be followed where it is now.
  mutating func add(again feed: FeedID) { again.append(feed) }

  private func all(_ tags: [String]) -> [String] { tags + self.tags.filter { !tags.contains($0) } }

  /// The events to append. A subscription already followed only gains missing tags, a title if it has none, and the
  /// `seenBefore` date; its known videos from before that date are marked watched.
  package func bodies(in model: ReadModel) throws -> [EventBody] {
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
    let followed = feeds.isEmpty && again.isEmpty ? [] : feedBodies(in: state, &ids)
    return bodies + followed + (try marks(of: ids, in: model))
  }

  /// The events for feeds of other sites; adds their IDs.
  private func feedBodies(in state: State, _ ids: inout Set<SubscriptionID>) -> [EventBody] {
    let known = state.feedsByAddress
    var bodies: [EventBody] = []
    for wish in feeds {
      let address = FeedAddress(wish.url)
      let feed = known[address] ?? FeedID(of: address)
      guard ids.insert(.feed(feed)).inserted else { continue }
      bodies += self.bodies(for: feed, wish, state.channels[.feed(feed)])
    }
    for feed in again where ids.insert(.feed(feed)).inserted && state.channels[.feed(feed)]?.isFollowed == false {
      let tags = tags.isEmpty ? nil : tags
      bodies.append(.feedFollowed(FeedFollowed(feed: feed, url: "", title: nil, tags: tags, seenBefore: seenBefore)))
    }
    return bodies
  }

  private func bodies(for feed: FeedID, _ wish: FeedWish, _ channel: Channel?) -> [EventBody] {
    var followed = FeedFollowed(feed: feed, url: wish.url.text, title: wish.title, tags: nil, seenBefore: seenBefore)
    guard let channel, channel.isFollowed else {
      followed.tags = wish.tags.isEmpty ? nil : wish.tags
      return [.feedFollowed(followed)]
    }
    var bodies: [EventBody] = []
    let lacking = wish.tags.filter { !channel.tags.contains($0) }
    if !lacking.isEmpty {
      bodies.append(.changing(ChannelChanged(subscription: channel.id, tags: channel.tags + lacking)))
    }
    // It is followed where it is now, which may be another URL than the one that its ID stands for.
    followed.url = ""
    // Before the first poll there are no entries to mark, so record the date instead.
    if channel.hasTitle { followed.title = nil }
    if channel.name != nil || channel.seenBefore == seenBefore { followed.seenBefore = nil }
    guard channel.name == nil, followed.title != nil || followed.seenBefore != nil else { return bodies }
    return bodies + [.feedFollowed(followed)]
  }

  private func bodies(for id: SubscriptionID, form: FeedForm, _ wish: Wish, in state: State) -> [EventBody] {
    // A name may only stand for what YouTube has, whatever a log says.
    guard id.isYouTube else { return [] }
    if let channel = state.channels[id], channel.isFollowed {
      var bodies: [EventBody] = []
      let lacking = wish.tags.filter { !channel.tags.contains($0) }
      if !lacking.isEmpty {
        bodies.append(.changing(ChannelChanged(subscription: id, tags: channel.tags + lacking)))
      }
      var followed = ChannelFollowed(subscription: id, title: channel.hasTitle ? nil : wish.title, tags: nil)
      // Before the first poll there are no videos to mark, so record the date instead.
      if channel.name == nil, channel.seenBefore != seenBefore { followed.seenBefore = seenBefore }
      if followed.title != nil || followed.seenBefore != nil { bodies.append(.channelFollowed(followed)) }
      return bodies
    }
    let isUsual = form == .channel || form == .playlist
    return [
      .channelFollowed(
        ChannelFollowed(
          subscription: id, title: wish.title, tags: wish.tags.isEmpty ? nil : wish.tags, feed: isUsual ? nil : form,
          seenBefore: seenBefore, source: source))
    ]
  }

  private func bodies(for name: ChannelName, _ wish: Wish, in state: State) -> [EventBody] {
    let known = state.handles[name.description]
    if let subscription = known?.subscription {
      return bodies(for: subscription, form: .channel, wish, in: state)
    }
    let earlier = known?.followed
    let hasTitle = wish.title == nil || earlier?.title != nil
    if earlier != nil, hasTitle, seenBefore == nil || earlier?.seenBefore == seenBefore { return [] }
    let tags = (earlier?.tags ?? []) + wish.tags.filter { earlier?.tags?.contains($0) != true }
    return [
      .handleFollowed(
        HandleFollowed(
          handle: name.description, title: earlier?.title ?? wish.title, tags: tags.isEmpty ? nil : tags,
          seenBefore: seenBefore ?? earlier?.seenBefore))
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
