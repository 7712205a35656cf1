import Core

/// The Data API's quota day, which begins at midnight in California.
package enum PacificDay {
  /// The quota day at a given time.
  package static func of(_ time: Timestamp) -> CivilDate {
    CivilDate(daysSinceEpoch: days(time.seconds + offset(at: time)))
  }

  /// When the next day begins.
  package static func end(of time: Timestamp) -> Timestamp {
    let midnight = Int64(of(time).daysSinceEpoch + 1) * 86_400
    // Clocks change at 2 o'clock, so midnight has the same offset as the hour before it.
    let guess = Timestamp(seconds: midnight - standard)
    return Timestamp(seconds: midnight - offset(at: guess.adding(seconds: -3601)))
  }

  private static let standard: Int64 = -8 * 3600
  private static let summer: Int64 = -7 * 3600

  /// The UTC offset in seconds. Daylight saving time lasts from 2:00 standard time on the second Sunday of March to
  /// 2:00 daylight time on the first Sunday of November: 15 U.S.C. 260a, since 2007.
  private static func offset(at time: Timestamp) -> Int64 {
    let year = CivilDate(daysSinceEpoch: days(time.seconds + standard)).year
    let begins = sunday(2, month: 3, year: year) * 86_400 + 2 * 3600 - standard
    let ends = sunday(1, month: 11, year: year) * 86_400 + 2 * 3600 - summer
    return time.seconds >= begins && time.seconds < ends ? summer : standard
  }

  /// The nth Sunday of a month, in days since 1970.
  private static func sunday(_ number: Int, month: Int, year: Int) -> Int64 {
    guard let first = CivilDate(year: year, month: month, day: 1)?.daysSinceEpoch else { return 0 }
    // 1970-01-01 was a Thursday, so the third day after it was a Sunday.
    let untilSunday = ((3 - first) % 7 + 7) % 7
    return Int64(first + untilSunday + 7 * (number - 1))
  }

  private static func days(_ seconds: Int64) -> Int {
    Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400)
  }
}
