import App
import ArgumentParser
import Arguments
import Core
import Messages
import Platform
import Terminal

/// `preferences`: what the person prefers, on all devices.
struct PreferencesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preferences", abstract: "Show and change your preferences, which travel with you.",
    discussion: """
      Preferences are part of the log: they hold on every device that syncs, and on
      the hub's page. Settings are of one machine; see metube-rss config. An option
      on the command line overrides a preference, and a preference the settings
      METUBE_RSS_ORDER and METUBE_RSS_READ_MEANS, which are only its defaults.

      Examples:
        metube-rss preferences
        metube-rss preferences set order oldest
        metube-rss preferences set speed 1.5 --channel Kurzgesagt
        metube-rss preferences unset order
      """,
    subcommands: [PreferencesListCommand.self, PreferencesSetCommand.self, PreferencesUnsetCommand.self],
    defaultSubcommand: PreferencesListCommand.self)
}

/// `preferences list`: the preferences in effect.
struct PreferencesListCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the preferences in effect, and where each comes from.",
    discussion: """
      Values:
      \(PreferencesListCommand.values)

      Examples:
        metube-rss preferences list
        metube-rss preferences --format json
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var formatting: FormatOptions

  /// The names and their values, in lines of at most 80 columns.
  private static var values: String {
    Preference.table.map { "  \($0.preference.rawValue): \($0.values.text)" }.joined(separator: "\n")
  }

  func validate() throws {
    if formatting.format == .urls { throw ValidationError("preferences have no URLs") }
  }

  func run(in session: Session, to output: inout Output) throws {
    let rows = try PreferenceListRow.rows(in: session)
    guard formatting.format == .table else { return RowFormat.write(rows, as: formatting.format, to: &output) }
    output.write(TextTable.preferences(rows), for: Terminal(formatting.color))
  }
}

/// `preferences set`: sets a preference.
struct PreferencesSetCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set a preference.",
    discussion: """
      metube-rss preferences list --help lists the names and their values.

      Examples:
        metube-rss preferences set shorts show
        metube-rss preferences set time-zone Europe/Berlin
        metube-rss preferences set watched-at 30s
      """)
  @OptionGroup var common: CommonOptions
  @Option(text: "Only for this channel, by ID, address, handle or title.", completion: Completion.channels)
  var channel: String?
  @Argument(
    text: "The preference.", value: "name", completion: .list(Preference.allCases.map(\.rawValue))) var name: String
  @Argument(text: "Its value.", value: "value") var value: String

  func run(in session: Session, to output: inout Output) throws {
    try PreferenceWriter.write(PreferenceChange(name: name, value: value, channel: channel), session, to: &output)
  }
}

/// `preferences unset`: returns a preference to its default.
struct PreferencesUnsetCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset", abstract: "Return a preference to its default.",
    discussion: """
      Examples:
        metube-rss preferences unset order
        metube-rss preferences unset speed --channel Kurzgesagt
      """)
  @OptionGroup var common: CommonOptions
  @Option(text: "Only for this channel, by ID, address, handle or title.", completion: Completion.channels)
  var channel: String?
  @Argument(
    text: "The preference.", value: "name", completion: .list(Preference.allCases.map(\.rawValue))) var name: String

  func run(in session: Session, to output: inout Output) throws {
    try PreferenceWriter.write(PreferenceChange(name: name, value: nil, channel: channel), session, to: &output)
  }
}

/// What `set` and `unset` have in common.
private enum PreferenceWriter {
  static func write(_ change: PreferenceChange, _ session: Session, to output: inout Output) throws {
    let events = try PreferenceChange.commit([change], in: session)
    guard let event = events.first else {
      return output.write("no change\n")
    }
    output.write("\(try UserMessages.outcome(event.body, in: session) ?? "")\n")
  }
}

extension TextTable {
  /// The table of `preferences`.
  fileprivate static func preferences(_ rows: [PreferenceListRow]) -> TextTable {
    var table = TextTable(columns: [
      Column("preference", minimum: 11, maximum: nil), Column("value", minimum: 9, maximum: nil),
      Column("default", minimum: 9, maximum: nil), Column("from", minimum: 10, maximum: nil),
      Column("channel", minimum: 7, maximum: nil, isFlexible: true),
    ])
    for row in rows {
      table.add([
        Cell(row.preference.rawValue, tint: .green), Cell(row.value), Cell(row.standard),
        Cell(row.sourceWord, tint: .cyan), Cell(row.channelTitle ?? ""),
      ])
    }
    return table
  }
}
