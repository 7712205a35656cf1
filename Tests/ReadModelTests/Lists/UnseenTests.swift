import Core
import Seeded
import SlowFold
import Testing

@testable import ReadModel

/// Lists of what no feed has shown, beside the slow fold.
@Suite("Videos that no feed has shown")
struct UnseenTests {
  private static let now = Timestamp(seconds: 1_900_000_000)

  /// What the slow fold lists, in order.
  private static func listed(_ fold: SlowFold, _ query: ReadModel.UnseenQuery) -> [UnseenVideo] {
    let unseen = fold.videos.values.filter { video in
      guard video.found == nil else { return false }
      let isDecided =
        video.statusSet.status != .new || video.isSaved || video.progress > 0 || !video.note.isEmpty
        || !video.collections.isEmpty
      guard video.described != nil || isDecided else { return false }
      if let statuses = query.statuses, !statuses.contains(video.status(at: now)) { return false }
      if query.followedOnly, !fold.state.isFollowed(ofDescribed: video) { return false }
      if query.savedOnly, !video.isSaved { return false }
      if query.startedOnly, video.progress <= 0 { return false }
      return query.channels.map { channels in video.knownChannel.map(channels.contains) ?? false } ?? true
    }
    return unseen.map { UnseenVideo($0) }.sorted { $0.precedes($1) }
  }

  private static let queries: [ReadModel.UnseenQuery] = {
    let statuses: [Set<Status>?] = [nil, [.new], [.watched], [.skipped, .snoozed], [.new, .watched]]
    return statuses.flatMap { statuses in
      [(false, false), (true, false), (false, true), (true, true)].flatMap { saved, started in
        [nil, Set([ChannelID(high: 7, low: 1), ChannelID(high: 7, low: 2)])].flatMap { channels in
          [false, true].map { followed in
            ReadModel.UnseenQuery(
              statuses: statuses, channels: channels, followedOnly: followed, savedOnly: saved, startedOnly: started,
              words: nil)
          }
        }
      }
    }
  }()

  @Test("Lists, and what was begun, are those of the slow fold, in any order", arguments: 1...40 as ClosedRange<UInt64>)
  func anyOrder(seed: UInt64) throws {
    var maker = EventMaker(seed: seed, videos: 30)
    let events = StoredEvent.all(maker.events(150))
    let fold = SlowFold(events.map(\.event))
    var random = SeededGenerator(seed: seed)
    for order in [events, events.shuffled(using: &random)] {
      let model = try ReadModel.empty()
      try model.add(order.prefix(60))
      try model.add(order.dropFirst(50))
      for query in UnseenTests.queries {
        let listed = try model.unseen(query, at: UnseenTests.now)
        #expect(listed == UnseenTests.listed(fold, query), "seed \(seed): \(query)")
      }
      let begun = fold.videos.values.filter { $0.progress > 0 }
      let started = begun.compactMap { video in video.progressSet.map { (video: video.id, event: $0.id) } }
      #expect(try model.started().map(\.video) == started.sorted { $0.event > $1.event }.map(\.video), "seed \(seed)")
    }
  }
}

extension State {
  /// Whether the channel is followed that something described a video to be of.
  fileprivate func isFollowed(ofDescribed video: Video) -> Bool {
    video.described?.value.channel.flatMap { channels[.channel($0)] }?.isFollowed == true
  }
}
