/// What the person made of a video.
extension Video {
  /// The status that was set last, whether or not a snooze is over.
  package var statusSet: StatusSet {
    let members = rare?.members
    return StatusSet(
      video: id, status: statusValue, until: members?.until, at: members?.watchedAt, reason: members?.reason)
  }
  /// The event that set the status; nil while it was never set.
  package var statusChanged: EventID? { statusStamp }

  /// The status at a moment: a snooze that is over is new again, and so is what was skipped while it was still to come
  /// and can be watched now.
  package func status(at now: Timestamp) -> Status {
    switch statusValue {
    case .new, .watched: statusValue
    case .skipped: statusStamp.map(isNewAgain) ?? false ? .new : .skipped
    case .snoozed: (snoozedUntil.map { $0 <= now } ?? true) ? .new : .snoozed
    }
  }

  /// Whether it is new again though an event skipped it: for it was still to come then, and can be watched now.
  func isNewAgain(skippedBy stamp: EventID) -> Bool { isPlayable && wasUpcoming(whenMarkedBy: stamp) }

  /// Whether it is proven not to be still to come.
  private var isPlayable: Bool {
    switch live {
    case .none, .live, .ended: true
    case .upcoming, .unknown: false
    }
  }

  /// Whether an event came after a proof that it was still to come, and before another or before it began.
  private func wasUpcoming(whenMarkedBy stamp: EventID) -> Bool {
    guard let members = rare?.members, let first = members.upcomingFirst, let last = members.upcomingLast, stamp > first
    else { return false }
    return stamp < last || stamp.timestamp < enriched?.value.started ?? Timestamp(seconds: .min)
  }

  /// Whether it may be new to the person, now or later.
  var mayBeNew: Bool {
    guard !isRemoved else { return false }
    switch statusValue {
    case .new, .snoozed: return true
    case .skipped: return statusStamp.map(wasUpcoming) ?? false
    case .watched: return false
    }
  }

  /// The end of the snooze, over or not.
  package var snoozedUntil: Timestamp? { statusValue == .snoozed ? rare?.members.until : nil }
  package var isSaved: Bool { glance.isSaved }
  /// The collections it is in, and since which event; in no order.
  package var memberships: [(name: String, since: EventID)] {
    guard glance.isCollected, let rare else { return [] }
    return rare.members.collections.filter(\.value.value).map { ($0.key, $0.value.id) }
  }
  /// The names of the collections it is in, sorted.
  package var collections: [String] { memberships.map(\.name).sorted() }
  /// Seconds watched so far.
  package var progress: Int { rare?.members.progress?.value ?? 0 }
  package var note: String { rare?.members.note?.value ?? "" }
}
