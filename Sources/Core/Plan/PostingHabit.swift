/// How often and how lately a feed publishes, from the dates in its last answer.
package struct PostingHabit: Equatable, Sendable {
  /// The newest `published`.
  package var newest: Timestamp
  /// The median of the seconds between one video and the next; nil where there is but one.
  package var interval: Int64?

  package init(newest: Timestamp, interval: Int64?) {
    self.newest = newest
    self.interval = interval
  }

  /// The habit of a feed, or nil where it has no entries.
  package init?(of feed: Feed) {
    let dates = feed.entries.map(\.published).sorted(by: >)
    guard let newest = dates.first else { return nil }
    let intervals = zip(dates, dates.dropFirst()).map { $0.seconds(since: $1) }.sorted()
    self.init(newest: newest, interval: intervals.isEmpty ? nil : intervals[intervals.count / 2])
  }

  /// The shortest gap between two questions: one hour, in seconds.
  package static let shortest: Int64 = 3600
  /// The longest gap, whatever the habit: one day, in seconds.
  package static let longest: Int64 = 86_400
  /// Questions for each video that is to be expected: the fewer, the later it is found.
  static let questionsPerVideo: Int64 = 12

  /// The seconds to leave between two questions at `now`.
  ///
  /// A twelfth of the usual interval, which grows with a silence that is longer than usual; but a quarter of the time
  /// since the newest video, for what has just posted often posts again. From one hour to one day.
  package func gap(at now: Timestamp) -> Int64 {
    let silence = max(0, now.seconds(since: newest))
    let usual = max(interval ?? silence, silence) / PostingHabit.questionsPerVideo
    return min(max(min(usual, silence / 4), PostingHabit.shortest), PostingHabit.longest)
  }
}

extension FeedMemory {
  /// The seconds to leave after the last question. A feed that keeps failing is asked ever more seldom, down to once a
  /// day.
  package func gap(at now: Timestamp) -> Int64 {
    let usual = habit?.gap(at: now) ?? (answered == nil ? PostingHabit.shortest : PostingHabit.longest)
    guard failures > 1 else { return usual }
    return min(usual << min(failures - 1, 5), PostingHabit.longest)
  }
}
