import Core
import Testing

@testable import FeedXML

@Test("Folders around an outline are its folders, and categories are split")
func foldersAndCategories() throws {
  let text = """
    <opml version="1.1"><body><outline text="Science" title="ignored">
    <outline title="Maths"><outline title="Numbers" type="rss" category="a,b c"
      xmlUrl="https://www.youtube.com/feeds/videos.xml?a=1&amp;channel_id=UCsXVk37bltHxD1rDPwtNM8Q"/></outline>
    </outline></body></opml>
    """
  let outlines = try Outline.read(opml: Array(text.utf8))
  let expected = Outline(
    title: "Numbers", xmlURL: "https://www.youtube.com/feeds/videos.xml?a=1&channel_id=UCsXVk37bltHxD1rDPwtNM8Q",
    htmlURL: nil, folders: ["Science", "Maths"], categories: ["a", "b c"], line: 3)
  #expect(outlines == [expected])
}
