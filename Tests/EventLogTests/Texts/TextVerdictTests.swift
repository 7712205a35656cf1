import Core
import Testing

@testable import EventLog

private let now: UInt64 = 1_761_392_475_000
private let moment = Timestamp(seconds: 1_761_392_475)

private func journal(_ folder: TemporaryFolder, _ device: String = "k3v9x2ap", at time: UInt64 = now) throws -> Journal
{
  let id: DeviceID = try #require(DeviceID(device))
  return try Journal(folders: folder.folders, device: id, machine: nil) { time }
}

private let pieces = ["Steam ", "engine", "-", "C++ ", "\n", "東京", "駅", "\"", "\\n", "É", "x", " y"]

/// Appends random events in the name of a device.
private func append(_ folder: TemporaryFolder, _ device: String = "k3v9x2ap", seed: UInt64) throws {
  var maker = EventMaker(seed: seed, pieces: pieces)
  let bodies = maker.events(40).map(\.body)
  _ = try journal(folder, device, at: now + seed).commit(action: nil, undoing: nil) { _ in bodies }
}

private func rule(_ number: Int, _ verdict: Rule.Verdict, _ change: (inout Rule) -> Void) -> Rule {
  var rule = Rule(id: "692fd3a0-k3v\(number)", verdict: verdict)
  change(&rule)
  return rule
}

private let rules = [
  rule(0, .block) { $0.contains = "steam" },
  rule(1, .block) { ($0.contains, $0.field) = ("engine-", .title) },
  rule(2, .block) { ($0.contains, $0.matches) = ("e", "g.*x") },
  rule(3, .block) { ($0.matches, $0.field) = ("^$", .description) },
  rule(4, .block) { ($0.matches, $0.short) = ("東京|c\\+\\+", true) },
  rule(5, .block) { $0.live = true },
  rule(6, .allow) { ($0.contains, $0.field) = ("東京駅", .description) },
  rule(7, .allow) { $0.matches = "y$" },
  rule(8, .block) { $0.matches = "(?<=later)" },
]

/// Few enough for small logs.
private let small = TextLibrary.Limits(leastVideos: 1, mostUnknown: 0, mostTexts: 9)

private func text(of video: Video, _ journal: Journal) -> String {
  video.description.flatMap { try? journal.text(of: $0) } ?? ""
}

/// The rules that apply to each video, and the videos that they hide.
private func outcome(_ book: RuleBook, _ journal: Journal) -> (applying: [VideoID: [String]], hidden: Set<VideoID>) {
  var (applying, hidden): ([VideoID: [String]], Set<VideoID>) = ([:], [])
  let state = journal.state
  state.videos.forEach { video in
    applying[video.id] = book.applying(to: video, in: state, at: moment) {
      NormalizedText.bytes(of: text(of: $0, journal))
    }
    .map(\.id)
    if book.hides(video, in: state, at: moment, description: { NormalizedText.bytes(of: text(of: $0, journal)) }) {
      hidden.insert(video.id)
    }
  }
  return (applying, hidden)
}

@Test(
  "Rules do what they do without the index, whatever was found out before and happened since",
  arguments: 1...25 as ClosedRange<UInt64>)
func verdictsAgainstTexts(seed: UInt64) throws {
  let folder = TemporaryFolder()
  var random = SeededGenerator(seed: seed)
  for step in 0..<8 as Range<UInt64> {
    try append(folder, step % 3 == 2 ? "aaaaaaaa" : "k3v9x2ap", seed: seed * 100 + step)
    if step == 3 { try journal(folder).writeCheckpoint() }
    if step == 5 { _ = try journal(folder, at: now + seed * 200).compact() }
    let journal = try journal(folder)
    let library = TextLibrary(journal, small)
    let requested = rules.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
    let book = RuleBook(requested, knowing: library.verdicts(on: requested))
    let (mine, its) = (outcome(book, journal), outcome(RuleBook(requested, knowing: .none), journal))
    #expect(mine.applying == its.applying)
    #expect(mine.hidden == its.hidden)
    library.note(unknownTexts: book.unknownTexts)
  }
}

@Test("What was found out is not found out again")
func keptVerdicts() throws {
  let folder = TemporaryFolder()
  for step in 0..<4 as Range<UInt64> { try append(folder, seed: step) }
  let journal = try journal(folder)
  let book = RuleBook(rules, knowing: TextLibrary(journal, small).verdicts(on: rules))
  #expect(book.unknownTexts == 0)
  let again = RuleBook(rules, knowing: TextLibrary(journal, small).verdicts(on: rules))
  var read = 0
  journal.state.videos.forEach { video in
    _ = again.applying(to: video, in: journal.state, at: moment) { _ in
      read += 1
      return []
    }
  }
  // Only of a video without a description the empty text is asked for.
  #expect(read <= journal.state.videos.filter { $0.description == nil }.count * rules.count)
  #expect(journal.state.videos.filter { $0.description != nil }.count > 0)
}

@Test("Broken verdicts, and those of another segment, are as if there were none")
func brokenVerdicts() throws {
  let folder = TemporaryFolder()
  for step in 0..<4 as Range<UInt64> { try append(folder, seed: step) }
  let journal = try journal(folder)
  let library = TextLibrary(journal, small)
  _ = library.verdicts(on: rules)
  let expected = outcome(RuleBook(rules, knowing: .none), journal)
  let (first, second) = (
    try #require(folder.read("cache/texts/1.rules")), try #require(folder.read("cache/texts/2.rules"))
  )
  for place in stride(from: 0, to: first.count, by: 5) {
    var broken = first
    broken[place] ^= 8
    folder.write(broken, to: "cache/texts/1.rules")
    let entry = try #require(TextFiles(journal.folders).entries().first { $0.number == 1 })
    #expect(TextFiles(journal.folders).verdicts(of: entry).isEmpty)
  }
  folder.write(second, to: "cache/texts/1.rules")
  let mine = outcome(RuleBook(rules, knowing: library.verdicts(on: rules)), journal)
  #expect(mine.applying == expected.applying)
}
