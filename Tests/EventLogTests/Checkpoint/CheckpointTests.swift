import Core
import Glibc
import Testing

@testable import EventLog

private let now: UInt64 = 1_761_392_475_000
private let moment = Timestamp(seconds: 1_761_392_475)

private func journal(_ folders: Folders, _ device: String = "k3v9x2ap", at time: UInt64 = now) throws -> Journal {
  let id: DeviceID = try #require(DeviceID(device))
  return try Journal(folders: folders, device: id, machine: nil) { time }
}

/// The journal of a folder's logs without a cache: what they say when they are read from the beginning.
private func cold(_ folder: TemporaryFolder, at time: UInt64 = now) throws -> Journal {
  try journal(Folders(data: folder.path, state: folder.path + "/state", cache: "/proc/none"), at: time)
}

/// Appends random events in the name of two devices.
private func append(_ folder: TemporaryFolder, seed: UInt64, batches: Int = 6) throws {
  var maker = EventMaker(seed: seed)
  for batch in 0..<batches {
    let bodies = maker.events(20).map(\.body)
    let device = batch % 3 == 2 ? "aaaaaaaa" : "k3v9x2ap"
    _ = try journal(folder.folders, device, at: now + seed + UInt64(batch)).commit(action: nil, undoing: nil) { _ in
      bodies
    }
  }
}

/// A folder with two logs and a checkpoint of both.
private func checkpointed(seed: UInt64) throws -> TemporaryFolder {
  let folder = TemporaryFolder()
  try append(folder, seed: seed)
  try journal(folder.folders).writeCheckpoint()
  return folder
}

/// Whether a journal of the folder would begin with the checkpoint.
private func isUsed(_ folder: TemporaryFolder, at time: UInt64 = now) -> Bool {
  guard let device = DeviceID("k3v9x2ap") else { return false }
  return Checkpoint(in: folder.folders, device: device, now: time) != nil
}

@Test("A checkpoint gives the state of a replay", arguments: 1...40 as ClosedRange<UInt64>)
func stateOfACheckpoint(seed: UInt64) throws {
  let folder = try checkpointed(seed: seed)
  #expect(isUsed(folder))
  let journal = try journal(folder.folders)
  #expect(try journal.state == cold(folder).state)
  #expect(journal.findings.isEmpty)
}

@Test("What was appended after a checkpoint is read", arguments: 1...40 as ClosedRange<UInt64>)
func tailAfterACheckpoint(seed: UInt64) throws {
  let folder = try checkpointed(seed: seed)
  try append(folder, seed: seed + 1000, batches: 3)
  #expect(isUsed(folder))
  #expect(try journal(folder.folders).state == cold(folder).state)
  // A checkpoint of a state that began with one.
  try journal(folder.folders).writeCheckpoint()
  #expect(isUsed(folder))
  #expect(try journal(folder.folders).state == cold(folder).state)
}

@Test("Every view over a checkpoint is the one over a replay", arguments: 1...30 as ClosedRange<UInt64>)
func viewsOverACheckpoint(seed: UInt64) throws {
  let folder = try checkpointed(seed: seed)
  try append(folder, seed: seed + 1000, batches: 2)
  let (stored, replayed) = (try journal(folder.folders).state, try cold(folder).state)
  var random = SeededGenerator(seed: seed)
  for _ in 0..<60 {
    let query = VideoQuery.any(&random, in: replayed)
    #expect(
      try stored.select(query, at: moment, .none) == replayed.select(query, at: moment, .none),
      "\(query)")
    #expect(
      try stored.select(query, at: moment, .none)
        == replayed.select(
          query, at: moment, TextDecisions(matches: TextDecision(among: nil) { _ in true }, isBlocked: nil)), "\(query)"
    )
  }
  #expect(stored.videos.count == replayed.videos.count)
  let memory = PollState()
  #expect(
    ChannelRow.rows(in: stored, memory: memory, at: moment, isBlocked: nil)
      == ChannelRow.rows(in: replayed, memory: memory, at: moment, isBlocked: nil)
  )
}

@Test("Descriptions are read from where they stand, through a checkpoint too")
func descriptionsThroughACheckpoint() throws {
  let folder = try checkpointed(seed: 77)
  let (stored, replayed) = (try journal(folder.folders), try cold(folder))
  var read = 0
  for video in replayed.state.videos.filter({ $0.description != nil }) {
    let description = try #require(stored.state.videos[video.id]?.description)
    #expect(try stored.text(of: description) == replayed.text(of: #require(video.description)))
    read += 1
  }
  #expect(read > 0)
}

@Test("New ids are above those under a checkpoint")
func idsAboveACheckpoint() throws {
  let folder = try checkpointed(seed: 78)
  let earlier = now - 3_600_000
  let saved = EventBody.savedSet(SavedSet(video: VideoID(bits: 1), saved: true))
  let warm = try journal(folder.folders, at: earlier)
  let event = try #require(try warm.commit(action: nil, undoing: nil) { _ in [saved] }.first)
  #expect(event.id.milliseconds >= now)
}

@Test("Events ahead of the clock are under no checkpoint, and folded when they are due")
func aheadUnderACheckpoint() throws {
  let folder = TemporaryFolder()
  let year: UInt64 = 365 * 86_400_000
  let saved = EventBody.savedSet(SavedSet(video: VideoID(bits: 1), saved: true))
  _ = try journal(folder.folders, "aaaaaaaa", at: now + year).commit(action: nil, undoing: nil) { _ in [saved] }
  try append(folder, seed: 79)
  try journal(folder.folders).writeCheckpoint()
  #expect(isUsed(folder))
  for time in [now, now + year] {
    #expect(try journal(folder.folders, at: time).state == cold(folder, at: time).state)
    #expect(try journal(folder.folders, at: time).findings == cold(folder, at: time).findings)
  }
}

@Test("With the clock set back a day, what is ahead is told anew")
func clockSetBackUnderACheckpoint() throws {
  let folder = try checkpointed(seed: 80)
  #expect(!isUsed(folder, at: now - 3 * 86_400_000))
}

@Test("With the clock set back, what this device wrote itself is under the checkpoint, and new ids are above it")
func ownEventsWithTheClockSetBack() throws {
  let folder = TemporaryFolder()
  let saved = EventBody.savedSet(SavedSet(video: VideoID(bits: 1), saved: true))
  _ = try journal(folder.folders).commit(action: nil, undoing: nil) { _ in [saved] }
  try journal(folder.folders).writeCheckpoint()
  let earlier = now - 3 * 86_400_000
  #expect(isUsed(folder, at: earlier))
  let warm = try journal(folder.folders, at: earlier)
  #expect(try warm.state == cold(folder, at: earlier).state && warm.findings == cold(folder, at: earlier).findings)
  #expect(warm.state.videos[VideoID(bits: 1)]?.isSaved == true)
  let event = try #require(try warm.commit(action: nil, undoing: nil) { _ in [saved] }.first)
  #expect(event.id.milliseconds >= now)
  // To another device they are ahead.
  #expect(try journal(folder.folders, "aaaaaaaa", at: earlier).state.videos[VideoID(bits: 1)] == nil)
}

@Test("Damage under a checkpoint is told as without one")
func damageUnderACheckpoint() throws {
  let folder = TemporaryFolder()
  try append(folder, seed: 81)
  var bytes = try #require(folder.read("log/k3v9x2ap.jsonl"))
  bytes[bytes.count / 2] ^= 1
  folder.write(bytes, to: "log/k3v9x2ap.jsonl")
  try journal(folder.folders).writeCheckpoint()
  #expect(isUsed(folder))
  let findings = try cold(folder).findings
  #expect(try findings.count == 1 && journal(folder.folders).findings == findings)
}

// MARK: In doubt

@Test("Whatever bit of a checkpoint flips, the state is that of a replay")
func flippedBits() throws {
  let folder = try checkpointed(seed: 82)
  let state = try cold(folder).state
  let bytes = try #require(folder.read("cache/checkpoint"))
  var random = SeededGenerator(seed: 82)
  for _ in 0..<400 {
    var flipped = bytes
    let bit = Int.random(in: 0..<bytes.count * 8, using: &random)
    flipped[bit / 8] ^= 1 << UInt8(bit % 8)
    folder.write(flipped, to: "cache/checkpoint")
    #expect(try journal(folder.folders).state == state, "bit \(bit)")
  }
}

@Test("A block that is broken is found when it is looked at, and the snapshot made anew", arguments: [0, 1, 2, 5, 9])
func brokenBlock(block: Int) throws {
  let folder = TemporaryFolder()
  let channel = ChannelID(high: 7, low: 1)
  let found = (0..<1000 as Range<UInt64>).map { number in
    EventBody.videoFound(
      VideoFound(
        video: VideoID(bits: number &* 0x9e37_79b9_7f4a_7c15), channel: channel, channelTitle: nil, feed: .channel,
        playlist: nil, title: "The title of number \(number), which is not a short one", link: "", published: moment,
        thumbnail: number % 7 == 0 ? "https://example.org/\(number)" : nil, zeroViews: false, status: nil, reason: nil,
        description: Description("\(number)")))
  }
  _ = try journal(folder.folders).commit(action: nil, undoing: nil) { _ in found }
  try journal(folder.folders).writeCheckpoint()
  var bytes = try #require(folder.read("cache/checkpoint"))
  bytes[block * SnapshotBlock.size + 777] ^= 1
  folder.write(bytes, to: "cache/checkpoint")
  #expect(isUsed(folder))
  let warm = try journal(folder.folders)
  var titles = 0
  warm.state.videos.forEach { titles += $0.title.utf8.count }
  #expect(try warm.state == cold(folder).state)
  #expect(titles > 40_000)
  #expect(folder.read("cache/checkpoint") == nil)
}

/// The blocks of a snapshot.
private enum SnapshotBlock { static let size = 16_384 }

@Test("A checkpoint cut anywhere, or with pages of NULs, is no checkpoint or is made anew")
func cutCheckpoint() throws {
  let folder = try checkpointed(seed: 83)
  let state = try cold(folder).state
  let bytes = try #require(folder.read("cache/checkpoint"))
  for length in stride(from: 0, through: bytes.count, by: 997) {
    folder.write(Array(bytes.prefix(length)), to: "cache/checkpoint")
    #expect(try journal(folder.folders).state == state, "\(length)")
    var holed = bytes
    for index in length..<min(length + 4096, bytes.count) { holed[index] = 0 }
    folder.write(holed, to: "cache/checkpoint")
    #expect(try journal(folder.folders).state == state, "\(length)")
  }
}

@Test("A log that changed under a checkpoint is read from its beginning")
func changedLogs() throws {
  let name = "log/k3v9x2ap.jsonl"
  func expectUnused(_ change: (TemporaryFolder, [UInt8]) throws -> Void) throws {
    let folder = try checkpointed(seed: 84)
    try change(folder, try #require(folder.read(name)))
    #expect(!isUsed(folder))
    #expect(try journal(folder.folders).state == cold(folder).state)
  }
  try expectUnused { folder, bytes in folder.write(Array(bytes.dropLast()), to: name) }
  try expectUnused { folder, _ in unlink(folder.path + "/" + name) }
  try expectUnused { folder, bytes in folder.write(Array(bytes.dropLast(2)) + [0x7d, 0x20], to: name) }
  try expectUnused { folder, bytes in folder.write(bytes.reversed(), to: name) }
  try expectUnused { folder, _ in
    let log = try journal(folder.folders)
    for title in ["Before", "After"] {
      let change = VideoChanged(video: VideoID(bits: 1), title: title)
      _ = try log.commit(action: nil, undoing: nil) { _ in [.videoChanged(change)] }
    }
    #expect(try log.compact() != nil)
  }
}

@Test("A new log beside a checkpoint is read")
func newLogBesideACheckpoint() throws {
  let (folder, other) = (try checkpointed(seed: 85), TemporaryFolder())
  let saved = EventBody.savedSet(SavedSet(video: VideoID(bits: 99), saved: true))
  _ = try journal(other.folders, "bbbbbbbb").commit(action: nil, undoing: nil) { _ in [saved] }
  folder.write(try #require(other.read("log/bbbbbbbb.jsonl")), to: "log/bbbbbbbb.jsonl")
  #expect(isUsed(folder))
  #expect(try journal(folder.folders).state.videos[VideoID(bits: 99)]?.isSaved == true)
}

@Test("A checkpoint that cannot be written leaves the one there was")
func unwritableCheckpoint() throws {
  let folder = try checkpointed(seed: 86)
  let bytes = folder.read("cache/checkpoint")
  mkdir(folder.path + "/cache/checkpoint.new", 0o700)
  #expect(throws: LogError.self) { try journal(folder.folders).writeCheckpoint() }
  #expect(folder.read("cache/checkpoint") == bytes)
}

@Test("A journal with many videos in memory goes on from a checkpoint", arguments: 1...20 as ClosedRange<UInt64>)
func roomForVideos(seed: UInt64) throws {
  let folder = TemporaryFolder()
  let journal = try journal(folder.folders)
  journal.roomForVideos = 5
  var maker = EventMaker(seed: seed)
  for _ in 0..<12 {
    let bodies = maker.events(20).map(\.body)
    _ = try journal.commit(action: nil, undoing: nil) { _ in bodies }
    #expect(journal.state.videos.changedCount < max(journal.roomForVideos, 1 + journal.state.videos.storedCount / 3))
    #expect(try journal.state == cold(folder).state)
  }
  #expect(journal.state.videos.storedCount > 0 && isUsed(folder))
}

@Test("A journal whose cache cannot be written keeps its videos in memory")
func noRoomForVideos() throws {
  let folder = TemporaryFolder()
  let journal = try cold(folder)
  journal.roomForVideos = 5
  var maker = EventMaker(seed: 7)
  for _ in 0..<12 {
    let bodies = maker.events(20).map(\.body)
    _ = try journal.commit(action: nil, undoing: nil) { _ in bodies }
  }
  #expect(journal.state.videos.storedCount == 0)
  #expect(try journal.state == cold(folder).state)
}

@Test("A log worth a checkpoint gets one when it is read")
func worthACheckpoint() throws {
  let folder = TemporaryFolder()
  let text = String(repeating: "x", count: 60_000)
  let notes = (1...20 as ClosedRange<UInt64>).map {
    EventBody.noteSet(NoteSet(video: VideoID(bits: $0), text: text))
  }
  _ = try journal(folder.folders).commit(action: nil, undoing: nil) { _ in notes }
  #expect(!isUsed(folder))
  let state = try journal(folder.folders).state
  #expect(isUsed(folder))
  #expect(try journal(folder.folders).state == state)
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

@Test("A checkpoint of a damaged log is not used once the line is whole again")
func damageMended() throws {
  let folder = TemporaryFolder()
  try append(folder, seed: 82, batches: 200)
  let bytes = try #require(folder.read("log/k3v9x2ap.jsonl"))
  var damaged = bytes
  damaged[bytes.count / 4] ^= 4
  folder.write(damaged, to: "log/k3v9x2ap.jsonl")
  try journal(folder.folders).writeCheckpoint()
  #expect(isUsed(folder))
  folder.write(bytes, to: "log/k3v9x2ap.jsonl")
  #expect(try journal(folder.folders).state == cold(folder).state)
  #expect(try journal(folder.folders).findings.isEmpty)
}

@Test("Verifying throws away a checkpoint that says something else than the logs, and says so once")
func wrongCheckpoint() throws {
  let folder = try checkpointed(seed: 77)
  #expect(try journal(folder.folders).verify().isGood)
  // The coverage is that of these logs, the state that of others.
  let (wrong, coverage) = (
    try cold(checkpointed(seed: 78)).state,
    try #require(DeviceID("k3v9x2ap").flatMap { Checkpoint(in: folder.folders, device: $0, now: now) })
  )
  var covered: [Coverage.Covered] = []
  for file in coverage.files { covered.append(try Coverage.Covered(file)) }
  let note = Coverage(files: covered, ahead: [], clock: coverage.clock)
  try Checkpoint.write(wrong, note, over: nil, in: folder.folders)
  #expect(isUsed(folder))
  let report = try journal(folder.folders).verify()
  #expect(report.wrongCheckpoint == folder.folders.checkpoint && !report.isGood)
  #expect(!isUsed(folder))
  #expect(try journal(folder.folders).verify().isGood)
  #expect(try journal(folder.folders).state == cold(folder).state)
}
