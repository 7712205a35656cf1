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
