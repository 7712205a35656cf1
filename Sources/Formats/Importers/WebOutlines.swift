import Core

/// A feed of any site in an OPML document: a blog, a podcast.
package struct WebOutline: Equatable, Sendable {
  /// Where it is; it may contain a password.
  package var url: WebURL
  package var title: String?
  /// Folders and categories, each once.
  package var tags: [String]
  /// Whether the URL seems to contain a secret, so that it belongs in no export.
  package var isPrivate: Bool
  /// The line on which its outline ends, from 1.
  package var line: Int

  package init(url: WebURL, title: String?, tags: [String], isPrivate: Bool, line: Int) {
    (self.url, self.title, self.tags) = (url, title, tags)
    (self.isPrivate, self.line) = (isPrivate, line)
  }
}

/// Interprets the outlines of an OPML document as feeds of any site, beside the subscriptions at YouTube (`OPMLRows`).
package enum WebOutlines {
  /// What a document contains of such feeds.
  package struct Content: Equatable, Sendable {
    /// Each URL once, in document order.
    package var feeds: [WebOutline] = []
    /// The lines of outlines whose `xmlUrl` is no URL of the web.
    package var invalidLines: [Int] = []
    /// Outlines that repeat an earlier one.
    package var duplicates = 0

    package init() {}
  }

  /// The feeds among some outlines. Outlines with a page alone, without `xmlUrl`, are bookmarks.
  package static func read(_ outlines: [Outline]) -> Content {
    let wrapper = OPMLRows.wrapper(of: outlines)
    var content = Content()
    var positions: [WebURL: Int] = [:]
    for outline in outlines {
      guard let text = outline.xmlURL?.withoutBlanks, !text.isEmpty, !ChannelReference.isYouTube(text) else { continue }
      guard let url = url(text) else {
        content.invalidLines.append(outline.line)
        continue
      }
      let tags = OPMLRows.tags(of: outline, wrapper: wrapper)
      if let position = positions[url] {
        content.duplicates += 1
        // A feed in two folders has both tags.
        for tag in tags where !content.feeds[position].tags.contains(tag) { content.feeds[position].tags.append(tag) }
        content.feeds[position].title = content.feeds[position].title ?? title(of: outline)
      } else {
        positions[url] = content.feeds.count
        var unique: [String] = []
        for tag in tags where !unique.contains(tag) { unique.append(tag) }
        content.feeds.append(
          WebOutline(
            url: url, title: title(of: outline), tags: unique, isPrivate: url.hasSecret, line: outline.line))
      }
    }
    return content
  }

  /// Whether an outline is one of these feeds.
  static func isFeed(_ outline: Outline) -> Bool {
    guard let text = outline.xmlURL?.withoutBlanks, !ChannelReference.isYouTube(text) else { return false }
    return url(text) != nil
  }

  /// The URL of a feed, also with a scheme that programs give feeds: `feed:https://…`, `feed://…`, `itpc://…`.
  private static func url(_ text: Substring) -> WebURL? {
    for scheme in ["feed", "itpc", "pcast", "podcast"] where text.lowercased().hasPrefix(scheme + ":") {
      let rest = text.dropFirst(scheme.count + 1)
      return WebURL(rest) ?? (rest.hasPrefix("//") ? WebURL("https:\(rest)") : nil)
    }
    return WebURL(text)
  }

  /// The title unless it only repeats the URL, as some programs write it.
  private static func title(of outline: Outline) -> String? {
    guard let title = outline.title?.withoutBlanks, !title.isEmpty, title != outline.xmlURL?.withoutBlanks else {
      return nil
    }
    return String(title)
  }
}
