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
