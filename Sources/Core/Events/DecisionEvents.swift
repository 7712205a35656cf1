/// What the person made of a video.
package enum Status: String, CaseIterable, Sendable {
  case new
  case watched
  /// Not interested; not a claim to have seen it.
  case skipped
  /// Out of sight until a time.
  case snoozed
}

/// Where a stream or premiere stands.
package enum Live: String, CaseIterable, Sendable {
  case none
  case upcoming
  case live
  case ended
  case unknown
}

/// The person gave a video a status.
package struct StatusSet: Equatable, Sendable {
  package var video: VideoID
  package var status: Status
  /// The end of a snooze.
  package var until: Timestamp?
  /// When it was watched, where a history file knew it.
  package var at: Timestamp?
  /// Where the status comes from, if not from a command: `history`, `backfill`, `undone`.
  package var reason: String?

  /// The reason of a status that a history file gave.
  package static let history = "history"
  /// The reason of the status that an undo gives a video which had none: it is no decision.
  package static let undone = "undone"

  package init(
    video: VideoID, status: Status, until: Timestamp? = nil, at: Timestamp? = nil, reason: String? = nil
  ) {
    self.video = video
    self.status = status
    self.until = until
    self.at = at
    self.reason = reason
  }
}

/// The person put a video aside for later, or no longer.
package struct SavedSet: Equatable, Sendable {
  package var video: VideoID
  package var saved: Bool

  package init(video: VideoID, saved: Bool) {
    self.video = video
    self.saved = saved
  }
}

/// The person put a video into a collection, or took it out again.
package struct CollectionSet: Equatable, Sendable {
  package var video: VideoID
  /// The collection's name, which is all there is of it: `Watch later`.
  package var collection: String
  /// Whether the video is in it from now on.
  package var member: Bool

  package init(video: VideoID, collection: String, member: Bool) {
    self.video = video
    self.collection = collection
    self.member = member
  }
}

/// How far the person has watched a video.
package struct ProgressSet: Equatable, Sendable {
  package var video: VideoID
  /// Seconds from its beginning; 0 forgets it.
  package var seconds: Int

  package init(video: VideoID, seconds: Int) {
    self.video = video
    self.seconds = seconds
  }
}

/// The person's words on a video.
package struct NoteSet: Equatable, Sendable {
  package var video: VideoID
  /// Empty to remove the note.
  package var text: String

  package init(video: VideoID, text: String) {
    self.video = video
    self.text = text
  }
}

/// The person removed a rule.
package struct RuleRemoved: Equatable, Sendable {
  /// The rule's id.
  package var rule: String

  package init(rule: String) { self.rule = rule }
}
