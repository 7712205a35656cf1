import Core
import Exporters
import Messages

/// A row of the list of preferences.
package struct PreferenceListRow: MachineRow {
  package let preference: Preference
  /// The channel that has a value of its own; nil for all.
  package let channel: SubscriptionID?
  package let channelTitle: String?
  package let value: String
  /// What the value would be if it were unset.
  package let standard: String
  package let source: Preferences.Source

  /// Every preference, and after each the channels that have a value of their own.
  package static func rows(in session: Session) throws -> [PreferenceListRow] {
    let preferences = try session.preferences
    var rows: [PreferenceListRow] = []
    for row in Preference.table {
      let (value, source) = try preferences.value(row.preference)
      let standard = try preferences.standard(row.preference).value
      rows.append(
        PreferenceListRow(
          preference: row.preference, channel: nil, channelTitle: nil, value: value, standard: standard,
          source: source))
      guard row.isPerChannel else { continue }
      for channel in preferences.channelSpeeds {
        rows.append(
          PreferenceListRow(
            preference: row.preference, channel: channel, channelTitle: try session.title(of: channel),
            value: try preferences.value(row.preference, of: channel).value, standard: value, source: .person))
      }
    }
    return rows
  }

  /// Where the value comes from: `preference`, the name of a setting, or `default`.
  package var sourceWord: String {
    switch source {
    case .person: "preference"
    case .setting(let name): name
    case .standard: "default"
    }
  }

  package static let members: [(name: String, value: @Sendable (PreferenceListRow) -> ExportedValue)] = [
    ("preference", { .text($0.preference.rawValue) }),
    ("value", { .text($0.value) }),
    ("default", { .text($0.standard) }),
    ("source", { .text($0.sourceWord) }),
    ("channel", { .text($0.channel?.description) }),
    ("channelTitle", { .text($0.channelTitle) }),
    ("summary", { .text($0.preference.row.summary) }),
  ]
  package var id: String { preference.rawValue }
  package var page: String? { channel?.url }
}
