extension Timestamp {
  /// The time relative to `now`, in at most 10 columns: `just now`, `59 min ago`, `23 h ago`, `6 d ago`, else the local
  /// date `2026-07-01`; always the date for a time in the future.
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
