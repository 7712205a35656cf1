import App
import Core
import FixtureServer
import TestSupport
import Testing

/// A small RSS feed of another site than YouTube.
struct FixtureBlog {
  var title = "Notes from the Quay"
  /// The newest first, a day apart; each with a permanent ID.
  var entries: [String]
  /// What the feed announces as its new address.
  var newAddress: String?

  /// The document; the newest entry is of 2026-07-20.
  var xml: String {
    let items = entries.enumerated().map { index, title in
      """
      <item><title>\(title)</title><guid isPermaLink="false">id of \(title)</guid><link>https://quay.example/\(index)</link>
      <pubDate>\(Timestamp(seconds: 1_784_505_600 - 86_400 * Int64(index)).rfc3339)</pubDate></item>
      """
    }
    let moved = newAddress.map { "<itunes:new-feed-url>\($0)</itunes:new-feed-url>" } ?? ""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>\(title)</title>
      <link>https://quay.example/</link>\(moved)\(items.joined())</channel></rss>
      """
  }
}

extension Sandbox {
  /// Serves a document of Fixtures/webfeeds at a path.
  func serveWebFeed(_ name: String, at path: String) throws {
    let bytes = try #require(Files.read(Files.packageRoot + "/Fixtures/webfeeds/" + name))
    // Without a charset, which would count before what the document declares.
    server.serve(path, Response(status: 200, headers: ["Content-Type": "application/rss+xml"], body: bytes))
  }

  /// Serves a blog at a path.
  func serve(_ blog: FixtureBlog, at path: String) { server.serve(path, .feed(blog.xml)) }

  /// A session of the sandbox's home in this process.
  func session() throws -> Session { try Session(Home(folder: folder.path, environment: [:]), reports: false) }

  /// Follows a feed at an address without requesting it; returns its ID.
  @discardableResult
  func followFeed(_ address: String, title: String? = nil) throws -> FeedID {
    let feed = FeedID(of: try #require(FeedAddress(address)))
    try session().commit { [.feedFollowed(FeedFollowed(feed: feed, url: address, title: title, tags: nil))] }
    return feed
  }
}
