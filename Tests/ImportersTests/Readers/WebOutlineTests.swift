import Core
import FeedParser
import Testing

@testable import Importers

/// Feeds of any site in OPML.
@Suite struct WebOutlineTests {
  private func content(_ body: String) throws -> WebOutlines.Content {
    let document = "<opml version=\"2.0\"><head/><body>\(body)</body></opml>"
    return WebOutlines.read(try Outline.read(opml: Array(document.utf8)))
  }

  @Test("Feeds of blogs and podcasts are read with their folders; YouTube's are left to its own rows")
  func feeds() throws {
    let content = try content(
      """
      <outline text="News"><outline type="rss" text="A blog" xmlUrl="https://a.example/feed" htmlUrl="https://a.example/"/>
      <outline text="B" title="B podcast" xmlUrl="feed://b.example/rss" category="/Audio,Daily"/></outline>
      <outline text="C" xmlUrl="https://www.youtube.com/feeds/videos.xml?channel_id=UC0000000000000000000000"/>
      <outline text="Bookmark" htmlUrl="https://d.example/"/>
      """)
    #expect(content.feeds.map(\.url.text) == ["https://a.example/feed", "https://b.example/rss"])
    #expect(content.feeds.map(\.title) == ["A blog", "B podcast"])
    #expect(content.feeds.map(\.tags) == [["News"], ["News", "Audio", "Daily"]])
    #expect(content.feeds.allSatisfy { !$0.isPrivate } && content.invalidLines.isEmpty)
  }

  @Test("A folder around everything is no tag")
  func wrapper() throws {
    let content = try content(
      """
      <outline text="Subscriptions"><outline text="A" xmlUrl="https://a.example/"/><outline text="Tech">
      <outline text="B" xmlUrl="https://b.example/"/></outline></outline>
      """)
    #expect(content.feeds.map(\.tags) == [[], ["Tech"]])
  }

  @Test("A feed in two folders is one feed with both tags")
  func twice() throws {
    let content = try content(
      """
      <outline text="One"><outline xmlUrl="https://a.example/"/></outline>
      <outline text="Two"><outline text="A" xmlUrl="https://A.example"/></outline>
      """)
    #expect(content.feeds.count == 1 && content.feeds.first?.tags == ["One", "Two"])
    #expect(content.feeds.first?.title == "A")
  }

  @Test("URLs with passwords or tokens are private")
  func secrets() throws {
    let content = try content(
      """
      <outline text="A" xmlUrl="https://user:pass@a.example/feed"/><outline text="B" xmlUrl="https://b.example/f?token=1"/>
      <outline text="C" xmlUrl="https://c.example/f?page=1"/>
      """)
    #expect(content.feeds.map(\.isPrivate) == [true, true, false])
    #expect(content.feeds.first?.url.userInfo == "user:pass")
  }

  @Test("What is no URL of the web is named by its line")
  func invalid() throws {
    let content = try content(
      """
      <outline text="A" xmlUrl="javascript:alert(1)"/>
      <outline text="B" xmlUrl="file:///etc/passwd"/>
      <outline text="C" xmlUrl="not a url"/>
      <outline text="D" xmlUrl="https://d.example/"/>
      """)
    #expect(content.invalidLines == [1, 2, 3] && content.feeds.count == 1)
  }

  @Test("A title that repeats the URL is none")
  func titles() throws {
    #expect(
      try content("<outline text=\"https://a.example/f\" xmlUrl=\"https://a.example/f\"/>").feeds.first?.title == nil)
  }
}
