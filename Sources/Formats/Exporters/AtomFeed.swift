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
  /// The WebSub hub that pushes the feed; nil if none does.
  package var hubLink: String?

  package init(id: String, title: String, updated: Timestamp, selfLink: String?) {
    (self.id, self.title, self.updated, self.selfLink) = (id, title, updated, selfLink)
  }

  /// The newest `updated` of the videos; without videos the day of YouTube's first video, never the current time.
  package static func updated(of rows: some Sequence<VideoRow>) -> Timestamp {
    rows.lazy.map(\.updated).max() ?? Timestamp(seconds: 1_114_214_400)
  }

  /// Appends everything before the entries.
  package func appendStart(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: AtomFeed.opening.utf8)
    MarkupText.element("id", id, into: &bytes)
    MarkupText.element("title", title, into: &bytes)
    MarkupText.element("updated", updated.rfc3339, into: &bytes)
    MarkupText.element("generator", "metube-rss", into: &bytes)
    if let selfLink {
      MarkupText.element(
        "link", [("rel", "self"), ("type", "application/atom+xml"), ("href", selfLink)], into: &bytes)
    }
    if let hubLink {
      bytes.append(contentsOf: "<link rel=\"hub\" href=\"".utf8)
      MarkupText.escape(hubLink, in: .attribute, into: &bytes)
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
    MarkupText.element("id", StableID.of(row.video), into: &bytes)
    if row.entry == nil {
      MarkupText.element("yt:videoId", row.video.description, into: &bytes)
      MarkupText.element("yt:channelId", row.channel.description, into: &bytes)
    }
    MarkupText.element("title", row.title, into: &bytes)
    if let page = row.page { AtomFeed.appendLink(page, to: &bytes) }
    for file in row.enclosures { AtomFeed.append(file, to: &bytes) }
    bytes.append(contentsOf: "<author>".utf8)
    MarkupText.element("name", row.channelTitle, into: &bytes)
    if row.entry == nil { MarkupText.element("uri", SubscriptionID.channel(row.channel).url, into: &bytes) }
    bytes.append(contentsOf: "</author>\n".utf8)
    MarkupText.element("published", row.published.rfc3339, into: &bytes)
    MarkupText.element("updated", row.updated.rfc3339, into: &bytes)
    for tag in row.tags { MarkupText.element("category", [("term", tag)], into: &bytes) }
    var html: [UInt8] = []
    VideoHTML.append(row, description: description, to: &html)
    bytes.append(contentsOf: "<content type=\"html\">".utf8)
    MarkupText.escape(html[...], in: .content, into: &bytes)
    bytes.append(contentsOf: "</content>\n".utf8)
    // Media RSS elements stand in the entry itself: a `media:group` must hold several `media:content`.
    MarkupText.element("media:title", row.title, into: &bytes)
    if let picture = row.picture { MarkupText.element("media:thumbnail", [("url", picture)], into: &bytes) }
    MarkupText.element("media:description", description, into: &bytes)
    bytes.append(contentsOf: "</entry>\n".utf8)
  }

  /// Appends the link to a file: `<link rel="enclosure" type="audio/mpeg" length="1234" href="…"/>`.
  private static func append(_ file: EntryMedia, to bytes: inout [UInt8]) {
    let type = file.type.isEmpty ? [] : [("type", file.type)]
    let length = file.length.map { [("length", "\($0)")] } ?? []
    MarkupText.element("link", [("rel", "enclosure")] + type + length + [("href", file.url)], into: &bytes)
  }

  /// Appends the link to the page that an entry is about.
  private static func appendLink(_ url: String, to bytes: inout [UInt8]) {
    MarkupText.element("link", [("rel", "alternate"), ("type", "text/html"), ("href", url)], into: &bytes)
  }
}

extension VideoRow {
  /// The entry's update time: when something a reader sees last changed, else `published`.
  package var updated: Timestamp { visiblyChanged ?? published }

  /// The URL of its page; nil if it has none that is safe to open.
  var page: String? {
    guard let entry else { return url }
    return entry.link.flatMap { WebLink.isSafe($0.value) ? $0.value : nil }
  }

  /// Its files, the default one first, without those that are not safe to open.
  var enclosures: [EntryMedia] { entry?.files.filter { WebLink.isSafe($0.url) } ?? [] }

  /// The URL of its picture; nil if it has none that is safe to open.
  var picture: String? {
    let picture = entry == nil ? thumbnail : entry?.image?.value
    return picture.flatMap { WebLink.isSafe($0) ? $0 : nil }
  }

  /// The row without its links, which may contain the secret of its feed.
  package var withoutLinks: VideoRow {
    var (row, entry) = (self, entry)
    row.url = ""
    row.description = nil
    entry?.link = nil
    entry?.media = nil
    entry?.image = nil
    row.entry = entry
    return row
  }
}

/// A notice about the polling itself (an outage or a gap), shown to feed readers alongside the videos.
package struct FeedNotice: Equatable, Sendable {
  /// `StableID.notice(_:)`.
  package var id: String
  package var title: String
  /// Plain text.
  package var text: String
  /// The URL of the page it concerns.
  package var link: String
  /// When the outage or gap began.
  package var began: Timestamp

  package init(id: String, title: String, text: String, link: String, began: Timestamp) {
    (self.id, self.title, self.text, self.link, self.began) = (id, title, text, link, began)
  }
}

extension AtomFeed {
  /// Appends one notice as an entry.
  package func append(_ notice: FeedNotice, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "<entry>\n".utf8)
    MarkupText.element("id", notice.id, into: &bytes)
    MarkupText.element("title", notice.title, into: &bytes)
    AtomFeed.appendLink(notice.link, to: &bytes)
    bytes.append(contentsOf: "<author><name>metube-rss</name></author>\n".utf8)
    MarkupText.element("published", notice.began.rfc3339, into: &bytes)
    MarkupText.element("updated", notice.began.rfc3339, into: &bytes)
    bytes.append(contentsOf: "<content type=\"text\">".utf8)
    MarkupText.escape(notice.text, in: .content, into: &bytes)
    bytes.append(contentsOf: "</content>\n</entry>\n".utf8)
  }
}

/// The IDs in published feeds: permanent and globally unique.
///
/// Readers such as newsboat identify entries by ID across all feeds, so an ID here must differ from the `yt:video:…` of
/// YouTube's own feed. A `tag:` URI may be minted only by the owner of its domain (RFC 4151), and this project has
/// none. Hence URNs of version 8 UUIDs, whose layout is custom (RFC 9562 §5.8): "metube" in ASCII, a digit for the
/// kind, and 64 bits, for a video those of its ID, so that no two can collide. `dQw4w9WgXcQ` is
/// `urn:uuid:6d657475-6265-8a5b-800f-05f0a86c8a87`.
package enum StableID {
  /// The ID of a video.
  package static func of(_ video: VideoID) -> String {
    video.youTube.map { urn(kind: 0, bits: $0.bits) } ?? "urn:metube:\(video)"
  }

  /// The ID of a feed; `filter` is its filter in canonical form, empty if unfiltered.
  package static func feed(filter: String) -> String { urn(kind: 1, bits: Fingerprint.of(filter)) }

  /// The ID of a notice; `occasion` is its subject in canonical form: `gap 0019a1…`.
  package static func notice(_ occasion: String) -> String { urn(kind: 2, bits: Fingerprint.of(occasion)) }

  private static func urn(kind: UInt64, bits: UInt64) -> String {
    let high = String(hex: bits >> 52, digits: 3)
    let middle = String(hex: kind << 4 | bits >> 48 & 0xf, digits: 2)
    let low = String(hex: bits & 0xffff_ffff_ffff, digits: 12)
    return "urn:uuid:6d657475-6265-8\(high)-80\(middle)-\(low)"
  }
}
