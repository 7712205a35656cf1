import Core
import Testing

@testable import Importers

private let lamp = "UCAAAAAAAAAAAAAAAAAAAAAA"

private func rows(_ outlines: Outline...) throws -> ImportedFile {
  var builder = ImportBuilder(format: .opml, limits: .standard)
  try OPMLRows.read(outlines, takesFeeds: false, into: &builder)
  return builder.file
}

private func outline(
  _ xmlURL: String?, htmlURL: String? = nil, folders: [String] = [], categories: [String] = []
) -> Outline {
  Outline(title: "Lamps", xmlURL: xmlURL, htmlURL: htmlURL, folders: folders, categories: categories, line: 7)
}

@Test("The fixture's folders and categories become tags")
func opmlFixture() throws {
  let file = try ImportedFile(Files.fixture("reader.opml"))
  #expect(file.format == .opml)
  #expect(file.subscriptions.map(\.title) == ["Lamps & Ladders", "Moss", "A list of lamps"])
  #expect(file.subscriptions.map(\.tags) == [["Craft", "Slow"], ["Craft", "green", "quiet"], []])
  #expect(file.subscriptions.map(\.form) == [.channel, .shorts, .playlist])
  #expect(file.unresolved.map(\.name) == [.user("oldlamps")])
  #expect(file.notYouTube.count == 2 && file.refused.count == 1)
  #expect(file.read == 8 && file.sumOfRows == 8)
}

@Test("Feeds of other sites are taken if they are wanted; each row is counted once")
func opmlFeeds() throws {
  let url = try #require(WebURL("https://blog.example/feed"))
  let more = Outline(
    title: "The blog", xmlURL: "https://blog.example/feed", htmlURL: nil, folders: ["Sea", "Blogs"], categories: [],
    line: 9)
  let outlines = [
    outline(lamp, folders: ["Craft"]), outline(url.text, folders: ["Blogs"]), more, outline("exec:~/bin/feed"),
    outline(nil, htmlURL: "https://blog.example/"),
  ]
  func file(takesFeeds: Bool) throws -> ImportedFile {
    var builder = ImportBuilder(format: .opml, limits: .standard)
    try OPMLRows.read(outlines, takesFeeds: takesFeeds, into: &builder)
    return builder.file
  }
  let taken = try file(takesFeeds: true)
  #expect(taken.feeds.map(\.url) == [url] && taken.feeds[0].title == "Lamps")
  #expect(taken.feeds[0].tags == ["Blogs", "Sea"] && taken.duplicates == 1)
  #expect(taken.subscriptions.count == 1 && taken.notYouTube.count == 2 && taken.read == outlines.count)
  let left = try file(takesFeeds: false)
  #expect(left.feeds.isEmpty && left.notYouTube.count == 4 && left.read == outlines.count)
}

@Test("Folders that programs wrap around all channels are not tags")
func wrapperFolders() throws {
  let file = try rows(outline(lamp, folders: ["YouTube Subscriptions"]), outline(lamp, folders: ["Craft"]))
  #expect(file.subscriptions.map(\.tags) == [["Craft"]])
}

@Test(
  "One folder around everything is a wrapper in any language",
  arguments: ["Συνδρομές YouTube", "Abonnements YouTube", "Subscrições do YouTube"])
func translatedWrapper(name: String) throws {
  let file = try rows(outline(lamp, folders: [name]), outline("@moss", folders: [name, "Craft"]))
  #expect(file.subscriptions.map(\.tags) == [[]] && file.unresolved.map(\.tags) == [["Craft"]])
  #expect(try rows(outline(lamp, folders: [name], categories: [name])).subscriptions.map(\.tags) == [[name]])
  #expect(
    try rows(outline(lamp, folders: ["Craft"]), outline("https://example.com/a", folders: ["News"])).subscriptions.map(
      \.tags) == [["Craft"]])
}

@Test("A category's leading slash is not part of the tag, and white space around a tag is trimmed")
func categories() throws {
  #expect(
    try rows(outline(lamp, categories: ["/Craft", " slow tv ", ""])).subscriptions.first?.tags == ["Craft", "slow tv"])
}

@Test("The page's address gives the ID that the feed's lacks")
func pageOfChannel() throws {
  let page = "https://www.youtube.com/channel/\(lamp)"
  #expect(
    try rows(outline("https://www.youtube.com/feeds/videos.xml?user=oldlamps", htmlURL: page)).subscriptions.count == 1)
  #expect(
    try rows(outline("https://www.youtube.com/feeds/videos.xml?channel_id=UC1", htmlURL: page)).subscriptions.count == 1
  )
  #expect(try rows(outline(nil, htmlURL: page)).subscriptions.count == 1)
}

@Test("Another site's feed is not YouTube, whatever its page")
func podcastWithChannel() throws {
  let page = "https://www.youtube.com/channel/\(lamp)"
  for feed in ["https://example.com/podcast.xml", "exec:~/bin/feed", "feed.xml", "relative"] {
    #expect(try rows(outline(feed, htmlURL: page)).notYouTube.map(\.what) == [feed])
  }
}

@Test("An outline without any address is rejected")
func emptyOutline() throws { #expect(try rows(outline(" ", htmlURL: "")).refused.map(\.reason) == [.empty]) }

@Test("Errors of the OPML parser are rethrown")
func damagedOPML() {
  struct Damage: Error {}
  #expect(throws: Damage.self) {
    try ImportedFile.read(
      Array("<opml>".utf8), limits: .standard, database: { _, _ in [] }, opml: { _ in throw Damage() })
  }
}
