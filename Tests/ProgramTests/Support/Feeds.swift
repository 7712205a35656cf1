import FixtureServer

extension FixtureFeed {
  /// A feed with these videos, newest first, a day apart.
  static func of(
    _ channel: SyntheticChannel, _ videos: [(id: String, title: String)], newest: Int = 1_793_404_800
  ) -> FixtureFeed {
    let entries = videos.enumerated().map { position, video in
      FixtureEntry.of(video.id, video.title, published: newest - position * 86_400)
    }
    return FixtureFeed(channel: channel.id, title: channel.title, published: 1_200_000_000, entries: entries)
  }
}

extension FixtureEntry {
  /// An ordinary video.
  static func of(_ video: String, _ title: String, published: Int) -> FixtureEntry {
    FixtureEntry(
      video: video, title: title, isShort: false, published: published, updated: published + 60,
      description: "About \(title).", views: 1_000)
  }
}

extension Sandbox {
  /// Follows the first `count` synthetic channels, which the server serves from now on, and returns them.
  @discardableResult
  func follow(_ count: Int) throws -> [SyntheticChannel] {
    let channels = SyntheticChannel.first(count)
    for channel in channels { server.serve(channel.id, .feed(channel.feed(generation: 0).xml)) }
    try succeed("import", "-", input: channels.map { $0.id + "\n" }.joined())
    return channels
  }

  /// Follows one channel with these videos, newest first, and polls it.
  @discardableResult
  func follow(_ videos: [(id: String, title: String)]) throws -> SyntheticChannel {
    let channel = SyntheticChannel(number: 0)
    server.serve(channel.id, .feed(FixtureFeed.of(channel, videos).xml))
    try succeed("follow", channel.id)
    try succeed("poll", "--rate", "0", "--force")
    return channel
  }
}

/// Three videos for tests that mark videos; one ID begins with `-`.
let threeVideos = [
  (id: "-bcdefghijA", title: "A Lantern in March"), (id: "bbbbbbbbbbE", title: "How to Tune a Bell"),
  (id: "ccccccccccI", title: "Three Quiet Gears"),
]
