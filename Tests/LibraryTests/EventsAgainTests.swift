import Core
import EventLog
import Library
import SlowFold
import TestSupport
import Testing

@testable import ReadModel

/// The events of all logs, read from their beginning, in the order of their IDs.
private func all(_ folder: TemporaryFolder, at time: UInt64) throws -> [Event] {
  var events: [EventID: Event] = [:]
  let journal = try Journal(
    folders: folder.uncached, device: DeviceID("k3v9x2ap"), machine: nil, coverage: nil, clock: { time })
  journal.receive = { event, _, _ in events[event.id] = event }
  try journal.refresh()
  return events.values.sorted { $0.id < $1.id }
}

/// The decisions of some events, about what others are about.
private func decided(_ events: [Event], about done: [Event]) -> SlowFold {
  let subjects = Set(done.compactMap { EventSubject($0.body) })
  return SlowFold(events.filter { $0.setsDecision && EventSubject($0.body).map(subjects.contains) ?? false })
}

extension Event {
  /// Whether it writes a register that a decision writes too.
  fileprivate var setsDecision: Bool {
    switch body {
    case .videoFound(let found): found.status != nil
    case .entryFound(let found): found.status != nil
    case .feedChanged(let change): change.url != nil || body.isUserAction
    default: body.isUserAction
    }
  }
}

/// Whether what a library finds by the positions of events is what reading all finds.
private func compare(_ folder: TemporaryFolder, at time: UInt64) throws {
  let library = try library(folder.folders, at: time)
  let events = try all(folder, at: time)
  for video in Set(events.compactMap(\.body.video)) {
    #expect(try library.events(about: video) == events.filter { $0.body.video == video })
  }
  let decisions = events.filter { $0.body.isUserAction && $0.body != .actionUndone }
  let actions = Set(decisions.map(\.action))
  for action in actions {
    let done = try library.events(of: action)
    #expect(Set(done.map(\.id)) == Set(decisions.filter { $0.action == action }.map(\.id)))
    let before = events.filter { $0.action != action && $0.undoes != action }
    let states = try library.states(without: [], and: action, about: done)
    for (mine, its) in [(states.state, decided(events, about: done)), (states.before, decided(before, about: done))] {
      #expect(mine.state == its.state)
      for video in Set(done.compactMap(\.body.video)) {
        #expect(mine.videos[video]?.decisions == its.videos[video]?.decisions)
      }
    }
    #expect(!done.isEmpty)
  }
}

extension Video {
  /// What the user decided about it.
  fileprivate var decisions: [String] {
    [
      "\(statusSet) \(String(describing: statusChanged))", "\(String(describing: saved))",
      "\(String(describing: progressSet))", "\(String(describing: noteSet))",
      "\(memberships.sorted { $0.key < $1.key })",
    ]
  }
}

/// Appends random events of one action or several in the name of a device.
private func append(_ folder: TemporaryFolder, _ device: String, seed: UInt64) throws {
  var maker = EventMaker(seed: seed)
  for step in 0..<3 as Range<UInt64> {
    let bodies = maker.events(15).map(\.body)
    _ = try library(folder.folders, device, at: now + seed + step).commit(action: nil, undoing: nil) { bodies }
  }
}

@Test("Events found by their positions are those that reading all finds", arguments: 1...12 as ClosedRange<UInt64>)
func positionsAgainstReading(seed: UInt64) throws {
  let folder = TemporaryFolder()
  for step in 0..<6 as Range<UInt64> {
    try append(folder, step % 3 == 2 ? "aaaaaaaa" : "k3v9x2ap", seed: seed * 100 + step * 10)
    if step == 3 { _ = try library(folder.folders, at: now + seed * 200).compact() }
    try compare(folder, at: now + seed * 200)
  }
}

@Test("Without a cache, events are found all the same")
func positionsWithoutACache() throws {
  let folder = TemporaryFolder()
  folder.write([], to: "cache")
  try append(folder, "k3v9x2ap", seed: 4)
  try compare(folder, at: now + 1000)
}

@Test("Without an action the earlier values hold")
func stateWithoutAction() throws {
  let folder = TemporaryFolder()
  let library = try library(folder.folders)
  func status(_ bits: UInt64, _ status: Status = .watched) -> EventBody {
    .statusSet(StatusSet(video: VideoID(bits: bits), status: status))
  }
  _ = try library.commit(action: nil, undoing: nil) { [status(1, .skipped), status(2, .skipped)] }
  let events = try library.commit(action: nil, undoing: nil) { [status(1)] }
  let action = try #require(events.first).action
  let video = VideoID(bits: 1)
  func before() throws -> Status? {
    try library.states(without: [], and: action, about: events).before.videos[video]?.statusSet.status
  }
  #expect(try before() == .skipped)
  _ = try library.commit(action: nil, undoing: action) { [status(1, .skipped)] }
  #expect(try before() == .skipped)
  #expect(try library.model.undone() == [action])
}
