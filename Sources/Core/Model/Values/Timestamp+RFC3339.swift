/// RFC 3339 timestamps, the format of every time that is read from a feed or written anywhere.
extension Timestamp {
  /// Parses `2026-07-01T14:00:35+00:00`, `…35Z` or `…35.909921364+02:00` (RFC 3339 §5.6); nil if malformed.
  ///
  /// Fractions of a second are dropped; a leap second counts as the second before it, because `CivilDate` has none.
  package init?(rfc3339 text: some StringProtocol) { self.init(rfc3339: text.utf8) }

  /// Parses ASCII bytes; see `init(rfc3339:)` over text.
  package init?(rfc3339 bytes: some Sequence<UInt8>) { self.init(rfc3339: Array(bytes).span) }

  /// Parses ASCII bytes; see `init(rfc3339:)` over text.
  package init?(rfc3339 bytes: Span<UInt8>) {
    var position = 0
    guard let year = bytes.number(digits: 4, at: &position), bytes.skip("-", at: &position),
      let month = bytes.number(digits: 2, at: &position), bytes.skip("-", at: &position),
      let day = bytes.number(digits: 2, at: &position),
      bytes.skip("T", at: &position) || bytes.skip("t", at: &position) || bytes.skip(" ", at: &position),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    guard let hour = bytes.number(digits: 2, at: &position), hour < 24, bytes.skip(":", at: &position),
      let minute = bytes.number(digits: 2, at: &position), minute < 60, bytes.skip(":", at: &position),
      let second = bytes.number(digits: 2, at: &position), second <= 60,
      bytes.skipFraction(at: &position), let offset = bytes.offset(at: &position), position == bytes.count
    else { return nil }
    let clock = hour * 3600 + minute * 60 + min(second, 59) - offset
    seconds = Int64(date.daysSinceEpoch) * 86_400 + Int64(clock)
  }

  /// `2026-07-01T14:00:35Z`: always UTC, always whole seconds.
  package var rfc3339: String {
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let date = CivilDate(daysSinceEpoch: Int(days))
    let clock = Int(seconds - days * 86_400)
    let fields = [date.year, date.month, date.day, clock / 3600, clock / 60 % 60, clock % 60]
    var text: [UInt8] = []
    text.reserveCapacity(20)
    for (field, end) in zip(fields, "--T::Z".utf8) {
      let digits = String(field).utf8
      let width = text.isEmpty ? 4 : 2
      for _ in digits.count..<max(width, digits.count) { text.append(UInt8(ascii: "0")) }
      text += digits
      text.append(end)
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// A left-to-right parser; each function advances `position` past what it consumed.
extension Span<UInt8> {
  fileprivate func skip(_ letter: Unicode.Scalar, at position: inout Int) -> Bool {
    guard position < count, self[position] == UInt8(ascii: letter) else { return false }
    position += 1
    return true
  }

  /// A number of exactly `digits` digits; nil if there is none.
  fileprivate func number(digits: Int, at position: inout Int) -> Int? {
    guard position + digits <= count else { return nil }
    var value = 0
    for _ in 0..<digits {
      guard let digit = digit(at: position) else { return nil }
      value = value * 10 + digit
      position += 1
    }
    return value
  }

  /// Skips a fraction of a second; false if it is malformed.
  fileprivate func skipFraction(at position: inout Int) -> Bool {
    guard skip(".", at: &position) else { return true }
    let start = position
    while digit(at: position) != nil { position += 1 }
    return position > start
  }

  /// The UTC offset in seconds, east positive, from `Z` or `±hh:mm`.
  fileprivate func offset(at position: inout Int) -> Int? {
    if skip("Z", at: &position) || skip("z", at: &position) { return 0 }
    let isBehind = skip("-", at: &position)
    guard isBehind || skip("+", at: &position) else { return nil }
    guard let hours = number(digits: 2, at: &position), hours < 24, skip(":", at: &position),
      let minutes = number(digits: 2, at: &position), minutes < 60
    else { return nil }
    return (isBehind ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  private func digit(at position: Int) -> Int? {
    guard position < count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self[position]) else { return nil }
    return Int(self[position] - UInt8(ascii: "0"))
  }
}
