import Core
import Testing

@testable import EventLog

private let now: UInt64 = 1_761_392_475_000

/// A journal that looks events up by their places however small the logs are, or never does.
private func journal(
  _ folder: TemporaryFolder, _ device: String = "k3v9x2ap", at time: UInt64 = now, places: Bool = true
) throws -> Journal {
  let id: DeviceID = try #require(DeviceID(device))
  let journal = try Journal(folders: folder.folders, device: id, machine: nil) { time }
  journal.leastForPlaces = places ? 0 : .max
  return journal
}

/// Appends random events of one action or several in the name of a device.
private func append(_ folder: TemporaryFolder, _ device: String, seed: UInt64) throws {
  var maker = EventMaker(seed: seed)
  for step in 0..<3 as Range<UInt64> {
    let bodies = maker.events(15).map(\.body)
    _ = try journal(folder, device, at: now + seed + step).commit(action: nil, undoing: nil) { _ in bodies }
  }
}

/// The events of all logs, read from their beginning.
private func all(_ journal: Journal) throws -> [Event] {
  var events: [Event] = []
  for file in journal.current.values { try file.forEachEvent { events.append($0) } }
  return events
}

/// Whether what is found by places is what reading all finds.
private func compare(_ folder: TemporaryFolder, at time: UInt64) throws {
  let (quick, slow) = (try journal(folder, at: time), try journal(folder, at: time, places: false))
  let events = try all(slow)
  for video in Set(events.compactMap(\.body.video)) {
    let expected = events.filter { $0.body.video == video }.sorted { $0.id < $1.id }
    #expect(try quick.events(about: video) == expected)
    #expect(try slow.events(about: video) == expected)
  }
  #expect(
    events.filter(\.body.isUserAction).allSatisfy { EventKey(subjectOf: $0.body) != nil || $0.body == .actionUndone })
  let actions = Set(events.filter(\.body.isUserAction).map(\.action))
  for action in actions {
    let done = try quick.events(of: action)
    #expect(Set(done.map(\.id)) == Set(events.filter { $0.action == action && $0.body.isUserAction }.map(\.id)))
    let (mine, its) = (
      try quick.states(without: [], and: action, about: done), try slow.states(without: [], and: action, about: done)
    )
    #expect(mine.state == its.state && mine.before == its.before)
    #expect(!done.isEmpty)
  }
}

@Test("Events found by their places are those that reading all finds", arguments: 1...12 as ClosedRange<UInt64>)
func placesAgainstReading(seed: UInt64) throws {
  let folder = TemporaryFolder()
  for step in 0..<6 as Range<UInt64> {
    try append(folder, step % 3 == 2 ? "aaaaaaaa" : "k3v9x2ap", seed: seed * 100 + step * 10)
    if step == 3 { _ = try journal(folder, at: now + seed * 200).compact() }
    try compare(folder, at: now + seed * 200)
  }
}

@Test("What was appended after the places were noted is read")
func afterThePlaces() throws {
  let folder = TemporaryFolder()
  try append(folder, "k3v9x2ap", seed: 1)
  let noting = try journal(folder)
  _ = try noting.events(about: VideoID(bits: 1))
  let noted = try #require(EventPlaces(in: folder.folders)).count
  noting.leastForPlaces = 1 << 20
  try append(folder, "k3v9x2ap", seed: 20)
  let journal = try journal(folder)
  journal.leastForPlaces = 1
  for video in Set(try all(journal).compactMap(\.body.video)) {
    let expected = try all(journal).filter { $0.body.video == video }.sorted { $0.id < $1.id }
    #expect(try journal.events(about: video) == expected)
  }
  #expect(try #require(EventPlaces(in: folder.folders)).count > noted)
}

@Test("Broken places are as if there were none")
func brokenPlaces() throws {
  let folder = TemporaryFolder()
  try append(folder, "k3v9x2ap", seed: 3)
  _ = try journal(folder).events(about: VideoID(bits: 1))
  let whole = try #require(folder.read("cache/places"))
  for place in stride(from: 0, to: whole.count, by: 7) {
    var broken = whole
    broken[place] ^= 4
    folder.write(broken, to: "cache/places")
    #expect(EventPlaces(in: folder.folders) == nil)
  }
  try compare(folder, at: now + 1000)
}

@Test("Where nothing can be written, all is read")
func placesWithoutACache() throws {
  let folder = TemporaryFolder()
  try append(folder, "k3v9x2ap", seed: 4)
  folder.write([], to: "cache")
  try compare(folder, at: now + 1000)
}
