import Core

/// Videos as a JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/), written in parts: the start, one item per video,
/// the end.
package struct JSONFeed: Sendable {
  package var title: String
  /// The URL the feed is published at; nil if unknown.
  package var feedLink: String?
  /// The WebSub hub that pushes the feed; nil if none does.
  package var hubLink: String?
  /// Whether no item has been written, so that the next needs no comma.
  private var isEmpty = true

  package init(title: String, feedLink: String?) {
    (self.title, self.feedLink) = (title, feedLink)
  }

  /// Appends everything before the items.
  package func appendStart(to bytes: inout [UInt8]) {
    var head = JSONLine()
    head.add("version", "https://jsonfeed.org/version/1.1")
    head.add("title", title)
    if let feedLink { head.add("feed_url", feedLink) }
    if let hubLink {
      var hub = JSONLine()
      hub.add("type", "WebSub")
      hub.add("url", hubLink)
      head.add("hubs", objects: [hub])
    }
    bytes.append(contentsOf: head.object.dropLast() + ",\"items\":[".utf8)
  }

  /// Appends one video, with the same ID as in the Atom feed; its description is stored in the log and therefore passed
  /// separately.
  package mutating func append(_ row: VideoRow, description: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: (isEmpty ? "\n" : ",\n").utf8)
    isEmpty = false
    var html: [UInt8] = []
    VideoHTML.append(row, description: description, to: &html)
    var author = JSONLine()
    author.add("name", row.channelTitle)
    author.add("url", SubscriptionID.channel(row.channel).url)
    var item = JSONLine()
    item.add("id", StableID.of(row.video))
    item.add("url", row.url)
    item.add("title", row.title)
    item.add("content_html", String(decoding: html, as: UTF8.self))
    if WebLink.isSafe(row.thumbnail) { item.add("image", row.thumbnail) }
    item.add("date_published", row.published)
    item.add("date_modified", row.updated)
    item.add("authors", objects: [author])
    if !row.tags.isEmpty { item.add("tags", row.tags) }
    bytes.append(contentsOf: item.object)
  }

  /// Appends everything after the items.
  package func appendEnd(to bytes: inout [UInt8]) { bytes.append(contentsOf: "\n]}\n".utf8) }
}
