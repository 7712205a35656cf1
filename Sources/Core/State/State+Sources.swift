extension State {
  /// The title of a video's channel, else the channel name the video came with, else the channel ID.
  package func channelTitle(of video: Video) -> String {
    if let channel = channels[.channel(video.channel)], channel.hasTitle { return channel.title }
    return video.channelTitle ?? video.channel.description
  }

  /// The tags of a video's channel and of the followed playlists it was seen in, sorted, without duplicates.
  package func tags(of video: Video) -> [String] {
    let own = channels[.channel(video.channel)]?.tags ?? []
    guard !video.playlists.isEmpty else { return own }
    let others = video.playlists.flatMap { channels[.playlist($0)]?.tags ?? [] }
    return Set(own + others).sorted()
  }

  /// Whether its channel or one of its playlists is followed.
  package func isFollowed(_ video: Video) -> Bool {
    if channels[.channel(video.channel)]?.isFollowed == true { return true }
    return video.playlists.contains { channels[.playlist($0)]?.isFollowed == true }
  }
}

extension State {
  /// Whether the user chose to see the Shorts of a video's channel, or of a playlist it is in.
  package func listsShorts(of video: Video) -> Bool {
    hasSource(video) { $0.shorts == .show }
  }

  /// Whether the user chose to see no streams of a video's channel, or of a playlist it is in.
  package func hidesStreams(of video: Video) -> Bool {
    hasSource(video) { $0.live == .hide }
  }

  private func hasSource(_ video: Video, _ isSuch: (Channel) -> Bool) -> Bool {
    if channels[.channel(video.channel)].map(isSuch) ?? false { return true }
    return video.playlists.contains { channels[.playlist($0)].map(isSuch) ?? false }
  }
}
