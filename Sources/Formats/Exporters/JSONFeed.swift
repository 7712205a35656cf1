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
    if row.entry == nil { author.add("url", SubscriptionID.channel(row.channel).url) }
    var item = JSONLine()
    item.add("id", StableID.of(row.video))
    if let page = row.page { item.add("url", page) }
    item.add("title", row.title)
    item.add("content_html", String(decoding: html, as: UTF8.self))
    if let picture = row.picture { item.add("image", picture) }
    item.add("date_published", row.published)
    item.add("date_modified", row.updated)
    item.add("authors", objects: [author])
    if !row.tags.isEmpty { item.add("tags", row.tags) }
    let files = row.enclosures.enumerated().map { index, file in
      JSONFeed.attachment(file, seconds: index == 0 ? row.durationSeconds : nil)
    }
    if !files.isEmpty { item.add("attachments", objects: files) }
    bytes.append(contentsOf: item.object)
  }

  /// `{"url":"https://cdn.example/1.mp3","mime_type":"audio/mpeg","size_in_bytes":1234,"duration_in_seconds":61}`. The type
  /// is required.
  private static func attachment(_ file: EntryMedia, seconds: Int?) -> JSONLine {
    var attachment = JSONLine()
    attachment.add("url", file.url)
    attachment.add("mime_type", file.type.isEmpty ? "application/octet-stream" : file.type)
    if let length = file.length { attachment.add("size_in_bytes", length) }
    if let seconds { attachment.add("duration_in_seconds", seconds) }
    return attachment
  }

  /// Appends everything after the items.
  package func appendEnd(to bytes: inout [UInt8]) { bytes.append(contentsOf: "\n]}\n".utf8) }
}
