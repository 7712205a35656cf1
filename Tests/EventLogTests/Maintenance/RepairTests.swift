import Core
import SlowFold
import TestSupport
import Testing

@testable import EventLog

private let now: UInt64 = 1_761_392_475_000
private let name = "log/k3v9x2ap.jsonl"

private func journal(_ folder: TemporaryFolder) throws -> FoldedJournal {
  let id: DeviceID = try #require(DeviceID("k3v9x2ap"))
  return try FoldedJournal(folders: folder.folders, device: id) { now }
}

/// A log of eight statuses with these lines, numbered from 1, broken.
private func damaged(_ lines: [Int]) throws -> TemporaryFolder {
  let folder = TemporaryFolder()
  let bodies = (1...8 as ClosedRange<UInt64>).map {
    EventBody.statusSet(StatusSet(video: VideoID(bits: $0), status: .watched))
  }
  _ = try journal(folder).commit(action: nil, undoing: nil) { _ in bodies }
  var bytes = try #require(folder.read(name))
  let starts = [0] + bytes.indices.filter { bytes[$0] == 10 }.map { $0 + 1 }
  for line in lines { bytes[starts[line - 1] + 40] ^= 4 }
  folder.write(bytes, to: name)
  return folder
}

@Test("A repair removes the broken lines but keeps them aside, and appending continues")
func repairs() throws {
  let folder = try damaged([3, 6])
  let broken = try #require(folder.read(name)).split(separator: 10)
  let state = try journal(folder).state
  #expect(try journal(folder).damage().map(\.position.line) == [3, 6])
  #expect(try !journal(folder).verify().isGood)
  let report = try #require(try journal(folder).repair())
  #expect(report.droppedLines == 2 && report.generation == 2)
  #expect(try journal(folder).verify().isGood)
  #expect(try journal(folder).state == state)
  let kept = try #require(folder.read("backups/k3v9x2ap.jsonl.damaged-20251025T114115Z")).split(separator: 10)
  #expect(kept == [broken[2], broken[5]])
  let saved = EventBody.savedSet(SavedSet(video: VideoID(bits: 1), saved: true))
  #expect(try journal(folder).commit(action: nil, undoing: nil) { _ in [saved] }.count == 1)
}

@Test("A line with stray bytes around it is broken, and its bytes are kept aside")
func strayBytes() throws {
  let folder = try damaged([])
  let bytes = try #require(folder.read(name))
  let second = try #require(bytes.firstIndex(of: 10)) + 1
  folder.write(Array(bytes[..<second]) + [0xef, 0xbb, 0xbf] + bytes[second...], to: name)
  #expect(try #require(try journal(folder).repair()).droppedLines == 1)
  let kept = try #require(folder.read("backups/k3v9x2ap.jsonl.damaged-20251025T114115Z"))
  #expect(kept == [0xef, 0xbb, 0xbf] + bytes[second...].prefix { $0 != 10 } + [10])
}

@Test("Two broken lines at the end are not a torn tail: they wait for a repair")
func brokenEnd() throws {
  let folder = try damaged([8, 9])
  let saved = EventBody.savedSet(SavedSet(video: VideoID(bits: 1), saved: true))
  #expect(throws: LogError.self) { try journal(folder).commit(action: nil, undoing: nil) { _ in [saved] } }
  #expect(try #require(try journal(folder).repair()).droppedLines == 2)
  #expect(try journal(folder).commit(action: nil, undoing: nil) { _ in [saved] }.count == 1)
}

@Test("A broken first line is replaced by the new generation's")
func brokenFirstLine() throws {
  let folder = try damaged([1])
  #expect(try #require(try journal(folder).repair()).droppedLines == 1)
  #expect(try journal(folder).verify().files.map(\.generation) == [2])
}

@Test("If nothing is broken, nothing is written")
func nothingToRepair() throws {
  let folder = try damaged([])
  let bytes = folder.read(name)
  #expect(try journal(folder).repair() == nil)
  #expect(folder.read(name) == bytes && folder.names(in: "backups").isEmpty)
}

@Test("A log written by a later version is left unchanged")
func laterVersionIsLeftAlone() throws {
  let folder = try damaged([3])
  var line = Array(#"{"v":2,"id":"0019a1b2c3d4e-0000-k3v9x2ap","kind":"noteSet""#.utf8)
  LineChecksum.seal(&line, from: 0)
  let bytes = try #require(folder.read(name)) + line
  folder.write(bytes, to: name)
  #expect(throws: LogError.self) { try journal(folder).repair() }
  #expect(throws: LogError.self) { try journal(folder).compact() }
  #expect(folder.read(name) == bytes)
}

@Test("A file that is not a log at all is damage, not a crash")
func noLogAtAll() throws {
  let folder = TemporaryFolder()
  folder.write(Array("Dear diary,\ntoday I found out that\n\nthis is no log.\n".utf8), to: "log/aaaaaaaa.jsonl")
  let report = try journal(folder).verify()
  #expect(report.files.first?.damage.map(\.position.line) == [1, 2, 3, 4])
  #expect(try journal(folder).findings.count == 4)
}
