import App
import ArgumentParser
import Arguments
import Core
import EventLog
import HubCore
import Platform
import SQLDrivers

/// What the hub works on, and its settings: `METUBE_HUB_…` in the environment, else in the settings file.
package struct HubOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Keep log, state, cache and settings in this folder (default: the XDG folders).", valueName: "dir"),
    completion: .directory)
  package var home: String?
  @Option(
    name: .long,
    help: ArgumentHelp("Keep a log for each user, and one catalogue for all, in this folder.", valueName: "dir"),
    completion: .directory)
  package var data: String?
  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      Keep everything in this PostgreSQL database: postgresql://user@host/name. Others \
      on this machine see options: a password belongs into METUBE_HUB_DATABASE or ~/.pgpass.
      """, valueName: "url"))
  package var database: String?
  @Option(
    name: .long,
    help: ArgumentHelp("The schema of the database that has the tables [metube].", valueName: "name"))
  package var schema: String?

  package init() {}

  package func validate() throws {
    let chosen = [("--home", home), ("--data", data), ("--database", database)].filter { $0.1 != nil }
    if chosen.count > 1 {
      throw ValidationError("\(chosen[0].0) and \(chosen[1].0) exclude each other")
    }
    if data?.isEmpty == true { throw ValidationError("--data: the folder's name is empty") }
    if database?.isEmpty == true { throw ValidationError("--database: the address is empty") }
  }

  /// The folders or the database: of the options, else of `METUBE_HUB_HOME`, `METUBE_HUB_DATA` or `METUBE_HUB_DATABASE`
  /// in the environment, else of `METUBE_HUB_DATABASE` in the settings file, else the folders of metube-rss.
  package var location: HubLocation {
    get throws {
      if let home { return .files(.home(home)) }
      if let data { return .files(.data(HubOptions.withoutSlash(data))) }
      let environment = Environment.variables()
      if let database { return .database(try HubOptions.database(at: database, schema: schema)) }
      func value(_ name: String) -> String? { environment["METUBE_HUB_" + name].flatMap { $0.isEmpty ? nil : $0 } }
      let set = ["HOME", "DATA", "DATABASE"].filter { value($0) != nil }
      if set.count > 1 {
        throw Failure(.usage, "METUBE_HUB_\(set[0]) and METUBE_HUB_\(set[1]) exclude each other; unset one")
      }
      if let data = value("DATA") { return .files(.data(HubOptions.withoutSlash(data))) }
      if set == ["HOME"] { return .files(.home(value("HOME"))) }
      if let database = try Settings.standard(of: .hub)["DATABASE"] {
        return .database(try HubOptions.database(at: database, schema: schema))
      }
      return .files(.home(nil))
    }
  }

  /// The database. Throws if the hub has files.
  package func requiredDatabase() throws -> HubDatabase {
    guard let database = try location.database else {
      throw Failure(.usage, "name the database with --database or METUBE_HUB_DATABASE")
    }
    return database
  }

  /// The database at an address, in the schema of the settings unless one is given.
  package static func database(at address: String, schema: String?) throws -> HubDatabase {
    let schema = try schema ?? Settings.standard(of: .hub)["SCHEMA"]
    return try HubDatabase(address: address, schema: schema ?? HubDatabase.standardSchema)
  }

  private static func withoutSlash(_ folder: String) -> String {
    folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
  }

  /// The settings; reports unknown names.
  package func settings() throws -> HubSettings {
    let settings = HubSettings(settings: try location.settings(of: .hub))
    for finding in settings.settings.findings { StandardError.report(finding) }
    return settings
  }
}

/// The settings of the hub.
package struct HubSettings {
  fileprivate let settings: Settings

  /// The values of a setting, which is named without its prefix and separates them by spaces; nil if unset. Throws if
  /// one is invalid.
  package func values<Value: ExpressibleByArgument>(_ name: String) throws -> [Value]? {
    try settings[name]?.split(separator: " ").map { word in
      guard let value = Value(argument: String(word)) else {
        throw Failure(
          .usage, "\(settings.key(name)): “\(DisplayText(String(word)).text)” is invalid; see metube-hub serve --help")
      }
      return value
    }
  }

  /// A setting of one word; nil if unset. Throws if it is invalid.
  package func value<Value: ExpressibleByArgument>(_ name: String) throws -> Value? {
    guard let values: [Value] = try values(name) else { return nil }
    guard values.count == 1 else { throw Failure(.usage, "\(settings.key(name)): takes one value") }
    return values[0]
  }

  /// The text of a setting, which may have blanks; nil if unset.
  package func text(_ name: String) -> String? { settings[name] }

  /// A setting that is `yes` or `no`; nil if unset.
  package func isOn(_ name: String) throws -> Bool? { try (value(name) as Switch?).map { $0 == .yes } }

  private enum Switch: String, ExpressibleByArgument { case yes, no }
}

/// `config`: the settings of the hub in effect.
package struct HubConfigCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show the settings in effect, and where each comes from.",
    discussion: """
      Settings are environment variables or lines KEY=VALUE in the settings file that
      metube-rss has too; the environment takes precedence, and options of serve
      before it.

      Examples:
        metube-hub config
        metube-hub config --format json
      """)
  @OptionGroup var hub: HubOptions
  @OptionGroup var formatting: FormatOptions

  package init() {}

  package func validate() throws {
    if formatting.format == .urls { throw ValidationError("settings have no URLs") }
  }

  package func run() throws {
    let location = try hub.location
    let log = try location.files?.home(of: nil).folders.log
    try SettingsTable.show(location.settings(of: .hub), log: log, formatting)
  }
}
