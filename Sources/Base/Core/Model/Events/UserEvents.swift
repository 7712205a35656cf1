/// The user's status for a video.
package enum Status: String, CaseIterable, Sendable {
  case new
  case watched
  /// Not interested; does not imply that it was watched.
  case skipped
  /// Hidden until a given time.
  case snoozed
}

/// The state of a stream or premiere.
package enum Live: String, CaseIterable, Sendable {
  case none
  case upcoming
  case live
  case ended
  case unknown
}

/// The user set a video's status.
package struct StatusSet: Equatable, Sendable {
  package var video: VideoID
  package var status: Status
  /// When a snooze ends.
  package var until: Timestamp?
  /// When it was watched, if a history file says so.
  package var at: Timestamp?
  /// The origin of the status if not a command: `history`, `backfill`, `undone`.
  package var reason: String?

  /// The reason of a status imported from a history file.
  package static let history = "history"
  /// The reason when an undo resets a video that had no status before; not a user action.
  package static let undone = "undone"

  package init(
    video: VideoID, status: Status, until: Timestamp? = nil, at: Timestamp? = nil, reason: String? = nil
  ) {
    (self.video, self.status, self.until, self.at, self.reason) = (video, status, until, at, reason)
  }
}

/// The user saved a video for later, or removed the mark.
package struct SavedSet: Equatable, Sendable {
  package var video: VideoID
  package var saved: Bool

  package init(video: VideoID, saved: Bool) {
    (self.video, self.saved) = (video, saved)
  }
}

/// The user added a video to a collection, or removed it.
package struct CollectionSet: Equatable, Sendable {
  package var video: VideoID
  /// The collection's name, which identifies it: `Watch later`.
  package var collection: String
  /// Whether the video is in the collection.
  package var member: Bool

  package init(video: VideoID, collection: String, member: Bool) {
    (self.video, self.collection, self.member) = (video, collection, member)
  }
}

/// The user created a collection, deleted it or described it. One that was not created exists while it has videos.
package struct CollectionChanged: Equatable, Sendable {
  package var collection: String
  /// Whether it exists without videos too.
  package var kept: Bool?
  /// Empty to remove the description.
  package var text: String?

  package init(collection: String, kept: Bool?, text: String?) {
    (self.collection, self.kept, self.text) = (collection, kept, text)
  }
}

/// The user's playback position in a video.
package struct ProgressSet: Equatable, Sendable {
  package var video: VideoID
  /// Seconds from the start; 0 clears it.
  package var seconds: Int

  package init(video: VideoID, seconds: Int) {
    (self.video, self.seconds) = (video, seconds)
  }
}

/// The user's note on a video.
package struct NoteSet: Equatable, Sendable {
  package var video: VideoID
  /// Empty to remove the note.
  package var text: String

  package init(video: VideoID, text: String) {
    (self.video, self.text) = (video, text)
  }
}

/// The user set a preference.
package struct PreferenceSet: Equatable, Sendable {
  /// The name, see `Preference`; one of a newer program is kept and ignored.
  package var name: String
  /// Nil to return to the default.
  package var value: String?
  /// The channel that it is about; nil for all.
  package var channel: SubscriptionID?

  package init(name: String, value: String?, channel: SubscriptionID? = nil) {
    (self.name, self.value, self.channel) = (name, value, channel)
  }
}

/// The user removed a rule.
package struct RuleRemoved: Equatable, Sendable {
  /// The rule's ID.
  package var rule: String

  package init(rule: String) { self.rule = rule }
}
