import Core

/// A feed of any site as polls know it: by an ID of its own, which stays when its address changes.
package struct PolledFeed: Equatable, Sendable {
  package let id: PolledFeedID
  /// Where it is to be requested.
  package let url: WebURL

  package init(id: PolledFeedID, url: WebURL) { (self.id, self.url) = (id, url) }
}

/// The ID of such a feed, as text.
package struct PolledFeedID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let text: String

  package init(_ text: String) { self.text = text }

  package var description: String { text }

  package static func < (left: PolledFeedID, right: PolledFeedID) -> Bool { left.text < right.text }
}

/// One request of a run.
package struct WebFeedRequest: Equatable, Sendable {
  /// What it is for.
  package enum Purpose: Equatable, Sendable {
    /// The feed at its address.
    case regular
    /// The feed at the address that it had before it moved, because the new one fails.
    case fallback
    /// Whether the feed is at an address that it announces.
    case verification
  }

  package let feed: PolledFeedID
  package let url: WebURL
  package let purpose: Purpose
  /// The group of servers that it goes to.
  let host: String
  /// The validators to send; nil to be sent the whole feed.
  package var etag: String?
  package var lastModified: String?

  package init(feed: PolledFeedID, url: WebURL, purpose: Purpose) {
    (self.feed, self.url, self.purpose) = (feed, url, purpose)
    host = url.site
  }

  /// Whether it may be responded to with 304.
  var isConditional: Bool { etag != nil || lastModified != nil }
}
