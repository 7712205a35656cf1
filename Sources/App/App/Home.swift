import EventLog
import Glibc
import Platform

/// The locations of the user's files: the XDG folders, or one folder that holds everything.
package struct Home {
  /// The data folder, with the logs in `log`; the only folder to synchronise.
  package let data: String
  /// The folder of per-machine state.
  package let state: String
  /// The folder of data that can be rebuilt.
  package let cache: String
  /// The settings file of this machine.
  package let settings: String
  /// The home that polls for this one and holds what feeds reported; nil if this one polls itself.
  package private(set) var catalogue: String?

  /// The folders under `folder` if the user chose one, else those of the XDG Base Directory Specification.
  package init(folder: String?, environment: [String: String]) throws {
    guard folder?.isEmpty != true else { throw Failure(SettingError.emptyHome) }
    if let folder = Home.chosenFolder(folder, environment) {
      let root = folder.hasSuffix("/") && folder != "/" ? String(folder.dropLast()) : folder
      (data, state, cache, settings) = (root, "\(root)/state", "\(root)/cache", "\(root)/env")
      return
    }
    func base(_ variable: String, _ standard: String) throws -> String {
      // The specification says to ignore relative paths.
      if let path = environment[variable], path.hasPrefix("/") { return "\(path)/metube-rss" }
      guard let home = environment["HOME"], home.hasPrefix("/") else {
        throw Failure(SettingError.unknownHome)
      }
      return "\(home)/\(standard)/metube-rss"
    }
    data = try base("XDG_DATA_HOME", ".local/share")
    state = try base("XDG_STATE_HOME", ".local/state")
    cache = try base("XDG_CACHE_HOME", ".cache")
    settings = try base("XDG_CONFIG_HOME", ".config") + "/env"
  }
}

extension Home {
  /// The home of a user of a hub, under `folder`, beside the catalogue's.
  package init(folder: String, catalogue: String) {
    (data, state, cache) = (folder, "\(folder)/state", "\(folder)/cache")
    (settings, self.catalogue) = ("\(catalogue)/env", catalogue)
  }

  /// The state folder of the home that polls.
  package var pollState: String { catalogue.map { "\($0)/state" } ?? state }

  /// The single folder chosen by `--home` or `METUBE_RSS_HOME`; nil if neither is set or it is empty.
  package static func chosenFolder(_ folder: String?, _ environment: [String: String]) -> String? {
    (folder ?? environment["METUBE_RSS_HOME"]).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The XDG variables that determine the folders, as assignments: `XDG_DATA_HOME=/mnt/data`.
  package static func variables(in environment: [String: String]) -> [String] {
    ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"].compactMap { name in
      environment[name].flatMap { $0.hasPrefix("/") ? "\(name)=\($0)" : nil }
    }
  }

  /// The folders for the EventLog module.
  package var folders: Folders {
    var folders = Folders(data: data, state: state, cache: cache)
    folders.catalogue = catalogue.map { "\($0)/log" }
    return folders
  }
}

extension Environment {
  /// All variables but our keys, which are no business of other programs.
  package static func withoutSecrets() -> [String: String] {
    var variables = variables()
    for program in [SettingNames.terminal, .hub] {
      for name in program.secrets { variables[program.prefix + name] = nil }
    }
    return variables
  }
}
