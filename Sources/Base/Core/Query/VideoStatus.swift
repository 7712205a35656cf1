extension Video {
  /// The status at a moment: a snooze that is over is new again, and so is what was skipped while it was still to come
  /// and can be watched now.
  package func status(at now: Timestamp) -> Status {
    switch statusSet.status {
    case .new, .watched: statusSet.status
    case .skipped: statusChanged.map(isNewAgain) ?? false ? .new : .skipped
    case .snoozed: (snoozedUntil.map { $0 <= now } ?? true) ? .new : .snoozed
    }
  }

  /// Whether it is new again though an event skipped it: it was still to come then, and can be watched now.
  package func isNewAgain(skippedBy event: EventID) -> Bool { isPlayable && wasUpcoming(whenMarkedBy: event) }

  /// Whether it is known not to be upcoming.
  private var isPlayable: Bool {
    switch live {
    case .none, .live, .ended: true
    case .upcoming, .unknown: false
    }
  }

  /// Whether an event came after a proof that it was still to come, and before another or before it began.
  private func wasUpcoming(whenMarkedBy event: EventID) -> Bool {
    guard let upcoming, event > upcoming.first else { return false }
    return event < upcoming.last || event.timestamp < enriched?.value.started ?? Timestamp(seconds: .min)
  }

  /// Whether it may be new to the person, now or later.
  package var mayBeNew: Bool {
    guard !isRemoved else { return false }
    switch statusSet.status {
    case .new, .snoozed: return true
    case .skipped: return statusChanged.map(wasUpcoming) ?? false
    case .watched: return false
    }
  }

  /// Whether it is known to be upcoming: until a day after its planned start, because starts are late; an entry until the
  /// date that its feed gives it.
  package func isUpcoming(at now: Timestamp) -> Bool {
    if let waitsUntil { return now < waitsUntil }
    return live == .upcoming && upcomingEnd.map { now < $0 } ?? true
  }

  /// When it stops counting as upcoming; nil if that is not known.
  fileprivate var upcomingEnd: Timestamp? { enriched?.value.scheduled?.adding(seconds: 86_400) }
}

// MARK: Class

/// What lists look at in a video at one moment, as one small number: status, Short, stream, upcoming, removed, blocked, and
/// the kind of an entry.
///
/// Whether a list shows a video follows from its class and the marks of its sources alone; see `VideoQuery.verdict`.
package struct VideoClass: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package init(status: Status, isShort: Bool, isStream: Bool, isUpcoming: Bool, isRemoved: Bool) {
    rawValue =
      status.number | (isShort ? 4 : 0) | (isStream ? 8 : 0) | (isUpcoming ? 16 : 0) | (isRemoved ? 32 : 0)
  }

  /// The class of a video at a moment, not blocked.
  package init(_ video: Video, at now: Timestamp) {
    self.init(
      status: video.status(at: now), isShort: ShortVerdict(of: video).value == .yes, isStream: video.isStream,
      isUpcoming: video.isUpcoming(at: now), isRemoved: video.isRemoved)
    if video.link.isEntry { self = VideoClass(rawValue: rawValue | video.link.kind.number << VideoClass.kindShift) }
  }

  package var status: Status { Status.allCases[rawValue & 3] }
  package var isShort: Bool { rawValue & 4 != 0 }
  package var isStream: Bool { rawValue & 8 != 0 }
  package var isUpcoming: Bool { rawValue & 16 != 0 }
  package var isRemoved: Bool { rawValue & 32 != 0 }
  /// Whether the user's rules hide it.
  package var isBlocked: Bool { rawValue & 64 != 0 }
  package var blocked: VideoClass { VideoClass(rawValue: rawValue | 64) }
  /// Whether it is one of an entry.
  package var isEntry: Bool { rawValue >> VideoClass.kindShift != 0 }
  /// A video, a sound or a page to be read.
  package var kind: MediaKind { MediaKind(number: rawValue >> VideoClass.kindShift & 3) }
  /// Every class of videos, blocked or not; those of entries differ from them by their kind alone.
  package static let count = 128
  private static let kindShift = 7
}

extension MediaKind {
  /// 1, 2 or 3; 0 stands for a video of YouTube.
  fileprivate var number: Int {
    switch self {
    case .video: 1
    case .audio: 2
    case .article: 3
    }
  }

  fileprivate init(number: Int) { self = number == 2 ? .audio : number == 3 ? .article : .video }
}

extension Status {
  /// Its index in `allCases`.
  fileprivate var number: Int {
    switch self {
    case .new: 0
    case .watched: 1
    case .skipped: 2
    case .snoozed: 3
    }
  }
}

/// A video's class as time goes by: few change at all, none more than twice (a snooze ends, an announced start passes).
package struct ClassTimeline: Equatable, Sendable {
  package var first: VideoClass
  /// Later classes and when they begin, in order.
  package var later: [(from: Timestamp, class: VideoClass)] = []

  /// The timeline of a video.
  package init(_ video: Video) {
    first = VideoClass(video, at: Timestamp(seconds: .min))
    let start = video.waitsUntil ?? (video.live == .upcoming ? video.upcomingEnd : nil)
    let ends = [video.snoozedUntil, start].compactMap(\.self).sorted()
    var last = first
    for end in ends {
      let next = VideoClass(video, at: end)
      if next != last { later.append((end, next)) }
      last = next
    }
  }

  /// The class at a moment.
  package func at(_ now: Timestamp) -> VideoClass { later.last { $0.from <= now }?.class ?? first }

  package static func == (left: ClassTimeline, right: ClassTimeline) -> Bool {
    left.first == right.first && left.later.count == right.later.count
      && zip(left.later, right.later).allSatisfy { $0 == $1 }
  }
}

/// Whether a video is a Short, and the evidence. Recomputed on each use.
package struct ShortVerdict: Equatable, Sendable {
  package var value: Value
  package var evidence: Evidence

  /// Whether it is a Short.
  package enum Value: String, Sendable { case yes, no, unknown }

  /// The deciding evidence.
  package enum Evidence: String, Sendable {
    /// Its link in the feed is `/shorts/ID`.
    case link
    /// It is in the channel's playlist of Shorts, or of long videos.
    case playlist
    /// It is longer than 180 s, the maximum for a Short.
    case duration
    /// Inconclusive: a `/watch` link and a short duration prove nothing.
    case none
  }

  /// The maximum duration of a Short in seconds, for uploads since 2024-10-15 (60 before).
  package static let longest = 180

  /// Determines the verdict on a video.
  package init(of video: borrowing Video) {
    if video.link.isEntry {
      self.init(value: .unknown, evidence: .none)
    } else if video.link == .short {
      self.init(value: .yes, evidence: .link)
    } else if video.feeds.contains(FeedForms(.shorts)) {
      self.init(value: .yes, evidence: .playlist)
    } else if let duration = video.duration, duration > ShortVerdict.longest {
      self.init(value: .no, evidence: .duration)
    } else if video.feeds.contains(FeedForms(.videos)) {
      self.init(value: .no, evidence: .playlist)
    } else {
      self.init(value: .unknown, evidence: .none)
    }
  }

  private init(value: Value, evidence: Evidence) {
    (self.value, self.evidence) = (value, evidence)
  }
}
