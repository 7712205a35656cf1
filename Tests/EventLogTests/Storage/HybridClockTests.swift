import Core
import Testing

@testable import EventLog

private let now: UInt64 = 1_761_392_475_000
private let day: UInt64 = 86_400_000

private func id(_ milliseconds: UInt64, _ device: DeviceID) -> EventID {
  EventID(reading: milliseconds << 16, device: device)
}

@Suite("A hybrid clock")
struct HybridClockTests {
  private let ours: DeviceID
  private let theirs: DeviceID

  init() throws {
    ours = try #require(DeviceID("k3v9x2ap"))
    theirs = try #require(DeviceID("aaaaaaaa"))
  }

  @Test("accepts another device's timestamp within a day, and its own always")
  func reach() {
    let clock = HybridClock(device: ours)
    #expect(!clock.isAhead(id(now + day, theirs), of: now) && clock.isAhead(id(now + day + 1, theirs), of: now))
    #expect(!clock.isAhead(id(now + 400 * day, ours), of: now))
  }

  @Test("stays above its own timestamps from another day, and accepts others up to them")
  func setBack() {
    var clock = HybridClock(device: ours)
    clock.observe(id(now + 3 * day, ours), now: now)
    #expect(clock.next(now: now) > id(now + 3 * day, ours))
    #expect(!clock.isAhead(id(now + 3 * day, theirs), of: now) && clock.isAhead(id(now + 3 * day + 1, theirs), of: now))
  }

  @Test("ignores another device's wrong year")
  func wrongYear() {
    var clock = HybridClock(device: ours)
    clock.observe(id(now + 400 * day, theirs), now: now)
    #expect(clock.next(now: now).milliseconds == now)
  }

  @Test("carries into the next millisecond when its counter is full")
  func overflow() {
    var clock = HybridClock(device: ours)
    var last = clock.next(now: now)
    for _ in 0..<70_000 {
      let next = clock.next(now: now)
      #expect(next > last)
      last = next
    }
    #expect(last.milliseconds == now + 1)
  }

  @Test("that has seen another device's later timestamp follows it only within a day")
  func withinReach() {
    #expect(HybridClock(device: ours, last: (now + day) << 16, own: 0).isWithinReach(of: now))
    #expect(!HybridClock(device: ours, last: (now + 2 * day) << 16, own: now << 16).isWithinReach(of: now))
    #expect(HybridClock(device: ours, last: (now + 2 * day) << 16, own: (now + 2 * day) << 16).isWithinReach(of: now))
  }
}
