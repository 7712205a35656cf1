import Core
import SlowFold
import TestSupport
import Testing

@testable import EventLog

private let now: UInt64 = 1_761_392_475_000

private func journal(_ folder: TemporaryFolder, _ device: String, at time: UInt64 = now) throws -> FoldedJournal {
  let id: DeviceID = try #require(DeviceID(device))
  return try FoldedJournal(folders: folder.folders, device: id) { time }
}

private func fill(_ folder: TemporaryFolder, _ device: String, seed: UInt64, batches: Int = 3) throws {
  var maker = EventMaker(seed: seed)
  for _ in 0..<batches {
    let bodies = maker.events(10).map(\.body)
    // No two machines with the same ID write in the same millisecond.
    _ = try journal(folder, device, at: now + seed).commit(action: nil, undoing: nil) { _ in bodies }
  }
}

private func outcomes(_ folder: TemporaryFolder, _ device: String, from other: TemporaryFolder) throws
  -> [MergeReport.Outcome]
{
  try journal(folder, device).merge(from: other.path + "/log").map(\.outcome)
}

/// A folder with a copy of another folder's log.
private func copy(_ folder: TemporaryFolder) throws -> TemporaryFolder {
  let copy = TemporaryFolder()
  for name in folder.names(in: "log") { copy.write(try #require(folder.read("log/" + name)), to: "log/" + name) }
  return copy
}

@Test("Two machines that merge each other's logs have the same state, and merging again changes nothing")
func mergeBothWays() throws {
  let (first, second) = (TemporaryFolder(), TemporaryFolder())
  try fill(first, "aaaaaaaa", seed: 1)
  try fill(second, "bbbbbbbb", seed: 2)
  #expect(try outcomes(first, "aaaaaaaa", from: second) == [.taken(as: first.path + "/log/bbbbbbbb.jsonl")])
  let back = try outcomes(second, "bbbbbbbb", from: first)
  #expect(back == [.taken(as: second.path + "/log/aaaaaaaa.jsonl"), .nothingNew])
  #expect(try journal(first, "aaaaaaaa").state == journal(second, "bbbbbbbb").state)
  #expect(try outcomes(first, "aaaaaaaa", from: second) == [.nothingNew, .nothingNew])
}

@Test("A longer copy replaces its prefix, a shorter one adds nothing")
func longerAndShorter() throws {
  let (here, there) = (TemporaryFolder(), TemporaryFolder())
  try fill(there, "bbbbbbbb", seed: 3)
  let old = try copy(there)
  _ = try outcomes(here, "aaaaaaaa", from: there)
  try fill(there, "bbbbbbbb", seed: 4)
  let path = here.path + "/log/bbbbbbbb.jsonl"
  let backup = here.path + "/backups/bbbbbbbb.jsonl.before-merge-20251025T114115Z"
  #expect(try outcomes(here, "aaaaaaaa", from: there) == [.replaced(path, backup: backup)])
  #expect(try outcomes(here, "aaaaaaaa", from: old) == [.nothingNew])
  #expect(here.read("log/bbbbbbbb.jsonl") == there.read("log/bbbbbbbb.jsonl"))
}

@Test("A compacted copy replaces one of a lower generation, and not vice versa")
func generations() throws {
  let there = TemporaryFolder()
  try fill(there, "bbbbbbbb", seed: 5)
  let old = try copy(there)
  _ = try journal(there, "bbbbbbbb").compact()
  let here = try copy(old)
  #expect(try outcomes(here, "aaaaaaaa", from: there).count == 1)
  #expect(here.read("log/bbbbbbbb.jsonl") == there.read("log/bbbbbbbb.jsonl"))
  #expect(try outcomes(here, "aaaaaaaa", from: old) == [.nothingNew])
}

@Test("A partly copied file counts up to its last complete line, the rest comes with the next merge")
func halfCopied() throws {
  let there = TemporaryFolder()
  try fill(there, "bbbbbbbb", seed: 6)
  let whole = try #require(there.read("log/bbbbbbbb.jsonl"))
  for length in stride(from: 0, through: whole.count, by: 211) {
    let (half, here) = (TemporaryFolder(), TemporaryFolder())
    half.write(Array(whole.prefix(length)), to: "log/bbbbbbbb.jsonl")
    _ = try outcomes(here, "aaaaaaaa", from: half)
    _ = try outcomes(here, "aaaaaaaa", from: there)
    #expect(here.read("log/bbbbbbbb.jsonl") == whole, "\(length)")
  }
}

@Test("Both sides of a merged fork are kept and count, which is good; merging it again adds nothing")
func fork() throws {
  let here = TemporaryFolder()
  try fill(here, "bbbbbbbb", seed: 7)
  let there = try copy(here)
  try fill(here, "bbbbbbbb", seed: 8)
  try fill(there, "bbbbbbbb", seed: 9)
  let (ours, theirs) = (try journal(here, "bbbbbbbb").state, try journal(there, "bbbbbbbb").state)
  #expect(ours != theirs)
  let path = here.path + "/log/bbbbbbbb.fork-20251025T114115Z.jsonl"
  #expect(try outcomes(here, "bbbbbbbb", from: there) == [.forkKept(as: path)])
  let both = try journal(here, "bbbbbbbb")
  #expect(both.findings.isEmpty)
  let report = try both.verify()
  #expect(report.isGood && report.copies.map(\.relation) == [.forked])
  _ = try outcomes(there, "bbbbbbbb", from: here)
  #expect(try journal(there, "bbbbbbbb").state == both.state)
  #expect(try outcomes(here, "bbbbbbbb", from: there).allSatisfy { $0 == .nothingNew })
}

@Test("Our own log is restored from a copy that is ahead of it")
func ownLogFromACopy() throws {
  let here = TemporaryFolder()
  try fill(here, "bbbbbbbb", seed: 10)
  let old = try #require(here.read("log/bbbbbbbb.jsonl"))
  try fill(here, "bbbbbbbb", seed: 11)
  let there = try copy(here)
  here.write(old, to: "log/bbbbbbbb.jsonl")
  _ = try outcomes(here, "bbbbbbbb", from: there)
  #expect(try journal(here, "bbbbbbbb").state == journal(there, "bbbbbbbb").state)
}

@Test("Damaged files and files that are not logs are reported, and their good lines merged")
func damagedOffer() throws {
  let (here, there) = (TemporaryFolder(), TemporaryFolder())
  try fill(there, "bbbbbbbb", seed: 12)
  let state = try journal(there, "bbbbbbbb").state
  var bytes = try #require(there.read("log/bbbbbbbb.jsonl"))
  let second = try #require(bytes.firstIndex(of: 10)) + 1
  bytes.insert(contentsOf: Array("not a line\n".utf8), at: second)
  there.write(bytes, to: "log/bbbbbbbb.jsonl")
  there.write(Array("Dear diary,\n".utf8), to: "log/diary.jsonl")
  let reports = try journal(here, "aaaaaaaa").merge(from: there.path + "/log")
  #expect(reports.map(\.brokenLines) == [1, 1])
  #expect(reports.map(\.outcome) == [.taken(as: here.path + "/log/bbbbbbbb.jsonl"), .notALog])
  #expect(try journal(here, "aaaaaaaa").state == state)
}

@Test("A fork that was not merged is reported, because a second machine may write it")
func unmergedFork() throws {
  let here = TemporaryFolder()
  try fill(here, "bbbbbbbb", seed: 13)
  let there = try copy(here)
  try fill(here, "bbbbbbbb", seed: 14)
  try fill(there, "bbbbbbbb", seed: 15)
  here.write(try #require(there.read("log/bbbbbbbb.jsonl")), to: "log/conflict.jsonl")
  let journal = try journal(here, "bbbbbbbb")
  let device: DeviceID = try #require(DeviceID("bbbbbbbb"))
  let paths = ["bbbbbbbb", "conflict"].map { "\(here.path)/log/\($0).jsonl" }
  #expect(journal.findings == [.copies(device, paths: paths)])
  #expect(try !journal.verify().isGood)
}
