import Core
import Messages
import Platform

/// A time as typed by the user: `3d` (three days ago; s, m, h, d, w), `2026-11-01` or `yesterday` (local midnight),
/// `2026-11-01T18:30` (local time) or RFC 3339.
package struct TimeArgument {
  package let time: Timestamp

  /// The time in `text`; a span counts back from `now`. Throws if it is not a time.
  package init(_ text: String, before now: Timestamp, _ member: RequestMember) throws(AppError) {
    if let span = TimeArgument.span(text) {
      time = now.adding(seconds: -span)
    } else if let local = TimeArgument.day(text, now) ?? TimeArgument.minute(text) {
      time = local
    } else if let exact = Timestamp(rfc3339: text) {
      time = exact
    } else {
      throw .notATime(text, member)
    }
  }

  /// The time in `text`; a span counts forward from `now`. Throws if it is not a time, is past, or is implausibly far
  /// ahead.
  package init(_ text: String, after now: Timestamp, _ member: RequestMember) throws(AppError) {
    if let span = TimeArgument.span(text) {
      time = now.adding(seconds: span)
    } else {
      time = try TimeArgument(text, before: now, member).time
    }
    guard time > now else { throw .pastTime(text, member) }
    guard time.seconds(since: now) <= TimeArgument.maxYears * 366 * 86_400 else {
      throw .distantTime(text, member, limitYears: TimeArgument.maxYears)
    }
  }

  /// The maximum years ahead.
  private static let maxYears: Int64 = 100

  /// The seconds in `90s`, `15m`, `12h`, `3d` or `2w`.
  package static func span(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    guard let last = text.last, let unit = units[last], let count = Int64(text.dropLast()), count >= 0,
      count <= 1_000_000
    else { return nil }
    return count * unit
  }

  /// The start of a local day: `2026-11-01`, `today`, `yesterday` or `tomorrow`.
  private static func day(_ text: String, _ now: Timestamp) -> Timestamp? {
    if let date = date(text) { return Clock.midnight(of: date) }
    let days = ["yesterday": -1, "today": 0, "tomorrow": 1]
    guard let offset = days[text.lowercased()] else { return nil }
    let date = CivilDate(daysSinceEpoch: Clock.localDate(of: now).daysSinceEpoch + offset)
    return Clock.midnight(of: date)
  }

  /// The local time `2026-11-01T18:30`, with or without seconds.
  private static func minute(_ text: String) -> Timestamp? {
    let halves = text.split(whereSeparator: { $0 == "T" || $0 == "t" || $0 == " " })
    guard halves.count == 2, let date = date(String(halves[0])) else { return nil }
    let parts = halves[1].split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.utf8.count == 2 ? number($0) : nil }
    guard (2...3).contains(parts.count), numbers.count == parts.count, numbers[0] < 24,
      numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    return Clock.local(date, hour: numbers[0], minute: numbers[1], second: numbers.count > 2 ? numbers[2] : 0)
  }

  private static func date(_ text: String) -> CivilDate? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, let year = number(parts[0]), let month = number(parts[1]),
      let day = number(parts[2])
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }

  /// A number of digits only: `Int` also accepts a sign.
  private static func number(_ digits: Substring) -> Int? {
    digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
  }
}

/// A duration as typed by the user: `12:34`, `1:02:03`, `90s`, `12m`, `2h` or a number of seconds.
package struct DurationArgument {
  package let seconds: Int

  /// Throws if the text is not a duration.
  package init(_ text: String, _ member: RequestMember) throws(AppError) {
    if let seconds = PlayingTime.seconds(text) {
      self.seconds = seconds
    } else if let span = TimeArgument.span(text) {
      seconds = Int(span)
    } else {
      throw .notADuration(text, member)
    }
  }
}
