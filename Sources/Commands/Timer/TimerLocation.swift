import Core
import Glibc

/// The timer's units and their location.
struct TimerLocation {
  /// The timer's owner.
  let owner: TimerUnits.Owner
  /// The unit folder.
  let folder: String
  /// The unit contents.
  let units: TimerUnits

  /// The units of the current user, or of the system user, for this machine; `home` is the folder of `--home`. Throws
  /// if a setting they depend on is invalid.
  init(
    _ owner: TimerUnits.Owner, home: String?, writable: [String], environment: [String: String]
  ) throws {
    self.owner = owner
    folder = try TimerLocation.folder(owner, environment)
    switch owner {
    case .person: units = try TimerLocation.personal(home, environment, writable: writable)
    case .system:
      let file = "\(TimerLocation.systemHome)/env"
      units = TimerUnits(
        owner: owner, program: TimerLocation.program, home: TimerLocation.systemHome, settings: file,
        writable: writable.map(TimerLocation.absolute), environment: [],
        hookSeconds: try NewVideoHook.limit(Settings(environment: [:], file: file)))
    }
    let texts = [units.program, units.home ?? "", units.settings] + units.writable + units.environment
    for text in texts where text.contains(where: \.isNewline) {
      throw Failure(.usage, "\(DisplayText(text).text): systemd and cron do not allow line breaks in a path")
    }
  }

  private static func personal(
    _ chosen: String?, _ environment: [String: String], writable: [String]
  ) throws -> TimerUnits {
    let home = try Home(folder: chosen, environment: environment)
    let settings = try Settings(environment: environment, file: home.settings)
    let folders = Set([home.data, home.state, home.cache] + NamedExports.folders(settings) + writable)
    let isOneFolder = Home.chosenFolder(chosen, environment) != nil
    return TimerUnits(
      owner: .person, program: program, home: isOneFolder ? absolute(home.data) : nil,
      settings: absolute(home.settings), writable: folders.map(absolute).sorted(),
      environment: isOneFolder ? [] : Home.variables(in: environment),
      hookSeconds: try NewVideoHook.limit(settings))
  }

  private static var program: String { absolute("/proc/self/exe") }

  /// The home of the system user, which holds all its files.
  static let systemHome = "/var/lib/metube-rss"

  /// The paths of the two units.
  var paths: [String] { TimerLocation.paths(in: folder) }

  /// The paths of the two units in a folder.
  static func paths(in folder: String) -> [String] {
    ["service", "timer"].map { "\(folder)/\(TimerUnits.name).\($0)" }
  }

  /// The folder for the owner's own units, per systemd.unit(5). Throws if HOME is not set.
  static func folder(_ owner: TimerUnits.Owner, _ environment: [String: String]) throws -> String {
    if owner == .system { return "/etc/systemd/system" }
    if let path = environment["XDG_CONFIG_HOME"], path.hasPrefix("/") { return "\(path)/systemd/user" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { throw Failure(.usage, "HOME is not set") }
    return "\(home)/.config/systemd/user"
  }

  /// Writes the units and returns their paths.
  func write() throws -> [String] {
    TimerLocation.makeFolders(folder)
    for (path, text) in zip(paths, [units.service, units.timer]) {
      _ = try File.replace(path, with: Array(text.utf8))
    }
    return paths
  }

  /// Creates a folder and its parents. Ignores errors: the first write to the folder reports them. `mkdir`.
  static func makeFolders(_ path: String) {
    var folder = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      folder += "/\(part)"
      mkdir(folder, 0o755)
    }
  }

  /// The absolute path; resolves symbolic links if the path exists. `realpath`, `getcwd`.
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
