/// How the feeds of one host responded in a run.
struct HostRecord: Sendable {
  private(set) var good = 0
  private(set) var bad = 0

  /// Feeds from which on a host is judged by its share of failures, before all are requested.
  static let fewest = 10
  /// The share of failures that makes an outage of the host, in percent.
  private static let share = 60

  /// Records the outcome of a feed.
  mutating func note(isGood: Bool) {
    if isGood { good += 1 } else { bad += 1 }
  }

  /// Whether the host as a whole is failing, by enough feeds to tell.
  var isOutage: Bool { good + bad >= HostRecord.fewest && bad * 100 >= (good + bad) * HostRecord.share }

  /// Whether the host is in doubt: all of its few feeds fail, for which the host or the feeds may be the cause.
  var isInDoubt: Bool { good == 0 && bad > 0 }
}
