import App
import Arguments
import Core
import Messages
import Platform
import PollEngine

/// The two systemd units that poll every hour, from the packaged ones in `Units`.
struct TimerUnits {
  /// The timer's owner.
  enum Owner {
    /// A user's manager: `systemctl --user`.
    case person
    /// The system manager, under a dedicated user.
    case system
  }

  /// The name of both units, without `.service` and `.timer`.
  static let name = "metube-rss"

  /// The timer's owner.
  let owner: Owner
  /// The folder of the units.
  let folder: String
  /// The folder of `--home`, if one folder holds everything.
  let home: String?
  /// The settings file.
  let settings: String
  /// The folders the service may write to; systemd creates the system service's own.
  let writable: [String]
  /// Variables by which a poll finds the same folders: `XDG_DATA_HOME=/mnt/data`.
  let environment: [String]
  /// The time limit of the `METUBE_RSS_ON_NEW` program, seconds.
  let hookSeconds: Int
  /// The absolute path of this program.
  private let program = File.absolute("/proc/self/exe")

  /// The units of the current user, or of the system user, for this machine; `chosen` is the folder of `--home`. Throws
  /// if a setting they depend on is invalid.
  init(_ owner: Owner, home chosen: String?, writable: [String], environment: [String: String]) throws {
    self.owner = owner
    folder = try TimerUnits.folder(owner, environment)
    // The system's service shares nothing with the user who installs it.
    let variables = owner == .system ? [:] : environment
    let chosen = owner == .system ? TimerUnits.systemHome : chosen
    let folders = try Home(folder: chosen, environment: variables)
    let values = try Settings(environment: variables, file: folders.settings)
    let isOneFolder = Home.chosenFolder(chosen, variables) != nil
    home = isOneFolder ? File.absolute(folders.data) : nil
    settings = File.absolute(folders.settings)
    let own = owner == .system ? [] : [folders.data, folders.state, folders.cache] + NamedExports.folders(values)
    self.writable = Set(own + writable).map(File.absolute).sorted()
    self.environment = isOneFolder ? [] : Home.variables(in: variables)
    hookSeconds = try NewVideoHook.limit(values)
    let texts = [program, home ?? "", settings] + self.writable + self.environment
    for text in texts where text.contains(where: \.isNewline) {
      throw Failure(.usage, "\(DisplayText(text).text): systemd and cron do not allow line breaks in a path")
    }
  }

  /// The home of the system user, which holds all its files.
  private static let systemHome = "/var/lib/metube-rss"

  /// The paths of the two units in a folder.
  static func paths(in folder: String) -> [String] { ["service", "timer"].map { "\(folder)/\(name).\($0)" } }

  /// The folder for the owner's own units, per systemd.unit(5). Throws if HOME is not set.
  static func folder(_ owner: Owner, _ environment: [String: String]) throws -> String {
    if owner == .system { return "/etc/systemd/system" }
    if let path = environment["XDG_CONFIG_HOME"], path.hasPrefix("/") { return "\(path)/systemd/user" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { throw Failure(.usage, "HOME is not set") }
    return "\(home)/.config/systemd/user"
  }

  /// Writes the units into a folder and returns their paths.
  func write(to folder: String) throws -> [String] {
    File.makeFolders(folder)
    let paths = TimerUnits.paths(in: folder)
    for (path, text) in zip(paths, [service, timer]) { _ = try File.replace(path, with: Array(text.utf8)) }
    return paths
  }

  /// The text of `metube-rss.service`: the packaged unit, and for this installation assignments that replace its own.
  var service: String {
    var lines = [
      "ExecStart=", "ExecStart=\(command)", "EnvironmentFile=", "EnvironmentFile=-\(UnitText.file(settings))",
    ]
    lines += environment.map { "Environment=\(UnitText.word($0))" }
    if owner == .person { lines.append("ReadWritePaths=") }
    lines += writable.map { "ReadWritePaths=-\(UnitText.word($0))" }
    lines.append("TimeoutStartSec=\(timeLimit)")
    let unit = owner == .system ? PackageResources.system_service : PackageResources.user_service
    return String(decoding: unit, as: UTF8.self) + "\(TimerUnits.mark)\n" + lines.map { "\($0)\n" }.joined()
  }

  /// The comment above the assignments of an installation.
  static let mark = "# This installation:"

  /// The assignments in which the service differs from that of a package; none if it does not.
  var chosen: [String] {
    let folders = writable.map { "ReadWritePaths=-\(UnitText.word($0))" }
    return folders + (hookSeconds == NewVideoHook.usualLimit ? [] : ["TimeoutStartSec=\(timeLimit)"])
  }

  /// The text of `metube-rss.timer`.
  var timer: String { String(decoding: PackageResources.hourly_timer, as: UTF8.self) }

  /// The equivalent crontab line; `minute` is chosen per user.
  func crontab(minute: Int) -> String {
    let variables = environment.isEmpty ? [] : ["env"] + environment
    // cron treats an unescaped `%` as the end of the line.
    let tokens = (variables + [program] + arguments).map {
      TimerUnits.quoted($0).split(separator: "%", omittingEmptySubsequences: false)
    }
    return "\(minute) * * * * " + tokens.map { $0.joined(separator: "\\%") }.joined(separator: " ")
  }

  private var arguments: [String] {
    ["poll", "--quiet", "--deadline", "\(TimerUnits.deadline)"] + (home.map { ["--home", $0] } ?? [])
  }

  private var command: String {
    ([UnitText.word(program)] + arguments.map(UnitText.argument)).joined(separator: " ")
  }

  /// The time limit for requesting feeds, seconds.
  private static let deadline = 900

  /// The service's time limit, seconds: the feeds, the hook, and four minutes for the rest.
  private var timeLimit: Int { TimerUnits.deadline + hookSeconds + 240 }

  /// A word quoted for a shell.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { ($0.isASCII && ($0.isLetter || $0.isNumber)) || "/._-%+@:=,".contains($0) }
    return isPlain ? word : ShellWords.quoted(word)
  }
}

/// Escaping for systemd unit files, systemd.syntax(7) and systemd.unit(5). A value cannot contain a line break.
enum UnitText {
  /// A word of a list, for `Environment=` or `ReadWritePaths=`; quoted if necessary.
  static func word(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "/._-%+@:=,$".contains($0) }
    let quoted = "\"" + text.flatMap { "\\\"".contains($0) ? ["\\", $0] : [$0] } + "\""
    return doubled("%", in: isPlain ? text : quoted)
  }

  /// A command line argument, in which an unescaped `$` would begin a variable, systemd.service(5). For the program's
  /// path use `word`.
  static func argument(_ text: String) -> String { word(doubled("$", in: text)) }

  /// The path for `EnvironmentFile=`: extends to the end of the line, unquoted, and is a glob(7) pattern.
  static func file(_ path: String) -> String {
    doubled("%", in: String(path.flatMap { "*?[\\".contains($0) ? ["\\", $0] : [$0] }))
  }

  private static func doubled(_ letter: Character, in text: String) -> String {
    String(text.flatMap { $0 == letter ? [$0, $0] : [$0] })
  }
}
