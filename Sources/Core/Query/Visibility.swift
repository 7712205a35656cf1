/// What the user chose for what a video comes from: its channel and the followed playlists it was seen in, together.
package struct SourceMarks: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let isFollowed = SourceMarks(rawValue: 1)
  package static let listsShorts = SourceMarks(rawValue: 2)
  package static let hidesStreams = SourceMarks(rawValue: 4)
}

extension VideoQuery {
  /// What happens to a video that matches the query otherwise. The one definition of what hides a video: lists, counts and
  /// `why` ask here.
  package enum Fate: Hashable, Sendable {
    case shown, upcoming, short, stream, blocked
    /// Not hidden but not requested: another status, unfollowed, removed, or of another kind than the only one requested.
    case unrequested
  }

  /// The fate of a video by its class and the marks of its sources.
  package func fate(of video: VideoClass, from marks: SourceMarks) -> Fate {
    if let statuses, !statuses.contains(video.status) { return .unrequested }
    if !alsoGone && statuses != nil, video.isRemoved || !marks.contains(.isFollowed) { return .unrequested }
    if streamsOnly, !video.isStream { return .unrequested }
    if upcoming == .only, !video.isUpcoming { return .unrequested }
    if shorts == .only, !video.isShort { return .unrequested }
    if (upcoming ?? (hidesNothing ? .show : .hide)) == .hide, video.isUpcoming { return .upcoming }
    let showsShorts = hidesNothing || marks.contains(.listsShorts)
    if (shorts ?? (showsShorts ? .show : .hide)) == .hide, video.isShort { return .short }
    let requestsStreams = hidesNothing || streamsOnly || upcoming == .only
    if video.isStream, marks.contains(.hidesStreams), !requestsStreams { return .stream }
    return video.isBlocked && !ignoresRules && !hidesNothing ? .blocked : .shown
  }
}

/// The fates of every class from every kind of source under one query, looked up for each row of a list.
package struct FateTable: Sendable {
  private let fates: [VideoQuery.Fate]

  package init(_ query: VideoQuery) {
    fates = (0..<8 as Range<UInt8>).flatMap { marks in
      (0..<VideoClass.count).map { query.fate(of: VideoClass(rawValue: $0), from: SourceMarks(rawValue: marks)) }
    }
  }

  package subscript(video: VideoClass, marks: SourceMarks) -> VideoQuery.Fate {
    fates[Int(marks.rawValue & 7) * VideoClass.count + (video.rawValue & (VideoClass.count - 1))]
  }
}

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
