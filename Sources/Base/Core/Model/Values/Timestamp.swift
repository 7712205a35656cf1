/// A time in whole seconds UTC since 1970-01-01T00:00:00Z, without leap seconds.
package struct Timestamp: Hashable, Sendable {
  /// Seconds since the epoch.
  package let seconds: Int64

  package init(seconds: Int64) { self.seconds = seconds }

  /// This time plus `delta` seconds, clamped instead of overflowing.
  package func adding(seconds delta: Int64) -> Timestamp {
    let (sum, overflow) = seconds.addingReportingOverflow(delta)
    return Timestamp(seconds: overflow ? (delta < 0 ? .min : .max) : sum)
  }

  /// Seconds from `earlier` to this time, clamped instead of overflowing.
  package func seconds(since earlier: Timestamp) -> Int64 {
    let (difference, overflow) = seconds.subtractingReportingOverflow(earlier.seconds)
    return overflow ? (seconds < earlier.seconds ? .min : .max) : difference
  }
}

extension Timestamp: Comparable {
  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.seconds < right.seconds }
}

/// A day of the proleptic Gregorian calendar, convertible to and from days since 1970-01-01.
///
/// Source: the usual era arithmetic over 400 years of 146,097 days, with years starting in March.
package struct CivilDate: Hashable, Sendable {
  package let year: Int
  /// 1 to 12.
  package let month: Int
  /// 1 to 31.
  package let day: Int

  /// Creates a date; nil if the calendar has no such day.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), day >= 1, day <= CivilDate.days(inMonth: month, of: year) else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The date this many days after 1970-01-01.
  package init(daysSinceEpoch: Int) {
    let shifted = daysSinceEpoch + 719_468  // days from 0000-03-01
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days from 1970-01-01 to this date.
  package var daysSinceEpoch: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}

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

  /// A number of exactly `digits` digits; nil for anything else.
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

/// Durations in the notation of players.
package enum PlayingTime {
  /// `0:09`, `4:13`, `1:02:03`; negative values count as 0.
  package static func text(seconds: Int) -> String {
    let seconds = max(0, seconds)
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let end = ":" + twoDigits(seconds % 60)
    return hours > 0 ? "\(hours):" + twoDigits(minutes) + end : "\(minutes)" + end
  }

  /// Parses `9`, `0:09`, `4:13` or `1:02:03` into seconds; nil if malformed or over 11 days.
  package static func seconds(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var seconds = 0
    for (position, part) in parts.enumerated() {
      guard (1...6).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(part), position == 0 || number < 60
      else { return nil }
      seconds = seconds * 60 + number
    }
    return seconds <= 1_000_000 ? seconds : nil
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
