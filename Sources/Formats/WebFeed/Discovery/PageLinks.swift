import Core
import FeedParser

/// Reads the links to feeds out of an HTML page, front to back, in one pass.
///
/// A page is hostile: whatever is not closed ends with the page, and every size has a limit.
struct PageLinks {
  private let url: WebURL
  private var base: WebURL
  private var hasBase = false
  private var candidates: [FeedCandidate] = []
  private var seen: Set<WebURL> = []
  private var tags = 0

  /// The bytes of a page that are read.
  static let limit = 8 << 20
  /// Feeds of one page.
  static let maxCandidates = 64
  /// Tags with links that are looked at.
  private static let maxTags = 2000

  /// The feeds that a page links to (`link rel=alternate`), in document order, each once, without those of comments.
  static func feeds(in bytes: [UInt8], contentType: String?, url: WebURL) -> [FeedCandidate] {
    let bytes = Array(bytes.prefix(limit))
    let text = (try? WebEncoding.decode(bytes, contentType: contentType ?? metaCharset(bytes))) ?? bytes
    var links = PageLinks(url: url, base: url)
    links.read(text.span)
    let articles = links.candidates.filter { !CommentFeed.isTitle($0.title) }
    return articles.isEmpty ? links.candidates : articles
  }

  private init(url: WebURL, base: WebURL) { (self.url, self.base) = (url, base) }

  /// A content type with the encoding that `<meta charset>` names near the beginning; nil without one.
  private static func metaCharset(_ bytes: [UInt8]) -> String? {
    let head = String(decoding: bytes.prefix(1024), as: UTF8.self).lowercased()
    guard let start = head.firstRange(of: "charset=") else { return nil }
    let name = head[start.upperBound...].drop { $0 == "\"" || $0 == "'" }.prefix {
      $0.isLetter || $0.isNumber || "-_".contains($0)
    }
    return name.isEmpty ? nil : "text/html; charset=\(name)"
  }

  private mutating func read(_ bytes: Span<UInt8>) {
    var index = 0
    while let start = bytes.firstIndex(of: "<", from: index), tags < PageLinks.maxTags,
      candidates.count < PageLinks.maxCandidates
    {
      if bytes.has("<!--", at: start) {
        guard let end = bytes.firstIndex(of: "-->", from: start + 4) else { return }
        index = end + 3
      } else if let tag = PageTag(bytes, at: start) {
        index = tag.end
        take(tag, bytes, &index)
      } else {
        index = start + 1
      }
    }
  }

  private mutating func take(_ tag: PageTag, _ bytes: Span<UInt8>, _ index: inout Int) {
    switch tag.name {
    case "script", "style", "textarea", "template", "title", "iframe", "xmp":
      index = PageTag.endOfText(in: bytes, of: tag.name, from: index)
    case "base":
      guard !hasBase, let text = tag["href"] else { return }
      hasBase = true
      base = WebURL(text, relativeTo: url) ?? url
    case "link":
      tags += 1
      take(link: tag)
    default: break
    }
  }

  private mutating func take(link tag: PageTag) {
    let words = tag["rel"]?.lowercased().split(whereSeparator: \.isWhitespace) ?? []
    guard words.contains("alternate"), !words.contains("stylesheet"), let type = tag["type"], let href = tag["href"],
      !href.withoutBlanks.isEmpty, let url = WebURL(href, relativeTo: base),
      PageLinks.isFeed(type: type, url), !CommentFeed.isURL(url), seen.insert(url).inserted
    else { return }
    let title = tag["title"].flatMap {
      PlainText.line($0.utf8.span, .plain, limit: PageLinks.titleLimit)
    }
    candidates.append(FeedCandidate(url: url, title: title, certainty: .stated))
  }

  private static let titleLimit = 200

  /// Whether a type is that of a feed. WordPress links its programming interface as JSON.
  private static func isFeed(type: String, _ url: WebURL) -> Bool {
    switch type.prefix(while: { $0 != ";" }).withoutBlanks.lowercased() {
    case "application/rss+xml", "application/atom+xml", "application/feed+json": true
    case "application/json": !url.path.contains("/wp-json/") && url.value("rest_route") == nil
    default: false
    }
  }
}

/// Feeds of the comments on a site or an article, which pages link beside their own.
private enum CommentFeed {
  /// Whether a URL is that of one: `/comments/feed/`, `/feeds/comments/default`, `?feed=comments-rss2`.
  static func isURL(_ url: WebURL) -> Bool {
    url.components.contains { $0.lowercased() == "comments" } || url.value("feed")?.hasPrefix("comments") ?? false
  }

  /// Whether a title is that of one.
  static func isTitle(_ title: String?) -> Bool {
    guard let title else { return false }
    return title.lowercased().split { !$0.isLetter }.contains { words.contains(String($0)) }
  }

  private static let words: Set<String> = [
    "comments", "kommentare", "kommentar", "commentaires", "comentarios", "comentários", "commenti", "reacties",
    "kommentarer", "komentarze", "комментарии", "コメント",
  ]
}

/// A start tag of a page with its attributes.
struct PageTag {
  /// In lower case.
  let name: String
  /// The index after its `>`, or the end of the page.
  let end: Int
  private var attributes: [(name: String, value: String)] = []

  /// Attributes of one tag; bytes of a value.
  private static let maxAttributes = 32
  private static let maxValue = 4096

  /// The value of the first attribute of this name, with references decoded; nil if absent.
  subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// The tag at `start`, where a `<` is; nil if it is no start tag, or not closed.
  init?(_ bytes: Span<UInt8>, at start: Int) {
    var index = start + 1
    guard index < bytes.count, bytes[index].isLetter else { return nil }
    name = PageTag.word(bytes, &index, limit: 16) { !$0.isLetterOrDigit }
    let keeps = name == "link" || name == "base"
    while true {
      while index < bytes.count, bytes[index] <= 0x20 || bytes[index] == UInt8(ascii: "/") { index += 1 }
      guard index < bytes.count else { break }
      if bytes[index] == UInt8(ascii: ">") {
        index += 1
        break
      }
      let first = index
      let name = PageTag.word(bytes, &index, limit: 16) {
        $0 <= 0x20 || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/")
      }
      // A `=` where a name should be is a part of the name.
      if index == first { index += 1 }
      let value = PageTag.value(bytes, &index, isKept: keeps && attributes.count < PageTag.maxAttributes)
      if keeps, attributes.count < PageTag.maxAttributes { attributes.append((name, value)) }
    }
    end = index
  }

  /// The bytes up to one that ends a word, in lower case; beyond the limit they are passed over.
  private static func word(
    _ bytes: Span<UInt8>, _ index: inout Int, limit: Int, until isEnd: (UInt8) -> Bool
  ) -> String {
    let start = index
    while index < bytes.count, !isEnd(bytes[index]) { index += 1 }
    var word: [UInt8] = []
    for position in start..<min(index, start + limit) { word.append(bytes[position]) }
    return String(decoding: word, as: UTF8.self).lowercased()
  }

  /// The value after a `=`; empty without one, or if it is not kept.
  private static func value(_ bytes: Span<UInt8>, _ index: inout Int, isKept: Bool) -> String {
    var position = index
    while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return "" }
    position += 1
    while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    guard position < bytes.count else {
      index = position
      return ""
    }
    let quote = bytes[position]
    let start: Int
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      start = position + 1
      position = start
      while position < bytes.count, bytes[position] != quote { position += 1 }
      index = min(position + 1, bytes.count)
    } else {
      start = position
      while position < bytes.count, bytes[position] > 0x20, bytes[position] != UInt8(ascii: ">") { position += 1 }
      index = position
    }
    guard isKept, position - start <= maxValue else { return "" }
    return decoded(bytes.extracting(start..<position))
  }

  /// A value with its references decoded.
  private static func decoded(_ value: Span<UInt8>) -> String {
    var text: [UInt8] = []
    var index = 0
    while index < value.count {
      if value[index] == UInt8(ascii: "&"), let reference = HTMLEntity.Reference(value, at: index + 1) {
        text.append(contentsOf: UTF8.encode(reference.scalar) ?? .init())
        index += 1 + reference.length
      } else {
        text.append(value[index])
        index += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The index of the end tag of an element that contains only text; the end of the page without one.
  static func endOfText(in bytes: Span<UInt8>, of name: String, from start: Int) -> Int {
    var index = start
    while let close = bytes.firstIndex(of: "</", from: index) {
      var after = close + 2
      if word(bytes, &after, limit: 16, until: { !$0.isLetterOrDigit }) == name { return close }
      index = close + 2
    }
    return bytes.count
  }
}
