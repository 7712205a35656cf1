/// A hybrid logical clock: milliseconds of the wall clock with a counter, never backwards.
///
/// A reading is above every reading given or observed before, even when the wall clock was set back. What lies more
/// than a day ahead of the wall clock is not observed: one device with a wrong year must not win for years.
package struct HybridClock: Equatable, Sendable {
  package let device: DeviceID
  /// The highest reading given or observed.
  package private(set) var last: UInt64

  /// A clock of `device` that has seen nothing.
  package init(device: DeviceID) {
    self.device = device
    last = 0
  }

  /// How far ahead of the wall clock an event may be, in milliseconds: 24 hours.
  package static let horizon: UInt64 = 86_400_000

  /// Whether an event lies too far ahead of the wall clock, given in milliseconds since 1970, to be believed yet.
  package static func isAhead(_ id: EventID, of now: UInt64) -> Bool {
    id.milliseconds > now &+ horizon
  }

  /// Takes note of an event, of this device or another.
  package mutating func observe(_ id: EventID, now: UInt64) {
    guard !HybridClock.isAhead(id, of: now) else { return }
    last = max(last, id.reading)
  }

  /// The id of the next event, above all that went before; `now` in milliseconds since 1970.
  package mutating func next(now: UInt64) -> EventID {
    // The counter overflows into the milliseconds: the order holds, the time is a millisecond off.
    last = max(last &+ 1, now << 16)
    return EventID(reading: last, device: device)
  }
}
