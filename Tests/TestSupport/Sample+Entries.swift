import Core

/// Feeds of other sites and their entries, for tests.
extension Sample {
  /// The feed followed at a URL.
  package static func followed(_ url: String, title: String? = nil, tags: [String]? = nil) -> FeedFollowed {
    FeedFollowed(feed: feedID(url), url: url, title: title, tags: tags)
  }

  /// The ID of the feed at a URL.
  package static func feedID(_ url: String) -> FeedID {
    guard let address = FeedAddress(url) else { preconditionFailure("\(url) is not a URL") }
    return FeedID(of: address)
  }

  /// The entry with a link that a feed has.
  package static func entryID(_ link: String, of url: String) -> VideoID {
    VideoID(of: EntryKey(.link, link), in: feedID(url))
  }

  /// A first sight of an entry with a link, and files of these URLs and types.
  package static func entryFound(
    _ link: String, of url: String, title: String, media: [EntryMedia] = []
  ) -> EntryFound {
    var facts = EntryFacts()
    (facts.link, facts.published) = (link, start)
    if !media.isEmpty { (facts.media, facts.duration) = (media, 61) }
    return EntryFound(
      entry: entryID(link, of: url), feed: feedID(url), key: link, title: title, facts: facts, status: nil, reason: nil)
  }
}
