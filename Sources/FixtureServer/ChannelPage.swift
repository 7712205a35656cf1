/// The page of a channel as far as a program looks for the channel's id in it.
package struct ChannelPage: Sendable {
  /// The channel whose page it is.
  package var channel: String
  /// Which of the places that name the channel are there; each was missing at some time.
  package var places: Set<Place> = Set(Place.allCases)
  /// How long the page is made, in bytes; real ones have 1.6 million.
  package var length = 20_000

  /// A place on the page that names its channel.
  package enum Place: CaseIterable, Sendable { case canonical, externalID, feedAddress, alternate }

  package init(channel: String) { self.channel = channel }

  /// The page, with other channels' ids before its own.
  package var answer: Answer {
    let feed = "https://www.youtube.com/feeds/videos.xml?channel_id=\(channel)"
    var head = ""
    if places.contains(.alternate) {
      head += "<link rel=\"alternate\" type=\"application/rss+xml\" title=\"RSS\" href=\"\(feed)\">"
    }
    if places.contains(.canonical) {
      head += "<link rel=\"canonical\" href=\"https://www.youtube.com/channel/\(channel)\">"
    }
    var data =
      "{\"channelId\":\"UCaaaaaaaaaaaaaaaaaaaaaQ\",\"description\":\"\\\"externalId\\\":\\\"UCbbbbbbbbbbbbbbbbbbbbbQ\""
    if places.contains(.externalID) { data += ",\"externalId\":\"\(channel)\"" }
    if places.contains(.feedAddress) { data += ",\"rssUrl\":\"\(feed)\"" }
    let page = "<!DOCTYPE html><html><head><script>var ytInitialData = \(data)};</script>\(head)</head><body>"
    return .html(page + String(repeating: " ", count: max(0, length - page.utf8.count)) + "</body></html>", status: 200)
  }
}
