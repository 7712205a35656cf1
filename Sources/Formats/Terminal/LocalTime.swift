import Core

/// A time together with the user's time zone.
package struct LocalTime: Sendable {
  package let time: Timestamp
  /// The UTC offset of the user's clock at a given time, in seconds, east positive.
  package let offset: @Sendable (Timestamp) -> Int64

  /// The form of dates.
  package let dates: DateForm

  package init(
    _ time: Timestamp, dates: DateForm = .ymd, offset: @escaping @Sendable (Timestamp) -> Int64
  ) {
    (self.time, self.dates, self.offset) = (time, dates, offset)
  }

  /// A time in UTC.
  package static func utc(_ time: Timestamp) -> LocalTime { LocalTime(time) { _ in 0 } }

  /// The local date of a time in the user's form: `2026-07-01`, `01.07.2026`.
  package func day(of moment: Timestamp) -> String { dates.text(ofISO: isoDay(of: moment)) }

  /// The local date and time: `2026-11-22 18:05`.
  package func minute(of moment: Timestamp) -> String {
    "\(day(of: moment)) \(moment.adding(seconds: offset(moment)).rfc3339.dropFirst(11).prefix(5))"
  }

  /// The local date of a time in the form of keys and of forms: `2026-07-01`.
  package func isoDay(of moment: Timestamp) -> String {
    String(moment.adding(seconds: offset(moment)).rfc3339.prefix(10))
  }
}

extension Timestamp {
  /// The time relative to `now`, in at most 10 columns: `just now`, `59 min ago`, `23 h ago`, `6 d ago`, else the local
  /// date `2026-07-01`; always the date for a time in the future.
  package func short(at now: LocalTime) -> String {
    let age = now.time.seconds(since: self)
    switch age {
    case 0..<60: return "just now"
    case 60..<3600: return "\(age / 60) min ago"
    case 3600..<86_400: return "\(age / 3600) h ago"
    case 86_400..<(7 * 86_400): return "\(age / 86_400) d ago"
    default: return now.day(of: self)
    }
  }
}

extension Timestamp {
  /// The time remaining from `now`, rounded to the largest suitable unit: `3 d`, `12 h`, `5 min`.
  package func wait(from now: Timestamp) -> String {
    let seconds = max(0, self.seconds(since: now))
    switch seconds {
    case 84_600...: return "\((seconds + 43_200) / 86_400) d"
    case 3570...: return "\((seconds + 1800) / 3600) h"
    default: return "\(max(1, (seconds + 30) / 60)) min"
    }
  }
}
