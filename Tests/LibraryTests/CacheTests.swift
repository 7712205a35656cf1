import Core
import EventLog
import Glibc
import Library
import ReadModel
import SQLDrivers
import Seeded
import SlowFold
import TestSupport
import Testing

private let moment = Timestamp(seconds: 1_761_392_475)
private let own = "log/k3v9x2ap.jsonl"

@Test("Tables in the cache give the state of a replay", arguments: 1...40 as ClosedRange<UInt64>)
func stateOfTheCache(seed: UInt64) throws {
  let folder = try cached(seed: seed)
  #expect(try folder.isCacheUsed())
  let library = try library(folder.folders)
  #expect(try library.agrees(with: folder.fold()))
  #expect(library.journal.findings.isEmpty)
}

@Test("What was appended after the tables were written is read", arguments: 1...40 as ClosedRange<UInt64>)
func tailAfterTheCache(seed: UInt64) throws {
  let folder = try cached(seed: seed)
  let open = try library(folder.folders)
  try append(folder, seed: seed + 1000, batches: 3)
  #expect(try folder.isCacheUsed())
  #expect(try library(folder.folders).agrees(with: folder.fold()))
  // What was open meanwhile reads on.
  try open.refresh()
  #expect(try open.agrees(with: folder.fold()))
}

@Test("Every view over the cache is the one over a replay", arguments: 1...30 as ClosedRange<UInt64>)
func viewsOverTheCache(seed: UInt64) throws {
  let folder = try cached(seed: seed)
  try append(folder, seed: seed + 1000, batches: 2)
  let libraries = (try library(folder.folders), try library(folder.uncached))
  let (stored, replayed) = (libraries.0.model, libraries.1.model)
  defer { withExtendedLifetime(libraries) {} }
  #expect(stored.storage == .file && replayed.storage == .memory)
  var random = SeededGenerator(seed: seed)
  let state = try replayed.state()
  for _ in 0..<60 {
    let query = VideoQuery.any(&random, in: state)
    #expect(try stored.select(query, at: moment) == replayed.select(query, at: moment), "\(query)")
  }
  #expect(try stored.videoCount() == replayed.videoCount())
  #expect(try stored.channelCounts(at: moment) == replayed.channelCounts(at: moment))
  #expect(try stored.digest() == replayed.digest())
}

@Test("Descriptions are read from where they stand, through the cache too")
func descriptionsThroughTheCache() throws {
  let folder = try cached(seed: 77)
  let (stored, replayed) = (try library(folder.folders), try library(folder.uncached))
  var read = 0
  for video in try folder.fold().videos.values {
    guard let description = try replayed.model.video(video.id)?.description else { continue }
    let other = try #require(try stored.model.video(video.id)?.description)
    #expect(try stored.journal.text(of: other) == replayed.journal.text(of: description))
    read += 1
  }
  #expect(read > 0)
}

@Test("New ids are above those in the tables")
func idsAboveTheCache() throws {
  let folder = try cached(seed: 78)
  let warm = try library(folder.folders, at: now - 3_600_000)
  let event = try #require(try warm.commit(action: nil, undoing: nil) { [saved(1)] }.first)
  #expect(event.id.milliseconds >= now)
}

@Test("Events ahead of the clock are in no table, and applied when they are due")
func aheadOfTheCache() throws {
  let folder = TemporaryFolder()
  let year: UInt64 = 365 * 86_400_000
  _ = try library(folder.folders, "aaaaaaaa", at: now + year).commit(action: nil, undoing: nil) { [saved(1)] }
  try append(folder, seed: 79)
  try folder.fillCache()
  #expect(try folder.isCacheUsed())
  for time in [now, now + year] {
    let library = try library(folder.folders, at: time)
    #expect(try library.agrees(with: folder.fold(at: time)))
    #expect(try library.journal.findings == folder.findings(at: time))
  }
}

@Test("With the clock set back by days, what is ahead is read anew")
func clockSetBackUnderTheCache() throws {
  let folder = try cached(seed: 80)
  let earlier = now - 3 * 86_400_000
  #expect(try library(folder.folders, at: earlier).agrees(with: folder.fold(at: earlier)))
  // And forward again.
  #expect(try library(folder.folders).agrees(with: folder.fold()))
}

@Test("With the clock set back, what this device wrote itself is in the tables, and new ids are above it")
func ownEventsWithTheClockSetBack() throws {
  let folder = TemporaryFolder()
  _ = try library(folder.folders).commit(action: nil, undoing: nil) { [saved(1)] }
  try folder.fillCache()
  let earlier = now - 3 * 86_400_000
  #expect(try folder.isCacheUsed(at: earlier))
  let warm = try library(folder.folders, at: earlier)
  #expect(try warm.agrees(with: folder.fold(at: earlier)))
  #expect(try warm.journal.findings == folder.findings(at: earlier))
  #expect(try warm.model.video(VideoID(bits: 1))?.isSaved == true)
  let event = try #require(try warm.commit(action: nil, undoing: nil) { [saved(1)] }.first)
  #expect(event.id.milliseconds >= now)
  // To another device they are ahead.
  #expect(try library(folder.folders, "aaaaaaaa", at: earlier).video(VideoID(bits: 1)) == nil)
}

@Test("Damage of what the tables cover is reported as without them")
func damageUnderTheCache() throws {
  let folder = TemporaryFolder()
  try append(folder, seed: 81)
  unlink(folder.folders.cache + "/" + ReadModel.linkName)
  var bytes = try #require(folder.read(own))
  bytes[bytes.count / 2] ^= 1
  folder.write(bytes, to: own)
  try folder.fillCache()
  #expect(try folder.isCacheUsed())
  let findings = try folder.findings()
  #expect(try findings.count == 1 && library(folder.folders).journal.findings == findings)
  #expect(try library(folder.folders).agrees(with: folder.fold()))
}

@Test("Tables of a damaged log are not used once the line is whole again")
func damageMended() throws {
  let folder = TemporaryFolder()
  try append(folder, seed: 82, batches: 200)
  unlink(folder.folders.cache + "/" + ReadModel.linkName)
  let bytes = try #require(folder.read(own))
  var damaged = bytes
  damaged[bytes.count / 4] ^= 4
  folder.write(damaged, to: own)
  try folder.fillCache()
  #expect(try folder.isCacheUsed())
  folder.write(bytes, to: own)
  #expect(try library(folder.folders).agrees(with: folder.fold()))
  #expect(try library(folder.folders).journal.findings.isEmpty)
}

@Test("A log that changed under the tables is read from its beginning")
func changedLogs() throws {
  // A library that is open notices a change of a file's size or identity, not of its bytes alone.
  func expectUnused(isNoticed: Bool = true, _ change: (TemporaryFolder, [UInt8]) throws -> Void) throws {
    let folder = try cached(seed: 84)
    // One library that was open when it happened, and one that is opened after.
    let open = try library(folder.folders)
    _ = try open.agrees(with: folder.fold())
    let before = folder.database
    try change(folder, try #require(folder.read(own)))
    #expect(try library(folder.folders).agrees(with: folder.fold()))
    #expect(folder.database != before)
    try open.refresh()
    if isNoticed { #expect(try open.agrees(with: folder.fold())) }
  }
  try expectUnused { folder, bytes in folder.write(Array(bytes.dropLast()), to: own) }
  try expectUnused { folder, _ in unlink(folder.path + "/" + own) }
  try expectUnused(isNoticed: false) { folder, bytes in
    folder.write(Array(bytes.dropLast(2)) + [0x7d, 0x20], to: own)
  }
  try expectUnused(isNoticed: false) { folder, bytes in folder.write(bytes.reversed(), to: own) }
  try expectUnused { folder, _ in
    let log = try library(folder.folders)
    for title in ["Before", "After"] {
      let change = VideoChanged(video: VideoID(bits: 1), title: title)
      _ = try log.commit(action: nil, undoing: nil) { [.videoChanged(change)] }
    }
    #expect(try log.compact() != nil)
    #expect(try log.agrees(with: folder.fold()))
  }
}

@Test("A new log beside those in the tables is read")
func newLogBesideTheCache() throws {
  let (folder, other) = (try cached(seed: 85), TemporaryFolder())
  _ = try library(other.folders, "bbbbbbbb").commit(action: nil, undoing: nil) { [saved(99)] }
  folder.write(try #require(other.read("log/bbbbbbbb.jsonl")), to: "log/bbbbbbbb.jsonl")
  #expect(try folder.isCacheUsed())
  #expect(try library(folder.folders).video(VideoID(bits: 99))?.isSaved == true)
}

@Test("A late event of another device is applied at its position", arguments: 1...20 as ClosedRange<UInt64>)
func lateEvents(seed: UInt64) throws {
  let (folder, other) = (try cached(seed: seed), TemporaryFolder())
  var maker = EventMaker(seed: seed)
  let bodies = maker.events(60).map(\.body)
  _ = try library(other.folders, "bbbbbbbb", at: now - 3_600_000).commit(action: nil, undoing: nil) { bodies }
  let bytes = try #require(other.read("log/bbbbbbbb.jsonl"))
  // It arrives in two parts, the first of which ends within a line.
  for part in [bytes.prefix(bytes.count / 2), bytes[...]] {
    folder.write(Array(part), to: "log/bbbbbbbb.jsonl")
    #expect(try library(folder.folders).agrees(with: folder.fold()))
  }
}

@Test("Tables that say something else than the logs are found by verifying, reported once and built anew")
func wrongTables() throws {
  let folder = try cached(seed: 77)
  #expect(try library(folder.folders).verify().isGood)
  let model = try #require(ReadModel(in: folder.folders.cache, user: 0))
  let coverage = try #require(try model.coverage())
  let id = EventID(reading: (now - 1000) << 16, device: try #require(DeviceID("aaaaaaaa")))
  _ = try model.update(from: coverage) { (apply: (Event, Int, UInt64) throws(DatabaseError) -> Void) in
    try apply(Event(id: id, action: id, body: saved(98)), 0, 0)
    return coverage
  }
  #expect(try folder.isCacheUsed())
  let report = try library(folder.folders).verify()
  #expect(report.wrongReadModel == folder.folders.cache + "/" + ReadModel.linkName && !report.isGood)
  #expect(try library(folder.folders).verify().isGood)
  #expect(try library(folder.folders).agrees(with: folder.fold()))
}

@Test("A first reading leaves tables for the next one")
func firstReading() throws {
  let folder = TemporaryFolder()
  _ = try library(folder.uncached).commit(action: nil, undoing: nil) { [saved(1)] }
  #expect(folder.database == nil)
  try folder.fillCache()
  #expect(try folder.isCacheUsed())
}

@Test("A repair finds, and a compaction refuses, damage unknown to an earlier reading")
func damageAfterReading() throws {
  let folder = TemporaryFolder()
  let name = "log/k3v9x2ap.jsonl"
  try append(folder, seed: 60, batches: 100)
  var bytes = try #require(folder.read(name))
  bytes[bytes.count / 4] ^= 4
  folder.write(bytes, to: name)
  #expect(try library(folder.folders).journal.damage().count == 1)
  #expect(throws: LogError.self) { try library(folder.folders).compact() }
  #expect(try library(folder.folders).mendAll().own?.droppedLines == 1)
  #expect(try library(folder.folders).verify().isGood)
}

extension VideoQuery {
  /// Any query.
  fileprivate static func any(_ random: inout SeededGenerator, in state: State) -> VideoQuery {
    let statuses = Status.allCases.filter { _ in Bool.random(using: &random) }
    let channels = state.channels.keys.sorted().filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
    let tags = state.channels.values.flatMap(\.tags).filter { _ in Int.random(in: 0..<6, using: &random) == 0 }
    let hasDates = Int.random(in: 0..<4, using: &random) == 0
    return VideoQuery(
      statuses: Int.random(in: 0..<4, using: &random) == 0 ? nil : Set(statuses),
      shorts: Bool.random(using: &random) ? nil : Visibility.allCases.randomElement(using: &random),
      upcoming: Visibility.allCases.randomElement(using: &random) ?? .hide,
      subscriptions: Int.random(in: 0..<3, using: &random) == 0 ? Set(channels) : nil,
      tags: Int.random(in: 0..<3, using: &random) == 0 ? Set(tags) : [],
      since: hasDates ? Timestamp(seconds: .random(in: 0...4_000_000_000, using: &random)) : nil,
      until: hasDates ? Timestamp(seconds: .random(in: 0...4_000_000_000, using: &random)) : nil,
      order: Bool.random(using: &random) ? .published : .found, oldestFirst: Bool.random(using: &random),
      limit: [0, 1, 2, 5, 50].randomElement(using: &random) ?? 0)
  }
}
