import Core

extension State {
  /// Whether there are no subscriptions: no channel, playlist or handle.
  package var followsNothing: Bool { !followsAny && unresolved.isEmpty }

  /// The feeds of other sites that are followed, by ID.
  package var followedFeeds: [Channel] {
    // Of thousands of channels hardly one is a feed.
    channels.keys.filter { !$0.isYouTube && channels[$0]?.isFollowed == true }.sorted().compactMap { channels[$0] }
  }
}

extension State {
  /// The followed feeds of other sites by their present addresses.
  package var feedsByAddress: [FeedAddress: FeedID] {
    let pairs = followedFeeds.compactMap { channel in
      channel.id.feed.flatMap { feed in channel.address.flatMap { FeedAddress($0) }.map { ($0, feed) } }
    }
    return Dictionary(pairs) { first, _ in first }
  }
}

extension State {
  /// The followed handles whose channel is not known yet, with one of these tags if there are any.
  package func unresolved(_ tags: [String]) -> [HandleFollowed] {
    unresolved.filter { name in tags.isEmpty || (name.tags ?? []).contains { tags.contains($0) } }
  }
}
