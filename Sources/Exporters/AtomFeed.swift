import Core

/// Videos as an Atom feed (RFC 4287) with YouTube's extension elements, written in parts: the start, one entry per
/// video, the end.
package struct AtomFeed: Sendable {
  /// `StableID.feed(filter:)`.
  package var id: String
  package var title: String
  /// When the newest entry was updated; see `updated(of:)`.
  package var updated: Timestamp
  /// The URL the feed is published at; nil if unknown.
  package var selfLink: String?

  package init(id: String, title: String, updated: Timestamp, selfLink: String?) {
    self.id = id
    self.title = title
    self.updated = updated
    self.selfLink = selfLink
  }

  /// The newest `updated` of the videos; without videos the day of YouTube's first video, never the current time.
  package static func updated(of rows: some Sequence<VideoRow>) -> Timestamp {
    rows.lazy.map(\.updated).max() ?? Timestamp(seconds: 1_114_214_400)
  }

  /// Appends everything before the entries.
  package func appendStart(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: AtomFeed.opening.utf8)
    AtomFeed.append("id", id, to: &bytes)
    AtomFeed.append("title", title, to: &bytes)
    AtomFeed.append("updated", updated.rfc3339, to: &bytes)
    AtomFeed.append("generator", "metube-rss", to: &bytes)
    if let selfLink {
      bytes.append(contentsOf: "<link rel=\"self\" type=\"application/atom+xml\" href=\"".utf8)
      MarkupText.escape(selfLink, in: .attribute, into: &bytes)
      bytes.append(contentsOf: "\"/>\n".utf8)
    }
  }

  /// Appends everything after the entries.
  package func appendEnd(to bytes: inout [UInt8]) { bytes.append(contentsOf: "</feed>\n".utf8) }

  private static let opening = """
    <?xml version="1.0" encoding="UTF-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" \
    xmlns:yt="http://www.youtube.com/xml/schemas/2015">

    """
}

// MARK: Entries

extension AtomFeed {
  /// Appends one video; its description is stored in the log and therefore passed separately.
  package func append(_ row: VideoRow, description: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "<entry>\n".utf8)
    AtomFeed.append("id", StableID.of(row.video), to: &bytes)
    AtomFeed.append("yt:videoId", row.video.description, to: &bytes)
    AtomFeed.append("yt:channelId", row.channel.description, to: &bytes)
    AtomFeed.append("title", row.title, to: &bytes)
    bytes.append(contentsOf: "<link rel=\"alternate\" type=\"text/html\" href=\"".utf8)
    MarkupText.escape(row.url, in: .attribute, into: &bytes)
    bytes.append(contentsOf: "\"/>\n<author>".utf8)
    AtomFeed.append("name", row.channelTitle, to: &bytes)
    AtomFeed.append("uri", SubscriptionID.channel(row.channel).url, to: &bytes)
    bytes.append(contentsOf: "</author>\n".utf8)
    AtomFeed.append("published", row.published.rfc3339, to: &bytes)
    AtomFeed.append("updated", row.updated.rfc3339, to: &bytes)
    for tag in row.tags {
      bytes.append(contentsOf: "<category term=\"".utf8)
      MarkupText.escape(tag, in: .attribute, into: &bytes)
      bytes.append(contentsOf: "\"/>\n".utf8)
    }
    appendContent(of: row, description, to: &bytes)
    appendMedia(of: row, description, to: &bytes)
    bytes.append(contentsOf: "</entry>\n".utf8)
  }

  private func appendContent(of row: VideoRow, _ description: String, to bytes: inout [UInt8]) {
    var html: [UInt8] = []
    html.reserveCapacity(description.utf8.count + 512)
    VideoHTML.append(row, description: description, to: &html)
    bytes.append(contentsOf: "<content type=\"html\">".utf8)
    MarkupText.escape(html.span, in: .content, into: &bytes)
    bytes.append(contentsOf: "</content>\n".utf8)
  }

  private func appendMedia(of row: VideoRow, _ description: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "<media:group>\n".utf8)
    AtomFeed.append("media:title", row.title, to: &bytes)
    if WebLink.isSafe(row.thumbnail) {
      bytes.append(contentsOf: "<media:thumbnail url=\"".utf8)
      MarkupText.escape(row.thumbnail, in: .attribute, into: &bytes)
      bytes.append(contentsOf: "\"/>\n".utf8)
    }
    AtomFeed.append("media:description", description, to: &bytes)
    bytes.append(contentsOf: "</media:group>\n".utf8)
  }

  static func append(_ element: StaticString, _ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "<"))
    element.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: ">"))
    MarkupText.escape(text, in: .content, into: &bytes)
    bytes.append(contentsOf: "</".utf8)
    element.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: ">\n".utf8)
  }
}

extension VideoRow {
  /// The entry's update time: when something a reader sees last changed, else `published`.
  package var updated: Timestamp { visiblyChanged ?? published }
}
