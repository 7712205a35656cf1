import Core

/// Short ways to values for the tests of lists.
enum Sample {
  static let device = DeviceID(letters: 0x6161_6161_6161_6161)
  /// 2026-01-01T00:00:00Z.
  static let start = Timestamp(seconds: 1_767_225_600)

  /// The n-th video; any number gives one.
  static func video(_ number: UInt64) -> VideoID { VideoID(bits: number &* 0x9e37_79b9_7f4a_7c15) }

  /// The n-th channel.
  static func channel(_ number: UInt64) -> ChannelID { ChannelID(high: number, low: ~number) }

  /// An event of an action of its own, `second` seconds after the start.
  static func event(_ second: Int64, _ body: EventBody) -> Event {
    let id = EventID(reading: UInt64(start.seconds + second) * 1000 << 16, device: device)
    return Event(id: id, action: id, body: body)
  }

  /// A first sight of a video as a channel's feed gives it.
  static func found(
    _ number: UInt64, of channel: UInt64 = 1, title: String = "A title", link: Link = .watch, day: Int64 = 0
  ) -> EventBody {
    let path = link == .short ? "shorts/" : "watch?v="
    return .videoFound(
      VideoFound(
        video: video(number), channel: Sample.channel(channel), channelTitle: nil, feed: .channel, playlist: nil,
        title: title, link: "https://www.youtube.com/\(path)\(video(number))",
        published: start.adding(seconds: day * 86_400), thumbnail: nil, zeroViews: false, status: nil, reason: nil,
        description: nil))
  }
}
