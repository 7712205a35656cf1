import App
import Core
import EventLog
import Library
import Messages
import Platform
import Terminal

/// What the last poll left out and this device still lacks, for the headings of lists.
package struct PollStanding {
  /// The last poll of all devices; nil before the first one.
  package let last: LWWRegister<RunFinished>?
  /// Why it stopped; nil if all feeds are up to date all the same.
  package private(set) var stopped: StopReason?
  /// The feeds that it did not read and whose last response is older than their interval.
  package private(set) var unchecked = 0
  /// The feeds that were requested without anything being stored, because a poll was killed or could not write the log.
  private(set) var unstored = 0
  /// When the first of these is due again.
  private(set) var unstoredDue: Timestamp?
  /// The followed handles that belong to no channel, according to YouTube.
  private(set) var handlesNotFound = 0

  /// The standing of a session's subscriptions; `polls` has the runs and handles. Reads the channels and the polling
  /// state only if something is missing.
  package init(_ session: Session, _ polls: State) throws {
    last = polls.lastRun
    let left = last.map { $0.value.failed + $0.value.unrequested } ?? 0
    let isWhole = left == 0 && last?.value.stopped == nil && !session.workspace.hasUnstoredRequests
    guard !isWhole || !polls.unresolved.isEmpty else { return }
    let memory = try session.pollState()
    let feeds = try session.state.followed.map { memory.feeds[$0.id] }
    unchecked = min(left, feeds.count { $0?.isUpToDate(at: session.now) != true })
    let isPaused = memory.pause?.isActive(at: session.now) == true
    stopped = unchecked > 0 || isPaused ? last?.value.stopped : nil
    let lost = feeds.compactMap { $0?.isUnstored == true ? $0?.requested : nil }
    (unstored, unstoredDue) = (lost.count, lost.min()?.adding(seconds: PollPlan.floor))
    handlesNotFound = polls.unresolved.count { memory.names[$0.handle].map { !$0.isUndecided } ?? false }
  }

  /// `last poll 5 min ago`, and what is missing: `offline`, `2 feeds not checked`; empty before the first poll unless
  /// something is missing.
  package func summary(at now: LocalTime) -> [String] {
    var parts = last.map { ["last poll \($0.id.timestamp.short(at: now))"] } ?? []
    if let stopped { parts.append(UserMessages.stoppedShort(stopped)) }
    if unchecked > 0 { parts.append("\(UserMessages.count(unchecked, "feed")) not checked") }
    if unstored > 0 { parts.append("\(UserMessages.count(unstored, "feed")) not stored") }
    if handlesNotFound > 0 { parts.append("\(UserMessages.count(handlesNotFound, "handle")) not found") }
    return parts
  }

  /// The feeds whose results are not stored, and when they are due again; nil if all are stored.
  package func unstoredText(at now: Timestamp) -> String? {
    guard unstored > 0, let due = unstoredDue else { return nil }
    let one = unstored == 1
    return "\(UserMessages.count(unstored, "feed")) \(one ? "was" : "were") requested, but nothing of "
      + "\(one ? "it" : "them") is stored: the poll could not write, was killed or is running; "
      + (due > now ? "due again at \(due.local)" : "due now")
  }
}

extension FeedState {
  /// Whether its last response is not older than its polling interval, and it is not failing.
  func isUpToDate(at now: Timestamp) -> Bool {
    guard failures == 0, let answered, answered <= now else { return false }
    return now.seconds(since: answered) < (habit?.gap(at: now) ?? PublishingInterval.longest)
  }
}
