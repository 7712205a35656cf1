import Core
import Seeded
import SlowFold
import Testing

@testable import EventLog

/// The state folded from events in this order.
private func fold(_ events: [Event]) -> SlowFold {
  var state = SlowFold()
  for event in events { state.apply(event) }
  return state
}

@Test("Any order of the same events gives the same state", arguments: 1...300 as ClosedRange<UInt64>)
func anyOrderOneState(seed: UInt64) {
  var maker = EventMaker(seed: seed)
  let events = maker.events(60)
  var random = SeededGenerator(seed: seed)
  let state = fold(events)
  for _ in 0..<10 { #expect(fold(events.shuffled(using: &random)) == state) }
  #expect(fold(events.reversed()) == state)
}

@Test("Events applied again change nothing", arguments: 1...100 as ClosedRange<UInt64>)
func appliedTwice(seed: UInt64) {
  var maker = EventMaker(seed: seed)
  let events = maker.events(60)
  #expect(fold(events + events.reversed()) == fold(events))
  #expect(fold(events.flatMap { [$0, $0] }) == fold(events))
}
