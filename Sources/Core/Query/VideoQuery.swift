/// A query for videos: filters and order.
package struct VideoQuery: Equatable, Sendable {
  /// The statuses included; nil for all, which implies `alsoGone`.
  package var statuses: Set<Status>?
  /// Whether to include videos of unfollowed subscriptions and videos that YouTube no longer has.
  package var alsoGone = false
  /// How to treat Shorts; nil for the setting of each channel.
  package var shorts: Visibility?
  /// How to treat upcoming videos; nil hides them.
  package var upcoming: Visibility?
  /// Whether to hide nothing beyond the filters of the query itself: for videos that the user saved one by one.
  package var hidesNothing = false
  /// Only these subscriptions; nil for all.
  package var subscriptions: Set<SubscriptionID>?
  /// Only channels with one of these tags; empty for all.
  package var tags: Set<String>
  /// Only videos published at or after this.
  package var since: Timestamp?
  /// Only videos published before this.
  package var until: Timestamp?
  /// Only saved videos.
  package var savedOnly = false
  /// Whether rules hide nothing.
  package var ignoresRules = false
  /// Only videos proven to be streams or premieres, also where the person chose to hide those of their channel.
  package var streamsOnly = false
  /// Only videos of at least this known duration, in seconds.
  package var minimumLength: Int?
  /// Only videos of at most this known duration, in seconds.
  package var maximumLength: Int?
  package var arrangement = Arrangement.byTime
  package var order: Order
  /// Whether the oldest come first.
  package var oldestFirst: Bool
  /// The maximum number of videos; 0 for no limit.
  package var limit: Int
  /// Only videos after this position in the order.
  package var after: PageCursor?

  /// How to treat one kind of videos.
  package enum Visibility: String, CaseIterable, Sendable { case hide, show, only }

  /// The time to sort by; ties are broken by the other time, then by ID.
  package enum Order: String, CaseIterable, Sendable { case published, found }

  /// The arrangement of the list.
  package enum Arrangement: Sendable {
    /// Sorted by `order` alone.
    case byTime
    /// Channel by channel, each oldest first; the channel with the longest wait first.
    case catchUp
    /// Round-robin over the channels, newest first, so that a prolific channel does not bury a quiet one.
    case mix
  }

  package init(
    statuses: Set<Status>?, shorts: Visibility?, upcoming: Visibility?, subscriptions: Set<SubscriptionID>?,
    tags: Set<String>, since: Timestamp?, until: Timestamp?, order: Order, oldestFirst: Bool, limit: Int
  ) {
    (self.statuses, self.shorts, self.upcoming, self.subscriptions) = (statuses, shorts, upcoming, subscriptions)
    (self.tags, self.since, self.until, self.order) = (tags, since, until, order)
    (self.oldestFirst, self.limit) = (oldestFirst, limit)
  }
}

extension VideoQuery {
  /// What is new to the user, as `list` shows it without options.
  package static let unwatched = VideoQuery(
    statuses: [.new], shorts: nil, upcoming: .hide, subscriptions: nil, tags: [], since: nil, until: nil,
    order: .published, oldestFirst: false, limit: 1)
}

/// A place in an ordered list of videos, after which the next page begins: `dQw4w9WgXcQ`, or with the number that a
/// catch-up list or a mix needs beside the video, `692fd3a0.dQw4w9WgXcQ`.
///
/// A later page shows the list as it is then. By time what arrived or was marked meanwhile moves nothing else; in a
/// catch-up list or a mix it moves the other videos of its channel.
package struct PageCursor: Equatable, Sendable {
  /// The last video of the previous page.
  package var video: VideoID
  /// Of a catch-up list when the channel's oldest video was published, of a mix the turn.
  package var number: Int64?

  package init(video: VideoID, number: Int64?) { (self.video, self.number) = (video, number) }

  /// Parses a cursor; nil if malformed.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = parts.last, let video = VideoID(last), parts.count <= 2 else { return nil }
    self.init(video: video, number: nil)
    guard parts.count == 2 else { return }
    guard let number = Int64(parts[0], radix: 16) else { return nil }
    self.number = number
  }
}

extension PageCursor: CustomStringConvertible {
  package var description: String { number.map { "\(String($0, radix: 16)).\(video)" } ?? "\(video)" }
}

/// What the user chose for what a video comes from: its channel and the followed playlists it was seen in, together.
package struct SourceMarks: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let isFollowed = SourceMarks(rawValue: 1)
  package static let listsShorts = SourceMarks(rawValue: 2)
  package static let hidesStreams = SourceMarks(rawValue: 4)
}

extension VideoQuery {
  /// What happens to a video that matches the query otherwise. Lists and counts use it; `why` has all reasons at once, by
  /// `State.reasonsHidden`, which tests compare with it.
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
  /// No feed has shown it.
  case unseen
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
    if video.found == nil { reasons.append(.unseen) }
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
