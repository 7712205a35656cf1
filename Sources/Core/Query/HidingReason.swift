/// A reason why a video is not in the default list.
package enum HidingReason: Equatable, Sendable {
  case status(Status)
  /// Neither its channel nor one of its playlists is followed.
  case notFollowed
  /// YouTube no longer has it.
  case removed
  /// It is known to be upcoming.
  case upcoming
  case short(ShortVerdict.Evidence)
  /// It is a stream, and the user hides the streams of its channel.
  case stream
  /// These rules block it and none allows it.
  case rules([Rule])
}

extension State {
  /// All reasons why a video is not in the default list at `now`; empty if it is. `rules` are those that apply to it.
  package func reasonsHidden(_ video: Video, at now: Timestamp, rules: [Rule]) -> [HidingReason] {
    var reasons: [HidingReason] = []
    let status = video.status(at: now)
    if status != .new { reasons.append(.status(status)) }
    if !isFollowed(video) { reasons.append(.notFollowed) }
    if video.isRemoved { reasons.append(.removed) }
    if video.isUpcoming(at: now) { reasons.append(.upcoming) }
    let short = ShortVerdict(of: video)
    if short.answer == .yes, !listsShorts(of: video) { reasons.append(.short(short.evidence)) }
    if video.isStream, hidesStreams(of: video) { reasons.append(.stream) }
    if !rules.isEmpty, rules.allSatisfy({ $0.verdict == .block }) { reasons.append(.rules(rules)) }
    return reasons
  }
}
