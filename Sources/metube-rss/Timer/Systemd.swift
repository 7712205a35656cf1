/// The service manager of a person or of the system.
struct Systemd {
  /// Whose manager it is.
  let owner: TimerUnits.Owner

  /// Whether this machine runs systemd: sd_booted(3).
  static var isRunning: Bool { File.exists("/run/systemd/system") }

  /// Has it read the units anew and start the timer, now and after every boot.
  func start() throws {
    if owner == .system { try call("systemd-sysusers", []) }
    try control("daemon-reload")
    try control("enable", "--now", "\(TimerUnits.name).timer")
  }

  /// Stops the timer for good; a poll that runs goes on.
  func stop() throws { try control("disable", "--now", "\(TimerUnits.name).timer") }

  /// Has it forget units that are gone.
  func reload() throws { try control("daemon-reload") }

  /// Properties of one of the two units, by name.
  func properties(_ unit: String, _ names: [String]) -> [String: String] {
    let words =
      ["systemctl"] + scope + ["show", "\(TimerUnits.name).\(unit)", "--property=" + names.joined(separator: ",")]
    let text = child(words).captured(within: 10) ?? ""
    let pairs = text.split(separator: "\n").compactMap { line in
      line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[$0...].dropFirst())) }
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// The last lines that polls wrote to the journal.
  func journal(lines: Int) -> [String] {
    let words =
      ["journalctl"] + scope + [
        "--unit=\(TimerUnits.name).service", "--lines=\(lines)", "--output=short-iso", "--no-pager",
      ]
    return (child(words).captured(within: 10) ?? "").split(separator: "\n").map(String.init)
  }

  private var scope: [String] { owner == .person ? ["--user"] : [] }

  private func control(_ words: String...) throws { try call("systemctl", scope + words) }

  private func call(_ program: String, _ words: [String]) throws {
    guard child([program] + words).captured(within: 60) != nil else {
      throw Failure(.disk, "\(([program] + words).joined(separator: " ")) failed; what it said stands above")
    }
  }

  private func child(_ words: [String]) -> ChildProcess {
    ChildProcess(words: words, environment: Environment.variables())
  }
}
