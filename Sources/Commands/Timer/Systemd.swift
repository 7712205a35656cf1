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
    try control("enable", "--now", "\(TimerUnits.name).timer")
  }

  /// Disables and stops the timer; a running poll continues.
  func stop() throws { try control("disable", "--now", "\(TimerUnits.name).timer") }

  /// Reloads the units, which forgets removed ones.
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

  /// The last journal lines of the service.
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
      throw Failure(.disk, "\(([program] + words).joined(separator: " ")) failed; see its output above")
    }
  }

  private func child(_ words: [String]) -> ChildProcess {
    ChildProcess(words: words, environment: Environment.variables())
  }
}
