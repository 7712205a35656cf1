import Core
import Testing

@testable import FeedParser

@Test("Recorded pushes are read, and those with their IDs removed are rejected", .enabled(if: Files.samples != nil))
func recordedPushes() throws {
  let push = try Feed(xml: Files.sample("websub/real-push-20171215-new-or-updated-video.xml"))
  #expect(push.entries.map(\.video) == [VideoID("KtMyGttbyq0")])
  #expect(push.entries.first?.mediaTitle == nil && push.entries.first?.views == nil)
  #expect(push.entries.first?.updated == Timestamp(rfc3339: "2017-12-15T14:28:16Z"))
  let removal = try Feed(xml: Files.sample("websub/testfixture-tombstone-20260828.xml"))
  #expect(removal.entries.isEmpty && removal.deletedEntries.map(\.video) == [VideoID("stw7lYY3W3I")])
  #expect(removal.deletedEntries.first?.channel == ChannelID("UC81tUN0Ljo_kr7CYSgcNPXQ"))
  let topic = try Feed(xml: Files.sample("websub/real-topic-static-document.xml"))
  #expect(topic.entries.isEmpty && topic.deletedEntries.isEmpty && topic.title == "YouTube video feed")
  #expect(throws: ParseError.badEntry(line: 19, field: .video, flaw: .invalid)) {
    try Feed(xml: Files.sample("websub/official-doc-push-example.xml"))
  }
  #expect(throws: ParseError.badEntry(line: 8, field: .video, flaw: .invalid)) {
    try Feed(xml: Files.sample("websub/anonymised-tombstone-20240909-ytnoti.xml"))
  }
  #expect(throws: ParseError.self) { try Feed(xml: Files.sample("websub/real-tombstone-20180726-fragment.xml")) }
}

@Test("The recorded 404 page is not a feed", .enabled(if: Files.samples != nil))
func recordedPage() throws {
  #expect(throws: ParseError.notAFeed(root: "html")) { try Feed(xml: Files.sample("http/404-20260702.html")) }
}

@Test(
  "Every OPML sample is read", .enabled(if: Files.samples != nil),
  arguments: [
    ("invidious-opml-constructed", 1), ("miniflux-opml-constructed", 2), ("newsboat-body-element-missing", 0),
    ("newsboat-category", 1), ("newsboat-example", 7), ("newsboat-filtered", 2), ("opml-duplicate-ytcc", 2),
    ("opml-youtube-ytcc", 58),
  ])
func recordedOutlines(name: String, count: Int) throws {
  let outlines = try Outline.read(opml: Files.sample("imports/\(name).opml"))
  #expect(outlines.count == count)
  #expect(outlines.allSatisfy { $0.title != "" && $0.xmlURL != nil })
}

@Test("The broken OPML sample is rejected with its line", .enabled(if: Files.samples != nil))
func recordedDamage() throws {
  #expect(throws: ParseError.malformed(code: 68, line: 3, column: 9)) {
    try Outline.read(opml: Files.sample("imports/opml-broken-ytcc.opml"))
  }
}
