/// One subscription as every view shows it; the members and their order are the contract of `channels --format jsonl`.
package struct ChannelRow: Equatable, Sendable {
  package var channel: SubscriptionID
  package var title: String
  package var url: String
  package var tags: [String]
  package var feed: FeedForm
  /// Videos that are new to the person, Shorts and upcoming ones left out.
  package var unwatched: Int
  package var lastPublished: Timestamp?
  package var lastChecked: Timestamp?
  package var failingSince: Timestamp?
  package var failures: Int
  package var lastAnswer: String?
  package var verdict: Verdict

  /// What the failures of a feed come to.
  package enum Verdict: String, Sendable {
    case well
    /// Not asked yet.
    case unknown
    case failing
    /// Evidence over days says that the channel is gone.
    case gone
  }
}

extension ChannelRow {
  /// The rows of all that is followed, by title.
  package static func rows(in state: State, memory: PollMemory, at now: Timestamp) -> [ChannelRow] {
    var unwatched: [SubscriptionID: Int] = [:]
    var lastPublished: [SubscriptionID: Timestamp] = [:]
    state.videos.forEach { video in
      let sources = [.channel(video.channel)] + video.playlists.map { SubscriptionID.playlist($0) }
      let isNew =
        video.status(at: now) == .new && ShortVerdict(of: video).answer != .yes && !video.isRemoved
        && !state.isUpcoming(video, at: now)
      for source in sources {
        if isNew { unwatched[source, default: 0] += 1 }
        lastPublished[source] = max(lastPublished[source] ?? video.published, video.published)
      }
    }
    let rows = state.followed.map { channel in
      ChannelRow(
        channel, unwatched: unwatched[channel.id] ?? 0, lastPublished: lastPublished[channel.id],
        memory: memory.feeds[channel.id])
    }
    return rows.sorted { ($0.title.lowercased(), $0.channel) < ($1.title.lowercased(), $1.channel) }
  }

  private init(_ channel: Channel, unwatched: Int, lastPublished: Timestamp?, memory: FeedMemory?) {
    let failures = memory?.failures ?? 0
    self.init(
      channel: channel.id, title: channel.title, url: channel.id.url, tags: channel.tags, feed: channel.feed,
      unwatched: unwatched, lastPublished: lastPublished, lastChecked: memory?.answered,
      failingSince: memory?.failingSince, failures: failures, lastAnswer: memory?.lastAnswer,
      verdict: memory?.isGone == true ? .gone : failures > 0 ? .failing : memory?.answered == nil ? .unknown : .well)
  }

  /// The row as one JSON object.
  package var json: JSONLine {
    var line = JSONLine()
    line.add("channel", channel.description)
    line.add("title", title)
    line.add("url", url)
    line.add("tags", tags)
    line.add("feed", feed.rawValue)
    line.add("unwatched", unwatched)
    line.add("lastPublished", lastPublished)
    line.add("lastChecked", lastChecked)
    line.add("failingSince", failingSince)
    line.add("failures", failures)
    line.add("lastAnswer", lastAnswer)
    line.add("verdict", verdict.rawValue)
    return line
  }
}
