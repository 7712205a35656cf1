import Core
import Glibc

/// Where the units of a timer belong, and what they say there.
struct TimerPlace {
  /// Whose manager reads them.
  let owner: TimerUnits.Owner
  /// The folder of the units.
  let folder: String
  /// What they say.
  let units: TimerUnits

  /// The units of the person who runs this, or of the system's own user, as they are to be on this machine.
  init(_ owner: TimerUnits.Owner, _ common: CommonOptions, writable: [String], isPlain: Bool) throws {
    self.owner = owner
    let environment = Environment.variables()
    let program = TimerPlace.absolute("/proc/self/exe")
    guard owner == .person else {
      folder = "/etc/systemd/system"
      units = TimerUnits(
        owner: owner, program: program, home: TimerPlace.systemHome, settings: "\(TimerPlace.systemHome)/env",
        writable: writable.map(TimerPlace.absolute), isPlain: isPlain)
      return
    }
    let home = try Home(folder: common.home, environment: environment)
    folder = try TimerPlace.configuration(environment) + "/systemd/user"
    let settings = try Settings(environment: environment, file: home.settings)
    let folders = Set([home.data, home.state, home.cache] + NamedExports.folders(settings) + writable)
    let isOneFolder = common.home ?? environment["METUBE_RSS_HOME"] != nil
    units = TimerUnits(
      owner: owner, program: program, home: isOneFolder ? TimerPlace.absolute(home.data) : nil,
      settings: TimerPlace.absolute(home.settings), writable: folders.map(TimerPlace.absolute).sorted(),
      isPlain: isPlain)
  }

  /// The units of a package, for every person and for the system's own user, that are put into `folder`.
  init(_ owner: TimerUnits.Owner, packagedIn folder: String, program: String) {
    self.owner = owner
    self.folder = folder
    let home = TimerUnits.anyHome
    let folders = [".cache", ".local/share", ".local/state"].map { "\(home)/\($0)/metube-rss" }
    units = TimerUnits(
      owner: owner, program: program, home: owner == .system ? TimerPlace.systemHome : nil,
      settings: owner == .system ? "\(TimerPlace.systemHome)/env" : "\(home)/.config/metube-rss/env",
      writable: owner == .system ? [] : folders, isPlain: false)
  }

  /// Everything of the system's own user.
  static let systemHome = "/var/lib/metube-rss"

  /// The paths of the two units.
  var paths: [String] { ["service", "timer"].map { "\(folder)/\(TimerUnits.name).\($0)" } }

  /// Writes the units and returns their paths.
  func write() throws -> [String] {
    TimerPlace.makeFolders(folder)
    for (path, text) in zip(paths, [units.service, units.timer]) {
      _ = try File.replace(path, with: Array(text.utf8))
    }
    return paths
  }

  /// Makes a folder and those above it; that it cannot be shows when something is written to it. `mkdir`.
  static func makeFolders(_ path: String) {
    var folder = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      folder += "/\(part)"
      mkdir(folder, 0o755)
    }
  }

  private static func configuration(_ environment: [String: String]) throws -> String {
    if let path = environment["XDG_CONFIG_HOME"], path.hasPrefix("/") { return path }
    guard let home = environment["HOME"], home.hasPrefix("/") else { throw Failure(.usage, "HOME is not set") }
    return "\(home)/.config"
  }

  /// The whole path, links followed where it leads somewhere. `realpath`, `getcwd`.
  static func absolute(_ path: String) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    guard !path.hasPrefix("/"), let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    return "\(String(cString: current))/\(path)"
  }
}
