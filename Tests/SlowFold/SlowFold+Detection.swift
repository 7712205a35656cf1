import Core

extension SlowFold {
  /// What is known of a feed's channel and videos before it is compared.
  fileprivate func known(_ feed: Feed, _ requested: FeedRequest) -> KnownFeed {
    let channel = state.channels[requested.subscription]
    var known: [VideoID: KnownVideo] = [:]
    for entry in feed.entries {
      known[entry.video] = videos[entry.video].flatMap { KnownVideo($0, requested.subscription) }
    }
    var result = KnownFeed(channel: channel, videos: known, newestPublished: nil, hasFoundSinceLimit: false)
    // Looking at every video takes long.
    guard known.isEmpty || channel?.seenLimit != nil else { return result }
    let own = videos.values.filter { video in
      switch requested.subscription {
      case .channel(let id): video.found != nil && video.channel == id
      case .playlist(let id): video.found != nil && video.playlists.contains(id)
      case .feed: false
      }
    }
    result.newestPublished = own.map(\.published).max()
    if let limit = channel?.seenLimit {
      result.hasFoundSinceLimit = own.contains { $0.found.map { $0 > limit.id } ?? false }
    }
    return result
  }
}

extension KnownVideo {
  /// nil if the video was not found.
  fileprivate init?(_ video: Video, _ subscription: SubscriptionID) {
    if video.found == nil { return nil }
    let isListed = if case .playlist(let id) = subscription { video.playlists.contains(id) } else { false }
    self.init(
      id: video.id, title: video.title, link: video.link, publishedLatest: video.publishedLatest,
      hasZeroViews: video.hasZeroViews, feeds: video.feeds, unusualThumbnail: video.unusualThumbnail,
      descriptionFingerprint: video.description?.fingerprint, isRemoved: video.isRemoved, isInPlaylist: isListed)
  }
}

extension Detection {
  /// Compares a feed with what the slow fold knows.
  package init(of feed: Feed, requested: FeedRequest, answered: Timestamp?, in fold: SlowFold) {
    self.init(of: feed, requested: requested, answered: answered, known: fold.known(feed, requested))
  }
}

extension Feed {
  /// Whether the slow fold knows all that this feed says.
  package func isKnown(requested: FeedRequest, to fold: SlowFold) -> Bool {
    isKnown(requested: requested, to: fold.known(self, requested))
  }
}

extension Undo {
  /// The events that restore what an action changed, in the slow fold.
  package static func bodies(takingBack events: [Event], from fold: SlowFold, to before: SlowFold) -> [EventBody] {
    bodies(takingBack: events, from: fold.decided, to: before.decided)
  }

  /// The same, with `whole` as the fold including YouTube's data.
  package static func bodies(
    takingBack events: [Event], from fold: SlowFold, to before: SlowFold, in whole: SlowFold
  ) -> [EventBody] {
    bodies(takingBack: events, from: fold.decided, to: before.decided, in: whole.videos)
  }
}
