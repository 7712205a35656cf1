/// An entry as known before a document of its feed is compared with it.
package struct KnownEntry: Equatable, Sendable {
  package var id: VideoID
  /// The IDs that other keys would give it.
  package var aliases: [VideoID]
  /// What identified it in its feed when it was found.
  package var key: String
  /// Its title and what its feed said of it last; the description as its fingerprint.
  package var title: String
  package var facts: EntryFacts

  package init(id: VideoID, aliases: [VideoID], key: String, title: String, facts: EntryFacts) {
    (self.id, self.aliases, self.key, self.title, self.facts) = (id, aliases, key, title, facts)
  }
}

/// What is known of a feed before its document is compared.
package struct KnownWebFeed: Equatable, Sendable {
  package var feed: FeedID
  /// The subscription; nil if nothing is known of it.
  package var channel: Channel?
  /// Every entry that was found.
  package var entries: [KnownEntry]
  /// The first 64 bits of the IDs of entries that are known but were not found.
  package var keys: Set<UInt64>

  package init(feed: FeedID, channel: Channel?, entries: [KnownEntry], keys: Set<UInt64>) {
    (self.feed, self.channel, self.entries, self.keys) = (feed, channel, entries, keys)
  }
}
