import ArgumentParser
import Core

/// The folder that the hub works on, and its settings: `METUBE_HUB_…` in the environment, else in the settings file.
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

  package init() {}

  package func validate() throws {
    if home != nil, data != nil { throw ValidationError("--home and --data exclude each other") }
    if data?.isEmpty == true { throw ValidationError("--data: the folder's name is empty") }
  }

  /// The folders: of the options, else of `METUBE_HUB_HOME` or `METUBE_HUB_DATA`, else those of metube-rss.
  package var files: HubFiles {
    get throws {
      if let home { return .home(home) }
      let environment = Environment.variables()
      func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
      guard let data = data ?? value("METUBE_HUB_DATA") else { return .home(value("METUBE_HUB_HOME")) }
      if self.data == nil, value("METUBE_HUB_HOME") != nil {
        throw Failure(.usage, "METUBE_HUB_HOME and METUBE_HUB_DATA exclude each other; unset one")
      }
      return .data(data.count > 1 && data.hasSuffix("/") ? String(data.dropLast()) : data)
    }
  }

  /// The settings; reports unknown names.
  package func settings() throws -> HubSettings {
    let settings = HubSettings(settings: try read().settings)
    for words in settings.settings.findings { StandardError.report(words) }
    return settings
  }

  fileprivate func read() throws -> (settings: Settings, home: Home) {
    let environment = Environment.variables()
    let home = try files.home(of: nil)
    return (try Settings(environment: environment, file: home.settings, of: .hub), home)
  }
}

extension SettingNames {
  /// Those of metube-hub: docs/hub.md.
  static let hub = SettingNames(
    prefix: "METUBE_HUB_",
    known: [
      ("HOME", nil), ("DATA", nil), ("LISTEN", "127.0.0.1:5057"), ("PUBLIC_URL", nil), ("TRUSTED_PROXY", nil),
      ("POLL", "yes"), ("TIMEOUT", "30"), ("LOG_REQUESTS", "no"), ("WEBSUB_HUB", nil), ("METUBE", "no"),
      ("PUSH", "no"),
    ], command: "metube-hub config")
}

/// The settings of the hub.
package struct HubSettings {
  fileprivate let settings: Settings

  /// The words of a setting, named without its prefix, as values; nil if unset. Throws if one is invalid.
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
    let (settings, home) = try hub.read()
    try ConfigCommand.show(settings, of: home, formatting)
  }
}
