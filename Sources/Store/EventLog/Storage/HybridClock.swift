import Core

/// A hybrid logical clock: wall-clock milliseconds with a counter, strictly monotonic.
///
/// Each timestamp is greater than every one issued or observed before, even if the wall clock was set back. Timestamps
/// of other devices more than a day ahead of the wall clock are ignored: one device with a wrong year must not win for
/// years. This device's own timestamps are always observed, or its next events would lose against them.
package struct HybridClock: Equatable, Sendable {
  package let device: DeviceID
  /// The highest timestamp issued or observed.
  package private(set) var last: UInt64
  /// The highest timestamp this device issued.
  package private(set) var own: UInt64

  /// A clock of `device` that has observed nothing.
  package init(device: DeviceID) { self.init(device: device, last: 0, own: 0) }

  /// A clock of `device` that has observed timestamps up to `last` and issued them up to `own`.
  package init(device: DeviceID, last: UInt64, own: UInt64) {
    self.device = device
    self.last = max(last, own)
    self.own = own
  }

  /// The maximum lead of an event over the wall clock, in milliseconds: 24 hours.
  package static let horizon: UInt64 = 86_400_000

  /// Whether an event is too far ahead of the wall clock to be trusted yet; `now` in milliseconds since 1970.
  package static func isAhead(_ id: EventID, of now: UInt64) -> Bool {
    id.milliseconds > now &+ horizon
  }

  /// Whether an event is too far ahead to be trusted yet: it is from another device, more than a day ahead of the wall
  /// clock, and later than anything this device wrote while its own clock was ahead (or not yet set back).
  package func isAhead(_ id: EventID, of now: UInt64) -> Bool {
    id.device != device && HybridClock.isAhead(id, of: now) && id.milliseconds > own >> 16
  }

  /// Whether everything observed, from any device, is still trusted.
  package func isWithinReach(of now: UInt64) -> Bool {
    last <= own || last >> 16 <= now &+ HybridClock.horizon
  }

  /// Records an event of this device or another.
  package mutating func observe(_ id: EventID, now: UInt64) {
    guard !isAhead(id, of: now) else { return }
    last = max(last, id.reading)
    if id.device == device { own = max(own, id.reading) }
  }

  /// Records everything that another clock of this device has observed.
  package mutating func catchUp(with other: HybridClock) {
    last = max(last, other.last)
    own = max(own, other.own)
  }

  /// The ID of the next event, greater than all before; `now` in milliseconds since 1970.
  package mutating func next(now: UInt64) -> EventID {
    // The counter overflows into the milliseconds: the order holds, the time is a millisecond off.
    last = max(last &+ 1, now << 16)
    own = last
    return EventID(reading: last, device: device)
  }
}
