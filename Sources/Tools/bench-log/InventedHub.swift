import Core
import EventLog
import Glibc
import Seeded

/// A hub of invented channels, videos and users: pure functions of their numbers, so that several processes can make the
/// rows of several tables at once.
///
/// A hub that has run for some weeks: every channel publishes one video a week, and the catalogue found all of a week in an
/// order that has nothing to do with the channels' numbers.
struct InventedHub {
  let channels: Int
  /// Of each channel, and how many weeks there are.
  let weeks: Int
  let users: Int
  /// So many channels each user follows.
  static let follows = 100
  static let catalogue = DeviceID("bench000") ?? DeviceID(letters: 0)

  /// When the last week ended, milliseconds since 1970: 2026-11-18.
  private static let end: UInt64 = 1_795_000_000_000
  private static let week: UInt64 = 7 * 86_400_000

  /// When the users began to follow, and the first feed was read.
  var beginning: UInt64 { InventedHub.end - UInt64(weeks) * InventedHub.week - 86_400_000 }

  // MARK: Channels

  func channel(_ number: Int) -> ChannelID {
    var random = SeededGenerator(seed: UInt64(number) << 8 | 1)
    return ChannelID(high: random.next(), low: random.next())
  }

  /// Two words, the first letters large.
  func name(ofChannel number: Int) -> String {
    var random = SeededGenerator(seed: UInt64(number) << 8 | 2)
    return "\(Vocabulary.capitalized(Vocabulary.word(&random))) \(Vocabulary.capitalized(Vocabulary.word(&random)))"
  }

  /// The event with which the catalogue has the name of a channel.
  func named(_ number: Int) -> Event {
    let id = EventID(reading: beginning << 16 + UInt64(number) + 1, device: InventedHub.catalogue)
    let change = ChannelChanged(subscription: .channel(channel(number)), name: name(ofChannel: number))
    return Event(id: id, action: id, body: .channelChanged(change))
  }

  // MARK: Videos

  /// The channel whose video is the `index`th one of each week.
  func channel(at index: Int) -> Int {
    // A prime that divides no likely number of channels.
    index * 611_953 % channels
  }

  func video(ofChannel channel: Int, week: Int) -> VideoID { VideoID(bits: seed(channel, week)) }

  private func seed(_ channel: Int, _ week: Int) -> UInt64 {
    var random = SeededGenerator(seed: UInt64(channel) << 24 | UInt64(week) << 8 | 3)
    return random.next()
  }

  /// The event with which the catalogue found the `index`th video of a week, found up to six hours after it was
  /// published; one in six is a Short. Its description has 25 words of six letters and one of its own, 180 to 190
  /// bytes.
  func found(week: Int, index: Int) -> (event: Event, words: [String]) {
    let channel = channel(at: index)
    let video = video(ofChannel: channel, week: week)
    var random = SeededGenerator(seed: seed(channel, week))
    let start = InventedHub.end - UInt64(weeks - week) * InventedHub.week
    let reading = (start << 16) + (InventedHub.week << 16) / UInt64(channels) * UInt64(index)
    let id = EventID(reading: reading, device: InventedHub.catalogue)
    let published = Int64(reading >> 16) / 1000 - Int64(random.next() % 21_600)
    let page = random.next() % 6 == 0 ? "shorts/" : "watch?v="
    let title = (0..<5 + Int(random.next() % 6)).map { _ in Vocabulary.word(&random) }.joined(separator: " ")
    let words = (0..<25).map { _ in Vocabulary.word(&random) } + ["no" + String(week * channels + channel, radix: 36)]
    let found = VideoFound(
      video: video, channel: self.channel(channel), channelTitle: nil, feed: .channel, playlist: nil,
      title: Vocabulary.capitalized(title), link: "https://www.youtube.com/\(page)\(video)",
      published: Timestamp(seconds: published), thumbnail: nil, zeroViews: false, status: nil, reason: nil,
      description: Description(words.joined(separator: " ")))
    return (Event(id: id, action: id, body: .videoFound(found)), words)
  }

  // MARK: Users

  /// Numbers of users, and of owners, begin with 1.
  func device(ofUser user: Int) -> DeviceID {
    let digits = String(user)
    return DeviceID("u" + String(repeating: "0", count: 7 - digits.count) + digits) ?? DeviceID(letters: 0)
  }

  /// The channels that a user follows, all different: the first tenth of all channels gets two fifths of the followers.
  func channels(ofUser user: Int) -> [Int] {
    var random = SeededGenerator(seed: UInt64(user) << 8 | 4)
    var (chosen, order): (Set<Int>, [Int]) = ([], [])
    while order.count < min(InventedHub.follows, channels) {
      let fraction = random.fraction()
      let channel = Int(fraction * fraction * fraction.squareRoot() * Double(channels))
      if chosen.insert(channel).inserted { order.append(channel) }
    }
    return order
  }

  /// What a user did: followed all channels with one import, and watched every tenth video.
  func events(ofUser user: Int) -> [Event] {
    let (device, channels) = (device(ofUser: user), channels(ofUser: user))
    func id(_ milliseconds: UInt64, _ number: Int) -> EventID {
      EventID(reading: milliseconds << 16 + UInt64(number), device: device)
    }
    var events = channels.enumerated().map { index, channel in
      let followed = ChannelFollowed(subscription: .channel(self.channel(channel)), title: nil, tags: nil)
      return Event(id: id(beginning, index + 1), action: id(beginning, 1), body: .channelFollowed(followed))
    }
    for week in 0..<weeks {
      for (index, channel) in channels.enumerated() where (index + week) % 10 == 0 {
        let marked = id(InventedHub.end + UInt64(week) * 60_000, index)
        let watched = StatusSet(video: video(ofChannel: channel, week: week), status: .watched)
        events.append(Event(id: marked, action: marked, body: .statusSet(watched)))
      }
    }
    return events
  }
}

/// 64,000 words of six letters, whose frequencies are those of a language: the nth one 1/n as often as the first, which
/// is in four of five descriptions.
enum Vocabulary {
  static let size = 64_000
  private static let consonants = Array("bdklmnrs".utf8)
  private static let vowels = Array("aeiou".utf8)

  /// The word with a rank from 0 on.
  static func word(rank: Int) -> String {
    // So that frequent words do not begin alike.
    var rest = rank * 26_731 % size
    let letters = (0..<3).flatMap { _ in
      defer { rest /= 40 }
      return [consonants[rest % 8], vowels[rest / 8 % 5]]
    }
    return String(decoding: letters, as: UTF8.self)
  }

  private static let words = (0..<size).map(word)
  /// The ranks by even steps of probability.
  private static let ranks = (0..<1 << 16).map { step in
    Int(exp(log(Double(size)) * Double(step) / Double(1 << 16))) - 1
  }

  static func word(_ random: inout SeededGenerator) -> String { words[ranks[Int(random.next() >> 48)]] }

  static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}

extension SeededGenerator {
  /// At least 0 and less than 1.
  fileprivate mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53 as UInt64) }
}
