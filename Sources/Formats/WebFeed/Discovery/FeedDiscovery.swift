import Core
import FeedParser

/// Finds the feed at an address: in the URL, in the document there, in the links of a page.
package enum FeedDiscovery {
  /// What was found in a document.
  package enum Finding: Equatable, Sendable {
    /// The document is a feed itself.
    case feed(WebFeed)
    /// It is a page, with links to these feeds in document order; empty if it names none.
    case page([FeedCandidate])
    /// It is neither.
    case neither(ParseError)
  }

  /// What a document that was fetched from `url`, after redirects, has.
  ///
  /// - Parameters:
  ///   - bytes: the document, decompressed; it may be hostile.
  ///   - contentType: the `Content-Type` it was sent with; nil if unknown.
  package static func find(in bytes: [UInt8], contentType: String?, url: WebURL) -> Finding {
    let head = bytes.prefix(headLimit)
    if isPage(Array(head)) { return .page(PageLinks.feeds(in: bytes, contentType: contentType, url: url)) }
    do {
      return .feed(try WebFeedParser.parse(bytes, contentType: contentType, base: url))
    } catch {
      let isHTML = contentType?.lowercased().hasPrefix("text/html") ?? false
      guard isHTML || Array(head).span.firstIndex(of: "<html", from: 0) != nil else { return .neither(error) }
      return .page(PageLinks.feeds(in: bytes, contentType: contentType, url: url))
    }
  }

  /// The bytes that decide whether a document is a page.
  private static let headLimit = 4096

  /// Whether a document begins as a page does, so that no parser of feeds need try.
  private static func isPage(_ head: [UInt8]) -> Bool {
    let text = String(decoding: head, as: UTF8.self).lowercased()
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
  }

  /// The URL that a user means: without a scheme, or with one that programs give feeds, https is assumed; nil if it is none.
  ///
  /// `example.org/blog`, `feed://example.org/rss`, `feed:https://example.org/rss`, `itpc://…`, `podcast://…`.
  package static func url(typed text: String) -> WebURL? {
    var rest = text.withoutBlanks
    for scheme in feedSchemes where rest.lowercased().hasPrefix(scheme + ":") {
      rest = rest.dropFirst(scheme.count + 1)
      if rest.hasPrefix("//") { rest = rest.dropFirst(2) }
      break
    }
    if let url = WebURL(rest) { return url }
    let host = rest.prefix { !"/?#".contains($0) }
    guard !rest.contains("://"), host.contains("."), !host.contains("@"), !host.contains(where: \.isWhitespace) else {
      return nil
    }
    return WebURL("https://\(rest)")
  }

  private static let feedSchemes = ["feed", "feeds", "itpc", "pcast", "podcast", "rss"]
}

/// A feed that may be followed.
package struct FeedCandidate: Equatable, Sendable {
  /// Where it is.
  package var url: WebURL
  /// What the page, or the platform, calls it; nil if it says nothing.
  package var title: String?
  /// How certain it is that the feed exists and is meant.
  package var certainty: Certainty

  /// How certain a candidate is.
  package enum Certainty: Comparable, Sendable {
    /// By a pattern that other sites may have too: to be tried if the page names no feed.
    case guessed
    /// By somebody else's service, which learns what is followed: to be offered, never chosen.
    case foreign
    /// The page or the platform says so.
    case stated
  }

  package init(url: WebURL, title: String?, certainty: Certainty) {
    (self.url, self.title, self.certainty) = (url, title, certainty)
  }
}
