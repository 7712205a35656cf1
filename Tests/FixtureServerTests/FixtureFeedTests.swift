import Testing

@testable import FixtureServer

@Suite("Fixture feeds")
struct FixtureFeedTests {
  private let entry = FixtureEntry(
    video: "-_0aZz19ABU", title: "Salt & \"sugar\"", isShort: true, published: 1_793_404_800, updated: 1_793_404_860,
    description: "a < b\nb > a", views: 50)

  private var xml: String {
    FixtureFeed(channel: "UCsXVk37bltHxD1rDPwtNM8Q", title: "A & B", published: 0, entries: [entry]).xml
  }

  @Test("Text is escaped wherever it appears")
  func escapes() {
    #expect(xml.split(separator: "Salt &amp; &quot;sugar&quot;</").count == 3)
    #expect(xml.contains("<media:description>a &lt; b\nb &gt; a</media:description>"))
    #expect(xml.contains("<title>A &amp; B</title>"))
  }

  @Test("The feed's own IDs lack their UC, the entry's has it")
  func ids() {
    #expect(xml.contains(" <id>yt:channel:sXVk37bltHxD1rDPwtNM8Q</id>\n <yt:channelId>sXVk37bltHxD1rDPwtNM8Q<"))
    #expect(xml.contains("  <yt:channelId>UCsXVk37bltHxD1rDPwtNM8Q</yt:channelId>"))
  }

  @Test("A Short has a Shorts link, and times carry their offset")
  func linkAndTimes() {
    #expect(xml.contains("href=\"https://www.youtube.com/shorts/-_0aZz19ABU\""))
    #expect(xml.contains("<published>2026-10-31T00:00:00+00:00</published>\n  <updated>2026-10-31T00:01:00+00:00<"))
  }
}
