/// What a person follows, written for another program.
package struct SubscriptionDocument: Equatable, Sendable {
  package var bytes: [UInt8] = []
  /// How many subscriptions and names are in it.
  package var count = 0
  /// How many are not, for the format has no place for them: playlists, names still to be looked up.
  package var leftOut = 0
  /// How many tags and titles are not, for the format would take them for something else.
  package var lost = 0

  /// Appends a text as it is.
  mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends a text as JSON, in quotes.
  mutating func writeJSON(_ text: String) { JSONText.quote(text, into: &bytes) }
}

extension Channel {
  /// The title to write for another program; empty where none is known, for an id is no title.
  var exportedTitle: String { hasTitle ? title : "" }
}
