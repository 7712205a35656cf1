import Seeded

/// An invented channel for benchmarks: its ID, name and feed are the same on every machine and in every run.
///
/// Generations simulate successive polls. Every view count changes from one generation to the next, as on YouTube, so
/// that no body stays the same; from generation 2 on, one channel in a hundred also has a new video.
package struct SyntheticChannel: Sendable {
  /// `UC` and 22 characters.
  package let id: String
  /// Two words. Example: `Harbour Workshop`.
  package let title: String
  private let seed: UInt64

  /// The channel with this number, from 0.
  package init(number: Int) {
    var random = SeededGenerator(seed: UInt64(number))
    seed = random.next()
    id = "UC\(random.letters(21))\(random.pick("AQgw"))"
    title = "\(random.pick(Vocabulary.nouns).capitalizedFirst) \(random.pick(Vocabulary.kinds))"
  }

  /// The first `count` channels.
  package static func first(_ count: Int) -> [SyntheticChannel] { (0..<count).map { SyntheticChannel(number: $0) } }

  /// The feed in this generation: 15 entries, newest first.
  package func feed(generation: Int) -> FixtureFeed {
    let newest = 14 + newVideos(by: generation)
    let entries = (newest - 14...newest).reversed().map { entry(number: $0, generation: generation) }
    return FixtureFeed(channel: id, title: title, published: 1_200_000_000 + Int(seed % 400_000_000), entries: entries)
  }

  /// The number of videos published since generation 0.
  package func newVideos(by generation: Int) -> Int {
    guard generation >= 2 else { return 0 }
    return (2...generation).count { generation in
      var random = SeededGenerator(seed: seed ^ UInt64(generation) &* 0x9e37_79b9)
      return random.next() % 100 == 0
    }
  }

  /// The 14th video is the newest of generation 0, published in October 2026.
  private func entry(number: Int, generation: Int) -> FixtureEntry {
    var random = SeededGenerator(seed: seed &+ UInt64(number) &* 0x1234_5677)
    let step = 86_400 * (1 + Int(seed % 9))
    let published = SyntheticChannel.newest + (number - 14) * step - random.number(below: 43_200)
    let views = random.number(below: 40) == 0 ? 0 : 100 << random.number(below: 14) + random.number(below: 1_000)
    return FixtureEntry(
      video: "\(random.letters(10))\(random.pick("AEIMQUYcgkosw048"))", title: title(&random),
      isShort: random.number(below: 6) == 0, published: published,
      updated: published + 60 + random.number(below: 500_000), description: description(&random),
      views: views == 0 ? 0 : views + generation * 17)
  }

  private func title(_ random: inout SeededGenerator) -> String {
    let words = (0..<4 + random.number(below: 7)).map { _ in random.pick(Vocabulary.words) }
    let title = words.joined(separator: " ").capitalizedFirst
    return random.number(below: 4) == 0 ? "\(title) \(random.pick(Vocabulary.oddities))" : title
  }

  /// Lines like those of real descriptions: sentences, links, chapters, tags; one description in twelve is empty.
  private func description(_ random: inout SeededGenerator) -> String {
    guard random.number(below: 12) > 0 else { return "" }
    var text = ""
    let length = 400 + random.number(below: 1_000)
    while text.utf8.count < length {
      let words = (0..<6 + random.number(below: 16)).map { _ in random.pick(Vocabulary.words) }
      switch random.number(below: 10) {
      case 0: text += "https://www.example.com/\(words[0])?from=video&to=\(words[1])\n"
      case 1: text += "\(10 + random.number(below: 50)):\(10 + random.number(below: 50)) \(words[0].capitalizedFirst)\n"
      case 2: text += words.prefix(5).map { "#\($0)" }.joined(separator: " ") + "\n"
      case 3: text += "\n\(random.pick(Vocabulary.oddities))\n"
      default: text += "\(words.joined(separator: " ").capitalizedFirst).\n"
      }
    }
    return text
  }

  /// 2026-10-31T00:00:00Z.
  private static let newest = 1_793_404_800
}

/// The vocabulary for synthetic channels.
private enum Vocabulary {
  static let nouns = [
    "harbour", "lantern", "bicycle", "compass", "orchard", "violin", "glacier", "kettle", "meadow", "telescope",
    "sawmill", "island", "pendulum", "garden", "signal", "anvil", "canal", "pepper", "marble", "thimble",
  ]
  static let kinds = [
    "Workshop", "Notes", "Studio", "Weekly", "Lab", "Kitchen", "Archive", "Club", "Sessions", "School",
  ]
  static let words =
    nouns + [
      "how", "why", "the", "a", "of", "with", "and", "for", "from", "into", "without", "before", "slow", "small",
      "first",
      "last", "old", "new", "quiet", "careful", "building", "fixing", "tuning", "testing", "reading", "walking",
      "measuring", "what", "happens", "when", "you", "never", "always", "again", "part", "one", "two", "three",
      "winter",
      "summer", "night", "river", "bridge", "engine", "paper", "stone", "copper", "water", "light", "sound",
    ]
  static let oddities = [
    "日本語の字幕", "Обзор мастерской", "مراجعة هادئة", "עם כתוביות", "🔧🔥", "한국어 자막", "naïve café", "& more", "\"live\"",
    "it's back", "<3", "👩‍🔬", "#shorts",
  ]
}

extension SeededGenerator {
  /// A number in 0..<limit.
  fileprivate mutating func number(below limit: Int) -> Int { Int(next() % UInt64(limit)) }

  fileprivate mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[number(below: choices.count)] }
  fileprivate mutating func pick(_ letters: String) -> Character { pick(Array(letters)) }
  fileprivate mutating func letters(_ count: Int) -> String {
    String((0..<count).map { _ in pick(SeededGenerator.letters) })
  }
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
