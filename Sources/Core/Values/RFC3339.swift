/// RFC 3339 timestamps, the form of every time that is read from a feed or written anywhere.
extension Timestamp {
  /// The moment written as `2026-07-01T14:00:35+00:00`, `…35Z` or `…35.909921364+02:00` (RFC 3339 §5.6), or nil.
  ///
  /// A fraction of a second is dropped; a leap second counts as the second before it, for the calendar here has none.
  package init?(rfc3339 text: some StringProtocol) { self.init(rfc3339: text.utf8) }

  /// The moment written by these bytes of ASCII; see `init(rfc3339:)` over text.
  package init?(rfc3339 bytes: some Sequence<UInt8>) {
    var scanner = DigitScanner(bytes)
    guard let year = scanner.number(digits: 4), scanner.skip(UInt8(ascii: "-")),
      let month = scanner.number(digits: 2), scanner.skip(UInt8(ascii: "-")),
      let day = scanner.number(digits: 2), let separator = scanner.next(),
      separator | 0x20 == UInt8(ascii: "t") || separator == UInt8(ascii: " "),
      let date = CivilDate(year: year, month: month, day: day),
      let hour = scanner.number(digits: 2), hour < 24, scanner.skip(UInt8(ascii: ":")),
      let minute = scanner.number(digits: 2), minute < 60, scanner.skip(UInt8(ascii: ":")),
      let second = scanner.number(digits: 2), second <= 60
    else { return nil }
    guard let offset = scanner.offset() else { return nil }
    let clock = hour * 3600 + minute * 60 + min(second, 59) - offset
    seconds = Int64(date.daysSinceEpoch) * 86_400 + Int64(clock)
  }

  /// `2026-07-01T14:00:35Z`: always UTC, always whole seconds.
  package var rfc3339: String {
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let date = CivilDate(daysSinceEpoch: Int(days))
    let clock = Int(seconds - days * 86_400)
    let fields = [date.year, date.month, date.day, clock / 3600, clock / 60 % 60, clock % 60]
    var text = ""
    text.reserveCapacity(20)
    for (field, (width, end)) in zip(fields, [(4, "-"), (2, "-"), (2, "T"), (2, ":"), (2, ":"), (2, "Z")]) {
      let digits = String(field)
      for _ in digits.utf8.count..<max(width, digits.utf8.count) { text.append("0") }
      text += digits
      text += end
    }
    return text
  }
}

/// Reads the digits of a timestamp from left to right.
private struct DigitScanner<Bytes: Sequence<UInt8>> {
  private var iterator: Bytes.Iterator
  private var peeked: UInt8?

  init(_ bytes: Bytes) { iterator = bytes.makeIterator() }

  mutating func next() -> UInt8? {
    if let byte = peeked {
      peeked = nil
      return byte
    }
    return iterator.next()
  }

  mutating func skip(_ byte: UInt8) -> Bool { next() == byte }

  /// A number of exactly this many digits.
  mutating func number(digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let byte = next(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// The seconds by which local time is ahead of UTC, from an optional fraction and `Z` or `±hh:mm` at the very end.
  mutating func offset() -> Int? {
    var byte = next()
    if byte == UInt8(ascii: ".") {
      var digits = 0
      byte = next()
      while let digit = byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
        digits += 1
        byte = next()
      }
      guard digits > 0 else { return nil }
    }
    guard let sign = byte else { return nil }
    if sign | 0x20 == UInt8(ascii: "z") { return next() == nil ? 0 : nil }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = number(digits: 2), hours < 24,
      skip(UInt8(ascii: ":")), let minutes = number(digits: 2), minutes < 60, next() == nil
    else { return nil }
    return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}
