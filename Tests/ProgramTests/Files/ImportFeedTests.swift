import TestSupport
import Testing

@Suite("Importing feeds of other sites")
struct ImportFeedTests {
  private let sandbox: Sandbox
  private let opml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <opml version="2.0"><head><title>Podcasts</title></head><body>
    <outline text="Sea">
    <outline type="rss" text="The Long Harbour" xmlUrl="https://feeds.longharbour.example/all.xml"/>
    <outline type="rss" text="Quay" xmlUrl="http://ann:secret@quay.example/feed"/>
    </outline>
    <outline text="Again" type="rss" xmlUrl="https://feeds.longharbour.example/all.xml"/>
    <outline type="rss" text="Lamps" xmlUrl="https://www.youtube.com/feeds/videos.xml?channel_id=UCAAAAAAAAAAAAAAAAAAAAAA"/>
    <outline text="A command" xmlUrl="exec:~/bin/fetch"/>
    </body></opml>
    """

  init() throws { sandbox = try Sandbox() }

  @Test("An OPML file brings feeds with titles and tags; again it changes nothing, and undo takes all of it back")
  func whole() throws {
    let path = sandbox.folder.write(opml.utf8, to: "podcasts.opml")
    let rehearsed = try sandbox.succeed("import", "--dry-run", path)
    #expect(rehearsed.contains("  2 would be new feeds of other sites\n") && sandbox.log.isEmpty)
    let text = try sandbox.succeed("import", path)
    #expect(text.contains("  1 new\n") && text.contains("  2 new feeds of other sites\n"))
    #expect(text.contains("  1 not YouTube\n") && text.hasSuffix("Run `metube-rss poll` to fetch their videos.\n"))
    #expect(!text.contains("secret"))
    let rows = try sandbox.run("channels", "--format", "tsv").text
    for title in ["The Long Harbour", "Quay", "Lamps"] { #expect(rows.contains(title)) }
    #expect(try sandbox.run("channels", "--tag", "Sea", "--format", "ids").lines.count == 2)
    let log = sandbox.log
    #expect(try sandbox.succeed("import", path).contains("  2 feeds of other sites already followed\n"))
    #expect(sandbox.log == log)
    #expect(try sandbox.takeOver(path).newFeeds == 0)
    #expect(try sandbox.succeed("import", "--tag", "quiet", path).contains("(tag added to 3)"))
    #expect(try sandbox.run("channels", "--tag", "quiet", "--format", "ids").lines.count == 3)
    #expect(try sandbox.succeed("undo", "--yes").contains("undone: "))
    #expect(try sandbox.succeed("undo", "--yes").contains("undone: "))
    #expect(try sandbox.run("channels", "--format", "ids").lines.isEmpty)
  }

  @Test("A file of podcasts alone is imported too")
  func podcasts() throws {
    let text = """
      <opml version="1.0"><body><outline text="Pods"><outline text="One" xmlUrl="https://one.example/rss"/>
      <outline text="Two" xmlUrl="https://two.example/rss"/></outline></body></opml>
      """
    let report = try sandbox.takeOver(text: text)
    #expect(report.read == 2 && report.new == 0 && report.newFeeds == 2 && report.sum == 2)
  }
}
