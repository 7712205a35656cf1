import Core
import Library
import Messages
import Platform
import ReadModel
import Terminal

/// The preferences in effect: what the person set, else the setting of this machine that is the default, else the default
/// of the table.
package struct Preferences: Sendable {
  private let registers: PreferenceRegisters
  private let settings: Settings

  package init(_ registers: PreferenceRegisters, _ settings: Settings) {
    (self.registers, self.settings) = (registers, settings)
  }

  /// Where a value comes from.
  package enum Source: Equatable, Sendable {
    /// The person set it: for all, or for the channel.
    case person
    case setting(String)
    case standard
  }

  /// What is in effect where the person set nothing.
  package func standard(_ preference: Preference) throws(AppError) -> (value: String, source: Source) {
    let row = preference.row
    guard let setting = row.setting, let value = settings[setting] else { return (row.standard, .standard) }
    guard let known = row.values.canonical(value) else {
      guard case .choice(let choices) = row.values else { return (row.standard, .standard) }
      throw .setting(settings.key(setting), value: value, choices: choices)
    }
    return (known, .setting(settings.key(setting)))
  }

  /// The value in effect, for a channel or all, and where it comes from.
  package func value(
    _ preference: Preference, of channel: SubscriptionID? = nil
  ) throws(AppError) -> (value: String, source: Source) {
    if let channel, let own = registers.value(preference, of: channel) { return (own, .person) }
    if let value = registers.value(preference) { return (value, .person) }
    return try standard(preference)
  }

  /// The value of a preference whose default no setting replaces: the default cannot be refused.
  private func plain(_ preference: Preference, of channel: SubscriptionID? = nil) -> String {
    (try? value(preference, of: channel).value) ?? preference.row.standard
  }

  /// Throws if a setting that is the default of a preference has another value than those.
  package static func check(_ settings: Settings) throws(AppError) {
    let none = Preferences(PreferenceRegisters(), settings)
    for row in Preference.table { _ = try none.standard(row.preference) }
  }

  // MARK: Values

  /// The order of a list that names none. A list that is sorted by a time on request is arranged by time.
  package func order(sortedBy sort: VideoQuery.Order?) throws(AppError) -> ListRequest.Order {
    switch try value(.order).value {
    case "oldest": .oldest
    case "catch-up" where sort != .found: .catchUp
    case "mix" where sort != .found: .mix
    // A series that the user set so begins with its oldest video all the same.
    default: .usual
    }
  }

  /// The time by which a list is sorted that names none.
  package var sort: VideoQuery.Order { VideoQuery.Order(rawValue: plain(.sort)) ?? .published }

  /// The status that “read” in a feed reader stands for.
  package func readMeans() throws(AppError) -> Status { try value(.readMeans).value == "skipped" ? .skipped : .watched }

  /// The zone of times; nil for the machine's, and if the machine knows no zone of the name.
  package var zone: TimeZoneRules? {
    zoneName.flatMap(TimeZoneRules.named)
  }

  /// The name of the zone; nil for the machine's.
  package var zoneName: String? {
    let name = plain(.timeZone)
    return name == "local" ? nil : name
  }

  package var dates: DateForm { DateForm(rawValue: plain(.dates)) ?? .ymd }

  /// A time in the person's zone.
  package func local(at time: Timestamp) -> LocalTime {
    guard let zone else { return LocalTime(time, dates: dates, offset: Clock.offset) }
    return LocalTime(time, dates: dates) { zone.offset(at: $0) }
  }

  package var density: String { plain(.density) }
  package var theme: String { plain(.theme) }
  package var playsNext: Bool { plain(.autoplay) == "yes" }
  package var watchedAt: WatchedThreshold { WatchedThreshold(plain(.watchedAt)) ?? .share(90) }

  /// Whether a video of a known length that was played up to a position counts as watched.
  package func isWatched(at seconds: Int, of duration: Double?) -> Bool {
    duration.map { $0 > 0 && Double(seconds) >= watchedAt.position(in: $0) } ?? false
  }

  /// The playback speed of a channel's videos: `1.5`.
  package func speed(of channel: SubscriptionID?) -> String { plain(.speed, of: channel) }

  /// The channels that have a speed of their own.
  package var channelSpeeds: [SubscriptionID] { registers.channels(with: .speed) }
}

/// What the person set, as read for a command or a request: until the log grows or time passes.
final class PreferenceMemo {
  var known: (registers: PreferenceRegisters, time: Timestamp, extent: [Int: UInt64])?
}

extension Session {
  /// The preferences in effect. Times, lists and views need them many times; they are read once.
  package var preferences: Preferences {
    get throws {
      if let known = preferenceMemo.known, known.time == now, known.extent == library.extent {
        return Preferences(known.registers, settings)
      }
      let registers = try query { try $0.preferences() }
      preferenceMemo.known = (registers, now, library.extent)
      return Preferences(registers, settings)
    }
  }

  /// Has this process show times as its one user prefers.
  package func showTimes() {
    // A log that cannot be read is reported by what the command does.
    guard let preferences = try? preferences else { return }
    Clock.show(zone: preferences.zone, dates: preferences.dates)
  }
}

/// A preference to set, or to return to its default.
package struct PreferenceChange: Equatable, Sendable {
  package var name: String
  /// Nil to return to the default.
  package var value: String?
  /// ID, address, handle or title; nil for all channels.
  package var channel: String?

  package init(name: String, value: String?, channel: String? = nil) {
    (self.name, self.value, self.channel) = (name, value, channel)
  }

  /// The preference of a name.
  package static func preference(_ name: String) throws(AppError) -> Preference {
    guard let preference = Preference(rawValue: name) else {
      let nearest = Spelling.nearest(to: name, of: Preference.allCases.map(\.rawValue))
      throw .preference(.unknownName(name, nearest: nearest))
    }
    return preference
  }

  /// The event that the change asks for, with the preference it is about.
  private func event(_ channels: ChannelResolver?) throws -> PreferenceSet {
    let preference = try PreferenceChange.preference(name)
    if channel != nil, !preference.row.isPerChannel { throw AppError.preference(.notPerChannel(preference)) }
    let known = try value.map { text in
      guard let known = preference.row.values.canonical(text) else {
        throw AppError.preference(.value(text, of: preference))
      }
      if preference.row.values == .timeZone, known != "local", TimeZoneRules.named(known) == nil {
        throw AppError.preference(.unknownZone(known))
      }
      return known
    }
    return PreferenceSet(name: name, value: known, channel: try channel.flatMap { try channels?.resolve($0) })
  }

  /// Appends the changes that are some, as one action, and returns them. A mistake in one changes nothing.
  package static func commit(_ changes: [PreferenceChange], in session: Session) throws -> [Event] {
    let names =
      changes.allSatisfy { $0.channel == nil } ? nil : ChannelResolver(try session.state, alsoUnfollowed: true)
    let wanted = try changes.map { try $0.event(names) }
    return try session.commit {
      let registers = try session.query { try $0.preferences() }
      return wanted.filter { $0.value != registers.text($0.key) }.map { .preferenceSet($0) }
    }
  }
}
