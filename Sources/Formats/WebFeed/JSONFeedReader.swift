import Core
import FeedParser
import JSON

/// Reads JSON Feed 1 and 1.1 (https://www.jsonfeed.org/version/1.1/).
struct JSONFeedReader {
  private let limits: ParserLimits
  private let links: LinkResolver
  private var feed = WebFeed(format: .json)
  private var version: String?
  private var hasItems = false
  private var draft = EntryDraft()

  /// The feed in a document; throws `malformedJSON`, `tooDeep` or `fieldTooLong` for JSON that cannot be read, `notAFeed` if
  /// it is something else.
  static func read(_ document: WebDocument, base: WebURL?, limits: ParserLimits) throws(ParseError) -> WebFeed {
    var reader = JSONFeedReader(limits: limits, links: LinkResolver(base: base))
    do {
      var json = JSONReader(ByteReader(Array(document.bytes[document.start...])))
      try json.forEachMember { name, json in try reader.take(name, &json) }
      try json.expectEnd()
    } catch let error as JSONError {
      throw ParseError(error)
    } catch let error as ParseError {
      throw error
    } catch {
      throw .malformedJSON(line: 1, column: 1)
    }
    guard reader.hasItems, reader.version?.contains("jsonfeed.org/version/") ?? false else {
      throw .notAFeed(root: "json")
    }
    return reader.feed
  }

  private init(limits: ParserLimits, links: LinkResolver) { (self.limits, self.links) = (limits, links) }

  private mutating func take(_ name: String, _ json: inout JSONReader) throws {
    if name == "items", hasItems {
      try json.skip()
    } else if name == "items", try json.nextKind() == .array {
      hasItems = true
      var reader = self
      try json.forEachElement { json in
        guard reader.feed.entries.count < reader.limits.entries else {
          reader.feed.droppedEntries += 1
          return try json.skip()
        }
        reader.feed.entries.append(reader.entry(try json.value()))
      }
      self = reader
    } else {
      take(name, try json.value())
    }
  }

  private mutating func take(_ name: String, _ value: JSONValue) {
    switch name {
    case "version": version = value.string
    case "title": feed.title = value.line
    case "description":
      feed.summary = value.string.flatMap { PlainText.summary($0.utf8.span, .plain, limit: WebFeed.summaryLimit) }
    case "home_page_url": feed.link = link(value)
    case "feed_url": feed.selfLink = link(value)
    case "next_url": feed.nextPage = link(value)
    case "icon": feed.image = link(value) ?? feed.image
    case "favicon": feed.image = feed.image ?? link(value)
    case "language": feed.language = value.string?.withoutBlanks.lowercasedLanguage
    case "expired": feed.isFinished = value == .boolean(true)
    case "author", "authors": feed.author = feed.author ?? value.authors
    case "hubs":
      for hub in (value.elements ?? []).prefix(WebFeedLimits.list) where hub["type"]?.string?.lowercased() == "websub" {
        if let url = link(hub["url"]) { feed.hubs.append(url) }
      }
    default: break
    }
  }

  private mutating func entry(_ item: JSONValue) -> WebEntry {
    draft.clear()
    if let id = item["id"]?.idText { draft.takeID(id, isPermalink: false) }
    for name in ["url", "external_url"] {
      if let sent = item[name]?.string {
        draft.takeLink(String(sent.withoutBlanks), links, rank: name == "url" ? 2 : 1)
      }
    }
    if let title = item["title"]?.string { draft.take(.title, title, .plain) }
    if let summary = item["summary"]?.string { draft.take(.summary, summary, .plain) }
    if let text = item["content_html"]?.text {
      draft.take(.content, text, .html)
    } else if let text = item["content_text"]?.text {
      draft.take(.content, text, .plain)
    }
    draft.entry.published = item["date_published"]?.string.flatMap { Timestamp(feed: $0) }
    draft.entry.updated = item["date_modified"]?.string.flatMap { Timestamp(feed: $0) }
    draft.ownImage = link(item["image"])
    draft.thumbnail = link(item["banner_image"])
    draft.author = item["authors"]?.authors ?? item["author"]?.authors
    for tag in (item["tags"]?.elements ?? []).prefix(WebFeedLimits.list) {
      if let tag = tag.string { draft.entry.categories.addCategory(tag) }
    }
    for attachment in (item["attachments"]?.elements ?? []).prefix(WebFeedLimits.media) { take(attachment) }
    return draft.finish()
  }

  private mutating func take(_ attachment: JSONValue) {
    guard let url = link(attachment["url"]) else { return }
    let type = attachment["mime_type"]?.string.flatMap(WebMedia.mediaType)
    var media = WebMedia(url: url, type: type, kind: .init(type: type, url: url), isDefault: draft.enclosures.isEmpty)
    media.length = attachment["size_in_bytes"]?.number.flatMap { $0 > 0 ? Int64(exactly: $0.rounded()) : nil }
    media.duration = attachment["duration_in_seconds"]?.number.flatMap {
      $0 > 0 && $0 <= MediaDuration.limit ? max(1, Int($0)) : nil
    }
    media.title = attachment["title"]?.line
    draft.enclosures.append(media)
  }

  private func link(_ value: JSONValue?) -> String? {
    guard let text = value?.string?.withoutBlanks, !text.isEmpty else { return nil }
    return links.resolve(String(text))
  }
}

extension JSONValue {
  /// The text in one line; nil if empty or another type.
  fileprivate var line: String? {
    string.flatMap { PlainText.line($0.utf8.span, .plain, limit: WebFeedLimits.title) }
  }

  /// An ID, which is a number at times.
  fileprivate var idText: String? {
    if let number { return Int64(exactly: number).map { String($0) } ?? String(number) }
    return string
  }

  /// The names of an author or several, separated by commas; nil without one.
  fileprivate var authors: String? {
    let names = (elements ?? [self]).prefix(WebFeedLimits.list).compactMap { $0["name"]?.line }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
}

extension ParseError {
  fileprivate init(_ error: JSONError) {
    switch error {
    case .malformed(let line, let column): self = .malformedJSON(line: line, column: column)
    case .tooDeep(let limit, let line): self = .tooDeep(limit: limit, line: line)
    case .valueTooLarge(let limit, let line): self = .fieldTooLong(limit: limit, line: line)
    }
  }
}
