import Core
import SlowFold

/// Shorthand for values used in the core's tests.
package enum Sample {
  package static let device = DeviceID(letters: 0x6161_6161_6161_6161)
  package static let otherDevice = DeviceID(letters: 0x6262_6262_6262_6262)
  /// 2026-01-01T00:00:00Z.
  package static let start = Timestamp(seconds: 1_767_225_600)

  /// The n-th video; any number is valid.
  package static func video(_ number: UInt64) -> VideoID { VideoID(bits: number &* 0x9e37_79b9_7f4a_7c15) }

  /// The n-th channel.
  package static func channel(_ number: UInt64) -> ChannelID { ChannelID(high: number, low: ~number) }

  /// The ID of an event `second` seconds after the start.
  package static func id(_ second: Int64, _ device: DeviceID = device) -> EventID {
    EventID(reading: UInt64(start.seconds + second) * 1000 << 16, device: device)
  }

  /// An event in its own action.
  package static func event(_ second: Int64, _ body: EventBody) -> Event { event(second, device, body) }

  /// An event of another device, in its own action.
  package static func event(_ second: Int64, _ device: DeviceID, _ body: EventBody) -> Event {
    Event(id: id(second, device), action: id(second, device), body: body)
  }

  /// A first sighting of a video in a channel's feed.
  package static func found(
    _ number: UInt64, of channel: UInt64 = 1, title: String = "A title", link: Link = .watch, day: Int64 = 0,
    description: String? = "Words", playlist: PlaylistID? = nil
  ) -> EventBody {
    let path = link == .short ? "shorts/" : "watch?v="
    return .videoFound(
      VideoFound(
        video: video(number), channel: Sample.channel(channel), channelTitle: nil, feed: .channel, playlist: playlist,
        title: title, link: "https://www.youtube.com/\(path)\(video(number))",
        published: start.adding(seconds: day * 86_400), thumbnail: nil, zeroViews: false, status: nil, reason: nil,
        description: description.map { Description($0) }))
  }

  /// An entry of a feed.
  package static func entry(
    _ number: UInt64, of channel: UInt64 = 1, title: String = "A title", day: Int64 = 0, views: Int64 = 10
  ) -> Entry {
    Entry(
      video: video(number), channel: Sample.channel(channel), title: title,
      link: "https://www.youtube.com/watch?v=\(video(number))", authorName: "A channel",
      published: start.adding(seconds: day * 86_400), updated: start, mediaTitle: title,
      thumbnail: "https://i2.ytimg.com/vi/\(video(number))/hqdefault.jpg", description: "Words", views: views,
      likes: 1)
  }

  /// A feed of the first channel.
  package static func feed(_ entries: [Entry], name: String = "A channel") -> Feed {
    Feed(
      title: name, authorName: name, authorChannel: channel(1), channel: channel(1), playlist: nil, entries: entries,
      deletedEntries: [])
  }

  /// A run that finished.
  package static func run(checked: Int, failing: [String] = [], stopped: StopReason? = nil) -> RunFinished {
    RunFinished(
      checked: checked, notDue: 0, failed: failing.count, new: 0, changed: 0, gaps: 0, outage: stopped == .outage,
      stopped: stopped, milliseconds: 1000, bytes: 0, failing: failing, recovered: [])
  }

  /// These events, folded.
  package static func fold(_ events: [Event]) -> SlowFold { SlowFold(events) }

  /// The state folded from these events.
  package static func state(_ events: [Event]) -> State { fold(events).state }
}
