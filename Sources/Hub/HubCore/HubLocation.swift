import App
import Core
import Platform

/// Where the data of a hub is.
package enum HubLocation: Sendable {
  /// In files of this machine.
  case files(HubFiles)
  /// In a database, which other processes use too; each user has a log of their own.
  case database(HubDatabase)

  /// The files; nil with a database.
  package var files: HubFiles? { if case .files(let files) = self { files } else { nil } }

  /// The database; nil with files.
  package var database: HubDatabase? { if case .database(let database) = self { database } else { nil } }

  /// Whether each user has a log of their own.
  package var isShared: Bool { files?.isShared ?? true }

  /// The settings of metube-rss that the hub follows: those of the home or of the catalogue, with a database those of the
  /// user who runs it.
  package func settings() throws -> Settings { try settings(of: .terminal) }

  /// The settings of a program.
  package func settings(of program: SettingNames) throws -> Settings {
    guard let files else { return try .standard(of: program) }
    return try Settings(environment: Environment.variables(), file: files.home(of: nil).settings, of: program)
  }
}
