/// The questions that may fill a gap: a channel's lists of long videos, Shorts and streams hold 15 entries each, where
/// its feed holds 15 of all.
package struct GapFilling: Equatable, Sendable {
  /// The `gapFound` to be closed.
  package let gap: EventID
  private let found: GapFound
  private var open: Set<FeedForm> = [.videos, .shorts, .live]
  private var missing: Set<FeedForm> = []

  package init(_ gap: EventID, _ found: GapFound) {
    self.gap = gap
    self.found = found
  }

  /// What to ask; nothing of a playlist, which has no such lists.
  package var questions: [FeedQuestion] {
    guard found.subscription.channel != nil else { return [] }
    return [.videos, .shorts, .live].map { FeedQuestion(subscription: found.subscription, form: $0) }
  }

  /// Takes note of a list that was read, or is missing because the channel has nothing of the sort (nil). A list that is
  /// not full, or reaches back beyond the gap, leaves nothing of its sort out.
  package mutating func note(_ entries: [Entry]?, of form: FeedForm) {
    guard let entries else {
      missing.insert(form)
      return
    }
    if entries.count < fullFeedCount || entries.contains(where: { $0.published <= found.after }) { open.remove(form) }
  }

  /// The event that closes the gap, once every list was read back to it. A missing list is believed only beside one that
  /// was read: in an outage all are missing.
  package var closing: EventBody? {
    missing.count < 3 && open.isSubset(of: missing)
      ? .gapClosed(GapClosed(subscription: found.subscription, gap: gap)) : nil
  }
}
