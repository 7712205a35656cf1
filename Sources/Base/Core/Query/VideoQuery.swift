/// A query for videos: filters and order.
package struct VideoQuery: Equatable, Sendable {
  /// The statuses included; nil for all, which implies `alsoGone`.
  package var statuses: Set<Status>?
  /// Whether to include videos of unfollowed subscriptions and videos that YouTube no longer has.
  package var alsoGone = false
  /// How to treat Shorts; nil for the setting of each channel.
  package var shorts: Visibility?
  /// Whether Shorts of channels without a setting are shown, as the person prefers.
  package var showsShorts = false
  /// How to treat upcoming videos; nil hides them.
  package var upcoming: Visibility?
  /// Whether to hide nothing beyond the filters of the query itself: for videos that the user saved or began.
  package var hidesNothing = false
  /// Only these subscriptions; nil for all.
  package var subscriptions: Set<SubscriptionID>?
  /// Only channels with one of these tags; empty for all.
  package var tags: Set<String>
  /// Only videos published at or after this.
  package var since: Timestamp?
  /// Only videos published before this.
  package var until: Timestamp?
  /// Only videos found at or after this.
  package var foundSince: Timestamp?
  /// Only videos found before this.
  package var foundUntil: Timestamp?
  /// Only videos that changed at or after this: what a feed shows, their status, or whether they are saved.
  package var changedSince: Timestamp?
  /// Only videos that changed last before this.
  package var changedUntil: Timestamp?
  /// Only saved videos.
  package var savedOnly = false
  /// Only videos that were begun: with a position.
  package var startedOnly = false
  /// Only videos that are not saved.
  package var unsavedOnly = false
  /// Further sets of tags: a video has one of each. No video has one of an empty set.
  package var alsoTagged: [Set<String>] = []
  /// Only these kinds; nil for all.
  package var kinds: Set<MediaKind>?
  /// Only entries of other feeds, or only videos of YouTube; nil for both.
  package var areEntries: Bool?
  /// Whether rules hide nothing.
  package var ignoresRules = false
  /// Only videos proven to be streams or premieres, also where the person chose to hide those of their channel.
  package var streamsOnly = false
  /// Only videos of at least this known duration, in seconds.
  package var minimumLength: Int?
  /// Only videos of at most this known duration, in seconds.
  package var maximumLength: Int?
  package var arrangement = Arrangement.byTime
  /// What a list by time is sorted by instead of `order`; nil for a time.
  package var key: Key?
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

  /// What else a list can be sorted by.
  package enum Key: Hashable, Sendable {
    /// When a video changed last, in the direction of `oldestFirst`; ties by ID in the same direction.
    case changed
    /// The length; unknown ones last, ties the newest first.
    case length(longestFirst: Bool)
    /// An order of chance, the same for the same seed.
    case random(seed: UInt64)
  }

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

/// A position in an ordered list of videos, after which the next page begins: `dQw4w9WgXcQ`, or with the number that a
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
  package static let hidesShorts = SourceMarks(rawValue: 8)
}

extension VideoQuery {
  /// What a list does with a video that matches the query otherwise.
  package enum Verdict: Hashable, Sendable {
    case shown, upcoming, short, stream, blocked
    /// Not hidden but not requested: another status, unfollowed, removed, or of another kind than the only one requested.
    case unrequested
  }

  /// What keeps a video out of a list. Lists and counts go by the first that applies, `why` names all of them.
  package enum Exclusion: CaseIterable, Sendable {
    case status, notFollowed, removed, otherKind, notStream, notUpcoming, notShort
    case upcoming, short, stream, rules

    /// What a list does with a video if this is the first that applies.
    fileprivate var verdict: Verdict {
      switch self {
      case .status, .notFollowed, .removed, .otherKind, .notStream, .notUpcoming, .notShort: .unrequested
      case .upcoming: .upcoming
      case .short: .short
      case .stream: .stream
      case .rules: .blocked
      }
    }
  }

  /// Whether an exclusion applies to a video, by its class and the marks of its sources. The one definition of what hides
  /// a video.
  private func excludes(_ video: VideoClass, from marks: SourceMarks, by exclusion: Exclusion) -> Bool {
    switch exclusion {
    case .status: statuses.map { !$0.contains(video.status) } ?? false
    case .notFollowed: !alsoGone && statuses != nil && !marks.contains(.isFollowed)
    case .removed: !alsoGone && statuses != nil && video.isRemoved
    case .otherKind:
      kinds.map { !$0.contains(video.kind) } ?? false || areEntries.map { $0 != video.isEntry } ?? false
    case .notStream: streamsOnly && !video.isStream
    case .notUpcoming: upcoming == .only && !video.isUpcoming
    case .notShort: shorts == .only && !video.isShort
    case .upcoming: (upcoming ?? (hidesNothing ? .show : .hide)) == .hide && video.isUpcoming
    case .short:
      (shorts ?? (hidesNothing || listsShorts(marks) ? .show : .hide)) == .hide && video.isShort
    case .stream:
      video.isStream && marks.contains(.hidesStreams) && !hidesNothing && !streamsOnly && upcoming != .only
    case .rules: video.isBlocked && !ignoresRules && !hidesNothing
    }
  }

  /// Whether the Shorts of these sources are listed. One source that lists them is enough.
  private func listsShorts(_ marks: SourceMarks) -> Bool {
    marks.contains(.listsShorts) || showsShorts && !marks.contains(.hidesShorts)
  }

  /// All that keeps a video out of the list; empty if it is shown.
  package func exclusions(of video: VideoClass, from marks: SourceMarks) -> [Exclusion] {
    Exclusion.allCases.filter { excludes(video, from: marks, by: $0) }
  }

  /// The verdict on a video by its class and the marks of its sources.
  package func verdict(of video: VideoClass, from marks: SourceMarks) -> Verdict {
    Exclusion.allCases.first { excludes(video, from: marks, by: $0) }?.verdict ?? .shown
  }
}

/// The verdicts of every class from every kind of source under one query, looked up for each row of a list.
package struct VerdictTable: Sendable {
  private let verdicts: [VideoQuery.Verdict]
  private let (kinds, areEntries): (Set<MediaKind>?, Bool?)

  package init(_ query: VideoQuery) {
    (kinds, areEntries) = (query.kinds, query.areEntries)
    var query = query
    // Looked at by themselves, or the table would have four times the size.
    (query.kinds, query.areEntries) = (nil, nil)
    verdicts = (0..<16 as Range<UInt8>).flatMap { marks in
      (0..<VideoClass.count).map { query.verdict(of: VideoClass(rawValue: $0), from: SourceMarks(rawValue: marks)) }
    }
  }

  package subscript(video: VideoClass, marks: SourceMarks) -> VideoQuery.Verdict {
    if let kinds, !kinds.contains(video.kind) { return .unrequested }
    if let areEntries, areEntries != video.isEntry { return .unrequested }
    return verdicts[Int(marks.rawValue & 15) * VideoClass.count + (video.rawValue & (VideoClass.count - 1))]
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
    let isBlocked = !rules.isEmpty && rules.allSatisfy { $0.verdict == .block }
    let plain = VideoClass(video, at: now)
    var usual = VideoQuery.unwatched
    usual.showsShorts = preferences.showsShorts
    let exclusions = usual.exclusions(of: isBlocked ? plain.blocked : plain, from: marks(of: video))
    var reasons: [HidingReason] = exclusions.compactMap { exclusion in
      switch exclusion {
      case .status: .status(plain.status)
      // Whether an unknown channel is followed cannot be known.
      case .notFollowed: video.found == nil && video.knownChannel == nil ? nil : .notFollowed
      case .removed: .removed
      case .upcoming: .upcoming
      case .short: .short(ShortVerdict(of: video).evidence)
      case .stream: .stream
      case .rules: .rules(rules)
      // The default list requests all kinds.
      case .otherKind, .notStream, .notUpcoming, .notShort: nil
      }
    }
    if video.found == nil { reasons.insert(.unseen, at: exclusions.first == .status ? 1 : 0) }
    return reasons
  }

  /// What the user chose for the sources of a video.
  private func marks(of video: Video) -> SourceMarks {
    var marks: SourceMarks = []
    if isFollowed(video) { marks.insert(.isFollowed) }
    if listsShorts(of: video) { marks.insert(.listsShorts) }
    if hidesStreams(of: video) { marks.insert(.hidesStreams) }
    if hidesShorts(of: video) { marks.insert(.hidesShorts) }
    return marks
  }
}
