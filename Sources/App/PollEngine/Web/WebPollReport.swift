import Core
import Entries
import WebPolling

/// The result of a poll of feeds of other sites.
package struct WebPollReport {
  /// Why feeds were left out, and how many.
  let notDue: [WebPlan.Reason: Int]
  /// The feeds that responded.
  private(set) var checked = 0
  /// Entries that were found, and known ones that changed.
  private(set) var new = 0
  private(set) var changed = 0
  /// Feeds that have no known entry left, so that entries in between may have been missed.
  private(set) var gaps: [FeedID] = []
  /// Feeds that gave all their entries new IDs.
  private(set) var renumbered: [FeedID] = []
  /// Bytes received.
  var bytes = 0
  /// Why the run ended early; nil if it did not.
  var stopped: StopReason?
  /// Feeds that were due but not requested, because the run ended early.
  private(set) var unrequested = 0
  /// Feeds that were due but not requested, because their site failed or refused.
  private(set) var dropped = 0
  /// What the run found about the feeds themselves.
  private(set) var run = WebRunReport()

  /// The report of a poll that begins.
  init(_ plan: WebPlan) { notDue = Dictionary(grouping: plan.notDue.values, by: \.self).mapValues(\.count) }

  /// Adds what became of a feed's document.
  mutating func note(_ detection: EntryDetection, of feed: FeedID) {
    new += detection.found
    changed += detection.changed
    if detection.hasGap { gaps.append(feed) }
    if detection.isRenumbered { renumbered.append(feed) }
  }

  /// Adds the results of the whole run, in which this many of the due feeds responded.
  mutating func take(_ run: WebRunReport, checked: Int, of due: Int) {
    (self.run, self.checked) = (run, checked)
    if run.isOffline { stopped = stopped ?? .offline }
    let left = max(0, due - checked - run.failed.count)
    if stopped == nil { dropped = left } else { unrequested = left }
  }

  /// The feeds that the report names.
  var named: [SubscriptionID] {
    let ids =
      run.failed.map(\.feed) + run.moves.map(\.feed) + run.gone + run.probablyGone
    return ids.compactMap { SubscriptionID($0.text) } + (gaps + renumbered).map { .feed($0) }
  }

  /// Adds the counts to those of the run in the log.
  func add(to run: inout RunFinished) {
    run.checked += checked
    run.notDue += notDue.values.reduce(0, +) + dropped
    run.failed += self.run.failed.count
    run.unrequested += unrequested
    run.new += new
    run.changed += changed
    run.gaps += gaps.count
    run.bytes += bytes
    run.stopped = run.stopped ?? stopped
    let texts = Dictionary(self.run.failed.map { ($0.feed, $0.text) }) { first, _ in first }
    run.failing += self.run.failing.map { "\($0) \(texts[$0] ?? "")" }
    run.recovered += self.run.recovered.map(\.text)
  }
}
