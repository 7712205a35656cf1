import App
import Core
import HubCore
import HubPage

/// The preferences on the page.
extension HubService {
  /// The form of all preferences.
  func preferencesView(_ call: HubCall) throws -> RouteResponse {
    let preferences = try session.preferences
    let lines = try Preference.table.map { row in
      let (value, source) = try preferences.value(row.preference)
      return PreferencesView.Line(
        row: row, value: source == .person ? value : nil, standard: try preferences.standard(row.preference).value)
    }
    let speeds = try preferences.channelSpeeds.map { id in
      PreferencesView.ChannelSpeed(title: try session.title(of: id), id: id, speed: preferences.speed(of: id))
    }
    let frame = frame(call, .settings, "Preferences", at: PagePath(["settings", "preferences"]))
    return PageProblem.document(frame, PreferencesView(lines: lines, channelSpeeds: speeds).html(in: frame))
  }

  /// Sets the preferences of a form, as one action. An empty field returns to the default.
  func preferencesForm(_ call: HubCall) throws -> RouteResponse {
    let changes = Preference.allCases.compactMap { preference in
      call.field(preference.rawValue).map { text in
        let value = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return PreferenceChange(name: preference.rawValue, value: value.isEmpty ? nil : value)
      }
    }
    guard !changes.isEmpty else { throw HubProblem(400, "The form has no preference.") }
    let events = try PreferenceChange.commit(changes, in: session)
    return try done(call, changed: events.count, fallback: PagePath(["settings", "preferences"]))
  }

  /// How the page looks and plays for this user.
  var look: PageLook {
    var look = PageLook()
    // A page without them is better than none.
    guard let preferences = try? session.preferences else { return look }
    (look.theme, look.density) = (preferences.theme, preferences.density)
    (look.watchedAt, look.playsNext) = (preferences.watchedAt.description, preferences.playsNext)
    look.speed = preferences.speed(of: nil)
    for channel in preferences.channelSpeeds { look.channelSpeeds["\(channel)"] = preferences.speed(of: channel) }
    return look
  }

  /// The playback speed of a channel, if it has its own, and the one of all.
  func speed(of channel: SubscriptionID) throws -> (own: String?, usual: String) {
    let preferences = try session.preferences
    let hasOwn = preferences.channelSpeeds.contains(channel)
    return (hasOwn ? preferences.speed(of: channel) : nil, preferences.speed(of: nil))
  }

  /// The mode of a list whose address names none.
  var usualMode: FeedQuery.Mode {
    get throws {
      switch try session.preferences.order(sortedBy: nil) {
      case .usual, .newest: .newest
      case .oldest: .oldest
      case .catchUp: .catchUp
      case .mix: .mix
      }
    }
  }
}
