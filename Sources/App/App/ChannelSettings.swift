import Core
import EventLog
import Messages

/// Changes of one channel: what is nil stays as it is.
package struct ChannelSettings: Equatable, Sendable {
  /// ID, address, handle or title.
  var channel: String
  /// The title to show; empty restores the original.
  package var title: String?
  /// Tags to add, and to remove.
  package var tag: [String] = []
  package var untag: [String] = []
  /// The feed to poll.
  var feed: FeedForm?
  /// Whether lists show its Shorts, its streams and premieres.
  var shorts: ListVisibility?
  var live: ListVisibility?
  /// The order of its own list.
  var order: ListOrder?

  package init(
    channel: String, title: String? = nil, tag: [String] = [], untag: [String] = [], feed: FeedForm? = nil,
    shorts: ListVisibility? = nil, live: ListVisibility? = nil, order: ListOrder? = nil
  ) {
    (self.channel, self.title, self.tag, self.untag, self.feed, self.shorts, self.live, self.order) = (
      channel, title, tag, untag, feed, shorts, live, order
    )
  }

  /// Appends the change, if it is one, and returns it with the channel.
  package func set(in session: Session) throws -> (channel: SubscriptionID, event: Event?) {
    let state = try session.state
    let id = try ChannelResolver(state, alsoUnfollowed: false).resolve(channel)
    let known = TagNames(state)
    let title = try title.map { $0.isEmpty ? "" : try ValidatedName($0, of: .channel).text }
    let (added, removed) = (try tag.map(known.given), try untag.flatMap(known.resolve))
    if feed != nil, id.channel == nil { throw AppError.feedOfPlaylist(channel) }
    let events = try session.commit {
      let state = try session.state
      guard let channel = state.channels[id] else { return [] }
      var change = ChannelChanged(subscription: id)
      if let feed, feed != channel.feed { change.feed = feed }
      if let shorts, shorts != channel.shorts(usual: state.preferences.usualShorts) { change.shorts = shorts }
      if let live, live != channel.live { change.live = live }
      if let order, order != channel.order { change.order = order }
      if let title, title != channel.chosenTitle ?? "" { change.title = title }
      let tags = (channel.tags + added.filter { !channel.tags.contains($0) }).filter { !removed.contains($0) }
      if tags != channel.tags { change.tags = tags }
      return change.isUserAction ? [.changing(change)] : []
    }
    return (id, events.first)
  }
}
