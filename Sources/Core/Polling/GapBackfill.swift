/// The requests that may fill a gap: a channel's feeds of long videos, Shorts and streams hold 15 entries each, its
/// main feed 15 in all.
package struct GapFilling: Equatable, Sendable {
  /// The `gapFound` event to be closed.
  package let gap: EventID
  private let found: GapFound
  private var open: Set<FeedForm> = [.videos, .shorts, .live]
  private var missing: Set<FeedForm> = []

  package init(_ gap: EventID, _ found: GapFound) {
    self.gap = gap
    self.found = found
  }

  /// The feeds to request; empty for a playlist, which has no such feeds.
  package var questions: [FeedQuestion] {
    guard found.subscription.channel != nil else { return [] }
    return [.videos, .shorts, .live].map { FeedQuestion(subscription: found.subscription, form: $0) }
  }

  /// Records a feed, or nil if it is missing because the channel has no such videos. A feed that is not full, or that
  /// reaches back beyond the gap, leaves out no video of its kind.
  package mutating func note(_ entries: [Entry]?, of form: FeedForm) {
    guard let entries else {
      missing.insert(form)
      return
    }
    if entries.count < fullFeedCount || entries.contains(where: { $0.published <= found.after }) { open.remove(form) }
  }

  /// The event that closes the gap, once every feed was read back to it; nil until then. A missing feed counts only if
  /// another one was read: in an outage all are missing.
  package var closing: EventBody? {
    missing.count < 3 && open.isSubset(of: missing)
      ? .gapClosed(GapClosed(subscription: found.subscription, gap: gap)) : nil
  }
}
