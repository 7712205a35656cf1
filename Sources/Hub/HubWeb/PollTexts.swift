import App
import Core
import HubPage
import Messages
import PollEngine
import Terminal

/// What the page says of polls.
struct PollTexts {
  private let session: Session

  init(_ session: Session) { self.session = session }

  /// Since when and until when nothing is requested because of a pause; nil unless it lasts.
  func outage(_ pause: Backoff?) -> String? {
    guard let pause, pause.isActive(at: session.now) else { return nil }
    let reason = UserMessages.stopped(pause.reason)
    return
      "\(reason.prefix(1).uppercased() + reason.dropFirst()). That has been so since \(session.local.moment(pause.since)); "
      + "the next attempt is at \(session.local.moment(pause.retry))."
  }

  /// When the feeds were checked last, and how that went.
  func checked(_ state: State) -> String {
    guard let run = state.lastRun else { return "Never checked" }
    // What cannot be read is said elsewhere.
    let standing = try? PollStanding(session, state)
    let unchecked = standing?.unchecked ?? run.value.failed + run.value.unrequested
    var parts = ["Checked \(run.id.timestamp.short(at: session.local))"]
    if let reason = standing?.stopped { parts.append(UserMessages.stoppedShort(reason)) }
    if unchecked > 0 { parts.append("\(UserMessages.count(unchecked, "feed")) not checked") }
    return parts.joined(separator: ", ")
  }

  /// The end of everything new: all caught up only if the last poll was recent and none of its feeds failed.
  func caughtUp(_ standing: PollStanding) -> String {
    guard let run = standing.last else { return "Nothing was checked yet." }
    if let reason = standing.stopped {
      return "That is all so far, but the last check stopped: \(UserMessages.stopped(reason))."
    }
    if standing.unchecked > 0 {
      let failed = UserMessages.count(standing.unchecked, "feed")
      return "You’re all caught up, except for \(failed) that failed; see Status."
    }
    guard session.now.seconds(since: run.id.timestamp) < 86_400 else {
      return "You’re all caught up as of the last check, \(run.id.timestamp.short(at: session.local))."
    }
    return "You’re all caught up."
  }
}
