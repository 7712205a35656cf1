/// A channel's web page, reduced to the fields that carry the channel ID.
package struct ChannelPage: Sendable {
  /// The ID of the page's channel.
  package var channel: String
  /// Which of the fields that name the channel are present; each has been missing at some time.
  package var fields: Set<Field> = Set(Field.allCases)
  /// The page length in bytes; real pages have 1.6 million.
  package var length = 20_000

  /// A field of the page that holds the channel ID.
  package enum Field: CaseIterable, Sendable { case canonical, externalID, feedAddress, alternate }

  package init(channel: String) { self.channel = channel }

  /// The page, with other channels' IDs before its own.
  package var response: Response {
    let feed = "https://www.youtube.com/feeds/videos.xml?channel_id=\(channel)"
    var head = ""
    if fields.contains(.alternate) {
      head += "<link rel=\"alternate\" type=\"application/rss+xml\" title=\"RSS\" href=\"\(feed)\">"
    }
    if fields.contains(.canonical) {
      head += "<link rel=\"canonical\" href=\"https://www.youtube.com/channel/\(channel)\">"
    }
    var data =
      "{\"channelId\":\"UCaaaaaaaaaaaaaaaaaaaaaQ\",\"description\":\"\\\"externalId\\\":\\\"UCbbbbbbbbbbbbbbbbbbbbbQ\""
    if fields.contains(.externalID) { data += ",\"externalId\":\"\(channel)\"" }
    if fields.contains(.feedAddress) { data += ",\"rssUrl\":\"\(feed)\"" }
    let page = "<!DOCTYPE html><html><head><script>var ytInitialData = \(data)};</script>\(head)</head><body>"
    return .html(page + String(repeating: " ", count: max(0, length - page.utf8.count)) + "</body></html>", status: 200)
  }
}
