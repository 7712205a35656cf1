import Core
import Glibc
import Testing

@testable import EventLog

private let now: UInt64 = 1_761_392_475_000
private let moment = Timestamp(seconds: 1_761_392_475)

/// How many videos are looked at: 50,000 with `METUBE_RSS_LARGE` in the environment, as `make test-large` has it.
private let count = getenv("METUBE_RSS_LARGE") == nil ? 400 : 50_000

private let queries = count > 1000 ? 6 : 40

private let words = [
  "Steam", "engine", "org/a", "org/abc", "example.org/Aé", "C++", "c+", "+c", "a/b", "/a", "東京", "東京駅", "駅", "Ünten",
  "a", "b-a", "-", "x_y", "\"q\"", "\\n", "z",
]
private let searches = [
  "org/a", "c++", "a/b", "/", "東京駅", "steam engine", "é", "b-a x_y", "channel", "q\"", "locomotive", "", "org/abc z",
]

private func rule(_ verdict: Rule.Verdict, _ change: (inout Rule) -> Void) -> Rule {
  var rule = Rule(id: "692fd3a0-k3v9", verdict: verdict)
  change(&rule)
  return rule
}

private let rules: [Rule] =
  words.map { word in rule(.block) { $0.contains = word + " z" } }
  + [
    rule(.block) { ($0.contains, $0.field) = ("org/a", .title) },
    rule(.block) { ($0.contains, $0.field) = ("c++", .description) },
    rule(.block) { ($0.matches, $0.field) = ("^$", .description) },
    rule(.block) { $0.matches = "^steam.*org/a" },
    rule(.block) { ($0.contains, $0.short) = ("東京駅", true) },
    rule(.block) { ($0.contains, $0.subscription) = ("a/b", .channel(ChannelID(high: 3, low: 3))) },
    rule(.allow) { $0.contains = "x_y" },
    rule(.allow) { ($0.live, $0.tag) = (true, "quiet") },
  ]
private let textless = [
  rule(.block) { ($0.short, $0.tag) = (true, "quiet") }, rule(.block) { $0.minimumLength = 3000 },
]

/// Made-up videos whose texts are of few words, many of them with signs.
private struct Videos {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func text(_ most: Int) -> String {
    (0..<Int.random(in: 1...most, using: &random)).compactMap { _ in words.randomElement(using: &random) }
      .joined(separator: Int.random(in: 0..<4, using: &random) == 0 ? "" : " ")
  }

  /// What happened to each of some videos, and to what else was known.
  mutating func bodies(_ numbers: Range<UInt64>) -> [EventBody] {
    var bodies: [EventBody] = (0..<9).map { channel in
      .channelFollowed(
        ChannelFollowed(
          subscription: .channel(ChannelID(high: channel, low: channel)),
          title: channel == 4 ? nil : "Channel \(channel)",
          tags: channel % 3 == 0 ? ["quiet"] : nil))
    }
    for number in numbers { bodies += self.bodies(of: VideoID(bits: number)) }
    return bodies
  }

  private mutating func bodies(of video: VideoID) -> [EventBody] {
    let channel = UInt64.random(in: 0..<10, using: &random)
    let isShort = Int.random(in: 0..<6, using: &random) == 0
    let found = VideoFound(
      video: video, channel: ChannelID(high: channel, low: channel),
      channelTitle: channel == 9 ? "Steam channel" : nil, feed: .channel, playlist: nil, title: text(3),
      link: "https://www.youtube.com/\(isShort ? "shorts/" : "watch?v=")\(video)",
      published: Timestamp(seconds: .random(in: 1_700_000_000...1_761_000_000, using: &random)), thumbnail: nil,
      zeroViews: false, status: nil, reason: nil,
      description: Bool.random(using: &random) ? Description(text(12)) : nil)
    var bodies = [EventBody.videoFound(found)]
    switch Int.random(in: 0..<20, using: &random) {
    case 0...2: bodies.append(.statusSet(StatusSet(video: video, status: .watched)))
    case 3: bodies.append(.videoRemoved(VideoRemoved(video: video, removed: true)))
    case 4: bodies.append(.videoEnriched(VideoEnriched(video: video, duration: 4000, live: .ended)))
    case 5: bodies.append(.videoEnriched(VideoEnriched(video: video, duration: 400, live: .upcoming)))
    default: break
    }
    return bodies
  }

  /// What came later about videos there are already.
  mutating func changes(_ numbers: Range<UInt64>) -> [EventBody] {
    numbers.filter { _ in Int.random(in: 0..<20, using: &random) == 0 }.map { number in
      let video = VideoID(bits: number)
      return switch Int.random(in: 0..<4, using: &random) {
      case 0: .videoChanged(VideoChanged(video: video, title: text(3)))
      case 1: .videoChanged(VideoChanged(video: video, description: Description(text(12))))
      case 2: .statusSet(StatusSet(video: video, status: .watched))
      default: .statusSet(StatusSet(video: video, status: .new))
      }
    }
  }

  mutating func query() -> VideoQuery {
    var query = VideoQuery(
      statuses: [nil, [.new], [.new], [.watched], [.new, .snoozed]].randomElement(using: &random) ?? nil,
      shorts: [nil, .show, .only].randomElement(using: &random) ?? nil,
      upcoming: [.hide, .show].randomElement(using: &random) ?? .hide, subscriptions: nil, tags: [], since: nil,
      until: nil, order: .published, oldestFirst: Int.random(in: 0..<4, using: &random) == 0,
      limit: [0, 1, 7, 50].randomElement(using: &random) ?? 0)
    if Int.random(in: 0..<4, using: &random) == 0 { query.tags = ["quiet"] }
    if Int.random(in: 0..<4, using: &random) == 0 {
      query.subscriptions = [.channel(ChannelID(high: 3, low: 3)), .channel(ChannelID(high: 4, low: 4))]
    }
    if Int.random(in: 0..<4, using: &random) == 0 { query.since = Timestamp(seconds: 1_730_000_000) }
    query.arrangement = [.byTime, .byTime, .byTime, .catchUp, .mix].randomElement(using: &random) ?? .byTime
    return query
  }

  mutating func search() -> String? {
    Bool.random(using: &random) ? searches.randomElement(using: &random) : nil
  }

  mutating func someRules() -> [Rule] {
    let some = rules.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
    return [[], some, some, some, some + textless].randomElement(using: &random) ?? []
  }
}

private func journal(_ folders: Folders, at time: UInt64) throws -> Journal {
  let id: DeviceID = try #require(DeviceID("k3v9x2ap"))
  return try Journal(folders: folders, device: id, machine: nil) { time }
}

/// What is decided by looking at the texts of every video.
private func slowly(_ search: String?, _ rules: [Rule], _ journal: Journal) -> TextDecisions {
  let book = RuleBook(rules, knowing: .none)
  func text(_ video: Video) -> String { video.description.flatMap { try? journal.text(of: $0) } ?? "" }
  return TextDecisions(
    matches: search.map { search in
      TextDecision(among: nil) { video in
        SearchWords(search).match([video.title, journal.state.channelTitle(of: video), text(video)])
      }
    },
    isBlocked: rules.isEmpty
      ? nil
      : TextDecision(among: nil) {
        book.hides($0, in: journal.state, at: moment) { NormalizedText.bytes(of: text($0)) }
      })
}

/// What is decided with the index.
private func quickly(
  _ search: String?, _ rules: [Rule], _ library: TextLibrary
) -> (decisions: TextDecisions, hasRows: Bool) {
  let journal = library.journal
  let book = RuleBook(rules, knowing: library.verdicts(on: rules))
  let search = search.map { TextSearch(SearchWords($0), in: library.index) }
  func folded(_ video: Video) -> [UInt8] { video.description.flatMap { try? journal.foldedText(of: $0) } ?? [] }
  let (found, ruled) = (search?.rows(of: journal.state), book.rows(of: journal.state, at: moment))
  let decisions = TextDecisions(
    matches: search.map { search in
      TextDecision(among: found) { search.matches($0, in: journal.state, description: folded) }
    },
    isBlocked: rules.isEmpty
      ? nil : TextDecision(among: ruled) { book.hides($0, in: journal.state, at: moment, description: folded) })
  return (decisions, found != nil || ruled != nil && !rules.isEmpty)
}

@Test(
  "Searches and rules over a checkpoint and an index answer as a look at every text does",
  arguments: 1...3 as ClosedRange<UInt64>)
func indexedQueries(seed: UInt64) throws {
  let folder = TemporaryFolder()
  var videos = Videos(seed: seed)
  let all = 1..<UInt64(count) + 1
  let known = all.lowerBound..<all.upperBound * 9 / 10
  _ = try journal(folder.folders, at: now).commit(action: nil, undoing: nil) { _ in videos.bodies(known) }
  let limits = TextLibrary.Limits(leastVideos: 1, mostUnknown: .max, mostTexts: count)
  // The index has the texts in the order of the log or, where there was a checkpoint, in that of its rows.
  if seed % 2 == 0 { try journal(folder.folders, at: now).writeCheckpoint() }
  _ = TextLibrary(try journal(folder.folders, at: now), limits).index
  if seed % 2 == 1 { try journal(folder.folders, at: now).writeCheckpoint() }
  var (compared, answers, hidden) = (0, 0, 0)
  for step in 0..<2 as Range<UInt64> {
    let stored = try journal(folder.folders, at: now + step)
    let replayed = try journal(Folders(data: folder.path, state: folder.path + "/state", cache: "/proc/none"), at: now)
    let library = TextLibrary(stored, limits)
    for _ in 0..<queries {
      let (query, search, rules) = (videos.query(), videos.search(), videos.someRules())
      let (decisions, hasRows) = quickly(search, rules, library)
      let wanted = try replayed.state.select(query, at: moment, slowly(search, rules, replayed))
      #expect(
        try stored.state.select(query, at: moment, decisions) == wanted, "\(search ?? "") \(rules.count) \(query)")
      compared += hasRows ? 1 : 0
      answers += wanted.videos.isEmpty ? 0 : 1
      hidden += wanted.hidden.rules
    }
    // Behind the checkpoint and the index: other texts, other marks, other videos.
    _ = try journal(folder.folders, at: now + 1).commit(action: nil, undoing: nil) { _ in
      videos.changes(known) + videos.bodies(known.upperBound..<all.upperBound)
    }
  }
  #expect(compared > queries && answers > queries / 2 && hidden > 10 * queries / 4)
}

@Test("The channels' counts over an index are those that a look at every text gives")
func indexedChannels() throws {
  let folder = TemporaryFolder()
  var videos = Videos(seed: 9)
  _ = try journal(folder.folders, at: now).commit(action: nil, undoing: nil) { _ in videos.bodies(1..<400) }
  try journal(folder.folders, at: now).writeCheckpoint()
  let journal = try journal(folder.folders, at: now)
  let library = TextLibrary(journal, TextLibrary.Limits(leastVideos: 1, mostUnknown: .max, mostTexts: 1000))
  _ = library.index
  var rows: [[ChannelRow]] = []
  for decisions in [quickly(nil, rules, library).decisions, slowly(nil, rules, journal), .none] {
    rows.append(
      ChannelRow.rows(in: journal.state, memory: PollState(), at: moment, isBlocked: decisions.isBlocked))
  }
  #expect(rows[0] == rows[1] && rows[0] != rows[2])
}
