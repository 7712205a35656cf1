import Core

/// The content of one feed document of any kind, as plain values: what the document does not say is nil or empty.
///
/// All texts are plain, without markup; all URLs are absolute, http or https. Other schemes are dropped.
package struct WebFeed: Equatable, Sendable {
  /// The kind of document.
  package enum Format: String, Sendable {
    /// RSS 0.91 to 2.0
    case rss
    /// RSS 0.90 and 1.0
    case rdf
    /// Atom 0.3 and 1.0
    case atom
    /// JSON Feed 1 and 1.1
    case json
  }

  package var format: Format
  /// The `id` of Atom.
  package var id: String?
  package var title: String?
  /// At most `summaryLimit` characters of the description.
  package var summary: String?
  /// The site that the feed is of.
  package var link: String?
  /// The address that the feed gives itself (`rel=self`, `feed_url`). Often wrong: not for fetching.
  package var selfLink: String?
  /// WebSub hubs (`rel=hub`, `hubs` of JSON Feed), in document order.
  package var hubs: [String] = []
  /// The next page, of older entries (`rel=next`, `next_url`; RFC 5005 §3).
  package var nextPage: String?
  /// The previous archive document, of older entries (`rel=prev-archive`; RFC 5005 §4).
  package var previousArchive: String?
  /// Whether the document is an archive (`fh:archive`), which does not change.
  package var isArchive = false
  /// Whether the document holds all entries (`fh:complete`): those that it lacks were removed.
  package var isComplete = false
  /// Minutes for which the feed may be cached (`ttl`).
  package var timeToLive: Int?
  /// `de-AT`
  package var language: String?
  /// `itunes:image`, else the feed's own image, logo or icon.
  package var image: String?
  package var author: String?
  /// When the feed says that it changed.
  package var updated: Timestamp?
  /// The new address of the feed (`itunes:new-feed-url`).
  package var newFeedURL: String?
  /// `podcast:guid`, in lower case.
  package var podcastGUID: String?
  /// Whether the podcast has ended (`itunes:complete`).
  package var isFinished = false
  /// `itunes:explicit` of the feed.
  package var isExplicit: Bool?
  package var categories: [String] = []
  /// The entries in document order.
  package var entries: [WebEntry] = []
  /// Entries beyond the limit, which are missing in `entries`.
  package var droppedEntries = 0
  /// Whether the document was not well-formed and was repaired.
  package var isRepaired = false

  package init(format: Format) { self.format = format }

  /// The greatest length of a summary, in characters.
  package static let summaryLimit = 500
  /// The greatest length of the notes of an entry with media, in bytes.
  package static let notesLimit = 4096
}
