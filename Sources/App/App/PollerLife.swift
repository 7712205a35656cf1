import Core
import Platform

/// Whether pollers of a database are running, by the heartbeats that they store; see `poller_life` of the migrations.
package struct PollerLife: Equatable, Sendable {
  /// The number of running pollers.
  package let working: Int
  /// When the last one was seen; nil if none was within a week.
  package let seen: Timestamp?

  package init(working: Int, seen: Timestamp?) { (self.working, self.seen) = (working, seen) }

  /// That none works, and when the last one was seen: `no poller works; the last one was seen 2026-11-23 08:00`; nil if
  /// one does.
  package var absence: String? {
    guard working == 0 else { return nil }
    return "no poller works; " + (seen.map { "the last one was seen \($0.local)" } ?? "none was seen for a week")
  }
}
