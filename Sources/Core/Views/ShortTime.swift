extension Timestamp {
  /// The time as a table shows it at `now`, in at most 10 columns: `just now`, `59 min ago`, `23 h ago`, `6 d ago`,
  /// else the person's day, `2026-07-01`; a time to come is always the day.
  package func short(at now: LocalMoment) -> String {
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
  /// How long it is until then, to the nearest unit that measures it: `3 d`, `12 h`, `5 min`.
  package func wait(from now: Timestamp) -> String {
    let seconds = max(0, self.seconds(since: now))
    switch seconds {
    case 84_600...: return "\((seconds + 43_200) / 86_400) d"
    case 3570...: return "\((seconds + 1800) / 3600) h"
    default: return "\(max(1, (seconds + 30) / 60)) min"
    }
  }
}

/// A length of time as players show it.
package enum PlayingTime {
  /// `0:09`, `4:13`, `1:02:03`; what is negative counts as 0.
  package static func text(seconds: Int) -> String {
    let seconds = max(0, seconds)
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let end = ":" + twoDigits(seconds % 60)
    return hours > 0 ? "\(hours):" + twoDigits(minutes) + end : "\(minutes)" + end
  }

  /// The seconds in `9`, `0:09`, `4:13` or `1:02:03`; nil where a text is none of these or is over 11 days.
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
