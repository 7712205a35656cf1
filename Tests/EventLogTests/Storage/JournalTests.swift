import Core
import Glibc
import SlowFold
import TestSupport
import Testing

@testable import EventLog

/// The time in the tests: 2025-10-25T11:41:15Z.
private let now: UInt64 = 1_761_392_475_000

private func journal(
  _ folder: TemporaryFolder, device: String = "k3v9x2ap", at time: UInt64 = now
) throws -> FoldedJournal {
  let id: DeviceID = try #require(DeviceID(device))
  return try FoldedJournal(folders: folder.folders, device: id) { time }
}

private func status(_ bits: UInt64, _ status: Status = .watched) -> EventBody {
  .statusSet(StatusSet(video: VideoID(bits: bits), status: status))
}

@Test("A missing folder is an empty state, and reading does not create it")
func missingFolder() throws {
  let folder = TemporaryFolder()
  #expect(try journal(folder).state == SlowFold())
  #expect(folder.names(in: "").isEmpty)
}

@Test("The state after a commit equals that of a replay")
func replayEqualsState() throws {
  let folder = TemporaryFolder()
  let first = try journal(folder)
  var maker = EventMaker(seed: 5)
  for _ in 0..<20 {
    let bodies = maker.events(10).map(\.body)
    let events = try first.commit(action: nil, undoing: nil) { _ in bodies }
    #expect(events.map(\.body) == bodies)
    #expect(Set(events.map(\.action)).count == 1)
  }
  let second = try journal(folder)
  #expect(second.state == first.state)
  #expect(second.findings.isEmpty)
}

@Test("A new event is above all events read, even if the clock was set back")
func clockSetBack() throws {
  let folder = TemporaryFolder()
  let first = try journal(folder).commit(action: nil, undoing: nil) { _ in [status(1)] }
  let second = try journal(folder, device: "aaaaaaaa", at: 1000).commit(action: nil, undoing: nil) { _ in
    [status(1, .new)]
  }
  // A timestamp more than a day ahead is not trusted, though here this device's own clock is wrong.
  #expect(try #require(second.first).id < (try #require(first.first)).id)
  let third = try journal(folder, device: "aaaaaaaa", at: now - 3_600_000).commit(action: nil, undoing: nil) { _ in
    [status(1, .skipped)]
  }
  #expect(try #require(third.first).id > (try #require(first.first)).id)
}

@Test("With the clock set back by days, earlier user actions hold, and new ones win")
func clockSetBackByDays() throws {
  let folder = TemporaryFolder()
  let days: UInt64 = 3 * 86_400_000
  let video = VideoID(bits: 1)
  _ = try journal(folder, device: "aaaaaaaa", at: now - 1).commit(action: nil, undoing: nil) { _ in [status(2)] }
  let first = try journal(folder).commit(action: nil, undoing: nil) { _ in [status(1)] }
  let behind = try journal(folder, at: now - days)
  #expect(behind.state.videos[video]?.statusSet.status == .watched)
  // Another device's event, trusted because it is older than this device's own latest.
  #expect(behind.state.videos[VideoID(bits: 2)] != nil)
  #expect(behind.findings == [.clockSetBack(latest: try #require(first.last).id)])
  _ = try behind.commit(action: nil, undoing: nil) { _ in [status(1, .skipped)] }
  #expect(try journal(folder).state.videos[video]?.statusSet.status == .skipped)
}

@Test("A user action made after correcting the clock wins against one made when the clock was days ahead")
func clockWasAhead() throws {
  let folder = TemporaryFolder()
  let days: UInt64 = 3 * 86_400_000
  _ = try journal(folder, at: now + days).commit(action: nil, undoing: nil) { _ in [status(1, .skipped)] }
  for count in 1...7 {
    // Together more than the counter holds.
    let chosen: Status = count.isMultiple(of: 2) ? .new : .watched
    let bodies = (2...10_000 as ClosedRange<UInt64>).map { status($0) } + [status(1, chosen)]
    let open = try journal(folder)
    _ = try open.commit(action: nil, undoing: nil) { _ in bodies }
    #expect(open.state.videos[VideoID(bits: 1)]?.statusSet.status == chosen, "\(count)")
  }
}

@Test("Events more than a day ahead are kept, reported, and folded when they are due")
func aheadOfTime() throws {
  let folder = TemporaryFolder()
  let year: UInt64 = 365 * 86_400_000
  let events = try journal(folder, device: "aaaaaaaa", at: now + year).commit(action: nil, undoing: nil) { _ in
    [status(1), status(2)]
  }
  let today = try journal(folder)
  #expect(today.state.videos[VideoID(bits: 1)] == nil)
  #expect(today.findings == [.ahead(count: 2, earliest: try #require(events.first).id)])
  let own = try today.commit(action: nil, undoing: nil) { _ in [status(1, .skipped)] }
  #expect(try #require(own.first).id.milliseconds == now)
  #expect(
    try journal(folder, at: now + year).state.videos[VideoID(bits: 1)]?.status(at: Timestamp(seconds: 0)) == .watched)
}

@Test("The text of a description is read from its range of the log")
func descriptionText() throws {
  let folder = TemporaryFolder()
  let text = Hostile.texts.joined(separator: " ")
  let journal = try journal(folder)
  let body = EventBody.videoChanged(VideoChanged(video: VideoID(bits: 1), description: Description(text)))
  _ = try journal.commit(action: nil, undoing: nil) { _ in [body] }
  let description = try #require(journal.state.videos[VideoID(bits: 1)]?.description)
  #expect(description.source != .text(text))
  #expect(try journal.text(of: description) == text)
}

@Test("A description that is not UTF-8 is shown as far as possible, because its line's checksum holds")
func descriptionOfAnotherWriter() throws {
  let folder = TemporaryFolder()
  let head = #"{"v":1,"id":"0019a1b2c3d4e-0000-k3v9x2ap","kind":"videoChanged","video":"dQw4w9WgXcQ","description":"a"#
  var line = Array(head.utf8) + [0xff] + Array("b\"".utf8)
  LineChecksum.seal(&line, from: 0)
  folder.write(line, to: "log/aaaaaaaa.jsonl")
  let journal = try journal(folder)
  let video = try #require(VideoID("dQw4w9WgXcQ").flatMap { journal.state.videos[$0] })
  #expect(try journal.text(of: #require(video.description)) == "a\u{fffd}b")
}

@Test("A torn tail is skipped by readers and moved aside by the next writer")
func tornTail() throws {
  let folder = TemporaryFolder()
  _ = try journal(folder).commit(action: nil, undoing: nil) { _ in [status(1), status(2)] }
  let whole = try #require(folder.read("log/k3v9x2ap.jsonl"))
  folder.write(Array(whole.dropLast(20)), to: "log/k3v9x2ap.jsonl")
  // The batch was never acknowledged.
  folder.write([], to: "state/extent")
  let reader = try journal(folder)
  #expect(reader.state.videos[VideoID(bits: 1)] != nil && reader.state.videos[VideoID(bits: 2)] == nil)
  #expect(folder.read("log/k3v9x2ap.jsonl")?.count == whole.count - 20)
  let writer = try journal(folder)
  _ = try writer.commit(action: nil, undoing: nil) { _ in [status(3)] }
  #expect(folder.names(in: "log") == ["k3v9x2ap.jsonl", "k3v9x2ap.jsonl.torn-20251025T114115Z"])
  #expect(writer.findings.count == 1)
  #expect(try journal(folder).findings.isEmpty)
  #expect(try journal(folder).state.videos[VideoID(bits: 3)] != nil)
}

@Test("A last line that lacks only its newline is completed by the next writer")
func lastNewlineLost() throws {
  let folder = TemporaryFolder()
  _ = try journal(folder).commit(action: nil, undoing: nil) { _ in [status(1), status(2)] }
  let whole = try #require(folder.read("log/k3v9x2ap.jsonl"))
  folder.write(Array(whole.dropLast()), to: "log/k3v9x2ap.jsonl")
  #expect(try journal(folder).state.videos[VideoID(bits: 2)] == nil)
  let writer = try journal(folder)
  _ = try writer.commit(action: nil, undoing: nil) { state in
    #expect(state.videos[VideoID(bits: 2)] != nil)
    return [status(3)]
  }
  #expect(try #require(folder.read("log/k3v9x2ap.jsonl")).starts(with: whole))
  #expect(folder.names(in: "log") == ["k3v9x2ap.jsonl"] && writer.findings.isEmpty)
}

@Test("Damage in the middle is reported, the good lines are folded, nothing is appended")
func damageInTheMiddle() throws {
  let folder = TemporaryFolder()
  _ = try journal(folder).commit(action: nil, undoing: nil) { _ in [status(1), status(2)] }
  var bytes = try #require(folder.read("log/k3v9x2ap.jsonl"))
  let second = try #require(bytes.firstIndex(of: 10)) + 1
  bytes[second + 30] ^= 1
  folder.write(bytes, to: "log/k3v9x2ap.jsonl")
  let damaged = LogPosition(path: folder.path + "/log/k3v9x2ap.jsonl", line: 2, byte: UInt64(second))
  let journal = try journal(folder)
  #expect(journal.findings == [.damaged(damaged)])
  #expect(journal.state.videos[VideoID(bits: 2)] != nil)
  #expect(throws: LogError.damaged(damaged)) { try journal.commit(action: nil, undoing: nil) { _ in [status(3)] } }
  #expect(folder.read("log/k3v9x2ap.jsonl") == bytes)
  // Another device continues.
  _ = try EventLogTests.journal(folder, device: "aaaaaaaa").commit(action: nil, undoing: nil) { _ in [status(3)] }
}

@Test("The device ID is created by the first commit, kept, and replaced on another machine")
func deviceIdentity() throws {
  let folder = TemporaryFolder()
  func journal(_ machine: String?) throws -> FoldedJournal {
    try FoldedJournal(folders: folder.folders, device: nil, machine: machine) { now }
  }
  let first = try journal("one")
  #expect(first.device == nil)
  _ = try first.commit(action: nil, undoing: nil) { _ in [status(1)] }
  let device = try #require(first.device)
  #expect(try journal("one").device == device)
  #expect(try journal(nil).device == device)
  let moved = try journal("two")
  #expect(moved.findings == [.otherMachine(device)])
  _ = try moved.commit(action: nil, undoing: nil) { _ in [status(2)] }
  #expect(try #require(moved.device) != device)
  #expect(try journal("two").state.videos[VideoID(bits: 1)] != nil)
}

@Test("A lock that names an ended process has an unknown holder: the new one has not recorded itself yet")
func holderUnknown() throws {
  let folder = TemporaryFolder()
  let lock = try FileLock(folder.folders.state + "/poll.lock", waiting: 0)
  defer { withExtendedLifetime(lock) {} }
  for content in ["", "2147483646 metube-rss poll\n", "0 x\n", "-1 x\n"] {
    folder.write(Array(content.utf8), to: "state/poll.lock")
    #expect(throws: LogError.locked(path: folder.folders.state + "/poll.lock", holder: nil)) {
      try FileLock(folder.folders.state + "/poll.lock", waiting: 0)
    }
  }
}

@Test("Waiting for a held lock times out, and its holder is named")
func heldLock() throws {
  let folder = TemporaryFolder()
  let lock = try FileLock(folder.folders.state + "/poll.lock", waiting: 0)
  let error = #expect(throws: LogError.self) { try FileLock(folder.folders.state + "/poll.lock", waiting: 30) }
  guard case .locked(_, let holder) = error else {
    Issue.record("\(String(describing: error))")
    return
  }
  #expect(holder?.process == getpid())
  withExtendedLifetime(lock) {}
}

@Test("A state file survives a round trip, and a broken one is reported")
func stateFile() throws {
  let folder = TemporaryFolder()
  let path = folder.path + "/state/poll"
  #expect(try StateFile.read(path) == nil)
  let records = [
    StateRecord([
      ("subscription", .text("UC…")), ("asked", .number(-3)), ("ok", .flag(true)), ("l", .texts(["a", "\""])),
    ]),
    StateRecord([("subscription", .text("\n"))]),
  ]
  try StateFile.write(path, records)
  #expect(try StateFile.read(path) == records)
  let bytes = try #require(folder.read("state/poll"))
  for length in 0..<bytes.count {
    folder.write(Array(bytes.prefix(length)), to: "state/poll")
    #expect(throws: LogError.unreadable(path: path)) { try StateFile.read(path) }
  }
}
