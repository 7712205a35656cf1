import App
import Core
import HubCore
import HubStore
import Library

/// A feed as readers see it.
package enum ReaderFeed {
  case channel(Channel)
  /// A followed name whose channel is still to be found, or cannot be; it has no videos.
  case name(HandleFollowed)

  /// What its number belongs to. The channel that is found inherits the number of the name.
  package var key: String {
    switch self {
    case .channel(let channel): channel.id.description
    case .name(let followed): followed.handle
    }
  }

  /// The subscription; nil as long as it is only a name.
  package var subscription: SubscriptionID? { if case .channel(let channel) = self { channel.id } else { nil } }

  package var title: String {
    switch self {
    case .channel(let channel): channel.title
    case .name(let followed): followed.title ?? followed.handle
    }
  }

  package var tags: [String] {
    switch self {
    case .channel(let channel): channel.tags
    case .name(let followed): followed.tags ?? []
    }
  }

  /// The URL of its feed, or of the page that names it; of a private feed its page, because programs show it.
  package var address: String {
    switch self {
    case .channel(let channel):
      channel.isPrivate ? channel.url : channel.address ?? channel.feed.url(of: channel.id) ?? ""
    case .name(let followed): followed.page
    }
  }

  /// The URL of its page.
  package var page: String {
    switch self {
    case .channel(let channel): channel.url
    case .name(let followed): followed.page
    }
  }

  /// Whether a category lists it: a tag, or the empty one for feeds without tags.
  package func isIn(category tag: String) -> Bool { tag.isEmpty ? tags.isEmpty : tags.contains(tag) }
}

extension HubService {
  /// What is followed: subscriptions, and then names.
  package func readerFeeds() throws -> [ReaderFeed] {
    let state = try session.state
    return state.followed.map { .channel($0) } + state.unresolved.map { .name($0) }
  }

  /// The feed with a number. Throws a `HubProblem` if nothing followed has it.
  package func readerFeed(_ number: Int) throws -> ReaderFeed {
    guard let feed = try (numbers.keys(.channel, [number]).first ?? nil).flatMap(readerFeed(key:)) else {
      throw HubProblem(404, "Resource Not Found")
    }
    return feed
  }

  /// The followed feed of a subscription's ID or of a name, which may have been resolved since.
  package func readerFeed(key: String) throws -> ReaderFeed? {
    let state = try session.state
    let handle = state.handles[key]
    guard let id = SubscriptionID(key) ?? handle?.subscription else { return handle?.followed.map { .name($0) } }
    guard let channel = state.channels[id], channel.isFollowed else { return nil }
    return .channel(channel)
  }

  /// The followed feed that a reference names; nil if it is not followed.
  package func readerFeed(_ reference: ChannelReference) throws -> ReaderFeed? {
    switch reference {
    case .subscription(let id, _): try readerFeed(key: id.description)
    case .name(let name): try readerFeed(key: name.description)
    }
  }

  /// Unfollows a feed; its videos stay.
  package func unfollow(_ feed: ReaderFeed) throws {
    switch feed {
    case .channel(let channel): try unfollow(channel.id)
    case .name(let followed):
      try session.commit {
        try session.state.handles[followed.handle]?.followed == nil
          ? [] : [.handleUnfollowed(HandleUnfollowed(handle: followed.handle))]
      }
    }
  }

  /// Changes a feed's title or tags where they differ.
  package func change(
    _ feed: ReaderFeed, title: String? = nil, tags: ([String]) throws -> [String] = { $0 }
  ) throws {
    try session.commit { try change(of: feed, title: title, tags: tags) }
  }

  /// The events that change a feed's title or tags where they differ.
  func change(
    of feed: ReaderFeed, title: String? = nil, tags: ([String]) throws -> [String]
  ) throws -> [EventBody] {
    switch feed {
    case .channel(let channel): return try change(of: channel.id, title: title, tags: tags)
    case .name(let known):
      guard let followed = try session.state.handles[known.handle]?.followed else { return [] }
      let wanted = try tags(followed.tags ?? [])
      var changed = followed
      changed.title = title ?? followed.title
      if wanted != followed.tags ?? [] { changed.tags = wanted.isEmpty ? nil : wanted }
      return changed == followed ? [] : [.handleFollowed(changed)]
    }
  }
}

extension Channel {
  /// Whether a category lists it: a tag, or the empty one for feeds without tags.
  func isIn(category tag: String) -> Bool { tag.isEmpty ? tags.isEmpty : tags.contains(tag) }
}
