import ArgumentParser
import Core
import Glibc

/// `timer`: polls by itself.
struct TimerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timer", abstract: "Have the feeds polled every hour, by systemd or cron.",
    discussion: """
      Examples:
        metube-rss timer install
        metube-rss timer status
      """,
    subcommands: [TimerInstallCommand.self, TimerStatusCommand.self, TimerRemoveCommand.self])
}

/// Whose timer a command is about.
struct TimerOptions: ParsableArguments {
  @Flag(name: .long, help: "The system's, under the user metube-rss with its files in /var/lib/metube-rss.")
  var system = false

  /// The one whose it is.
  var owner: TimerUnits.Owner { system ? .system : .person }
}

/// `timer install`: writes the units and starts the timer.
struct TimerInstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Have systemd poll every hour; without it, show a line for cron.",
    discussion: """
      The units may write to your metube-rss folders and to those of the exports that
      a poll refreshes; name others that METUBE_RSS_ON_NEW needs with --writable.
      Install again after you change one of these, METUBE_RSS_ON_NEW_SECONDS or the
      XDG folders.

      If timer status says that polls end with 218, 226 or 228, the kernel refuses to
      confine what is yours alone: install again with --plain.

      Examples:
        metube-rss timer install
        metube-rss timer install --writable ~/Videos
        metube-rss timer install --plain
        sudo metube-rss timer install --system
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var options: TimerOptions
  @Option(
    name: .long, help: ArgumentHelp("A further folder that a poll may write to.", valueName: "dir"),
    transform: ArgumentShield.unguarded)
  var writable: [String] = []
  @Flag(name: .long, help: "Confine a poll by little more than its own user's rights, where the kernel refuses more.")
  var plain = false
  @Flag(name: .long, help: "Show the units and change nothing.")
  var show = false
  @Option(
    name: .long, help: ArgumentHelp("Only write the units of a package into this folder.", valueName: "dir"),
    transform: ArgumentShield.unguarded)
  var packageInto: String?
  @Option(name: .long, help: ArgumentHelp("The program in the units of a package.", valueName: "path"))
  var program = "/usr/bin/metube-rss"

  func run() throws {
    if let packageInto { return try tell(TimerPlace(options.owner, packagedIn: packageInto, program: program).write()) }
    let place = try TimerPlace(options.owner, common, writable: writable, isPlain: plain)
    if show { return try self.show(place) }
    guard Systemd.isRunning else { return try showCrontab(place.units) }
    if options.system, geteuid() != 0 { throw Failure(.usage, "--system writes to /etc: run it as root") }
    // Only what is there can be opened for writing.
    if !options.system { place.units.writable.forEach(TimerPlace.makeFolders) }
    var paths = try place.write()
    if options.system { paths.append(try TimerInstallCommand.writeUser()) }
    try tell(paths)
    try Systemd(owner: options.owner).start()
    Messages.tell("the timer is on; metube-rss timer status says how it goes")
    if !options.system {
      if !plain { Messages.tell("should the first poll end with 218, 226 or 228: \(TimerInstallCommand.remedy)") }
      Messages.tell("to have it poll while you are logged out too: loginctl enable-linger")
    }
  }

  /// What helps where the kernel refuses people to confine a poll.
  static let remedy = "metube-rss timer install --plain"

  /// Writes the file by which systemd-sysusers(8) makes the user; returns its path.
  private static func writeUser() throws -> String {
    let path = "/etc/sysusers.d/metube-rss.conf"
    TimerPlace.makeFolders("/etc/sysusers.d")
    let line = "u metube-rss - \"YouTube feeds\" \(TimerPlace.systemHome)\n"
    _ = try File.replace(path, with: Array(line.utf8))
    return path
  }

  private func show(_ place: TimerPlace) throws {
    var output = Output()
    for (path, text) in zip(place.paths, [place.units.service, place.units.timer]) {
      output.write("# \(path)\n\(text)\n")
    }
    try output.finish()
  }

  private func showCrontab(_ units: TimerUnits) throws {
    Messages.tell("systemd does not run here; put this line into your crontab (crontab -e):")
    var output = Output()
    // A minute of one's own: not everybody at the full hour.
    output.write(units.crontab(minute: Int(Fingerprint.of(units.settings) % 60)) + "\n")
    try output.finish()
  }

  private func tell(_ paths: [String]) throws {
    var output = Output()
    for path in paths { output.write("wrote \(path)\n") }
    try output.finish()
  }
}

/// `timer status`: how the timer does.
struct TimerStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say when the timer polled last, how that went, and when it polls next.",
    discussion: """
      Examples:
        metube-rss timer status
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var options: TimerOptions

  func run() throws {
    guard Systemd.isRunning else {
      throw Failure(.inPart, "systemd does not run here; metube-rss status says when the last poll was")
    }
    let systemd = Systemd(owner: options.owner)
    let timer = systemd.properties("timer", ["ActiveState", "LastTriggerUSec", "NextElapseUSecRealtime"])
    guard timer["ActiveState"] == "active" else {
      throw Failure(.inPart, "the timer is not on; metube-rss timer install turns it on")
    }
    let service = systemd.properties("service", ["Result", "ExecMainStatus", "ActiveState"])
    var output = Output()
    output.write("last run: \(timer["LastTriggerUSec"].flatMap { $0.isEmpty ? nil : $0 } ?? "not yet")\n")
    output.write("next run: \(timer["NextElapseUSecRealtime"] ?? "?")\n")
    let isRunning = service["ActiveState"] == "activating"
    let result = "\(service["Result"] ?? "?") (status \(service["ExecMainStatus"] ?? "?"))"
    output.write("last result: \(isRunning ? "still running" : result)\n")
    if TimerStatusCommand.refusals.contains(service["ExecMainStatus"] ?? "") {
      output.write("  the kernel refuses to confine the poll: \(TimerInstallCommand.remedy)\n")
    }
    for line in systemd.journal(lines: 5) { output.write("  \(DisplayText(line).text)\n") }
    try output.finish()
  }

  /// What systemd ends with where it cannot drop capabilities, make a file system of one's own or filter system calls:
  /// systemd.exec(5).
  private static let refusals = ["218", "226", "228"]
}

/// `timer remove`: no more polls by themselves.
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
    let folder = try TimerPlace.folder(options.owner, Environment.variables())
    let paths = TimerPlace.paths(in: folder).filter(File.exists)
    guard !paths.isEmpty else { throw Failure(.inPart, "\(folder) has no units of metube-rss") }
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
}
