import Core

/// The contents of an imported file.
///
/// Every row is counted once: `read` is the sum of the subscriptions, unresolved names, watched videos, collected
/// videos, `duplicates`, `notYouTube`, `advertisements`, `withoutVideo` and `refused`. A row names, or should name, a
/// channel, a playlist or a video; headers, comments and blank lines are not rows.
package struct ImportedFile: Equatable, Sendable {
  package var format: ImportFormat
  /// The number of rows in the file.
  package var read = 0
  /// Channels and playlists to follow, without duplicates, in file order.
  package var subscriptions: [ImportedSubscription] = []
  /// Channels by names that must be looked up, without duplicates, in file order.
  package var unresolved: [UnresolvedName] = []
  /// Watched videos, without duplicates, in file order.
  package var watches: [ImportedWatch] = []
  /// Collections of videos, in file order.
  package var collections: [ImportedCollection] = []
  /// Rows that repeat an earlier row; their tags and titles are merged into that one.
  package var duplicates = 0
  /// Rows that are simply not YouTube: not an error.
  package var notYouTube: [ForeignRow] = []
  /// Advertisements in a history: not an error.
  package var advertisements = 0
  /// History rows without a video: removed ones, posts, searches. Not an error.
  package var withoutVideo = 0
  /// Rows that should have been understood and were not.
  package var refused: [RefusedRow] = []

  package init(format: ImportFormat) { self.format = format }
}

/// The position of a row.
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
  /// The first title in the file; nil if absent.
  package var title: String?
  /// The folders, groups, profiles or tags it is in, in file order.
  package var tags: [String]
  /// The kind of feed requested; `.channel` if rows differ, because that feed contains everything the others do.
  package var form: FeedForm
  package var place: RowPlace
}

/// A channel given by a name that must be looked up.
package struct UnresolvedName: Equatable, Sendable {
  package var name: ChannelName
  package var title: String?
  package var tags: [String]
  package var place: RowPlace
}

/// A watched video.
package struct ImportedWatch: Equatable, Sendable {
  package var video: VideoID
  /// The latest unambiguous time in the file; nil if absent.
  package var when: Timestamp?
  /// Its channel, if the file gives the ID.
  package var channel: ChannelID?
}

/// A collection of videos.
package struct ImportedCollection: Equatable, Sendable {
  /// Its name in the file; nil if only the file's own name gives it.
  package var title: String?
  /// The videos without duplicates, in file order.
  package var videos: [VideoID]
  package var place: RowPlace
}

/// A row that is not YouTube.
package struct ForeignRow: Equatable, Sendable {
  package var place: RowPlace
  /// The row's text, cut at 200 characters.
  package var what: String
}

/// A row that was not understood.
package struct RefusedRow: Equatable, Sendable {
  package var place: RowPlace
  package var reason: RowRefusal
}
