import Core
import SQLDrivers
import Seeded
import SlowFold
import Testing

@testable import ReadModel

/// Events of every kind about few videos and channels.
private func events(_ seed: UInt64, _ count: Int = 90) -> [StoredEvent] {
  var maker = EventMaker(seed: seed)
  return StoredEvent.all(maker.events(count))
}

/// Checks that values are those wanted, and reports those that are not, one by one.
private func expect<Key: Hashable, Value: Equatable>(
  _ values: [Key: Value], are wanted: [Key: Value], _ comment: Comment
) {
  for key in Set(values.keys).union(wanted.keys) where values[key] != wanted[key] {
    Issue.record("\(comment): \(String(describing: values[key]))\nfor \(String(describing: wanted[key]))")
  }
}

/// Checks that a model says what the slow fold says.
private func expect(_ model: ReadModel, says fold: SlowFold, _ comment: Comment) throws {
  let ids = Set(fold.videos.keys).union((0..<12).map { VideoID(bits: $0) })
  let contents = try model.contents(of: ids)
  expect(contents.videos, are: fold.videos, comment)
  expect(contents.state.channels, are: fold.state.channels, comment)
  expect(contents.state.handles, are: fold.state.handles, comment)
  expect(contents.state.ruleRegisters, are: fold.state.ruleRegisters, comment)
  #expect(contents.state == fold.state, comment)
  for feed in EventMaker.webFeeds.map(\.id) {
    #expect(try model.knownEntries(of: feed) == fold.knownEntries[feed] ?? [], comment)
  }
  #expect(try model.videoCount() == fold.videos.values.count { $0.found != nil }, comment)
}

@Suite("The fold of the read model, beside a slow one")
struct FoldLawTests {
  @Test("Values are those of the slow fold, in any order", arguments: 1...120 as ClosedRange<UInt64>)
  func anyOrder(seed: UInt64) throws {
    let events = events(seed)
    let fold = SlowFold(events.map(\.event))
    var random = SeededGenerator(seed: seed)
    let dump = try ReadModel.built(events).dump()
    for order in [events, events.reversed(), events.shuffled(using: &random), events.shuffled(using: &random)] {
      #expect(SlowFold(order.map(\.event)) == fold)
      let model = try ReadModel.built(order)
      try expect(model, says: fold, "seed \(seed)")
      #expect(try difference(model.dump(), dump) == [], "seed \(seed)")
    }
  }

  @Test(
    "Events in any batches, some of them twice, give the tables of a first build",
    arguments: 1...120 as ClosedRange<UInt64>)
  func batches(seed: UInt64) throws {
    let events = events(seed)
    let whole = try ReadModel.built(events)
    var random = SeededGenerator(seed: seed)
    for turn in 0..<3 {
      var rest = (events + events.prefix(turn * 30)).shuffled(using: &random)[...]
      let model = try ReadModel.empty()
      while !rest.isEmpty {
        let batch = rest.prefix(.random(in: 1...40, using: &random))
        rest = rest.dropFirst(batch.count)
        try model.add(batch)
      }
      #expect(try difference(model.dump(), whole.dump()) == [], "seed \(seed), \(turn)")
      try expect(model, says: SlowFold(events.map(\.event)), "seed \(seed), \(turn)")
    }
  }

  @Test(
    "Of IDs that share the 64 bits which tables keep one counts, and no feed is followed at another one's URL",
    arguments: 1...150 as ClosedRange<UInt64>)
  func forged(seed: UInt64) throws {
    var maker = EventMaker(seed: seed, videos: 40, isForged: true)
    let events = StoredEvent.all(maker.events(120))
    let fold = SlowFold(events.map(\.event))
    let ids = Set(events.compactMap(\.event.body.video))
    var random = SeededGenerator(seed: seed)
    for turn in 0..<4 {
      var rest = events.shuffled(using: &random)[...]
      let model = try ReadModel.empty()
      while !rest.isEmpty {
        let batch = rest.prefix(turn == 0 ? rest.count : .random(in: 1...60, using: &random))
        rest = rest.dropFirst(batch.count)
        try model.add(batch)
      }
      try expect(model, says: fold, "seed \(seed), \(turn)")
      #expect(try model.contents(of: ids).videos == fold.videos, "seed \(seed), \(turn)")
      for id in ids { #expect(try model.isFound(id) == (fold.videos[id]?.found != nil), "seed \(seed), \(id)") }
    }
  }

  @Test("Events that no file has give the same values", arguments: 1...40 as ClosedRange<UInt64>)
  func withoutFile(seed: UInt64) throws {
    let events = events(seed).map(\.event)
    let model = try ReadModel.empty()
    var random = SeededGenerator(seed: seed)
    let order = events.shuffled(using: &random)
    try model.apply(order.prefix(30))
    try model.apply(order.dropFirst(30))
    try model.apply(order)
    try expect(model, says: SlowFold(events), "seed \(seed)")
  }

  @Test("The last actions of each device, without the undone ones", arguments: 1...30 as ClosedRange<UInt64>)
  func actions(seed: UInt64) throws {
    let events = events(seed, 500)
    let (model, fold) = (try ReadModel.built(events), SlowFold(events.map(\.event)))
    for device in Set(events.map(\.event.id.device)) {
      var actions: Set<EventID> = []
      var undone: Set<EventID> = []
      try model.read { (database) throws(DatabaseError) in
        try database.forEach(
          "SELECT DISTINCT action FROM event WHERE device = ? AND action IS NOT NULL",
          Int64(bitPattern: device.letters)
        ) { row in
          if let action = row.eventID(0) { actions.insert(action) }
        }
        try database.forEach("SELECT action FROM undone") { row in
          if let action = row.eventID(0) { undone.insert(action) }
        }
      }
      let latest = actions.sorted(by: >).prefix(State.undoDepth).filter { !undone.contains($0) }
      #expect(latest == fold.decisions(of: device), "seed \(seed)")
    }
  }
}
