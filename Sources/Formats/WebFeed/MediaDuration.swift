/// How long media last, as feeds write it.
enum MediaDuration {
  /// The longest duration believed, in seconds: 11 days.
  static let limit = 1_000_000.0

  /// Seconds from `3661`, `3661.5`, `61:01`, `1:01:01`, `00:90:00`, `1:01:01.5`, `1h 1m 1s`, `61 minutes`, `PT1H1M1S`; nil if
  /// malformed, 0 or over the limit.
  static func seconds(_ text: String) -> Int? {
    guard text.utf8.count <= 64, let seconds = digits(text) ?? any(text.lowercased()), seconds > 0, seconds <= limit
    else { return nil }
    return max(1, Int(seconds.rounded(.down)))
  }

  private static func any(_ text: String) -> Double? { clock(text) ?? words(text) }

  /// At most three numbers of digits alone between colons, as nearly all are; nil for anything else.
  private static func digits(_ text: String) -> Double? {
    var (seconds, number, count, colons) = (0, 0, 0, 0)
    for byte in text.utf8 {
      if byte.isDigit, count < 9 {
        number = number * 10 + Int(byte - UInt8(ascii: "0"))
        count += 1
      } else if byte == UInt8(ascii: ":"), count > 0, colons < 2 {
        (seconds, number, count, colons) = ((seconds + number) * 60, 0, 0, colons + 1)
      } else {
        return nil
      }
    }
    return count > 0 ? Double(seconds + number) : nil
  }

  /// Numbers between colons. The first may have any value; the last a fraction.
  private static func clock(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...4).contains(parts.count) else { return nil }
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      let part = part.filter { $0 != " " }
      // `::30` and `:30`: an empty part is 0.
      guard let value = part.isEmpty && parts.count > 1 ? 0 : number(part, mayHaveFraction: index == parts.count - 1)
      else { return nil }
      // Days have 24 hours, if somebody writes four parts.
      seconds = seconds * (parts.count == 4 && index == 1 ? 24 : 60) + value
    }
    return seconds
  }

  private static func number(_ text: some StringProtocol, mayHaveFraction: Bool) -> Double? {
    guard (1...12).contains(text.utf8.count),
      text.utf8.allSatisfy({ $0.isDigit || mayHaveFraction && ($0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",")) })
    else { return nil }
    return Double(String(text).replacing(",", with: "."))
  }

  /// Numbers with units, in letters that begin their names.
  private static func words(_ text: String) -> Double? {
    var (seconds, found) = (0.0, false)
    var rest = text[...]
    if rest.hasPrefix("p") { rest.removeFirst() }
    while let first = rest.first {
      guard first.isASCII, first.isNumber else {
        // `and`, spaces, and the `t` of ISO 8601.
        guard first == " " || first == "," || first == "t" || rest.hasPrefix("and") else { return nil }
        rest = rest.dropFirst(rest.hasPrefix("and") ? 3 : 1)
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      rest = rest[digits.endIndex...].drop { $0 == " " }
      let unit = rest.prefix { $0.isLetter }
      rest = rest[unit.endIndex...]
      // `1h30`
      let end = unit.firstIndex { !$0.isASCII } ?? unit.endIndex
      guard let value = Double(digits), let factor = factor(of: unit[..<end]) else { return nil }
      seconds += value * factor
      found = true
    }
    return found ? seconds : nil
  }

  private static func factor(of unit: Substring) -> Double? {
    switch unit {
    case "d", "day", "days": 86_400
    case "h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden", "heure", "heures": 3600
    case "m", "min", "mins", "minute", "minutes", "minuten": 60
    case "s", "sec", "secs", "second", "seconds", "sek", "sekunden": 1
    default: nil
    }
  }
}
