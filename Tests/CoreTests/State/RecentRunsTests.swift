import Seeded
import TestSupport
import Testing

@testable import Core

private func event(_ second: Int64, _ device: DeviceID = Sample.device) -> Event {
  Sample.event(second, device, .runFinished(Sample.run(checked: Int(second), failing: ["UC HTTP 404"])))
}

@Test("Keeps the last runs of any device, up to a limit")
func lastRuns() {
  let events = (0..<100).map { event($0, $0 % 3 == 0 ? Sample.otherDevice : Sample.device) }
  let state = Sample.state(events)
  #expect(state.runs.list.map(\.value.checked) == Array(100 - RecentRuns.maximum..<100))
  #expect(state.lastRun?.id == events.last?.id)
  #expect(state.runs.list.allSatisfy { $0.value.failing.isEmpty && $0.value.failed == 1 })
}

@Test("The runs kept do not depend on order or repetition", arguments: 0..<50 as Range<UInt64>)
func runsInAnyOrder(seed: UInt64) {
  var generator = SeededGenerator(seed: seed)
  let count = Int64.random(in: 1...60, using: &generator)
  let events = (0..<count).map { event($0) } + (0..<count / 2).map { event($0, Sample.otherDevice) }
  let expected = Sample.state(events)
  let again = events.shuffled(using: &generator).prefix(30)
  #expect(Sample.state((events + again).shuffled(using: &generator)) == expected)
  #expect(Sample.state(events.reversed()) == expected)
}
