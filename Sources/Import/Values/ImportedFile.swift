import Core

/// What a file was found to hold.
///
/// Every row is counted once: `read` is the sum of the subscriptions, unresolved names, watched videos, collected
/// videos, `duplicates`, `notYouTube`, `advertisements`, `withoutVideo` and `refused`. A row is one that names, or
/// ought to name, a channel, a playlist or a video; headers, comments and blank lines are none.
package struct ImportedFile: Equatable, Sendable {
  package var format: ImportFormat
  /// Rows of the file.
  package var read = 0
  /// What to follow, each once, in the order of the file.
  package var subscriptions: [ImportedSubscription] = []
  /// Channels by names that have to be looked up, each once, in the order of the file.
  package var unresolved: [UnresolvedName] = []
  /// Videos that were watched, each once, in the order of the file.
  package var watches: [ImportedWatch] = []
  /// Lists of videos, in the order of the file.
  package var collections: [ImportedCollection] = []
  /// Rows that name what an earlier row named; what they add (tags, a title) is in that one.
  package var duplicates = 0
  /// Rows that are simply not YouTube: no failure.
  package var notYouTube: [ForeignRow] = []
  /// Rows of a history that are advertisements: no failure.
  package var advertisements = 0
  /// Rows of a history without a video: removed ones, posts, searches. No failure.
  package var withoutVideo = 0
  /// Rows that ought to have been understood and were not.
  package var refused: [RefusedRow] = []

  package init(format: ImportFormat) { self.format = format }
}

/// Where a row stands.
package struct RowPlace: Hashable, Sendable {
  /// The name of the file in an archive; nil outside one.
  package var entry: String?
  /// The line the row begins on, from 1.
  package var line: Int

  package init(entry: String? = nil, line: Int) {
    self.entry = entry
    self.line = line
  }
}

/// A channel or a playlist to follow.
package struct ImportedSubscription: Equatable, Sendable {
  package var id: SubscriptionID
  /// The first title that the file gives, nil where it gives none.
  package var title: String?
  /// The folders, groups, profiles or tags it is in, in the order of the file.
  package var tags: [String]
  /// The form of feed the file asks for; `.channel` where its rows differ, for that one shows all that the others do.
  package var form: FeedForm
  package var place: RowPlace
}

/// A channel by a name that has to be looked up.
package struct UnresolvedName: Equatable, Sendable {
  package var name: ChannelName
  package var title: String?
  package var tags: [String]
  package var place: RowPlace
}

/// A video that was watched.
package struct ImportedWatch: Equatable, Sendable {
  package var video: VideoID
  /// The latest time the file is certain of; nil where it is of none.
  package var when: Timestamp?
  /// Its channel, where the file names it by its id.
  package var channel: ChannelID?
}

/// A list of videos a person kept.
package struct ImportedCollection: Equatable, Sendable {
  /// Its name in the file, nil where only the file's own name says it.
  package var title: String?
  /// Each once, in the order of the file.
  package var videos: [VideoID]
  package var place: RowPlace
}

/// A row that is not YouTube.
package struct ForeignRow: Equatable, Sendable {
  package var place: RowPlace
  /// What stands there, cut at 200 letters.
  package var what: String
}

/// A row that was not understood.
package struct RefusedRow: Equatable, Sendable {
  package var place: RowPlace
  package var reason: RowRefusal
}
