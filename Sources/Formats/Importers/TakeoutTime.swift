import Core

extension Timestamp {
  /// Parses a time from Takeout's HTML if it is unambiguous: `Jan 5, 2021, 10:15:00 AM GMT+01:00`, `5 Jan 2021,
  /// 10:15:00 UTC`, `2021-01-05 10:15:00 UTC`.
  ///
  /// Nil if the month's name is not English, if day and month could be swapped, or if the zone is an abbreviation of
  /// several zones: `CST` and `IST` are three each.
  init?(takeoutText text: String) {
    var tokens = text.split { $0.isWhitespace || $0 == "," || $0 == "\u{202F}" }[...]
    guard let zone = tokens.popLast().flatMap(Timestamp.offset), let last = tokens.popLast() else { return nil }
    let isAfternoon = last.uppercased() == "PM"
    let isHalfDay = isAfternoon || last.uppercased() == "AM"
    guard let clock = isHalfDay ? tokens.popLast() : last, let time = Timestamp.clock(clock),
      let date = Timestamp.date(Array(tokens))
    else { return nil }
    var hour = time.hour
    if isHalfDay {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    let seconds = date.daysSinceEpoch * 86_400 + hour * 3600 + time.minute * 60 + time.second - zone
    self.init(seconds: Int64(seconds))
  }

  /// Half hours ahead of UTC, of the abbreviations that stand for one offset in the tz database and nowhere else.
  private static let halfHours = [
    "ACDT": 21, "ACST": 19, "AEDT": 22, "AEST": 20, "AKDT": -16, "AKST": -18, "AWST": 16, "CEST": 4, "CET": 2,
    "EEST": 6,
    "EET": 4, "JST": 18, "KST": 18, "MDT": -12, "NZDT": 26, "NZST": 24, "SAST": 4, "TRT": 6, "WEST": 2, "WIB": 14,
  ]

  /// The UTC offset in seconds of `UTC`, `GMT`, `GMT+1`, `UTC-03:30` or `AEDT`.
  private static func offset(_ zone: Substring) -> Int? {
    if let halfHours = halfHours[String(zone)] { return halfHours * 1800 }
    guard zone.hasPrefix("UTC") || zone.hasPrefix("GMT") else { return nil }
    let rest = zone.dropFirst(3)
    guard let sign = rest.first else { return 0 }
    let parts = rest.dropFirst().split(separator: ":", omittingEmptySubsequences: false).map(number)
    guard sign == "+" || sign == "-" || sign == "\u{2212}", let hours = parts[0], hours <= 14, parts.count <= 2 else {
      return nil
    }
    guard let minutes = parts.count == 2 ? parts[1] : 0, minutes < 60 else { return nil }
    return (sign == "+" ? 1 : -1) * (hours * 3600 + minutes * 60)
  }

  private static func clock(_ text: Substring) -> (hour: Int, minute: Int, second: Int)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(number)
    guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2] else { return nil }
    guard hour < 24, minute < 60, second < 60 else { return nil }
    return (hour, minute, second)
  }

  private static func date(_ tokens: [Substring]) -> CivilDate? {
    if tokens.count == 1 {
      let parts = tokens[0].split { $0 == "-" || $0 == "/" }.map(number)
      guard parts.count == 3, let year = parts[0], year > 1000, let month = parts[1], let day = parts[2] else {
        return nil
      }
      return CivilDate(year: year, month: month, day: day)
    }
    guard tokens.count == 3, let year = number(tokens[2]), year > 1000 else { return nil }
    if let month = month(tokens[0]), let day = number(tokens[1]) {
      return CivilDate(year: year, month: month, day: day)
    }
    guard let day = number(tokens[0]), let month = month(tokens[1]) else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }

  /// The month, from 1, for an English name or at least its first three letters.
  private static func month(_ name: Substring) -> Int? {
    guard name.utf8.count >= 3 else { return nil }
    return months.firstIndex { $0.hasPrefix(name) }.map { $0 + 1 }
  }

  private static func number(_ digits: Substring) -> Int? {
    guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(digits)
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
}
