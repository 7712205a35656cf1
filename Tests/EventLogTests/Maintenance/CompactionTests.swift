import Core
import Seeded
import SlowFold
import TestSupport
import Testing

@testable import EventLog

/// The time in the tests: 2025-10-25T11:41:15Z.
private let now: UInt64 = 1_761_392_475_000

private func journal(_ folder: TemporaryFolder, _ device: String = "k3v9x2ap") throws -> FoldedJournal {
  let id: DeviceID = try #require(DeviceID(device))
  return try FoldedJournal(folders: folder.folders, device: id) { now }
}

/// Commits random events as several devices.
private func fill(_ folder: TemporaryFolder, seed: UInt64, devices: [String] = ["k3v9x2ap"]) throws {
  var maker = EventMaker(seed: seed)
  var random = SeededGenerator(seed: seed)
  for _ in 0..<12 {
    let bodies = maker.events(15).map(\.body)
    let device = try #require(devices.randomElement(using: &random))
    _ = try journal(folder, device).commit(action: nil, undoing: nil) { _ in bodies }
  }
}

@Test("A compacted log gives the same state, alone and among others", arguments: 1...15 as ClosedRange<UInt64>)
func compactionKeepsTheState(seed: UInt64) throws {
  let folder = TemporaryFolder()
  let devices = ["k3v9x2ap", "aaaaaaaa", "zzzzzzzz"]
  try fill(folder, seed: seed, devices: devices)
  let state = try journal(folder).state
  for device in devices.shuffled() {
    _ = try journal(folder, device).compact()
    #expect(try journal(folder).state == state)
  }
  #expect(try journal(folder).verify().isGood)
}

@Test("Compaction keeps every user action and every first sighting, byte for byte")
func compactionKeepsDecisions() throws {
  let folder = TemporaryFolder()
  try fill(folder, seed: 50)
  let name = "log/k3v9x2ap.jsonl"
  let before = try #require(folder.read(name)).split(separator: 10)
  let report = try #require(try journal(folder).compact())
  let after = Set(try #require(folder.read(name)).split(separator: 10))
  #expect(report.generation == 2 && report.after < report.before)
  var dropped = 0
  for line in before where !after.contains(line) {
    let text = String(decoding: line, as: UTF8.self)
    let kinds = [
      "logStarted", "videoChanged", "videoEnriched", "videoRemoved", "videoDescribed", "channelChanged",
      "channelEnriched",
      "runFinished",
    ]
    #expect(kinds.contains { text.contains("\"kind\":\"\($0)\"") }, "\(text)")
    if !text.contains("logStarted") { dropped += 1 }
  }
  #expect(dropped > 0 && report.droppedLines == dropped)
  #expect(folder.read("backups/k3v9x2ap.jsonl.generation-1-20251025T114115Z")?.split(separator: 10) == before)
}

@Test("Compaction keeps the runs that are shown, and drops earlier ones")
func compactionKeepsRuns() throws {
  let folder = TemporaryFolder()
  for number in 0..<RecentRuns.maximum + 10 {
    let run = RunFinished(
      checked: number, notDue: 0, failed: 0, new: 0, changed: 0, gaps: 0, outage: false, stopped: nil,
      milliseconds: 0, bytes: 0, failing: [], recovered: [])
    _ = try journal(folder).commit(action: nil, undoing: nil) { _ in [.runFinished(run)] }
  }
  let runs = try journal(folder).state.state.runs
  #expect(runs.list.map(\.value.checked) == Array(10..<RecentRuns.maximum + 10))
  #expect(try journal(folder).compact()?.droppedLines == 10)
  #expect(try journal(folder).state.state.runs == runs)
}

@Test("Compacting again drops nothing more")
func compactionTwice() throws {
  let folder = TemporaryFolder()
  try fill(folder, seed: 51)
  _ = try journal(folder).compact()
  let bytes = folder.read("log/k3v9x2ap.jsonl")
  #expect(try journal(folder).compact() == nil)
  #expect(folder.read("log/k3v9x2ap.jsonl") == bytes)
}

@Test("Unknown events survive compaction")
func compactionKeepsTheUnknown() throws {
  let folder = TemporaryFolder()
  try fill(folder, seed: 52)
  var line = Array(#"{"v":1,"id":"0019a1b2c3d4e-0000-k3v9x2ap","kind":"videoSung","tune":"la""#.utf8)
  LineChecksum.seal(&line, from: 0)
  let name = "log/k3v9x2ap.jsonl"
  folder.write(try #require(folder.read(name)) + line, to: name)
  _ = try journal(folder).compact()
  #expect(try #require(folder.read(name)).split(separator: 10).contains(line.dropLast()))
}

@Test("A journal that was open during a compaction continues to read and append")
func compactionUnderAnotherJournal() throws {
  let folder = TemporaryFolder()
  try fill(folder, seed: 53)
  let other = try journal(folder)
  _ = try journal(folder).compact()
  let video = VideoID(bits: 1)
  _ = try other.commit(action: nil, undoing: nil) { _ in [.savedSet(SavedSet(video: video, saved: true))] }
  #expect(try journal(folder).state == other.state)
  #expect(try journal(folder).state.videos[video]?.isSaved == true)
}

@Test("Leftovers of a killed compaction do no harm")
func compactionAfterAKill() throws {
  let folder = TemporaryFolder()
  try fill(folder, seed: 54)
  folder.write(Array("half a li".utf8), to: "log/k3v9x2ap.jsonl.new")
  let state = try journal(folder).state
  _ = try journal(folder).compact()
  #expect(try journal(folder).state == state)
  #expect(folder.names(in: "log") == ["k3v9x2ap.jsonl"])
}

@Test("An event far in the future neither supersedes others nor is dropped")
func compactionAhead() throws {
  let folder = TemporaryFolder()
  let id: DeviceID = try #require(DeviceID("k3v9x2ap"))
  let video = VideoID(bits: 1)
  func title(_ title: String, at time: UInt64) throws {
    let change = EventBody.videoChanged(VideoChanged(video: video, title: title))
    _ = try FoldedJournal(folders: folder.folders, device: id) { time }.commit(action: nil, undoing: nil) { _ in
      [change]
    }
  }
  let year: UInt64 = 365 * 86_400_000
  try title("now", at: now)
  try title("in a year", at: now + year)
  #expect(try journal(folder).compact() == nil)
  // For another device only one of them has happened yet.
  #expect(try journal(folder, "aaaaaaaa").state.videos[video]?.title == "now")
  #expect(try journal(folder).state.videos[video]?.title == "in a year")
}
