import Core
import Terminal

extension LocalTime {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
  private static let weekdays = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]

  /// The days from 1970-01-01 to the local day of a moment.
  private func days(_ moment: Timestamp) -> Int {
    let seconds = moment.adding(seconds: offset(moment)).seconds
    return Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400)
  }

  /// A day as a heading: `Today`, `Yesterday`, `Friday`, `12 November`, `12 November 2025`.
  package func heading(of moment: Timestamp) -> String {
    let (day, today) = (days(moment), days(time))
    switch today - day {
    case 0: return "Today"
    case 1: return "Yesterday"
    case 2..<7: return LocalTime.weekdays[(day % 7 + 7) % 7]
    default:
      let date = CivilDate(daysSinceEpoch: day)
      let month = LocalTime.months[date.month - 1]
      let text = dates == .mdy ? "\(month) \(date.day)" : "\(date.day) \(month)"
      guard date.year != CivilDate(daysSinceEpoch: today).year else { return text }
      return "\(text)\(dates == .mdy ? "," : "") \(date.year)"
    }
  }

  /// The section of a list that a moment belongs to: its day within the last week, else its month, so that few videos
  /// fill their rows. `("2026-11-22", "Today")`, `("2026-11", "Earlier in November")`, `("2025-12", "December 2025")`.
  func section(of moment: Timestamp) -> (key: String, heading: String) {
    let today = days(time)
    guard today - days(moment) >= 7 else { return (isoDay(of: moment), heading(of: moment)) }
    let (date, now) = (CivilDate(daysSinceEpoch: days(moment)), CivilDate(daysSinceEpoch: today))
    let month = LocalTime.months[date.month - 1]
    let key = String(isoDay(of: moment).prefix(7))
    guard date.year == now.year else { return (key, "\(month) \(date.year)") }
    return (key, date.month == now.month ? "Earlier in \(month)" : month)
  }

  /// The local time of day: `18:05`.
  private func clock(_ moment: Timestamp) -> String {
    String(moment.adding(seconds: offset(moment)).rfc3339.dropFirst(11).prefix(5))
  }

  /// A moment near now: `today 18:05`, `Friday 18:05`, `12 November 18:05`.
  package func moment(_ moment: Timestamp) -> String {
    let distance = days(moment) - days(time)
    let day = distance == 1 ? "tomorrow" : heading(of: moment)
    return "\(["Today", "Yesterday"].contains(day) ? day.lowercased() : day) \(clock(moment))"
  }

  /// How long ago a moment was, in the largest unit: `just now`, `5 min ago`, `3 h ago`, `6 days ago`, `2 weeks ago`,
  /// `4 months ago`, `1 year ago`; of one to come its moment.
  package func ago(_ moment: Timestamp) -> String {
    let age = time.seconds(since: moment)
    func text(_ size: Int64, _ unit: String) -> String { "\(age / size) \(unit)\(age / size == 1 ? "" : "s") ago" }
    switch age {
    case ..<0: return self.moment(moment)
    case ..<60: return "just now"
    case ..<3600: return "\(age / 60) min ago"
    case ..<86_400: return "\(age / 3600) h ago"
    case ..<604_800: return text(86_400, "day")
    case ..<2_629_800: return text(604_800, "week")
    case ..<31_557_600: return text(2_629_800, "month")
    default: return text(31_557_600, "year")
    }
  }

  /// The local date and time: `2026-11-22 18:05`.
  package func long(_ moment: Timestamp) -> String { minute(of: moment) }
}
