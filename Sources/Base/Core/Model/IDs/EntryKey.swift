/// What identifies an entry within its feed: a kind, chosen once for the feed, and the text.
package struct EntryKey: Hashable, Sendable {
  package let kind: EntryKeyKind
  /// The text, which is compared byte by byte.
  package let text: String

  /// A key of this kind.
  package init(_ kind: EntryKeyKind, _ text: String) { (self.kind, self.text) = (kind, text) }
}

/// What of an entry is its key; the names are in logs and in what the IDs of entries are derived from.
package enum EntryKeyKind: String, CaseIterable, Sendable {
  /// Its `id` or `guid`.
  case id
  /// Its link.
  case link
  /// The URL of its first file.
  case media
  /// Its date and title.
  case title
}
