/// Why a video is not in the list that is shown when nothing else is asked for.
package enum HidingReason: Equatable, Sendable {
  case status(Status)
  /// What it comes from is not followed.
  case notFollowed
  /// YouTube no longer shows it.
  case removed
  /// It is proven to be still to come.
  case upcoming
  case short(ShortVerdict.Evidence)
  /// It is a stream, and the person chose to see none of its channel.
  case stream
  /// These rules block it and none allows it.
  case rules([Rule])
}

extension State {
  /// Every reason why a video is not in the default list at `now`; none where it is. `rules` are those that apply to it.
  package func reasonsHidden(_ video: Video, at now: Timestamp, rules: [Rule]) -> [HidingReason] {
    var reasons: [HidingReason] = []
    let status = video.status(at: now)
    if status != .new { reasons.append(.status(status)) }
    if !isFollowed(video) { reasons.append(.notFollowed) }
    if video.isRemoved { reasons.append(.removed) }
    if isUpcoming(video, at: now) { reasons.append(.upcoming) }
    let short = ShortVerdict(of: video)
    if short.answer == .yes, !listsShorts(of: video) { reasons.append(.short(short.evidence)) }
    if video.isStream, hidesStreams(of: video) { reasons.append(.stream) }
    if !rules.isEmpty, rules.allSatisfy({ $0.verdict == .block }) { reasons.append(.rules(rules)) }
    return reasons
  }
}
