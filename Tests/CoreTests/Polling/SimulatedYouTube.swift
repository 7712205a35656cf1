import Seeded
import TestSupport

@testable import Core

/// A simulated YouTube with some channels over a month: who publishes what and when, and when the feeds fail.
struct SimulatedYouTube {
  /// One upload.
  struct Upload {
    var video: VideoID
    var published: Timestamp
    /// When it appears in the feed; later than `published` for a premiere, or a video made public late.
    var visible: Timestamp
    /// The new value of `published`, and when it changes: at the end of a live stream.
    var moves: Timestamp?
    var isShort: Bool
  }

  /// One channel.
  struct SimulatedChannel {
    var id: ChannelID
    var name: String
    var renamed: Timestamp?
    var terminated: Timestamp?
    var uploads: [Upload]
  }

  let start: Timestamp
  private(set) var channels: [SimulatedChannel] = []
  private var positions: [ChannelID: Int] = [:]
  private let days: Int64
  private static let day: Int64 = 86_400

  /// `count` channels over `days` days from `start`: most publish once in 1 to 14 days, some daily; one floods with
  /// Shorts, some end, one is renamed.
  init(channels count: Int, days: Int64, from start: Timestamp, using generator: inout SeededGenerator) {
    self.start = start
    self.days = days
    for number in 0..<count {
      let interval = SimulatedYouTube.interval(of: number, using: &generator)
      let id = Sample.channel(UInt64(number) + 1)
      let uploads = uploads(of: number, interval: interval, using: &generator)
      positions[id] = number
      channels.append(
        SimulatedChannel(
          id: id, name: "Channel \(number)", renamed: number == 1 ? start.adding(seconds: 9 * 86_400) : nil,
          terminated: (2...6).contains(number) ? start.adding(seconds: Int64(number) * 2 * 86_400) : nil,
          uploads: uploads))
    }
  }

  /// Seconds between a channel's uploads: 40 minutes for the flood, half a day for a tenth, 1 to 14 days for the
  /// others.
  private static func interval(of number: Int, using generator: inout SeededGenerator) -> Int64 {
    if number == 0 { return 2400 }
    return number % 10 == 0 ? day / 2 : .random(in: day...(14 * day), using: &generator)
  }

  private func uploads(of number: Int, interval: Int64, using generator: inout SeededGenerator) -> [Upload] {
    var uploads: [Upload] = []
    var time = start.adding(seconds: -interval * 20)
    let end = start.adding(seconds: days * 86_400)
    while time < end {
      let serial = UInt64(number) << 32 | UInt64(uploads.count)
      let kind = Int.random(in: 0..<40, using: &generator)
      let isLate = kind == 0 && number > 0
      uploads.append(
        Upload(
          video: Sample.video(serial), published: time, visible: isLate ? time.adding(seconds: 3 * 86_400) : time,
          moves: kind == 1 ? time.adding(seconds: 7200) : nil, isShort: number == 0 || kind % 5 == 0))
      time = time.adding(seconds: interval * .random(in: 50...150, using: &generator) / 100)
    }
    return uploads
  }

  /// Whether all feeds fail: five hours a day from about four o'clock.
  func isFailing(at now: Timestamp) -> Bool {
    let seconds = now.seconds(since: start)
    let begin = 4 * 3600 + seconds / 86_400 * 577 % 3600
    return (begin..<(begin + 5 * 3600)).contains(seconds % 86_400)
  }

  /// The feed of a channel; nil if the response is 404.
  func feed(of id: ChannelID, at now: Timestamp) -> Feed? {
    guard let channel = positions[id].map({ channels[$0] }) else { return nil }
    if channel.terminated.map({ $0 <= now }) ?? false { return nil }
    let name = channel.renamed.map { $0 <= now } == true ? "Another name" : channel.name
    // The newest 40 by upload include the newest 15 by date: few are shown late or moved.
    let shown = channel.uploads.prefix { $0.published <= now }.suffix(40).filter { $0.visible <= now }
    let entries = shown.map { upload in
      Entry(
        video: upload.video, channel: id, title: "A video", link: upload.isShort ? "/shorts/x" : "/watch?v=x",
        authorName: name, published: upload.moves.map { $0 <= now ? $0 : upload.published } ?? upload.published,
        updated: now, mediaTitle: nil, thumbnail: nil, description: nil, views: now.seconds, likes: nil)
    }
    return Feed(
      title: name, authorName: name, authorChannel: id, channel: id, playlist: nil,
      entries: Array(entries.sorted { $0.published > $1.published }.prefix(15)), deletedEntries: [])
  }
}
