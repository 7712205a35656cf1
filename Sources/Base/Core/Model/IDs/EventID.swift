/// A unique event ID; IDs sort in causal order across devices.
///
/// A hybrid logical clock timestamp and the device that issued it, in fixed width so that the strings sort like the
/// IDs: 13 hexadecimal digits of milliseconds since 1970, `-`, 4 of a counter, `-`, the device. Example:
/// `0019a1b2c3d4e-0000-k3v9x2ap`.
package struct EventID: Hashable, Sendable {
  /// The HLC timestamp: milliseconds since 1970 in the upper 48 bits, the counter in the lower 16.
  package let reading: UInt64
  package let device: DeviceID

  package init(reading: UInt64, device: DeviceID) {
    (self.reading, self.device) = (reading, device)
  }

  /// Parses exactly 27 ASCII bytes; nil if they are not an event ID.
  package init?(_ bytes: Span<UInt8>) {
    // 48 bits of milliseconds last until the year 10889, so the first of their digits is always 0.
    guard bytes.count == EventID.length, bytes[0] == UInt8(ascii: "0"), bytes[13] == UInt8(ascii: "-"),
      bytes[18] == UInt8(ascii: "-"), let device = DeviceID(bytes.extracting(droppingFirst: 19))
    else { return nil }
    var reading: UInt64 = 0
    for position in 1..<18 where position != 13 {
      guard let digit = HexDigit.value(bytes[position]) else { return nil }
      reading = reading << 4 | UInt64(digit)
    }
    self.init(reading: reading, device: device)
  }

  /// The length of an ID in characters.
  package static let length = 27

  /// Milliseconds since 1970.
  package var milliseconds: UInt64 { reading >> 16 }
  /// The time of the ID in whole seconds.
  package var timestamp: Timestamp { Timestamp(seconds: Int64(milliseconds / 1000)) }

  /// Appends the 27 ASCII characters.
  package func append(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "0"))
    for shift in stride(from: 60, through: 0, by: -4) {
      if shift == 12 { bytes.append(UInt8(ascii: "-")) }
      bytes.append(HexDigit.letter(UInt8(reading >> UInt64(shift) & 15)))
    }
    bytes.append(UInt8(ascii: "-"))
    device.append(to: &bytes)
  }
}

extension EventID: LetteredID {
  package static func < (left: EventID, right: EventID) -> Bool {
    left.reading != right.reading ? left.reading < right.reading : left.device < right.device
  }
}

/// A device ID: 8 random characters of `0-9a-z`, generated on first use. Example: `k3v9x2ap`.
package struct DeviceID: Hashable, Sendable {
  /// The eight ASCII characters, the first in the highest byte, so that numbers compare like the strings.
  package let letters: UInt64

  /// Creates the ID from the packed characters in `letters`.
  package init(letters: UInt64) { self.letters = letters }

  /// Parses exactly 8 bytes of `0-9a-z`; nil if they are not a device ID.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count == DeviceID.length else { return nil }
    var packed: UInt64 = 0
    for position in 0..<DeviceID.length {
      switch bytes[position] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"):
        packed = packed << 8 | UInt64(bytes[position])
      default: return nil
      }
    }
    letters = packed
  }

  /// Generates an ID of eight random characters.
  package init(using generator: inout some RandomNumberGenerator) {
    var packed: UInt64 = 0
    for _ in 0..<DeviceID.length {
      packed = packed << 8 | UInt64(DeviceID.alphabet.randomElement(using: &generator) ?? UInt8(ascii: "0"))
    }
    letters = packed
  }

  /// The length of an ID in characters.
  package static let length = 8
  private static let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)

  /// Appends the 8 characters.
  package func append(to bytes: inout [UInt8]) {
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: letters >> UInt64(shift)))
    }
  }
}

extension DeviceID: LetteredID {
  package static func < (left: DeviceID, right: DeviceID) -> Bool { left.letters < right.letters }
}

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
