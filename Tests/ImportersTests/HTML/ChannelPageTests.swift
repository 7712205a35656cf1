import Core
import Testing

@testable import Importers

private let own = "UCAAAAAAAAAAAAAAAAAAAAAA"
private let others = ["UCBBBBBBBBBBBBBBBBBBBBBA", "UCDDDDDDDDDDDDDDDDDDDDDg", "UCEEEEEEEEEEEEEEEEEEEEEQ"]

private let canonical = "<link rel=\"canonical\" href=\"https://www.youtube.com/channel/\(own)\">"
private let feed = "https://www.youtube.com/feeds/videos.xml?channel_id="

/// The ID of the channel that a page names.
private func channel(in page: String) -> String? { ChannelPage.channel(in: Array(page.utf8))?.description }

@Test(
  "Each of the four fields names the channel",
  arguments: [
    canonical, "{\"externalId\":\"\(own)\"}", "{\"rssUrl\":\"\(feed)\(own)\"}",
    "{\"rssUrl\":\"https:\\/\\/www.youtube.com\\/feeds\\/videos.xml?channel_id=\(own)\"}",
    "<link type='application/rss+xml' rel='alternate' href='\(feed)\(own)'>",
  ])
func parts(part: String) {
  #expect(channel(in: "<html>{\"channelId\":\"\(others[0])\"}\(part)</html>") == own)
}

@Test("The order of trust: canonical link, external ID, feed URL, link to the feed")
func order() {
  let link = "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"\(feed)\(others[2])\">"
  let address = "\"rssUrl\":\"\(feed)\(others[1])\""
  let external = "\"externalId\":\"\(others[0])\""
  #expect(channel(in: link + address + external + canonical) == own)
  #expect(channel(in: link + address + external) == others[0])
  #expect(channel(in: link + address) == others[1])
  #expect(channel(in: link) == others[2])
}

@Test(
  "Text that does not describe the page itself names no channel",
  arguments: [
    "", "{\"channelId\":\"\(own)\"}", "<a href=\"https://www.youtube.com/channel/\(own)\">",
    "{\"description\":\"\\\"externalId\\\":\\\"\(own)\\\"\"}",
    "<link rel=\"canonical\" href=\"https://example.org/channel/x\">",
    "&lt;link rel=\"canonical\" href=\"https://www.youtube.com/channel/\(own)\">",
    "<link rel=\"alternate\" type=\"text/html\" href=\"https://m.youtube.com/channel/\(own)\">",
    "<link rel=\"canonical\"",
    "\"externalId\":\"", "\"externalId\":\"UCshort\"",
  ])
func noPart(page: String) { #expect(channel(in: page) == nil) }

@Test("After a canonical link to a handle, the next field decides")
func canonicalHandle() {
  let page = "<link rel=\"canonical\" href=\"https://www.youtube.com/@lamps\">\"externalId\":\"\(own)\""
  #expect(channel(in: page) == own)
}

@Test("A truncated page names its channel or none")
func cutPage() {
  let page = Array("<html><head>\(canonical)</head>{\"externalId\":\"\(own)\"}".utf8)
  for length in 0...page.count {
    let channel = ChannelPage.channel(in: Array(page.prefix(length)))?.description
    #expect(channel == nil || channel == own)
  }
}
