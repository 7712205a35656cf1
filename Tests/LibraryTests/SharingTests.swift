import Core
import Glibc
import Library
import ReadModel
import Seeded
import SlowFold
import TestSupport
import Testing

@testable import EventLog

private let own = "log/k3v9x2ap.jsonl"

@Test("A library that was open during a compaction decides from, and appends to, what is there")
func compactionUnderALibrary() throws {
  let folder = try cached(seed: 53)
  let other = try library(folder.folders)
  let first = try library(folder.folders)
  for title in ["Before", "After"] {
    let change = VideoChanged(video: VideoID(bits: 1), title: title)
    _ = try first.commit(action: nil, undoing: nil) { [.videoChanged(change)] }
  }
  #expect(try first.compact() != nil)
  let events = try other.commit(action: nil, undoing: nil) {
    let title = try other.model.video(VideoID(bits: 1))?.title
    #expect(title == "After")
    return [saved(1)]
  }
  #expect(events.count == 1)
  #expect(try other.agrees(with: folder.fold()))
  #expect(try library(folder.folders).agrees(with: folder.fold()))
}

@Test("After our own log was replaced by one that is ahead, new ids are above all in it")
func ownLogReplaced() throws {
  let folder = try cached(seed: 54)
  let old = try #require(folder.read(own))
  _ = try library(folder.folders, at: now + 600_000).commit(action: nil, undoing: nil) { [saved(1, false)] }
  let ahead = try #require(folder.read(own))
  // An old backup, and after our library was opened the log as it was.
  folder.write(old, to: own)
  let open = try library(folder.folders)
  folder.write(Array(ahead.reversed()), to: "log/new")
  folder.write(ahead, to: "log/new")
  rename(folder.path + "/log/new", folder.path + "/" + own)
  let event = try #require(try open.commit(action: nil, undoing: nil) { [saved(1)] }.first)
  #expect(event.id.milliseconds >= now + 600_000)
  #expect(try open.agrees(with: folder.fold()))
  #expect(try library(folder.folders).video(VideoID(bits: 1))?.isSaved == true)
}

@Test("After our own log was rewritten, new ids are above all in it")
func ownLogRewritten() throws {
  let folder = try cached(seed: 55)
  _ = try library(folder.folders, at: now + 600_000).commit(action: nil, undoing: nil) { [saved(1, false)] }
  let ahead = try #require(folder.read(own))
  let device: DeviceID = try #require(DeviceID("k3v9x2ap"))
  // The beginning of another history of the same device.
  let other = TemporaryFolder()
  try append(other, seed: 56)
  folder.write(try #require(other.read(own)), to: own)
  let open = try FileLibrary(folders: folder.folders, device: device, machine: nil) { now }
  unlink(folder.path + "/" + own)
  folder.write(ahead, to: own)
  let event = try #require(
    try open.commit(action: nil, undoing: nil) {
      let isSaved = try open.model.video(VideoID(bits: 1))?.isSaved
      #expect(isSaved == false)
      return [saved(1)]
    }.first)
  #expect(event.id.milliseconds >= now + 600_000)
  #expect(try open.agrees(with: folder.fold()))
}

@Test("After a failed sync nothing is appended, also when the logs were read anew since")
func suspectAfterARewrite() throws {
  let folder = try cached(seed: 57)
  let (open, other) = (try library(folder.folders), try library(folder.folders))
  open.journal.appending.suspect = folder.path + "/" + own
  _ = try other.commit(action: nil, undoing: nil) { [saved(1), saved(1, false)] }
  #expect(try other.compact() != nil)
  try open.refresh()
  #expect(throws: LogError.suspect(path: folder.path + "/" + own)) {
    try open.commit(action: nil, undoing: nil) { [saved(1)] }
  }
}

@Test("Libraries that take turns see what the others wrote", arguments: 1...6 as ClosedRange<UInt64>)
func turns(seed: UInt64) throws {
  let folder = TemporaryFolder()
  var (maker, random) = (EventMaker(seed: seed), SeededGenerator(seed: seed))
  var libraries = [
    try library(folder.folders), try library(folder.folders), try library(folder.folders, "aaaaaaaa"),
    try library(folder.uncached),
  ]
  for step in 0..<30 {
    let index = Int.random(in: libraries.indices, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: _ = try libraries[index].compact()
    case 1: libraries[index] = try library(folder.folders)
    case 2: try libraries[index].refresh()
    default:
      let bodies = maker.events(8).map(\.body)
      let reads = Bool.random(using: &random)
      _ = try libraries[index].commit(action: nil, undoing: nil) {
        let agrees = try !reads || libraries[index].agrees(with: folder.fold())
        #expect(agrees, "step \(step)")
        return bodies
      }
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      try libraries[index].refresh()
      #expect(try libraries[index].agrees(with: folder.fold()), "step \(step)")
    }
  }
  for library in libraries {
    try library.refresh()
    #expect(try library.agrees(with: folder.fold()))
  }
}

@Test("What another device brought into the same tables is not missed from this device's log")
func otherDevice() throws {
  let folder = TemporaryFolder()
  let (first, second) = ("k3v9x2ap", "aaaaaaaa")
  _ = try library(folder.folders, second).commit(action: nil, undoing: nil) { [saved(1)] }
  _ = try library(folder.folders, first).commit(action: nil, undoing: nil) { [saved(2)] }
  _ = try library(folder.folders, second).commit(action: nil, undoing: nil) { [saved(3)] }
  let reader = try library(folder.folders, first)
  #expect(try reader.model.video(VideoID(bits: 3))?.isSaved == true)
  #expect(try library(folder.folders, second).commit(action: nil, undoing: nil) { [saved(4)] }.count == 1)
}

@Test("Two writers and five readers at once lose nothing, write nothing twice and read what was written")
func atOnce() async throws {
  let folder = TemporaryFolder()
  let folders = folder.folders
  _ = try library(folders).commit(action: nil, undoing: nil) { [saved(1)] }
  try await withThrowingTaskGroup(of: Void.self) { group in
    for (number, device) in ["k3v9x2ap", "aaaaaaaa"].enumerated() {
      group.addTask {
        for step in 0..<25 as Range<UInt64> { try mark(UInt64(number), step, device, folders) }
      }
    }
    for _ in 0..<5 {
      group.addTask {
        var maximum = 0
        for step in 0..<25 {
          if step == 12 { unlink(folders.cache + "/" + ReadModel.linkName) }
          let library = try library(folders)
          let count = try (0..<25 as Range<UInt64>).count {
            try library.model.video(VideoID(bits: 100 + $0))?.isSaved == true
          }
          #expect(count >= maximum)
          maximum = count
        }
      }
    }
    try await group.waitForAll()
  }
  let report = try library(folders).verify()
  #expect(report.isGood && report.files.map(\.events).reduce(0, +) == 1 + 50 + 25)
  #expect(try library(folders).agrees(with: folder.fold()))
}

/// Marks a video of this writer, and one of both if it is not marked yet.
private func mark(_ writer: UInt64, _ step: UInt64, _ device: String, _ folders: Folders) throws {
  let library = try library(folders, device)
  let shared = VideoID(bits: 100 + step)
  _ = try library.commit(action: nil, undoing: nil) {
    let isMarked = try library.model.video(shared)?.isSaved == true
    return [saved(1000 + writer * 100 + step)] + (isMarked ? [] : [saved(100 + step)])
  }
}
