import Core
import FeedParser
import Testing

@testable import WebFeed

/// Feeds that pages link to.
@Suite struct PageLinkTests {
  private func feeds(
    _ head: String, url: String = "https://site.example/blog/post.html", contentType: String? = "text/html"
  ) throws -> [FeedCandidate] {
    let page = "<!DOCTYPE html><html><head>\(head)</head><body><p>Text</p></body></html>"
    let finding = FeedDiscovery.find(
      in: Array(page.utf8), contentType: contentType, url: try #require(WebURL(url)))
    guard case .page(let feeds) = finding else {
      Issue.record("not a page: \(finding)")
      return []
    }
    return feeds
  }

  private func urls(_ head: String) throws -> [String] { try feeds(head).map(\.url.text) }

  private func link(_ href: String, type: String = "application/rss+xml", rel: String = "alternate") -> String {
    "<link rel=\"\(rel)\" type=\"\(type)\" href=\"\(href)\">"
  }

  @Test("Links are found in document order, with titles, each once")
  func order() throws {
    let found = try feeds(
      """
      <link rel="stylesheet" href="/style.css" type="text/css">
      <LINK REL='Alternate' TYPE='application/atom+xml; charset=utf-8' TITLE='News &amp; more' HREF='/atom.xml?a=1&amp;b=2' />
      <link href=rss.xml type=application/rss+xml rel="home alternate" title="  A
      title ">
      <link rel="alternate" type="application/feed+json" href="//cdn.example/feed.json">
      \(link("/atom.xml?a=1&b=2"))
      """)
    #expect(
      found.map(\.url.text) == [
        "https://site.example/atom.xml?a=1&b=2", "https://site.example/blog/rss.xml", "https://cdn.example/feed.json",
      ])
    #expect(found.map(\.title) == ["News & more", "A title", nil])
    #expect(found.allSatisfy { $0.certainty == .stated })
  }

  @Test(
    "Other types and relations are not feeds",
    arguments: [
      "<link rel='alternate' hreflang='de' href='/de/'>", "<link rel='alternate' type='text/html' href='/m'>",
      "<link rel='alternate stylesheet' type='application/rss+xml' href='/x'>", "<link rel='icon' href='/x'>",
      "<link rel='alternate' type='application/rss+xml'>", "<link rel='alternate' type='application/rss+xml' href=' '>",
      "<link rel='alternate' type='application/rss+xml' href='javascript:alert(1)'>",
      "<link rel='alternate' type='application/rss+xml' href='feed:x'>",
      "<link rel='alternate' type='application/json' href='/wp-json/wp/v2/posts/1'>",
      "<link rel='alternate' type='application/json' href='/?rest_route=/wp/v2/posts/1'>",
      "<link rel='alternate' type='application/json+oembed' href='/oembed'>",
      "<a rel='alternate' type='application/rss+xml' href='/x'>x</a>",
      "<!-- <link rel='alternate' type='application/rss+xml' href='/x'> -->",
      "<script>var a = \"<link rel='alternate' type='application/rss+xml' href='/x'>\";</script>",
      "<textarea><link rel='alternate' type='application/rss+xml' href='/x'></textarea>",
      "</link rel='alternate' type='application/rss+xml' href='/x'>",
    ])
  func others(head: String) throws { #expect(try feeds(head).isEmpty) }

  @Test("JSON that is no programming interface is a feed")
  func json() throws { #expect(try urls(link("/feed.json", type: "application/json")).count == 1) }

  @Test("The first base counts, and is itself relative to the page")
  func base() throws {
    #expect(
      try urls("<base href='/root/'><base href='/other/'>" + link("f.xml")) == ["https://site.example/root/f.xml"])
    #expect(try urls("<base target='_top'>" + link("f.xml")) == ["https://site.example/blog/f.xml"])
    #expect(try urls("<base href='javascript:x'>" + link("f.xml")) == ["https://site.example/blog/f.xml"])
  }

  @Test("Feeds of comments are left out")
  func comments() throws {
    let head =
      link("/feed/") + link("/comments/feed/") + link("/?feed=comments-rss2") + link("/feeds/comments/default")
      + "<link rel=alternate type=application/rss+xml title='Site » A post Comments Feed' href='/2026/post/feed/'>"
    #expect(try urls(head) == ["https://site.example/feed/"])
    // A title alone is no proof where nothing else is linked.
    let only = "<link rel=alternate type=application/rss+xml title='Comments are free' href='/feed/'>"
    #expect(try urls(only) == ["https://site.example/feed/"])
    #expect(try urls(link("/comments/feed/")).isEmpty)
  }

  @Test("Titles and links in other encodings")
  func encodings() throws {
    let head =
      "<meta charset=\"windows-1252\">" + link("/f")
      + "<link rel=alternate type=application/atom+xml title='Gr\u{fc}\u{df}e' href=/g>"
    let page = "<html><head>\(head)</head></html>".unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    let finding = FeedDiscovery.find(
      in: page, contentType: nil, url: try #require(WebURL("https://site.example/")))
    guard case .page(let feeds) = finding else { return #expect(Bool(false)) }
    #expect(feeds.map(\.title) == [nil, "Grüße"])
  }

  @Test("A document that is a feed is one, whatever its type says")
  func feedItself() throws {
    let url = try #require(WebURL("https://site.example/f"))
    let rss = Array("<rss><channel><title>A feed</title></channel></rss>".utf8)
    for type in [nil, "text/html", "application/octet-stream"] {
      guard case .feed(let feed) = FeedDiscovery.find(in: rss, contentType: type, url: url) else {
        return #expect(Bool(false))
      }
      #expect(feed.title == "A feed")
    }
  }

  @Test("What is neither page nor feed says why")
  func neither() throws {
    let url = try #require(WebURL("https://site.example/f"))
    #expect(FeedDiscovery.find(in: [], contentType: nil, url: url) == .neither(.empty))
    for text in ["just text", "{\"a\": 1}", "<svg xmlns='http://www.w3.org/2000/svg'/>", "<rss><channel>"] {
      guard case .neither = FeedDiscovery.find(in: Array(text.utf8), contentType: "text/plain", url: url) else {
        Issue.record("\(text)")
        continue
      }
    }
    #expect(FeedDiscovery.find(in: Array("oops".utf8), contentType: "text/html", url: url) == .page([]))
  }

  @Test(
    "Pages that close nothing are read in one pass",
    arguments: [
      "<link rel=alternate type=application/rss+xml href='", "<!-- ", "<script>", "<link ", "<", "<link rel=\"", "</",
      "<link a=", "<link =", "<textarea></", "<link rel=alternate type=application/rss+xml href=/f", "&#",
      "<base href=",
    ])
  func hostile(piece: String) throws {
    let url = try #require(WebURL("https://site.example/"))
    // A time that grew with the square of the size would be minutes.
    let page = Array(("<html>" + String(repeating: piece, count: 200_000)).utf8)
    guard case .page(let feeds) = FeedDiscovery.find(in: page, contentType: nil, url: url) else {
      return #expect(Bool(false))
    }
    #expect(feeds.count <= PageLinks.maxCandidates)
  }

  @Test("Sizes of a page are limited")
  func limits() throws {
    let many = (0..<500).map { link("/feed\($0)") }.joined()
    #expect(try feeds(many).count == PageLinks.maxCandidates)
    let long = link("/" + String(repeating: "x", count: 10_000)) + link("/short")
    #expect(try urls(long) == ["https://site.example/short"])
    let attributes = (0..<100).map { "a\($0)=1" }.joined(separator: " ")
    #expect(try feeds("<link \(attributes) rel=alternate type=application/rss+xml href=/f>").isEmpty)
    let title = String(repeating: "a", count: 4000)
    let titled = try feeds("<link rel=alternate type=application/rss+xml href=/f title='\(title)'>")
    #expect(titled.first?.title?.count == 200)
  }

  @Test("Any bytes are read", arguments: 0..<50)
  func anyBytes(seed: UInt64) throws {
    let url = try #require(WebURL("https://site.example/"))
    var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    let pieces = [
      "<link ", "rel=alternate ", "type=\"application/rss+xml\"", " href='/f'", ">", "<!--", "-->", "<base href=/b>",
      "\0", "\u{fffd}", "<script>", "</script>", "&amp;", "=", "'", "\"", " ", "</", "<",
    ]
    var page = "<html>"
    for _ in 0..<300 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      page += pieces[Int(state >> 33) % pieces.count]
    }
    let finding = FeedDiscovery.find(in: Array(page.utf8), contentType: nil, url: url)
    guard case .page(let feeds) = finding else { return #expect(Bool(false)) }
    #expect(feeds.allSatisfy { WebLink.isSafe($0.url.text) })
  }
}
