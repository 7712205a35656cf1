import Core
import EventLog
import Glibc
import Synchronization

/// The system clocks and the local time zone.
package enum Clock {
  /// Wall-clock milliseconds since 1970; 0 if the clock is set before that. `clock_gettime`.
  package static func milliseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec < 0 ? 0 : UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
  }

  /// The current time, in whole seconds.
  package static func now() -> Timestamp { Timestamp(seconds: Int64(milliseconds() / 1000)) }

  /// Monotonic time in milliseconds.
  package static func steady() -> Int { MonotonicClock.milliseconds }

  /// How this process shows times to its one user.
  private struct Display: Sendable {
    /// Nil for the zone of the machine.
    var zone: TimeZoneRules?
    var dates = DateForm.ymd
  }

  private static let display = Mutex(Display())

  /// Has local times be those of a zone, nil for the machine's, and dates have a form: for the program of one person.
  package static func show(zone: TimeZoneRules?, dates: DateForm) {
    display.withLock { $0 = Display(zone: zone, dates: dates) }
  }

  /// The form of dates for people.
  package static var dates: DateForm { display.withLock { $0.dates } }

  /// The start of a local day.
  package static func midnight(of date: CivilDate) -> Timestamp { local(date, hour: 0, minute: 0, second: 0) }

  /// The time at which local clocks show this. `mktime`.
  package static func local(_ date: CivilDate, hour: Int, minute: Int, second: Int) -> Timestamp {
    if let zone = display.withLock({ $0.zone }) {
      let seconds = Int64(date.daysSinceEpoch) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
      return zone.time(ofLocal: seconds)
    }
    var fields = tm()
    fields.tm_year = Int32(date.year - 1900)
    fields.tm_mon = Int32(date.month - 1)
    fields.tm_mday = Int32(date.day)
    (fields.tm_hour, fields.tm_min, fields.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
    fields.tm_isdst = -1
    return Timestamp(seconds: Int64(mktime(&fields)))
  }

  /// The local offset from UTC at a time, seconds, positive east. `localtime_r`.
  package static func offset(at time: Timestamp) -> Int64 {
    if let zone = display.withLock({ $0.zone }) { return zone.offset(at: time) }
    var seconds = time_t(time.seconds)
    var fields = tm()
    // A year out of range of the C library is shown in UTC.
    guard localtime_r(&seconds, &fields) != nil else { return 0 }
    return Int64(fields.tm_gmtoff)
  }

  /// The local date of a time. `localtime_r`.
  package static func localDate(of time: Timestamp) -> CivilDate {
    if let zone = display.withLock({ $0.zone }) {
      let seconds = time.adding(seconds: zone.offset(at: time)).seconds
      return CivilDate(daysSinceEpoch: Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400))
    }
    var seconds = time_t(time.seconds)
    var fields = tm()
    localtime_r(&seconds, &fields)
    let days = CivilDate(year: Int(fields.tm_year) + 1900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday))
    return days ?? CivilDate(daysSinceEpoch: 0)
  }
}

extension Timestamp {
  /// The local minute, for people: `2026-07-01 18:05`. Formats for programs have `rfc3339`.
  package var local: String {
    let text = adding(seconds: Clock.offset(at: self)).rfc3339
    return "\(Clock.dates.text(ofISO: String(text.prefix(10)))) \(text.dropFirst(11).prefix(5))"
  }
}
