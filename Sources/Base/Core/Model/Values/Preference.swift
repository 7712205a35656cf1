/// A preference of the person. It is an event of the log, so that it travels with the person, unlike a setting of a
/// machine.
package enum Preference: String, CaseIterable, Sendable {
  case order, sort, shorts
  case readMeans = "read-means"
  case timeZone = "time-zone"
  case dates, density, theme, autoplay
  case watchedAt = "watched-at"
  case speed
}

/// A row of the table of preferences, which terminal, API, page and documents share.
package struct PreferenceRow: Sendable {
  package let preference: Preference
  package let values: PreferenceValues
  /// The value where the person set none.
  package let standard: String
  /// The setting of metube-rss that replaces the default, without its prefix; nil if no setting does.
  package let setting: String?
  /// Whether a channel may have a value of its own.
  package let isPerChannel: Bool
  /// The label of a form, and what it does.
  package let title: String
  package let summary: String
}

/// The values that a preference takes.
package enum PreferenceValues: Equatable, Sendable {
  case choice([String])
  /// `local`, or a name of the time zone database: `Europe/Berlin`.
  case timeZone
  /// `90%` of a video, or seconds before its end: `30s`.
  case threshold
  /// A factor from 0.25 to 4: `1.5`.
  case speed
}

extension Preference {
  /// The table of preferences.
  package static let table: [PreferenceRow] = [
    row(
      .order, .choice(["newest", "oldest", "catch-up", "mix"]), "newest", setting: "ORDER", "Order of lists",
      "The order of lists that specify none."),
    row(.sort, .choice(["published", "found"]), "published", "Sort by", "The time by which lists are sorted."),
    row(.shorts, .choice(["hide", "show"]), "hide", "Shorts", "Shorts of channels that have no setting of their own."),
    row(
      .readMeans, .choice(["watched", "skipped"]), "watched", setting: "READ_MEANS", "Read in a reader means",
      "What “read” in a feed reader marks a video as."),
    row(
      .timeZone, .timeZone, "local", "Time zone",
      "The zone of times: local for the machine's, or a name such as Europe/Berlin."),
    row(
      .dates, .choice(["ymd", "dmy", "mdy"]), "ymd", "Dates", "The form of dates: 2026-11-22, 22.11.2026 or 11/22/2026."
    ),
    row(
      .density, .choice(["comfortable", "compact"]), "comfortable", "Density", "How much space lists take on the page."),
    row(.theme, .choice(["system", "light", "dark"]), "system", "Theme", "The colours of the page."),
    row(
      .autoplay, .choice(["yes", "no"]), "yes", "Play the next video",
      "Whether the page plays the next video of the list when one ends."),
    row(
      .watchedAt, .threshold, "90%", "Watched at",
      "When a video that plays counts as watched: a share such as 90%, or seconds before its end, such as 30s."),
    row(
      .speed, .speed, "1", isPerChannel: true, "Speed",
      "The playback speed, 0.25 to 4; YouTube's player takes at most 2."),
  ]

  private static func row(
    _ preference: Preference, _ values: PreferenceValues, _ standard: String, setting: String? = nil,
    isPerChannel: Bool = false, _ title: String, _ summary: String
  ) -> PreferenceRow {
    PreferenceRow(
      preference: preference, values: values, standard: standard, setting: setting, isPerChannel: isPerChannel,
      title: title, summary: summary)
  }

  /// The row of this preference.
  package var row: PreferenceRow {
    Preference.table.first { $0.preference == self } ?? Preference.row(self, .choice([]), "", rawValue, "")
  }
}

extension PreferenceValues {
  /// A value as it is stored; nil if the text is not a value. Callers with a time zone database check whether a zone
  /// exists.
  package func canonical(_ text: String) -> String? {
    switch self {
    case .choice(let choices): choices.contains(text) ? text : nil
    case .timeZone: PreferenceValues.isZoneName(text) ? text : nil
    case .threshold: WatchedThreshold(text)?.description
    case .speed: PlaybackSpeed(text)?.description
    }
  }

  /// The values, for a message: `hide or show`.
  package var text: String {
    switch self {
    case .choice(let choices):
      "\(choices.dropLast().joined(separator: ", ")) or \(choices.last ?? "")"
    case .timeZone: "local, or a time zone such as Europe/Berlin"
    case .threshold: "1% to 100% of the length, or 0s to 3600s before the end"
    case .speed: "a factor from 0.25 to 4, such as 1.5"
    }
  }

  /// Whether a text has the form of a zone's name: no path that leaves the database.
  private static func isZoneName(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return text.utf8.count <= 64
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
              UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
              true
            default: false
            }
          }
      }
  }
}

/// When a video that plays counts as watched.
package enum WatchedThreshold: Equatable, Sendable {
  /// Percent of the video's length, 1 to 100.
  case share(Int)
  /// Seconds before its end.
  case beforeEnd(Int)

  /// Parses `90%` or `30s`; nil if malformed or out of range.
  package init?(_ text: String) {
    let digits = text.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), digits.utf8.count <= 4,
      let number = Int(digits)
    else { return nil }
    switch text.last {
    case "%" where (1...100).contains(number): self = .share(number)
    case "s" where number <= 3600: self = .beforeEnd(number)
    default: return nil
    }
  }

  /// The position, seconds, from which a video of this length counts as watched. Of a video that is shorter than the
  /// seconds before its end, that is the end itself.
  package func position(in duration: Double) -> Double {
    switch self {
    case .share(let percent): duration * Double(percent) / 100
    case .beforeEnd(let seconds): Double(seconds) < duration ? duration - Double(seconds) : duration
    }
  }
}

extension WatchedThreshold: CustomStringConvertible {
  package var description: String {
    switch self {
    case .share(let percent): "\(percent)%"
    case .beforeEnd(let seconds): "\(seconds)s"
    }
  }
}

/// A playback speed, in hundredths.
package struct PlaybackSpeed: Equatable, Sendable {
  package let hundredths: Int

  /// Parses `1.5`, at most two decimals; nil if malformed or out of range.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
    guard areDigits, (1...2).contains(parts.count), parts[0].utf8.count <= 2, let whole = Int(parts[0]) else {
      return nil
    }
    let decimals = parts.count == 2 ? parts[1] : ""
    guard decimals.utf8.count <= 2 else { return nil }
    let hundredths = whole * 100 + (Int(decimals.utf8.count == 1 ? "\(decimals)0" : decimals) ?? 0)
    guard (25...400).contains(hundredths) else { return nil }
    self.hundredths = hundredths
  }
}

extension PlaybackSpeed: CustomStringConvertible {
  package var description: String {
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}

/// The form of a date.
package enum DateForm: String, CaseIterable, Sendable {
  case ymd, dmy, mdy

  /// A date in this form, from `2026-11-22`.
  package func text(ofISO date: String) -> String {
    let parts = date.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return date }
    return switch self {
    case .ymd: date
    case .dmy: "\(parts[2]).\(parts[1]).\(parts[0])"
    case .mdy: "\(parts[1])/\(parts[2])/\(parts[0])"
    }
  }
}
