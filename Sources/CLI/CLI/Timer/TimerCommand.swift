import ArgumentParser
import Arguments
import Core
import Glibc
import Messages
import Platform

/// `timer`: scheduled polling.
struct TimerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timer", abstract: "Poll every hour, with systemd or cron.",
    discussion: """
      Examples:
        metube-rss timer install
        metube-rss timer status
      """,
    subcommands: [TimerInstallCommand.self, TimerStatusCommand.self, TimerRemoveCommand.self])
}

/// User or system timer.
struct TimerOptions: ParsableArguments {
  @Flag(help: "The system timer, run as user metube-rss with files in /var/lib/metube-rss.") var system = false

  /// The timer's owner.
  var owner: TimerUnits.Owner { system ? .system : .person }
}

/// `timer install`: writes the units and starts the timer.
struct TimerInstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Poll every hour with systemd; without it, print a crontab line.",
    discussion: """
      The units may write to your metube-rss folders and to the folders of exports
      that a poll refreshes; use --writable for others that METUBE_RSS_ON_NEW needs.
      Install again after changing any of these, METUBE_RSS_ON_NEW_SECONDS or the
      XDG folders.

      Where a package has the units of the system, --system uses those and writes
      a drop-in with the folders and the time limit that you chose.

      Examples:
        metube-rss timer install
        metube-rss timer install --writable ~/Videos
        sudo metube-rss timer install --system
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var options: TimerOptions
  @Option(text: "Another folder that a poll may write to; repeatable.", value: "dir", completion: .directory)
  var writable: [String] = []
  func run() throws {
    let units = try TimerUnits(
      options.owner, home: common.home, writable: writable, environment: Environment.variables())
    var output = Output()
    guard Systemd.isRunning else {
      StandardError.report("systemd is not running here; add this line to your crontab (crontab -e):")
      // A minute derived from the settings, so that not every user polls on the hour.
      output.write(units.crontab(minute: Int(Fingerprint.of(units.settings) % 60)) + "\n")
      try output.finish()
      // Nothing was installed.
      throw ExitStatus.partial
    }
    if options.system, geteuid() != 0 { throw Failure(.usage, "--system writes to /etc: run it as root") }
    // A unit can grant write access only to folders that exist.
    if !options.system { units.writable.forEach(File.makeFolders) }
    let lines =
      options.system
      ? try SystemTimer().install(units) : try units.write(to: units.folder).map { "wrote \($0)" }
    for line in lines { output.write("\(line)\n") }
    try output.finish()
    try Systemd(owner: options.owner).start()
    StandardError.report("timer started; check it with metube-rss timer status")
    if !options.system { StandardError.report("to keep polling while you are logged out, run: loginctl enable-linger") }
  }
}

/// `timer status`: last result and next run of the timer.
struct TimerStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the last timed poll, its result, and the next one.",
    discussion: """
      Examples:
        metube-rss timer status
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var options: TimerOptions

  func run() throws {
    guard Systemd.isRunning else {
      throw Failure(.partial, "systemd is not running here; metube-rss status shows the last poll")
    }
    let systemd = Systemd(owner: options.owner)
    let timer = systemd.properties("timer", ["ActiveState", "LastTriggerUSec", "NextElapseUSecRealtime"])
    guard timer["ActiveState"] == "active" else {
      throw Failure(.partial, "the timer is not active; metube-rss timer install starts it")
    }
    let service = systemd.properties(
      "service", ["Result", "ExecMainStatus", "ActiveState", "ExecMainStartTimestamp"])
    var output = Output()
    output.write("last run: \(TimerStatusCommand.lastRun(timer, service) ?? "not yet")\n")
    output.write("next run: \(timer["NextElapseUSecRealtime"] ?? "?")\n")
    let isRunning = service["ActiveState"] == "activating"
    let result = "\(service["Result"] ?? "?") (status \(service["ExecMainStatus"] ?? "?"))"
    output.write("last result: \(isRunning ? "still running" : result)\n")
    if TimerStatusCommand.refusals.contains(service["ExecMainStatus"] ?? "") {
      output.write("  the kernel does not allow the sandbox; docs/reference/timer.md has a drop-in that drops it\n")
    }
    for line in systemd.journal(lines: 5) { output.write("  \(DisplayText(line).text)\n") }
    try output.finish()
  }

  /// When the service last ran, by the properties of both units: also if somebody started it. What ran before the machine
  /// started is known of the timer alone.
  static func lastRun(_ timer: [String: String], _ service: [String: String]) -> String? {
    [service["ExecMainStartTimestamp"], timer["LastTriggerUSec"]].lazy.compactMap(\.self)
      .first { !$0.isEmpty && $0 != "n/a" }
  }

  /// Exit statuses of systemd if it cannot drop capabilities, set up a mount namespace or filter system calls;
  /// systemd.exec(5).
  private static let refusals = ["218", "226", "228"]
}

/// `timer remove`: stops scheduled polling.
struct TimerRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Stop the timer and remove its units.",
    discussion: """
      Examples:
        metube-rss timer remove
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var options: TimerOptions

  func run() throws {
    if options.system { return try removeSystem() }
    let folder = try TimerUnits.folder(options.owner, Environment.variables())
    let paths = TimerUnits.paths(in: folder).filter(File.exists)
    guard !paths.isEmpty else { throw Failure(.partial, "\(folder) has no metube-rss units") }
    if Systemd.isRunning { try Systemd(owner: options.owner).stop() }
    var output = Output()
    for path in paths {
      guard unlink(path) == 0 else {
        throw Failure(.disk, "\(path): cannot be removed: \(String(cString: strerror(errno)))")
      }
      output.write("removed \(path)\n")
    }
    if Systemd.isRunning { try Systemd(owner: options.owner).reload() }
    try output.finish()
  }

  /// Undoes `install --system`; the units of a package stay, and are disabled.
  private func removeSystem() throws {
    let files = SystemTimer()
    let isEnabled = Systemd.isRunning && Systemd(owner: .system).isEnabled
    guard files.isInstalled || files.packaged != nil && isEnabled else {
      throw Failure(.partial, "there is no system timer of timer install")
    }
    if geteuid() != 0 { throw Failure(.usage, "--system writes to /etc: run it as root") }
    if Systemd.isRunning { try Systemd(owner: .system).stop() }
    var output = Output()
    for line in try files.remove() { output.write("\(line)\n") }
    if let folder = files.packaged { output.write("disabled the timer of the package in \(folder)\n") }
    if Systemd.isRunning { try Systemd(owner: .system).reload() }
    try output.finish()
  }
}

/// A systemd service manager: a user's or the system's.
struct Systemd {
  /// The manager's owner.
  let owner: TimerUnits.Owner

  /// Whether this machine runs systemd: sd_booted(3).
  static var isRunning: Bool { File.exists("/run/systemd/system") }

  /// Reloads the units, then enables and starts the timer.
  func start() throws {
    if owner == .system { try call("systemd-sysusers", []) }
    try control("daemon-reload")
    // Enabled before by units that are gone now, it would stay linked to those.
    try control("reenable", "\(TimerUnits.name).timer")
    try control("start", "\(TimerUnits.name).timer")
  }

  /// Disables and stops the timer; a running poll continues.
  func stop() throws { try control("disable", "--now", "\(TimerUnits.name).timer") }

  /// Whether the timer starts with the machine or the login.
  var isEnabled: Bool { properties("timer", ["UnitFileState"])["UnitFileState"] == "enabled" }

  /// Reloads the units, which forgets removed ones.
  func reload() throws { try control("daemon-reload") }

  /// Properties of one of the two units, by name.
  func properties(_ unit: String, _ names: [String]) -> [String: String] {
    let arguments =
      ["systemctl"] + scope + ["show", "\(TimerUnits.name).\(unit)", "--property=" + names.joined(separator: ",")]
    let text = child(arguments).captured(within: 10) ?? ""
    let pairs = text.split(separator: "\n").compactMap { line in
      line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[$0...].dropFirst())) }
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// The last journal lines of the service.
  func journal(lines: Int) -> [String] {
    let arguments =
      ["journalctl"] + scope + [
        "--unit=\(TimerUnits.name).service", "--lines=\(lines)", "--output=short-iso", "--no-pager",
      ]
    return (child(arguments).captured(within: 10) ?? "").split(separator: "\n").map(String.init)
  }

  private var scope: [String] { owner == .person ? ["--user"] : [] }

  private func control(_ arguments: String...) throws { try call("systemctl", scope + arguments) }

  private func call(_ program: String, _ arguments: [String]) throws {
    guard child([program] + arguments).captured(within: 60) != nil else {
      throw Failure(.disk, "\(([program] + arguments).joined(separator: " ")) failed; see its output above")
    }
  }

  private func child(_ arguments: [String]) -> ChildProcess {
    ChildProcess(arguments: arguments, environment: Environment.variables())
  }
}
