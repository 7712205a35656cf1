import Core

/// A moment as a person types it: `3d` (three days ago; s, m, h, d, w), `2026-11-01` (local midnight) or RFC 3339.
struct Moment {
  let time: Timestamp

  /// The moment in `text`, counted back from `now` where it is a span.
  init(_ text: String, before now: Timestamp, option: String) throws {
    if let span = Moment.span(text) {
      time = now.adding(seconds: -span)
    } else if let date = Moment.date(text) {
      time = Clock.midnight(of: date)
    } else if let exact = Timestamp(rfc3339: text) {
      time = exact
    } else {
      throw Failure(
        .usage, "\(option): \(text) is no time; write 3d, 12h or 2w, a date such as 2026-11-01, or RFC 3339")
    }
  }

  /// The moment in `text`, counted on from `now` where it is a span; a moment that is over is refused.
  init(_ text: String, after now: Timestamp, argument: String) throws {
    if let span = Moment.span(text) {
      time = now.adding(seconds: span)
    } else {
      time = try Moment(text, before: now, option: argument).time
    }
    guard time > now else { throw Failure(.usage, "\(argument): \(text) is over; give a time to come, such as 3d") }
  }

  /// The seconds in `90s`, `15m`, `12h`, `3d` or `2w`.
  static func span(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    guard let last = text.last, let unit = units[last], let count = Int64(text.dropLast()), count >= 0,
      count <= 1_000_000
    else { return nil }
    return count * unit
  }

  private static func date(_ text: String) -> CivilDate? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, let year = Int(parts[0]), let month = Int(parts[1]),
      let day = Int(parts[2])
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }
}

/// A length of time as a person types it: `12:34`, `1:02:03`, `90s`, `12m`, `2h` or a number of seconds.
struct Length {
  let seconds: Int

  init(_ text: String, option: String) throws {
    if let seconds = PlayingTime.seconds(text) {
      self.seconds = seconds
    } else if let span = Moment.span(text) {
      seconds = Int(span)
    } else {
      throw Failure(.usage, "\(option): \(text) is no length; write 12:34, 90s, 12m or 2h")
    }
  }
}
