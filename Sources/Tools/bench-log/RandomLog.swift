import Core
import EventLog
import Seeded

/// A log of invented videos with descriptions as long as real ones; the same arguments give the same log.
struct RandomLog {
  private var random = SeededGenerator(seed: 7)
  private let words: [String]
  private let channels: [ChannelID]
  private let videos: Int
  private var clock: UInt64 = 1_700_000_000_000

  /// A log of `videos` videos in `channels` channels.
  init(videos: Int, channels: Int) {
    self.videos = videos
    var random = SeededGenerator(seed: 7)
    self.channels = (0..<channels).map { _ in
      ChannelID(high: random.next(), low: random.next())
    }
    let syllables = ["ba", "de", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "ö", "—"]
    words = (0..<2000).map { _ in
      (0..<1 + Int(random.next() % 4)).map { _ in
        syllables[Int(random.next() % UInt64(syllables.count))]
      }.joined()
    }
  }

  /// Writes the log: one video in eight is watched, one in thirty edited or saved, one in six a Short.
  mutating func write(to folders: Folders) throws {
    let journal = try Journal(
      folders: folders, device: DeviceID("bench000"), coverage: nil, clock: { 1_760_000_000_000 })
    let follows = channels.map { channel in
      EventBody.channelFollowed(ChannelFollowed(subscription: .channel(channel), title: text(3), tags: nil))
    }
    _ = try journal.commit(action: nil, undoing: nil) { follows }
    var written = 0
    while written < videos {
      let count = min(10_000, videos - written)
      let bodies = (written..<written + count).flatMap { self.bodies(of: $0) }
      _ = try journal.commit(action: nil, undoing: nil) { bodies }
      written += count
    }
  }

  private mutating func bodies(of number: Int) -> [EventBody] {
    let id = VideoID(bits: next())
    let link = next() % 6 == 0 ? "https://www.youtube.com/shorts/\(id)" : "https://www.youtube.com/watch?v=\(id)"
    let published = Timestamp(seconds: 1_600_000_000 + Int64(number) * 160_000_000 / Int64(videos))
    let found = VideoFound(
      video: id, channel: channels[Int(next() % UInt64(channels.count))], channelTitle: nil, feed: .channel,
      playlist: nil, title: text(5 + Int(next() % 8)), link: link, published: published, thumbnail: nil,
      zeroViews: false, status: nil, reason: nil,
      description: Description("\(text(40 + Int(next() % 600)))\n\(address)\n\(address)\n"))
    var bodies = [EventBody.videoFound(found)]
    if next() % 8 == 0 { bodies.append(.statusSet(StatusSet(video: id, status: .watched))) }
    if next() % 30 == 0 { bodies.append(.savedSet(SavedSet(video: id, saved: true))) }
    if next() % 30 == 0 { bodies.append(.videoChanged(VideoChanged(video: id, title: text(8)))) }
    return bodies
  }

  /// A URL unique to one text, as descriptions are full of such.
  private var address: String {
    mutating get { "https://example.org/\(VideoID(bits: next()))?from=video" }
  }

  private mutating func text(_ count: Int) -> String {
    (0..<count).map { _ in words[Int(next() % 2000)] }.joined(separator: " ")
  }

  private mutating func next() -> UInt64 { random.next() }
}
