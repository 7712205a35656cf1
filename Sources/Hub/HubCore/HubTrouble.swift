import App
import Core
import EventLog
import Exporters
import Glibc
import Library
import Messages
import Platform

/// What keeps the logs of a hub from being written, or whole, as text for its users: without paths of its machine.
package enum HubTrouble {
  /// The response to a request that an obstacle stopped; `remedy` mends a damaged log.
  package static func problem(_ obstacle: Failure.Obstacle?, remedy: String) -> HubProblem {
    switch obstacle {
    case .full: HubProblem(507, "the hub’s disk is full; nothing was changed", retryAfter: 60)
    case .readOnly:
      HubProblem(503, "the hub’s files or database can only be read at present; nothing was changed", retryAfter: 60)
    case .damaged(let log, let line):
      HubProblem(
        503,
        "\(DisplayText(log).text), a log on the hub, is damaged in line \(line), so nothing was changed; the operator "
          + "of the hub can repair it: \(remedy)")
    case .lost(let log):
      HubProblem(
        503,
        "\(DisplayText(log).text), a log on the hub, lacks what was in it, so nothing was changed; the operator of "
          + "the hub can restore it, or go on without it: \(remedy)")
    case .unknown:
      HubProblem(503, "the hub’s disk failed: unknown whether the change was saved; look before you repeat it")
    case .unreachable:
      HubProblem(503, "the database does not answer; try again", retryAfter: HubProblem.shortly)
    case .tookTooLong: HubProblem(504, "the response took too long to make; request less at once")
    case nil: HubProblem(503, "the hub cannot read or write its files; its own log says why")
    }
  }

  /// What to run for the logs of a user; `nil` for the catalogue, and empty for a hub of one home.
  package static func remedy(_ user: String?) -> String {
    user?.isEmpty == true ? "metube-hub log repair" : "metube-hub log repair \(user ?? "--all")"
  }

  /// What is damaged, as text: `k3v9x2ap.jsonl: line 57 (byte 9120) is damaged`.
  package static func text(_ damage: LogDamage) -> String {
    let file = DisplayText(damage.file).text
    switch damage.kind {
    case .lines(let first, let count):
      guard let first else { return "\(file): has damaged lines" }
      let more = count > 1 ? ", and \(UserMessages.count(count - 1, "more line"))" : ""
      return "\(file): line \(first.line) (byte \(first.byte)) is damaged\(more)"
    case .lost: return "\(file): missing, or older than the last write"
    case .unreadable: return "\(file): cannot be read"
    }
  }
}

extension HubFiles {
  /// What keeps these files from being written; nil if nothing seems to.
  package var obstacle: Failure.Obstacle? {
    get throws {
      let home = try home(of: nil)
      for folder in [try accounts, home.state, home.folders.log] where File.exists(folder) {
        if access(folder, W_OK) != 0, errno == EROFS || errno == EACCES { return .readOnly }
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { continue }
        if UInt64(status.f_bavail) * UInt64(status.f_frsize) < HubFiles.leastRoom { return .full }
      }
      return nil
    }
  }

  /// Bytes; what SQLite and a few events take.
  private static let leastRoom: UInt64 = 64 << 10
}

extension HubFiles {
  /// Why nothing can be polled, of what is broken in the logs that a poll reads: it is the log that polls write to, in a
  /// data folder one of the catalogue. nil if that is whole.
  package func obstacleToPolls(_ damage: [LogDamage]) throws -> HubProblem? {
    guard !damage.isEmpty else { return nil }
    let folders = try home(of: nil).folders
    let identity = try Session.reporting { try DeviceIdentity.read(in: folders, machine: DeviceIdentity.machine) }
    guard case .known(let device) = identity, let own = damage.first(where: { $0.file == "\(device).jsonl" }) else {
      return nil
    }
    return HubProblem(
      503,
      "\(HubTrouble.text(own)), a log on the hub, so nothing is polled; the operator of the hub can repair it: "
        + HubTrouble.remedy(nil))
  }
}

extension HubTrouble {
  /// Something broken in a log, and what mends it.
  package struct Report {
    package var damage: LogDamage
    package var remedy: String

    /// `{"log":"k3v9x2ap.jsonl","line":57,"byte":9120,"lines":1,"what":"…","remedy":"…"}`; without a known line they
    /// are null.
    package var json: JSONLine {
      var line = JSONLine()
      line.add("log", damage.file)
      if case .lines(let first?, let count) = damage.kind {
        line.add("line", first.line)
        line.add("byte", Int(first.byte))
        line.add("lines", count)
      } else {
        for name in ["line", "byte", "lines"] { line.add(name, nil as Int?) }
      }
      line.add("what", HubTrouble.text(damage))
      line.add("remedy", remedy)
      return line
    }
  }
}

extension HubService {
  /// What is broken in the logs that the user reads, with what mends it.
  package func damage() throws -> [HubTrouble.Report] {
    try Session.reporting { try session.library.damage }.map { damage in
      HubTrouble.Report(damage: damage, remedy: HubTrouble.remedy(damage.isOfCatalogue ? nil : user))
    }
  }

  /// Reads the logs anew if another reader found damage that this one does not know.
  package func notice(_ damage: [LogDamage]) throws {
    guard damage != noticed else { return }
    noticed = damage
    try session.workspace.notice(damage)
  }
}
