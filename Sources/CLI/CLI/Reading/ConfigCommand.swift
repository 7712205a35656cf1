import App
import ArgumentParser
import Arguments
import Core
import EventLog
import Exporters
import Platform
import Terminal

/// `config`: the settings in effect.
package struct ConfigCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show the settings in effect, and where each comes from.",
    discussion: """
      Settings are environment variables or lines KEY=VALUE in the settings file; the
      environment takes precedence. docs/reference/settings.md and metube-rss(1)
      describe them. Keys and passwords are not shown.

      Examples:
        metube-rss config
        metube-rss config --format json
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var formatting: FormatOptions

  package init() {}

  package func validate() throws {
    if formatting.format == .urls { throw ValidationError("settings have no URLs") }
  }

  package func run() throws {
    // Not a session: a log that cannot be read must not hide the settings.
    let environment = Environment.variables()
    let home = try Home(folder: common.home, environment: environment)
    let settings = try Settings(environment: environment, file: home.settings)
    try SettingsTable.show(settings, log: home.folders.log, formatting)
  }
}
