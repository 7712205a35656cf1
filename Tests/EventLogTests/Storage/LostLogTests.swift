import Core
import Glibc
import SlowFold
import TestSupport
import Testing

@testable import EventLog

private let now: UInt64 = 1_761_392_475_000
private let own = "log/k3v9x2ap.jsonl"

private func journal(_ folder: TemporaryFolder) throws -> FoldedJournal {
  let id: DeviceID = try #require(DeviceID("k3v9x2ap"))
  return try FoldedJournal(folders: folder.folders, device: id) { now }
}

private func append(_ videos: ClosedRange<UInt64>, to folder: TemporaryFolder) throws -> [Event] {
  let bodies = videos.map { EventBody.statusSet(StatusSet(video: VideoID(bits: $0), status: .watched)) }
  return try journal(folder).commit(action: nil, undoing: nil) { _ in bodies }
}

private func remove(_ name: String, of folder: TemporaryFolder) { unlink("\(folder.path)/\(name)") }

@Suite("A log that is gone or went back")
struct LostLogTests {
  private let folder = TemporaryFolder()
  /// The log before its last two batches, and with them.
  private let early: [UInt8]
  private let whole: [UInt8]
  private let latest: EventID

  init() throws {
    _ = try append(1...5, to: folder)
    early = try #require(folder.read(own))
    _ = try append(6...7, to: folder)
    latest = try #require(try append(8...9, to: folder).last).id
    whole = try #require(folder.read(own))
  }

  private var loss: LogFinding { .lost(path: folder.path + "/" + own, latest: latest) }

  @Test(
    "is reported by readers and refused by writers until it is repaired or restored",
    arguments: ["missing", "empty", "older", "cut in its last line"], [true, false])
  func lost(how: String, isRestored: Bool) throws {
    switch how {
    case "missing": remove(own, of: folder)
    case "empty": folder.write([], to: own)
    case "older": folder.write(early, to: own)
    default: folder.write(Array(whole.dropLast(20)), to: own)
    }
    #expect(try journal(folder).findings.first == loss)
    let report = try journal(folder).verify()
    #expect(report.losses == [loss] && !report.isGood)
    #expect(throws: LogError.lost(path: folder.path + "/" + own, latest: latest)) { try append(10...10, to: folder) }
    #expect(throws: LogError.lost(path: folder.path + "/" + own, latest: latest)) { try journal(folder).compact() }
    if isRestored {
      let backup = TemporaryFolder()
      backup.write(whole, to: own)
      _ = try journal(folder).merge(from: backup.path + "/log")
      #expect(folder.read(own) == whole)
    } else {
      #expect(try journal(folder).repair() == nil)
    }
    #expect(try journal(folder).findings.isEmpty)
    #expect(try append(10...10, to: folder).count == 1)
    #expect(try journal(folder).verify().isGood)
  }

  private static let noLogs: [[UInt8]] = [
    [UInt8](repeating: 1, count: 4000), Array("Dear diary,\n\n".utf8), [0x1f, 0x8b, 8, 0, 0, 10, 7],
    (1...4000).map { (number: Int) -> UInt8 in UInt8(truncatingIfNeeded: number * 97 >> 3) },
  ]

  @Test("or has no good line is damage, and repaired it begins anew, with the remains kept", arguments: noLogs)
  func garbage(bytes: [UInt8]) throws {
    for name in [own, "log/aaaaaaaa.jsonl"] {
      let folder = TemporaryFolder()
      _ = try append(1...2, to: folder)
      folder.write(bytes, to: name)
      #expect(!(try journal(folder).findings.isEmpty))
      #expect(!(try journal(folder).verify().isGood))
      guard name == own else {
        #expect(try append(3...3, to: folder).count == 1)
        continue
      }
      #expect(throws: LogError.self) { try append(3...3, to: folder) }
      let report = try #require(try journal(folder).repair())
      #expect(folder.read(String(report.backup.dropFirst(folder.path.count + 1))) == bytes)
      #expect(try append(3...3, to: folder).count == 1)
      #expect(try journal(folder).verify().isGood)
    }
  }

  @Test("is not reported after a repair or compaction that removed its last lines")
  func removedOnPurpose() throws {
    var bytes = whole
    bytes[bytes.count - 40] ^= 1
    folder.write(bytes, to: own)
    #expect(try #require(try journal(folder).repair()).droppedLines == 1)
    #expect(try journal(folder).findings.isEmpty)
    for title in ["a", "b"] {
      let body = EventBody.videoChanged(VideoChanged(video: VideoID(bits: 1), title: title))
      _ = try journal(folder).commit(action: nil, undoing: nil) { _ in [body] }
    }
    #expect(try journal(folder).compact() != nil)
    #expect(try journal(folder).findings.isEmpty)
  }

  @Test("is noticed although the record of it is broken or lost only until the next append")
  func brokenRecord() throws {
    for bytes in [[], Array("{}\n".utf8), [UInt8](repeating: 0, count: 100)] {
      folder.write(bytes, to: "state/extent")
      folder.write(early, to: own)
      #expect(try journal(folder).findings.isEmpty)
      #expect(try append(10...10, to: folder).count == 1)
      folder.write(early, to: own)
      #expect(try journal(folder).findings.count == 1)
    }
  }

  @Test("of another device is reported while it is missing or empty, and stops nothing")
  func others() throws {
    let other = "log/aaaaaaaa.jsonl"
    let device: DeviceID = try #require(DeviceID("aaaaaaaa"))
    let there = try FoldedJournal(folders: folder.folders, device: device) { now }
    let saved = EventBody.savedSet(SavedSet(video: VideoID(bits: 1), saved: true))
    _ = try there.commit(action: nil, undoing: nil) { _ in [saved] }
    _ = try append(10...10, to: folder)
    #expect(try journal(folder).findings.isEmpty)
    let whole = try #require(folder.read(other))
    folder.write([], to: other)
    #expect(try journal(folder).findings == [.empty(path: folder.path + "/" + other)])
    #expect(!(try journal(folder).verify().isGood))
    remove(other, of: folder)
    folder.write(whole, to: "log/aaaaaaaa (conflict).jsonl")
    #expect(try journal(folder).findings.isEmpty, "its events are read")
    remove("log/aaaaaaaa (conflict).jsonl", of: folder)
    #expect(try journal(folder).findings == [.missing(path: folder.path + "/" + other)])
    #expect(!(try journal(folder).verify().isGood))
    #expect(try append(11...11, to: folder).count == 1)
    #expect(try journal(folder).findings.isEmpty)
  }
}

@Test("A whole last line with a wrong checksum is damage, not an unfinished write")
func damagedLastLine() throws {
  let folder = TemporaryFolder()
  _ = try append(1...3, to: folder)
  var bytes = try #require(folder.read(own))
  bytes[bytes.count - 60] = 0
  folder.write(bytes, to: own)
  let start = bytes.dropLast().lastIndex(of: 10).map { $0 + 1 } ?? 0
  let position = LogPosition(path: folder.path + "/" + own, line: 4, byte: UInt64(start))
  #expect(try journal(folder).findings == [.damaged(position)])
  #expect(throws: LogError.damaged(position)) { try append(4...4, to: folder) }
  #expect(try journal(folder).verify().files.first?.damage.map(\.position) == [position])
}

@Test("An unfinished write is mentioned, and the log with it is not called good")
func unfinishedWrite() throws {
  let folder = TemporaryFolder()
  _ = try append(1...3, to: folder)
  let bytes = try #require(folder.read(own))
  let position = LogPosition(path: folder.path + "/" + own, line: 5, byte: UInt64(bytes.count))
  for tail in [Array(#"{"v":1,"id""#.utf8), [0, 0, 0], Array(repeating: 0, count: 40) + Array("rest\n".utf8)] {
    folder.write(bytes + tail, to: own)
    #expect(try journal(folder).findings == [.unfinished(position, bytes: UInt64(tail.count))])
    let report = try journal(folder).verify()
    // Nothing that was reported as saved is missing.
    #expect(report.isGood && report.files.map(\.isGood) == [false])
  }
  #expect(try append(4...4, to: folder).count == 1)
  #expect(try journal(folder).verify().isGood)
}
