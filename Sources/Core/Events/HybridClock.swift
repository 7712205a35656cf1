/// A hybrid logical clock: milliseconds of the wall clock with a counter, never backwards.
///
/// A reading is above every reading given or observed before, even when the wall clock was set back. What another device
/// says lies more than a day ahead of the wall clock is not observed: one device with a wrong year must not win for
/// years. What this device wrote itself is observed always, or what it decides next would lose against it.
package struct HybridClock: Equatable, Sendable {
  package let device: DeviceID
  /// The highest reading given or observed.
  package private(set) var last: UInt64
  /// The highest reading that this device gave.
  package private(set) var own: UInt64

  /// A clock of `device` that has seen nothing.
  package init(device: DeviceID) { self.init(device: device, last: 0, own: 0) }

  /// A clock of `device` that has seen readings up to `last`, and given them up to `own`.
  package init(device: DeviceID, last: UInt64, own: UInt64) {
    self.device = device
    self.last = max(last, own)
    self.own = own
  }

  /// How far ahead of the wall clock an event may be, in milliseconds: 24 hours.
  package static let horizon: UInt64 = 86_400_000

  /// Whether an event lies too far ahead of the wall clock, given in milliseconds since 1970, to be believed yet.
  package static func isAhead(_ id: EventID, of now: UInt64) -> Bool {
    id.milliseconds > now &+ horizon
  }

  /// Whether an event lies too far ahead to be believed yet: another device's that is neither within a day of the wall
  /// clock nor before something that this device wrote when its clock was ahead, or not yet set back.
  package func isAhead(_ id: EventID, of now: UInt64) -> Bool {
    id.device != device && HybridClock.isAhead(id, of: now) && id.milliseconds > own >> 16
  }

  /// Whether all that it has seen, of whomever, is still to be believed.
  package func isWithinReach(of now: UInt64) -> Bool {
    last <= own || last >> 16 <= now &+ HybridClock.horizon
  }

  /// Takes note of an event, of this device or another.
  package mutating func observe(_ id: EventID, now: UInt64) {
    guard !isAhead(id, of: now) else { return }
    last = max(last, id.reading)
    if id.device == device { own = max(own, id.reading) }
  }

  /// Takes note of all that another clock of this device has seen.
  package mutating func catchUp(with other: HybridClock) {
    last = max(last, other.last)
    own = max(own, other.own)
  }

  /// The id of the next event, above all that went before; `now` in milliseconds since 1970.
  package mutating func next(now: UInt64) -> EventID {
    // The counter overflows into the milliseconds: the order holds, the time is a millisecond off.
    last = max(last &+ 1, now << 16)
    own = last
    return EventID(reading: last, device: device)
  }
}
