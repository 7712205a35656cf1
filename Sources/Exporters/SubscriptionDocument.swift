import Core

/// The subscriptions, exported for another program.
package struct SubscriptionDocument: Equatable, Sendable {
  package var bytes: [UInt8] = []
  /// The number of subscriptions and unresolved names in the document.
  package var count = 0
  /// The number left out because the format cannot represent them: playlists, unresolved names.
  package var leftOut = 0
  /// The number of tags and titles left out because the format would misinterpret them.
  package var lost = 0

  /// Appends a raw string.
  mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends a JSON string with quotes.
  mutating func writeJSON(_ text: String) { JSONText.quote(text, into: &bytes) }
}

extension Channel {
  /// The title for export; empty if unknown, because an ID is not a title.
  var exportedTitle: String { hasTitle ? title : "" }
}
