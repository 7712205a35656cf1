import Core
import Seeded
import SlowFold
import TestSupport
import Testing

@testable import EventLog

private let now: UInt64 = 1_761_392_475_000
private let name = "log/k3v9x2ap.jsonl"

private func journal(_ folder: TemporaryFolder, at time: UInt64 = now) throws -> FoldedJournal {
  let id: DeviceID = try #require(DeviceID("k3v9x2ap"))
  return try FoldedJournal(folders: folder.folders, device: id) { time }
}

private func append(_ bodies: EventBody..., to folder: TemporaryFolder, at time: UInt64 = now) throws {
  _ = try journal(folder, at: time).commit(action: nil, undoing: nil) { _ in bodies }
}

private func title(_ title: String) -> EventBody {
  .videoChanged(VideoChanged(video: VideoID(bits: 1), title: title))
}

private func watched(_ bits: UInt64) -> EventBody {
  .statusSet(StatusSet(video: VideoID(bits: bits), status: .watched))
}

/// A folder with a copy of another folder's log.
private func copy(_ folder: TemporaryFolder) throws -> TemporaryFolder {
  let copy = TemporaryFolder()
  copy.write(try #require(folder.read(name)), to: name)
  return copy
}

private func merge(_ other: TemporaryFolder, into folder: TemporaryFolder) throws -> [MergeReport.Outcome] {
  try journal(folder).merge(from: other.path + "/log").map(\.outcome)
}

/// Damages a line, given by its number from 1.
private func damage(_ line: Int, of folder: TemporaryFolder) throws {
  var bytes = try #require(folder.read(name))
  let starts = [0] + bytes.indices.filter { bytes[$0] == 10 }.map { $0 + 1 }
  bytes[starts[line - 1] + 40] ^= 4
  folder.write(bytes, to: name)
}

private func isWatched(_ bits: UInt64, in folder: TemporaryFolder) throws -> Bool {
  try journal(folder).state.videos[VideoID(bits: bits)]?.statusSet.status == .watched
}

@Suite("Copies of one device's log")
struct CopiesTests {
  private let folder = TemporaryFolder()

  init() throws { try append(title("first"), watched(2), title("second"), to: folder) }

  @Test("A copy from before the damage replaces a file that has only been repaired since")
  func repaired() throws {
    let intact = try copy(folder)
    try damage(3, of: folder)
    _ = try journal(folder).repair()
    #expect(try !isWatched(2, in: folder))
    guard case .replaced? = try merge(intact, into: folder).first else {
      Issue.record("not replaced")
      return
    }
    #expect(try isWatched(2, in: folder))
    #expect(try merge(intact, into: folder) == [.nothingNew])
    #expect(try journal(folder).verify().isGood)
  }

  @Test("A copy of a file that has lost lines and been appended to since is kept beside it, and both count")
  func repairedAndWrittenOn() throws {
    let intact = try copy(folder)
    try damage(3, of: folder)
    _ = try journal(folder).repair()
    try append(watched(3), to: folder)
    let bytes = folder.read(name)
    let path = folder.path + "/log/k3v9x2ap.fork-20251025T114115Z.jsonl"
    #expect(try merge(intact, into: folder) == [.forkKept(as: path)])
    #expect(try isWatched(2, in: folder) && isWatched(3, in: folder))
    #expect(try merge(intact, into: folder) == [.nothingNew])
    #expect(folder.read(name) == bytes)
    #expect(try journal(folder).verify().files.allSatisfy(\.damage.isEmpty))
  }

  @Test("A copy next to a damaged file gives it its lines for broken ones")
  func damaged() throws {
    let intact = try copy(folder)
    try append(watched(3), to: folder)
    let whole = folder.read(name)
    try damage(3, of: folder)
    guard case .mended(_, lines: 1)? = try merge(intact, into: folder).first else {
      Issue.record("not mended")
      return
    }
    #expect(folder.read(name) == whole)
    #expect(try isWatched(2, in: folder) && isWatched(3, in: folder))
    #expect(try journal(folder).repair() == nil)
    #expect(try merge(intact, into: folder) == [.nothingNew])
    #expect(try isWatched(2, in: folder) && isWatched(3, in: folder))
  }

  @Test(
    "A copy with changes of its own is a fork, with or without compaction", arguments: [true, false], [true, false])
  func forkAndCompaction(here: Bool, there: Bool) throws {
    let other = try copy(folder)
    try append(title("here"), watched(3), to: folder, at: now + 1)
    try append(title("there"), watched(4), to: other, at: now + 2)
    if here { #expect(try journal(folder).compact() != nil) }
    if there { #expect(try journal(other).compact() != nil) }
    guard case .forkKept? = try merge(other, into: folder).first else {
      Issue.record("not kept")
      return
    }
    #expect(try isWatched(2, in: folder) && isWatched(3, in: folder) && isWatched(4, in: folder))
    #expect(try journal(folder).state.videos[VideoID(bits: 1)]?.title == "there")
    #expect(try merge(other, into: folder) == [.nothingNew])
  }

  @Test("A backup with later events is not a prefix of what was compacted meanwhile")
  func backupWrittenOn() throws {
    let backup = try copy(folder)
    try append(title("third"), to: folder)
    _ = try journal(folder).compact()
    try append(watched(5), to: backup, at: now + 1)
    guard case .forkKept? = try merge(folder, into: backup).first else {
      Issue.record("not kept")
      return
    }
    #expect(try isWatched(5, in: backup))
    #expect(try journal(backup).state.videos[VideoID(bits: 1)]?.title == "third")
  }

  @Test("A compacted copy and its original are equivalent, the compacted one being newer")
  func compactedAlone() throws {
    let original = try copy(folder)
    _ = try journal(folder).compact()
    #expect(try merge(original, into: folder) == [.nothingNew])
    guard case .replaced? = try merge(folder, into: original).first else {
      Issue.record("not replaced")
      return
    }
    #expect(original.read(name) == folder.read(name))
  }

  @Test(
    "Whatever happened to the copies, merged they contain all events", arguments: 1...40 as ClosedRange<UInt64>)
  func whatever(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var maker = EventMaker(seed: seed)
    var copies = [folder]
    var time = now
    var all = SlowFold()
    try journal(folder).ownFile()?.forEachEvent { all.apply($0) }
    for _ in 0..<12 {
      let index = Int.random(in: copies.indices, using: &random)
      time += 1
      switch Int.random(in: 0..<6, using: &random) {
      case 0: copies.append(try copy(copies[index]))
      case 1: _ = try journal(copies[index], at: time).compact()
      case 2:
        // What only one copy has is lost with that copy.
        let kept = try copy(copies[index])
        copies.append(kept)
        let lines = try #require(copies[index].read(name)).count { $0 == 10 }
        try damage(Int.random(in: 1...max(1, lines - 1), using: &random), of: copies[index])
        _ = try journal(copies[index], at: time).repair()
      default:
        let bodies = maker.events(5).map(\.body)
        for event in try journal(copies[index], at: time).commit(action: nil, undoing: nil, { _ in bodies }) {
          all.apply(event)
        }
      }
    }
    for copy in copies.dropFirst().shuffled(using: &random) { _ = try merge(copy, into: folder) }
    #expect(try journal(folder).state == all)
    for copy in copies.dropFirst() { #expect(try merge(copy, into: folder).allSatisfy { $0 == .nothingNew }) }
    #expect(try journal(folder).verify().files.allSatisfy(\.damage.isEmpty))
  }
}
