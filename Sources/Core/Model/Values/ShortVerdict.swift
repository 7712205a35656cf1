/// Whether a video is a Short, and the evidence. Recomputed on each use.
package struct ShortVerdict: Equatable, Sendable {
  package var answer: Answer
  package var evidence: Evidence

  /// Whether it is a Short.
  package enum Answer: String, Sendable { case yes, no, unknown }

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
    if video.link == .short {
      self.init(answer: .yes, evidence: .link)
    } else if video.feeds.contains(FeedForms(.shorts)) {
      self.init(answer: .yes, evidence: .playlist)
    } else if let duration = video.duration, duration > ShortVerdict.longest {
      self.init(answer: .no, evidence: .duration)
    } else if video.feeds.contains(FeedForms(.videos)) {
      self.init(answer: .no, evidence: .playlist)
    } else {
      self.init(answer: .unknown, evidence: .none)
    }
  }

  private init(answer: Answer, evidence: Evidence) {
    (self.answer, self.evidence) = (answer, evidence)
  }
}
