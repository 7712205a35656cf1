/// A feed's publishing interval, from the dates in its last response.
package struct PostingHabit: Equatable, Sendable {
  /// The newest `published`.
  package var newest: Timestamp
  /// The median interval between consecutive videos, in seconds; nil if there is only one video.
  package var interval: Int64?

  package init(newest: Timestamp, interval: Int64?) {
    self.newest = newest
    self.interval = interval
  }

  /// Computes the interval of a feed; nil if it has no entries.
  package init?(of feed: Feed) {
    let dates = feed.entries.map(\.published).sorted(by: >)
    guard let newest = dates.first else { return nil }
    let intervals = zip(dates, dates.dropFirst()).map { $0.seconds(since: $1) }.sorted()
    self.init(newest: newest, interval: intervals.isEmpty ? nil : intervals[intervals.count / 2])
  }

  /// The minimum polling interval: one hour, in seconds.
  package static let shortest: Int64 = 3600
  /// The maximum polling interval: one day, in seconds.
  package static let longest: Int64 = 86_400
  /// Requests per expected video: fewer requests find it later.
  static let questionsPerVideo: Int64 = 12

  /// The polling interval at `now`, in seconds, from one hour to one day.
  ///
  /// A twelfth of the usual publishing interval, which grows with an unusually long silence; but at most a quarter of
  /// the time since the newest video, because a channel that has just published often publishes again.
  package func gap(at now: Timestamp) -> Int64 {
    let silence = max(0, now.seconds(since: newest))
    let usual = max(interval ?? silence, silence) / PostingHabit.questionsPerVideo
    return min(max(min(usual, silence / 4), PostingHabit.shortest), PostingHabit.longest)
  }
}

extension FeedMemory {
  /// The seconds to wait after the last request. The interval of a failing feed doubles with each further failure,
  /// up to a day.
  package func gap(at now: Timestamp) -> Int64 {
    let usual = habit?.gap(at: now) ?? (answered == nil ? PostingHabit.shortest : PostingHabit.longest)
    guard failures > 1 else { return usual }
    return min(usual << min(failures - 1, 5), PostingHabit.longest)
  }
}
