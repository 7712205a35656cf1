import Testing

@testable import Core

@Test(
  "A channel's picture is https on one of the two hosts that YouTube uses",
  arguments: [
    ("https://yt3.ggpht.com/ytc/AIdro_k=s88-c-k-c0x00ffffff-no-rj", true),
    ("https://yt3.googleusercontent.com/x", true),
    ("http://yt3.ggpht.com/x", false), ("https://yt3.ggpht.com", false),
    ("https://yt3.ggpht.com.evil.example/x", false),
    ("https://yt3.ggpht.com@evil.example/x", false), ("https://yt3.ggpht.com:8443/x", false),
    ("https://evil.example/https://yt3.ggpht.com/x", false), ("https://yt3.ggpht.com/\"onload=", false),
    ("https://yt3.ggpht.com/a b", false), ("https://lh3.googleusercontent.com/x", false), ("javascript:x", false),
    ("//yt3.ggpht.com/x", false), ("", false), ("https://yt3.ggpht.com/" + String(repeating: "x", count: 1024), false),
  ])
func avatarHosts(address: String, isAllowed: Bool) {
  #expect(Avatar.isOfYouTube(address) == isAllowed)
  let id = ChannelID(high: 0, low: 0)
  var channel = Channel(id: .channel(id))
  let event = EventID(reading: 1 << 16, device: DeviceID(letters: 0x6161_6161_6161_6161))
  // A log from elsewhere may hold any text.
  channel.enriched = LWWRegister(
    ChannelEnriched(channel: id, avatar: address, subscribers: nil, videos: nil), by: event)
  #expect(channel.avatar == (isAllowed ? address : nil))
}

@Test(
  "Subscribers are counted as YouTube does: three digits, cut off",
  arguments: [
    (0, "0"), (999, "999"), (1000, "1K"), (1049, "1.04K"), (12_399, "12.3K"), (123_999, "123K"), (999_999, "999K"),
    (1_230_000, "1.23M"), (20_000_000, "20M"), (1_999_999_999, "1.99B"), (Int.max, "9223372036B"),
  ])
func shortCounts(count: Int, text: String) {
  let row = ChannelRow(
    channel: .channel(ChannelID(high: 0, low: 0)), title: "", url: "", tags: [], feed: .channel, unwatched: 0,
    failures: 0, verdict: .well, shorts: .hide, live: .show, order: .newest, subscribers: count)
  #expect(row.subscribersShort == text)
}
