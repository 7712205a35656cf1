import Core
import Testing

@testable import FeedParser

/// The contents of a recorded feed.
private let recorded: [(file: String, channel: String, entries: Int, shorts: Int)] = [
  ("kurzgesagt-20210608-143250", "UCsXVk37bltHxD1rDPwtNM8Q", 15, 0),
  ("kurzgesagt-20210608-152032", "UCsXVk37bltHxD1rDPwtNM8Q", 15, 0),
  ("kurzgesagt-20220812-171540", "UCsXVk37bltHxD1rDPwtNM8Q", 15, 0),
  ("kurzgesagt-20221122-103233", "UCsXVk37bltHxD1rDPwtNM8Q", 15, 0),
  ("kurzgesagt-20231208-193018", "UCsXVk37bltHxD1rDPwtNM8Q", 15, 0),
  ("kurzgesagt-20250317-124303", "UCsXVk37bltHxD1rDPwtNM8Q", 15, 0),
  ("kurzgesagt-20250711-192241", "UCsXVk37bltHxD1rDPwtNM8Q", 15, 10),
  ("kurzgesagt-20260702-073535", "UCsXVk37bltHxD1rDPwtNM8Q", 15, 11),
  ("nasa-20260818", "UCLA_DiR1FfKNvjuUpBHmylQ", 15, 3),
  ("playlist-20260529-two-entries", "UCV03SRZXJEz-hchIAogeJOg", 2, 0),
]

@Test("Every recorded feed is read completely", .enabled(if: Files.samples != nil), arguments: recorded)
func recordedFeed(file: String, channel: String, entries: Int, shorts: Int) throws {
  let feed = try Feed(xml: Files.sample("feeds/\(file).xml"))
  #expect(feed.entries.count == entries)
  #expect(feed.entries.count { $0.link.contains("/shorts/") } == shorts)
  #expect(feed.authorChannel == ChannelID(channel))
  #expect(feed.entries.allSatisfy { $0.channel == ChannelID(channel) })
  #expect(feed.channel == (file == "kurzgesagt-20221122-103233" ? nil : ChannelID(channel)))
  for entry in feed.entries {
    #expect(entry.mediaTitle == entry.title && entry.authorName == feed.authorName)
    #expect(entry.link.hasSuffix(entry.video.description))
    #expect(entry.thumbnail?.hasSuffix("/vi/\(entry.video)/hqdefault.jpg") == true)
    #expect(entry.views != nil && entry.likes != nil && entry.description?.isEmpty == false)
    #expect(entry.published <= entry.updated)
  }
}
