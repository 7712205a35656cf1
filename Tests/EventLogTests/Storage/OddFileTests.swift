import Core
import Glibc
import SlowFold
import TestSupport
import Testing

@testable import EventLog

private let saved = EventBody.savedSet(SavedSet(video: VideoID(bits: 1), saved: true))
private let own = "log/k3v9x2ap.jsonl"

private func journal(_ folder: TemporaryFolder) throws -> FoldedJournal {
  let id: DeviceID = try #require(DeviceID("k3v9x2ap"))
  return try FoldedJournal(folders: folder.folders, device: id) { 1_761_392_475_000 }
}

/// A folder in which something other than a regular file has the name of a log.
private func folder(with name: String, _ make: (String) -> Void) -> TemporaryFolder {
  let folder = TemporaryFolder()
  folder.write([], to: "log/empty")
  make(folder.path + "/" + name)
  return folder
}

@Test("Our own log being a FIFO, a folder or a link is an error, and nothing blocks on it")
func ownLogIsNoFile() throws {
  let makers: [(String) -> Void] = [
    { _ = mkfifo($0, 0o600) }, { _ = mkdir($0, 0o700) }, { _ = symlink("/etc/passwd", $0) },
  ]
  for make in makers {
    let folder = folder(with: own, make)
    #expect(throws: LogError.notAFile(path: folder.path + "/" + own)) { try journal(folder) }
  }
}

@Test("Another device's log that is not a regular file is reported and stops nothing")
func otherLogIsNoFile() throws {
  let folder = folder(with: "log/aaaaaaaa.jsonl") { _ = mkfifo($0, 0o600) }
  let journal = try journal(folder)
  let reported = LogFinding.unreadable(.notAFile(path: folder.path + "/log/aaaaaaaa.jsonl"))
  #expect(journal.findings == [reported])
  #expect(try journal.commit(action: nil, undoing: nil) { _ in [saved] }.count == 1)
}

@Test("An empty file is an empty log")
func emptyFile() throws {
  let folder = folder(with: own) { path in close(open(path, O_CREAT | O_WRONLY, 0o600)) }
  #expect(try journal(folder).state == SlowFold())
  #expect(try journal(folder).commit(action: nil, undoing: nil) { _ in [saved] }.count == 1)
  #expect(try journal(folder).verify().files.map(\.lines) == [2])
}

@Test("A log readable by others is reported")
func readableByOthers() throws {
  let folder = TemporaryFolder()
  _ = try journal(folder).commit(action: nil, undoing: nil) { _ in [saved] }
  chmod(folder.path + "/" + own, 0o644)
  #expect(try journal(folder).findings == [.readableByOthers(path: folder.path + "/" + own, mode: 0o644)])
}

@Test("A log that is not writable is an error that names it", .enabled(if: geteuid() != 0))
func readOnlyLog() throws {
  let folder = TemporaryFolder()
  _ = try journal(folder).commit(action: nil, undoing: nil) { _ in [saved] }
  chmod(folder.path + "/" + own, 0o400)
  let failure = LogError.failed(.open, path: folder.path + "/" + own, errno: EACCES)
  #expect(throws: failure) { try journal(folder).commit(action: nil, undoing: nil) { _ in [saved] } }
}

@Test("An overlong line is damage, and the next one is read")
func tooLongLine() throws {
  let folder = TemporaryFolder()
  _ = try journal(folder).commit(action: nil, undoing: nil) { _ in [saved] }
  let bytes = try #require(folder.read(own))
  let long = [UInt8](repeating: UInt8(ascii: "x"), count: LogFormat.lineLimit + 5) + [10]
  folder.write(bytes + long + bytes, to: own)
  let position = LogPosition(path: folder.path + "/" + own, line: 3, byte: UInt64(bytes.count))
  #expect(try journal(folder).findings == [.damaged(position)])
  #expect(try journal(folder).verify().files.first?.damage.map(\.length) == [UInt64(long.count)])
}

@Test("Many threads committing at once lose nothing and write nothing twice")
func threads() async throws {
  let folder = TemporaryFolder()
  let folders = folder.folders
  try await withThrowingTaskGroup(of: Void.self) { group in
    for thread in 0..<8 as Range<UInt64> {
      group.addTask {
        for number in 0..<10 as Range<UInt64> { try mark(thread, number, in: folders) }
      }
    }
    try await group.waitForAll()
  }
  let report = try #require(try journal(folder).verify().files.first)
  #expect(report.damage.isEmpty && report.unfinished == 0)
  #expect(report.events == 8 * 10 + 10)
}

/// Marks a video that no other thread marks, and one that all threads mark if still unmarked.
private func mark(_ thread: UInt64, _ number: UInt64, in folders: Folders) throws {
  let id: DeviceID? = DeviceID("k3v9x2ap")
  let journal = try FoldedJournal(folders: folders, device: id, machine: nil) { 1_761_392_475_000 }
  let own = StatusSet(video: VideoID(bits: 1000 + thread * 100 + number), status: .watched)
  let shared = StatusSet(video: VideoID(bits: number), status: .watched)
  _ = try journal.commit(action: nil, undoing: nil) { state in
    (state.videos[shared.video] == nil ? [.statusSet(shared)] : []) + [.statusSet(own)]
  }
}
