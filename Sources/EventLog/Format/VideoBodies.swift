import Core

extension VideoFound: LineBody {
  static func coded(_ body: VideoFound?, by coder: inout some MemberCoder) -> VideoFound? {
    guard let video = coder.member("video", body?.video),
      let channel = coder.member("channel", body?.channel),
      let feed = coder.member("feed", body?.feed),
      let title = coder.member("title", body?.title),
      let link = coder.member("link", body?.link),
      let published = coder.member("published", body?.published),
      let zeroViews = coder.member("zeroViews", body?.zeroViews)
    else { return nil }
    return VideoFound(
      video: video, channel: channel, channelTitle: coder.option("channelTitle", body?.channelTitle), feed: feed,
      playlist: coder.option("playlist", body?.playlist), title: title, link: link, published: published,
      thumbnail: coder.option("thumbnail", body?.thumbnail), zeroViews: zeroViews,
      status: coder.option("status", body?.status), reason: coder.option("reason", body?.reason),
      description: coder.option("description", body?.description))
  }
}

extension VideoChanged: LineBody {
  static func coded(_ body: VideoChanged?, by coder: inout some MemberCoder) -> VideoChanged? {
    guard let video = coder.member("video", body?.video) else { return nil }
    return VideoChanged(
      video: video,
      feed: coder.option("feed", body?.feed),
      playlist: coder.option("playlist", body?.playlist),
      title: coder.option("title", body?.title),
      link: coder.option("link", body?.link),
      published: coder.option("published", body?.published),
      thumbnail: coder.option("thumbnail", body?.thumbnail),
      zeroViews: coder.option("zeroViews", body?.zeroViews),
      description: coder.option("description", body?.description))
  }
}

extension VideoEnriched: LineBody {
  static func coded(_ body: VideoEnriched?, by coder: inout some MemberCoder) -> VideoEnriched? {
    guard let video = coder.member("video", body?.video) else { return nil }
    return VideoEnriched(
      video: video,
      duration: coder.option("duration", body?.duration),
      live: coder.option("live", body?.live),
      scheduled: coder.option("scheduled", body?.scheduled),
      started: coder.option("started", body?.started),
      ended: coder.option("ended", body?.ended))
  }
}

extension VideoRemoved: LineBody {
  static func coded(_ body: VideoRemoved?, by coder: inout some MemberCoder) -> VideoRemoved? {
    guard let video = coder.member("video", body?.video), let removed = coder.member("removed", body?.removed) else {
      return nil
    }
    return VideoRemoved(video: video, removed: removed)
  }
}
