import App
import Core
import EventLog
import Exporters
import Platform
import Terminal

/// The settings in effect, as `config` of both programs shows them.
package enum SettingsTable {
  /// Below this many columns, values go on separate lines.
  private static let narrow = 64

  /// Writes the settings in effect and the folder of the log, if there is one, and reports what is wrong with the names of
  /// settings.
  package static func show(_ settings: Settings, log: String?, _ formatting: FormatOptions) throws {
    for finding in settings.findings { StandardError.report(finding) }
    let rows = SettingRow.rows(of: settings)
    var output = Output()
    if formatting.format == .table {
      let absent = File.exists(settings.path) ? "" : " (does not exist)"
      output.write("settings file: \(DisplayText(settings.path).text)\(absent)\n")
      if let log { output.write("log: \(DisplayText(log).text)\n") }
      let terminal = Terminal(formatting.color)
      if let width = terminal.width, width < SettingsTable.narrow {
        // A truncated name is useless.
        for row in rows {
          output.write("\(row.name)\n  \(DisplayText(row.value).text) (\(DisplayText(row.source).text))\n")
        }
      } else {
        output.write(TextTable.settings(rows), for: terminal)
      }
    } else {
      RowFormat.write(rows, as: formatting.format, to: &output)
    }
    try output.finish()
  }
}

/// A row of `config`.
struct SettingRow: MachineRow {
  let name: String
  /// The value as it may be shown.
  let value: String
  /// `environment`, `default`, or the settings file and line: `~/.config/metube-rss/env:3`.
  let source: String

  /// Every setting that is set or has a default.
  static func rows(of settings: Settings) -> [SettingRow] {
    settings.known.compactMap { name, standard in
      guard let entry = settings.entry(name) else {
        return standard.map { SettingRow(name: settings.key(name), value: $0, source: "default") }
      }
      let source = entry.line.map { "\(settings.path):\($0)" } ?? "environment"
      return SettingRow(
        name: settings.key(name), value: shown(entry.value, of: name, isSecret: settings.isSecret(name)), source: source
      )
    }
  }

  /// A value without keys and passwords.
  private static func shown(_ value: String, of name: String, isSecret: Bool) -> String {
    if isSecret { return "(set, not shown)" }
    // A user name and password stand before the last @ of a URL's authority.
    guard name == "PROXY" || name.hasSuffix("_URL"), let end = value.lastIndex(of: "@") else { return value }
    let scheme = value.firstRange(of: "://").map { value[..<$0.upperBound] } ?? ""
    return "\(scheme)…\(value[end...])"
  }

  static let members: [(name: String, value: @Sendable (SettingRow) -> ExportedValue)] = [
    ("setting", { .text($0.name) }), ("value", { .text($0.value) }), ("source", { .text($0.source) }),
  ]
  var id: String { name }
  var page: String? { nil }
}

extension TextTable {
  /// The table of `config`.
  static func settings(_ rows: [SettingRow]) -> TextTable {
    var table = TextTable(columns: [
      Column("setting", minimum: 31, maximum: nil), Column("value", minimum: 16, maximum: nil, isFlexible: true),
      Column("from", minimum: 11, maximum: nil),
    ])
    for row in rows { table.add([Cell(row.name, tint: .green), Cell(row.value), Cell(row.source, tint: .cyan)]) }
    return table
  }
}
