import Core
import Testing

@testable import Exporters

@Suite("Notices and lists of feeds")
struct FeedNoticeTests {
  private let hostile = "<script>alert(\"1\")</script> & ]]> \u{0} \u{FFFE}"

  @Test("A notice is an entry with all text escaped")
  func notice() {
    let notice = FeedNotice(
      id: StableID.notice("gap 1"), title: hostile, text: hostile, link: "https://me.example/?a=\"&b",
      began: Timestamp(seconds: 1_793_404_800))
    let feed = AtomFeed(id: StableID.feed(filter: ""), title: "", updated: notice.began, selfLink: nil)
    var bytes: [UInt8] = []
    feed.append(notice, to: &bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; ]]&gt;"))
    #expect(text.contains("href=\"https://me.example/?a=&quot;&amp;b\""))
    #expect(!text.contains("<script") && !bytes.contains(0) && !text.contains("\u{FFFE}"))
  }

  @Test("Notices, videos and feeds never share an ID")
  func ids() {
    #expect(StableID.notice("") != StableID.feed(filter: ""))
    #expect(StableID.notice("gap 1") != StableID.notice("gap 2"))
    #expect(StableID.notice("gap 1") == StableID.notice("gap 1"))
  }

  @Test("A list of feeds is OPML with all text escaped")
  func list() {
    var bytes: [UInt8] = []
    FeedLink.appendOPML([FeedLink(title: "a \"b\" <c> & d", address: "file:///feeds/a%2520b.atom?x&y")], to: &bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("text=\"a &quot;b&quot; &lt;c&gt; &amp; d\""))
    #expect(text.contains("xmlUrl=\"file:///feeds/a%2520b.atom?x&amp;y\""))
    #expect(text.hasSuffix("</body>\n</opml>\n"))
  }
}
